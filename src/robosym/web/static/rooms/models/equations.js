// The equations: sections of lines, made of plain nodes once for a model, typeset when seen.
import { html, useEffect, useRef, useState } from "../../vendor/preact.mjs";
import { render, whenSeen } from "./typeset.js";

export function Equations({ view, lit, drawn }) {
  const pane = useRef();
  const [wanted, setWanted] = useState("");
  const [shown, setShown] = useState(null); // lines that have the wanted words
  useEffect(() => {
    const watch = whenSeen(pane.current, (node) => typeset(node));
    const holder = pane.current.querySelector(".sections");
    holder.replaceChildren(...view.sections.map((section) => sectionNode(section, watch)));
    requestAnimationFrame(() => requestAnimationFrame(drawn));
    lit.equations = pane.current;
    pane.current.scrollTop = 0;
    return () => watch.disconnect();
  }, [view]);
  useEffect(() => { setShown(search(pane.current, wanted)); }, [wanted, view]);
  return html`<section class="pane equations" aria-label="Equations">
    <div class="pane-head"><h2>Equations</h2><span class="hint">${shown === null ? `${view.size} lines` : `${shown} of ${view.size}`}</span>
      <input type="search" class="find" aria-label="Search in the equations" placeholder="Search" value=${wanted} onInput=${(e) => setWanted(e.target.value)} /></div>
    <div class="pane-body" ref=${pane} onKeyDown=${(event) => move(event, lit)}><div class="sections"></div></div>
  </section>`;
}

function typeset(node) {
  const { latex, text } = node.line;
  if (!latex) return;
  const holder = document.createElement("span");
  try { render(latex, holder); } catch { holder.textContent = text; }
  node.replaceChildren(holder);
}

function sectionNode({ title, kind, lines }, watch) {
  const section = document.createElement("section");
  const head = document.createElement("h3");
  const toggle = document.createElement("button");
  toggle.className = "plain fold";
  toggle.setAttribute("aria-expanded", "true");
  const count = document.createElement("small");
  count.textContent = lines.length;
  toggle.append(title, " ", count);
  head.append(toggle);
  const body = kind === "words" ? wordsNode(lines) : linesNode(title, lines, watch);
  toggle.addEventListener("click", () => {
    body.hidden = !body.hidden;
    toggle.setAttribute("aria-expanded", String(!body.hidden));
  });
  section.append(head, body);
  return section;
}

function wordsNode(lines) {
  const node = document.createElement("pre");
  node.className = "stages";
  node.tabIndex = 0;
  node.textContent = lines.map(([, , text]) => text).join("\n");
  return node;
}

function linesNode(title, lines, watch) {
  const list = document.createElement("div");
  list.className = "lines";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", title);
  list.tabIndex = 0;
  for (const [key, latex, text] of lines) {
    const node = document.createElement("div");
    node.className = "line";
    node.setAttribute("role", "option");
    node.setAttribute("aria-selected", "false");
    node.setAttribute("aria-label", text);
    node.dataset.key = key;
    node.line = { latex, text };
    node.textContent = text;
    list.append(node);
    watch.observe(node);
  }
  return list;
}

// Only the lines with all the words are shown.
function search(pane, wanted) {
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const node of pane.querySelectorAll(".line")) {
    const is = words.every((word) => node.line.text.toLowerCase().includes(word));
    node.hidden = !is;
    found += is;
  }
  return words.length ? found : null;
}

// Up and down go from line to line, and light their twins.
function move(event, lit) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const list = event.target.closest?.('[role="listbox"]');
  if (!step || !list) return;
  event.preventDefault();
  const lines = [...list.querySelectorAll(".line:not([hidden])")];
  const at = lines.findIndex((node) => node.dataset.key === lit.current);
  const next = lines[Math.min(Math.max(at + step, 0), lines.length - 1)];
  if (!next) return;
  next.scrollIntoView({ block: "nearest" });
  lit.show(next.dataset.key, { scroll: "code" });
}
