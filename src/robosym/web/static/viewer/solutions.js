// Solutions of the inverse geometry as a list that stays in order while the target moves, and says in what they differ.
import { html, useState } from "../vendor/preact.mjs";
import { IN, outside, shown } from "./values.js";
import { useSession } from "./watched.js";

const turned = (a, b) => { const d = a - b; return d - 2 * Math.PI * Math.round(d / (2 * Math.PI)); };

// Whether two positions are the same, whole turns aside.
export function sameTurn(a, b, controls, near = 1e-6) {
  return controls.every(({ unit }, k) => Math.abs(unit === "rad" ? turned(a[k], b[k]) : a[k] - b[k]) < near);
}

// The new solutions, each at the place of the old one that it continues.
export function aligned(before, after) {
  if (before.length !== after.length) return after;
  const free = [...after];
  return before.map((old) => {
    let best = 0;
    const far = (x) => x.reduce((sum, v, k) => sum + turned(v, old[k]) ** 2, 0);
    free.forEach((x, k) => { if (far(x) < far(free[best])) best = k; });
    return free.splice(best, 1)[0];
  });
}

export function Solutions({ session, scene }) {
  const [mode, setMode] = useState("translate");
  const { inverse, reason, solutions, status, words, outside: beyond, current, lit } = useSession(session, (is) =>
    [is.inverse, is.reason, is.solutions, is.status, is.words, is.outside, is.current, is.lit]);
  const gizmo = (name) => { setMode(name); session.viewer.target.mode(name); };
  if (!inverse) return html`<section class="float solutions" aria-label="Solutions"><p class="hint">${reason ? `No inverse geometry: ${reason}` : "The inverse geometry is being derived…"}</p></section>`;
  const keys = (event, k) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.currentTarget.parentNode.parentNode.querySelectorAll("button")[(k + step + solutions.length) % solutions.length].focus();
  };
  return html`<section class="float solutions" aria-label="Solutions">
    <div class="modes" role="group" aria-label="Target">
      <button aria-pressed=${mode === "translate"} onClick=${() => gizmo("translate")} title="Drag the arrows at the tip">Move</button>
      <button aria-pressed=${mode === "rotate"} onClick=${() => gizmo("rotate")} title="Drag the rings at the tip">Turn</button></div>
    ${solutions.length > 0 && html`<ol>${solutions.map((x, k) => html`<li key=${k}><button aria-pressed=${k === current} data-lit=${k === lit || undefined}
        aria-label=${`Solution ${k + 1}${k === current ? ", where it stands" : `: ${difference(x, solutions[current], scene) || "as it stands"}`}`}
        onClick=${() => session.select(k)} onKeyDown=${(e) => keys(e, k)}
        onPointerEnter=${() => session.light(k)} onPointerLeave=${() => session.light(-1)} onFocus=${() => session.light(k)} onBlur=${() => session.light(-1)}>${k + 1}</button></li>`)}</ol>`}
    <p class=${solutions.length ? "hint" : "lack"} role="status">${!solutions.length ? words || status
      : lit >= 0 && lit !== current ? difference(solutions[lit], solutions[current], scene)
      : status !== "reachable" && words ? words
      : solutions.length > 1 ? "choose a number, or click a ghost" : "the only one; drag the target"}${solutions.length && beyond ? html`<span class="beyond">${beyond} more outside the limits</span>` : ""}</p>
  </section>`;
}

// The controls in which a solution is another one, with their values, and those that are outside their limits.
function difference(x, reference, scene) {
  const parts = scene.controls.flatMap((control, i) => {
    if (reference && Math.abs(control.unit === "rad" ? turned(x[i], reference[i]) : x[i] - reference[i]) < 1e-3) return [];
    const beyond = outside(control, x[i]) ? " (outside its limits)" : "";
    return [`${control.label.replaceAll("_", " ")} ${shown(x[i], control.unit, 0)}${IN[control.unit].unit}${beyond}`];
  });
  return parts.join(", ");
}
