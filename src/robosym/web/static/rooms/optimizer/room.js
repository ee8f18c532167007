// The optimizer: a program that is pasted, its operations before and after, the result as equations and code.
import { html, useEffect, useMemo, useState } from "../../vendor/preact.mjs";
import { ask } from "../../core/api.js";
import { useAsync, useStore } from "../../core/hooks.js";
import * as store from "../../core/store.js";
import { Problem } from "../../parts/problem.js";
import { languages as allLanguages } from "../models/data.js";
import { Equations } from "../models/equations.js";
import { Source } from "../models/code.js";
import { Sides } from "../models/panes.js";
import { twinLights } from "../models/twins.js";

const WAIT = 350; // ms after the last letter
const FIRST = `parameters: L1, L2
x = L1*cos(q1) + L2*cos(q1)*cos(q2) - L2*sin(q1)*sin(q2)
y = L1*sin(q1) + L2*sin(q1)*cos(q2) + L2*cos(q1)*sin(q2)
J[0] = -y
J[1] = -L2*sin(q1 + q2)
J[2] = x
J[3] = L2*cos(q1 + q2)`;

export function Room() {
  const kept = useStore((state) => state.rooms.optimizer?.text);
  const text = typeof kept === "string" ? kept : FIRST;
  const asked = useStore((state) => state.language);
  const { value: known } = useAsync(() => allLanguages(), []);
  const [settled, settle] = useState(text);
  useEffect(() => {
    const waiting = setTimeout(() => settle(text), WAIT);
    return () => clearTimeout(waiting);
  }, [text]);
  const { value: now, error, busy, last } = useAsync((signal) => ask("/api/optimised", { method: "POST", body: { text: settled, language: asked }, signal }).then((made) => ({ ...made, language: asked })), [settled, asked]);
  const value = now ?? (error ? null : last); // the result before stands, dimmed, until that of what was written comes
  const problems = value?.problems ?? [];
  const good = value && !problems.length ? value : null;
  const behind = busy || settled !== text;
  return html`<div class="optimizer" data-busy=${behind ? "true" : "false"}>
    <header class="head model-head"><div><h1>Optimizer</h1>
      <p>Assignments, one a line, or a program in JSON as it is generated here. Names that are never assigned are inputs; a line <span class="code">parameters: a, b</span> makes them parameters, whose work is done once. Nothing is run.</p></div>
      ${good && html`<${BeforeAfter} before=${good.before} after=${good.after} once=${good.precompute.total} />`}</header>
    <div class="editor">
      <textarea aria-label="Program" spellcheck="false" rows="8" value=${text} aria-invalid=${problems.length ? "true" : undefined} aria-describedby="line-problems"
        onInput=${(event) => store.changeRoom("optimizer", { text: event.target.value }, "program")}></textarea>
      <div id="line-problems" role="status">${problems.map((one) => html`<p class="line-problem"><b>line ${one.line}</b>: ${one.message}</p>`)}${!text.trim() && html`<p class="hint">Paste a program.</p>`}</div>
    </div>
    ${error && html`<${Problem} error=${error} />`}
    ${good && html`<${Result} found=${good} busy=${behind} languages=${(known ?? []).filter((one) => !good.routine || one.routines)} />`}
  </div>`;
}

function BeforeAfter({ before, after, once }) {
  const most = Math.max(before.total, after.total, 1);
  const row = (name, counts, own) => html`<tr class=${own ? "own" : ""}><th scope="row">${name}</th><td class="share"><span class="bar-of"><i style=${{ width: `${(100 * counts.total) / most}%` }}></i></span></td>
    <td class="number">${counts.mul} ×</td><td class="number">${counts.add} +</td><td class="number total">${counts.total}</td></tr>`;
  return html`<section class="counts" aria-label="Operations"><table><tbody>${row("after", after, true)}${row("before", before)}</tbody></table>
    <p class="hint">sin, cos: ${before.trig} before, ${after.trig} after${once ? `; once, from the parameters: ${once}` : ""}</p></section>`;
}

function Result({ found, busy, languages }) {
  const lit = useMemo(twinLights, []);
  const [side, setSide] = useState("equations");
  const view = useMemo(() => ({ sections: found.sections, size: found.sections.reduce((sum, one) => sum + one.lines.length, 0) }), [found.sections]);
  const ending = languages.find((one) => one.name === found.language)?.ending ?? "txt";
  return html`<${Sides} side=${side} setSide=${setSide} lit=${lit}>
    <${Equations} view=${view} lit=${lit} drawn=${() => {}} />
    <${Source} source=${found} busy=${busy} lit=${lit} file=${`program.${ending}`} language=${found.language} languages=${languages} />
  </${Sides}>`;
}
