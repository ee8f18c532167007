// A robot in a notebook: the viewer and its sliders, without the page around them.
import { IN, outside, rangeOf, shown } from "./values.js";
import { Viewer } from "./viewer.js";

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// As the notebook is, where it says so, else as the system is.
function isDark() {
  try {
    const said = window.parent.document.body.dataset.jpThemeLight;
    if (said) return said === "false";
  } catch { /* a notebook that keeps its outputs apart */ }
  return window.matchMedia("(prefers-color-scheme: dark)").matches;
}

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};

export function embed(root, { scene, frames, x = null }) {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  let now = Float64Array.from(x ?? scene.controls.map((control) => control.at));
  const host = element("div", { className: "host" });
  const note = element("p", { className: "chip bad", hidden: true });
  const rows = scene.controls.map((control, k) => row(control, scene.reach, (value) => { now[k] = value; show(); }));
  const reset = element("button", { type: "button", textContent: "Reset", onclick: () => { now = Float64Array.from(scene.controls, (control) => control.at); show(); } });
  const sliders = element("div", { className: "sliders" }, element("div", { className: "bar tight" }, reset), ...rows.map((one) => one.line));
  root.append(element("div", { className: "picture" }, host, element("div", { className: "chips" }, note)), sliders);
  let viewer = null;
  try {
    viewer = new Viewer(host, { colour });
  } catch {
    host.append(element("p", { className: "empty", textContent: "This browser has no WebGL: the robot cannot be drawn." }));
  }
  function show() {
    const { ok, message } = viewer ? viewer.show(now) : frames(now);
    note.hidden = ok;
    note.textContent = message;
    rows.forEach((one, k) => one.follow(now[k]));
  }
  viewer?.load({ scene, frames, x: now });
  viewer?.canvas.setAttribute("role", "img");
  viewer?.canvas.setAttribute("aria-label", `${scene.name} in 3D`);
  viewer?.addEventListener("joint", ({ detail: { index, value } }) => { now[index] = value; show(); });
  show();
  return { viewer, pose: () => Array.from(now) };
}

function row(control, reach, set) {
  const label = control.label.replaceAll("_", " ");
  const [low, high] = rangeOf(control, reach);
  const slider = element("input", { type: "range", min: low, max: high, step: "any", oninput: () => set(Number(slider.value)) });
  slider.setAttribute("aria-label", label);
  const value = element("output", { className: "number" });
  const name = element("span", { className: "name" }, element("span", { className: "label", textContent: label, title: label }));
  const line = element("div", { className: "control" }, name, slider, value, element("span", { className: "unit", textContent: IN[control.unit].unit }));
  const follow = (now) => {
    slider.value = now;
    slider.style.setProperty("--part", `${100 * Math.min(1, Math.max(0, (now - low) / (high - low || 1)))}%`);
    value.textContent = shown(now, control.unit);
    value.classList.toggle("beyond", outside(control, now));
  };
  return { line, follow };
}
