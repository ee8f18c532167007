// Equations and code side by side; on a phone one of them at a time.
import { html, useEffect, useMemo, useState } from "../../vendor/preact.mjs";
import { Code } from "./code.js";
import { Equations } from "./equations.js";
import { twinLights } from "./twins.js";

export function Panes({ found, languages, begun }) {
  const lit = useMemo(twinLights, []);
  const [side, setSide] = useState("equations");
  const [time, setTime] = useState(null);
  const { view } = found;
  useFoot(`${view.counts.mul} mul + ${view.counts.add} add = ${view.counts.total} (${view.counts.div} div, ${view.counts.trig} sin/cos, ${view.counts.other} other)`,
    time === null ? "" : `derived and typeset in ${time} ms`);
  return html`<${Sides} side=${side} setSide=${setSide} lit=${lit}>
    <${Equations} view=${view} lit=${lit} drawn=${() => { performance.mark("robosym equations drawn"); setTime(Math.round(performance.now() - begun.current)); }} />
    <${Code} found=${found} languages=${languages} lit=${lit} />
  </${Sides}>`;
}

export function Sides({ side, setSide, lit, children }) {
  return html`<div class="sides" role="group" aria-label="Which pane">
      <button aria-pressed=${side === "equations" ? "true" : "false"} onClick=${() => setSide("equations")}>Equations</button>
      <button aria-pressed=${side === "code" ? "true" : "false"} onClick=${() => setSide("code")}>Code</button></div>
    <div class="panes" data-side=${side} onPointerMove=${lit.over} onClick=${lit.click}>${children}</div>`;
}

// Two texts in the bar below the page.
function useFoot(left, right) {
  useEffect(() => {
    const foot = document.getElementById("foot");
    const made = [left, right].map((text) => Object.assign(document.createElement("span"), { textContent: text }));
    foot?.append(...made);
    return () => made.forEach((node) => node.remove());
  }, [left, right]);
}
