// Solutions of the inverse geometry as a list that stays in order while the target moves, and says in what they differ.
import { html, useEffect, useState } from "../vendor/preact.mjs";
import { outside, shown } from "./values.js";

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
  const [, again] = useState(0);
  const [mode, setMode] = useState("translate");
  useEffect(() => session.watch(() => again((n) => n + 1)), [session]);
  const { inverse, reason, solutions, status, words, current, lit } = session.is;
  const gizmo = (name) => { setMode(name); session.viewer.target.mode(name); };
  const keys = (event, k) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.currentTarget.parentNode.parentNode.querySelectorAll("button")[(k + step + solutions.length) % solutions.length].focus();
  };
  const reference = solutions[current] ?? solutions[0];
  return html`<section class="float solutions" aria-label="Solutions">
    ${!inverse && html`<p class="hint">${reason ? `No inverse geometry: ${reason}` : "The inverse geometry is being derived…"}</p>`}
    ${inverse && html`<div class="modes" role="group" aria-label="Target">
      <button aria-pressed=${mode === "translate"} onClick=${() => gizmo("translate")}>Move</button>
      <button aria-pressed=${mode === "rotate"} onClick=${() => gizmo("rotate")}>Turn</button>
      <span class="hint">the target</span></div>
      ${!solutions.length && html`<p class="lack" role="status">${words || status}</p>`}
      ${solutions.length > 0 && html`<ol>${solutions.map((x, k) => {
        const beyond = scene.controls.some((control, i) => outside(control, x[i]));
        return html`<li key=${k}><button class="plain" aria-pressed=${k === current} data-lit=${k === lit || undefined}
            aria-label=${`Solution ${k + 1}: ${scene.controls.map((c, i) => `${c.label} ${shown(x[i], c.unit, 0)}`).join(", ")}${beyond ? ", outside the limits" : ""}`}
            onClick=${() => session.select(k)} onKeyDown=${(e) => keys(e, k)}
            onPointerEnter=${() => session.light(k)} onPointerLeave=${() => session.light(-1)} onFocus=${() => session.light(k)} onBlur=${() => session.light(-1)}>
          <b>${k + 1}</b>${scene.controls.map((c, i) => html`<span class=${differs(x, reference, c, i) ? "other" : ""}>${shown(x[i], c.unit, 0)}</span>`)}
          ${beyond && html`<em title="outside the limits of its joints">!</em>`}</button></li>`;
      })}</ol>`}`}
  </section>`;
}

const differs = (x, reference, control, i) => Math.abs(control.unit === "rad" ? turned(x[i], reference[i]) : x[i] - reference[i]) > 1e-3;
