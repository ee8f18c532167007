"use strict";
// Runs the script of a page without a browser: node page_in_node.js page.html '[["key", "End"], ...]' prints what there is after each act.
const fs = require("fs");
const vm = require("vm");

const [, , path, acts] = process.argv;
const text = fs.readFileSync(path, "utf8");
const part = (pattern) => pattern.exec(text)[1];

class Pen {
  constructor(canvas) { this.canvas = canvas; this.calls = []; }
}
for (const name of ["setTransform", "beginPath", "moveTo", "lineTo", "stroke", "fill", "arc", "rect", "fillText", "setLineDash", "drawImage"]) {
  Pen.prototype[name] = function (...given) { this.calls.push([name, ...given.filter((x) => typeof x !== "object")]); };
}
Pen.prototype.clearRect = function () { this.calls = []; };

class Element {
  constructor(tag) {
    Object.assign(this, { tagName: tag.toUpperCase(), children: [], listeners: {}, style: {}, textContent: "", value: "" });
    Object.assign(this, { checked: true, width: 300, height: 150, clientWidth: 640, clientHeight: 480 });
  }
  appendChild(child) { this.children.push(child); return child; }
  addEventListener(kind, act) { (this.listeners[kind] ||= []).push(act); }
  getContext() { return (this.pen ||= new Pen(this)); }
  setPointerCapture() {}
  fire(kind, event) { for (const act of this.listeners[kind] || []) act({ preventDefault() {}, target: this, ...event }); }
}

const elements = { data: new Element("script") };
elements.data.textContent = part(/<script type="application\/json" id="data">(.*?)<\/script>/s);
const root = new Element("document");
const document = Object.assign(root, {
  getElementById: (id) => (elements[id] ||= new Element(id === "scene" ? "canvas" : "div")),
  createElement: (tag) => new Element(tag),
  createTextNode: (words) => Object.assign(new Element("text"), { textContent: words }),
});
let waiting = null, clock = 0;
const window = Object.assign(new Element("window"), {
  devicePixelRatio: 2,
  location: { hash: process.env.HASH || "" },
  matchMedia: () => ({ matches: false }),
  requestAnimationFrame: (act) => { waiting = act; },
});

vm.runInNewContext(part(/<script>(.*)<\/script>/s), { document, window, console });

const words = (element) => [element.textContent, ...element.children.map(words)].join(" ");
const state = () => ({
  title: elements.title.textContent, note: elements.note.textContent, clock: elements.clock.textContent,
  slider: elements.slider.value, play: elements.play.textContent, charts: words(document.getElementById("charts")), calls: elements.scene.pen.calls,
});
const ACTS = {
  key: (key) => document.fire("keydown", { key, target: root }),
  click: (id) => elements[id].fire("click", {}),
  slide: (value) => { elements.slider.value = value; elements.slider.fire("input", {}); },
  drag: (dx, dy, more) => {
    elements.scene.fire("pointerdown", { pointerId: 1, clientX: 0, clientY: 0 });
    elements.scene.fire("pointermove", { pointerId: 1, clientX: dx, clientY: dy, buttons: 1, ...more });
    elements.scene.fire("pointerup", { pointerId: 1 });
  },
  wheel: (deltaY) => elements.scene.fire("wheel", { deltaY }),
  seek: (offsetX) => elements.charts.children[0].children[1].fire("pointerdown", { offsetX, buttons: 1 }),
  wait: (seconds) => { // frames of a sixtieth
    for (let k = 0; k < Math.round(60 * seconds) && waiting; k += 1) { const act = waiting; waiting = null; act((clock += 1000 / 60)); }
  },
  resize: () => window.fire("resize", {}),
};
const found = [state()];
for (const [name, ...given] of JSON.parse(acts)) { ACTS[name](...given); found.push(state()); }
console.log(JSON.stringify(found));
