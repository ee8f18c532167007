// Simulations: run on the server, kept here, compared. The state has what was asked, so that a link can run them again.
import { html, useEffect, useState } from "../../vendor/preact.mjs";
import { job } from "../../core/jobs.js";
import { robot } from "../../core/robot.js";
import { withUnit } from "./units.js";

const results = new Map(); // by robot and what was asked
const listeners = new Set();
const COLUMNS = [["rms error", "rms position error"], ["largest error", "largest position error"], ["peak torque"], ["work"]];
const HEADS = ["rms error", "largest error", "peak torque", "work"];

const keyOf = (asked) => `${robot.get().key} ${JSON.stringify(asked)}`;
export const resultOf = (asked) => results.get(keyOf(asked));

export async function simulate(asked, options) {
  const key = keyOf(asked);
  const found = await job("simulate", { asked }, options);
  results.set(key, found);
  for (const listener of [...listeners]) listener();
  return found;
}

export function useResults() {
  const [, again] = useState(0);
  useEffect(() => { const listener = () => again((n) => n + 1); listeners.add(listener); return () => listeners.delete(listener); }, []);
}

// A name that tells it from others: the law, and what was chosen of it.
export function nameOf(asked) {
  const options = Object.entries(asked.options ?? {}).map(([name, value]) => (value === true ? name : `${name} ${Array.isArray(value) ? value.join(" ") : value}`));
  const load = asked.payload ? [`${asked.payload.mass} kg`] : [];
  return [asked.law ?? "left to itself", ...options, ...load].join(", ");
}

const DASH = ["solid", "dashed", "dotted", "dash-dot"];

export function Runs({ runs, shown, show, again, drop, csv, move }) {
  const place = (id) => shown.indexOf(id);
  const mark = (id) => (place(id) < 0 ? "" : html`<span class=${`dash ${DASH[place(id) % DASH.length]}`} aria-hidden="true"></span>`);
  if (!runs.length && !move) return null;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Runs"><table class="grid small runs">
    <thead><tr><th scope="col"><span class="hidden">Shown</span></th><th scope="col">run</th>${HEADS.map((one) => html`<th scope="col">${one}</th>`)}<th scope="col"><span class="hidden">What to do</span></th></tr></thead>
    <tbody>
      ${move && html`<tr><td><input type="checkbox" aria-label="Show the trajectory" checked=${place("move") >= 0} onChange=${() => show("move")} /></td>
        <th scope="row">${mark("move")} trajectory</th><td colspan="4" class="hint">as planned</td><td class="acts">${move}</td></tr>`}
      ${runs.map(({ id, name, asked }) => {
        const found = resultOf(asked);
        const values = Object.groupBy(found?.measures ?? [], ({ name: measure }) => measure);
        return html`<tr key=${id}><td><input type="checkbox" aria-label=${`Show run ${id}`} disabled=${!found} checked=${place(id) >= 0} onChange=${() => show(id)} /></td>
          <th scope="row">${mark(id)} ${id}. ${name}${found?.failed != null && html` <span class="over">lost at ${found.failed.toFixed(3)} s</span>`}${values.saturation?.[0].value > 0 && html` <span class="over">at its torque ${(100 * values.saturation[0].value).toFixed(1)} % of the time</span>`}</th>
          ${found ? COLUMNS.map((names) => { const own = names.map((n) => values[n]).find(Boolean) ?? []; return html`<td class="number">${own.length ? own.map((one) => html`<div>${withUnit(one.value, one.unit, 3)}</div>`) : "–"}</td>`; })
            : html`<td colspan="4" class="hint">not run here yet</td>`}
          <td class="acts">${found ? html`<button class="plain" aria-label=${`CSV of run ${id}`} title="All instants as CSV" onClick=${() => csv(id, asked)}>CSV</button>` : html`<button class="plain" aria-label=${`Run ${id} again`} onClick=${() => again(asked)}>Run</button>`}
            <button class="plain" aria-label=${`Delete run ${id}`} title="Delete" onClick=${() => drop(id)}>×</button></td></tr>`;
      })}
    </tbody></table></div>`;
}
