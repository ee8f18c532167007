// What a model says beside its equations: singularities, regroupings, columns, a derivation in words.
import { html, useEffect, useRef } from "../../vendor/preact.mjs";
import { render } from "./typeset.js";

export function Reading({ reading }) {
  if (reading.kind === "words") return html`<div class="reading"><pre class="stages" tabindex="0" aria-label=${reading.title}>${reading.text}</pre></div>`;
  if (reading.kind === "table") return html`<${Table} reading=${reading} />`;
  return html`<${Determinant} reading=${reading} />`;
}

// A formula, or its text where it is too long to be typeset.
export function Formula({ latex, text }) {
  const node = useRef();
  useEffect(() => { if (latex) render(latex, node.current); else node.current.textContent = text; }, [latex, text]);
  return html`<span class=${latex ? "" : "code"} ref=${node}></span>`;
}

const cell = (one) => (typeof one === "string" ? one : html`<${Formula} ...${one} />`);

function Table({ reading }) {
  return html`<div class="reading">
    ${reading.notes.map((one) => html`<p>${one}</p>`)}
    <div class="scroll" tabindex="0" role="region" aria-label=${reading.title}><table class="grid"><thead><tr>${reading.head.map((one) => html`<th scope="col">${one}</th>`)}</tr></thead>
      <tbody>${reading.rows.map((row) => html`<tr>${row.map((one) => html`<td>${cell(one)}</td>`)}</tr>`)}</tbody></table></div>
    ${reading.after.map((one) => html`<h2>${one.title}</h2><p class="hint">${one.names.join(", ")}</p>`)}
  </div>`;
}

function Determinant({ reading }) {
  const { factors, singularities, text } = reading;
  return html`<div class="reading">
    ${text && html`<p>${text}</p>`}
    ${factors.length > 0 && html`<h2>The determinant, in factors</h2>
      <p class="product"><${Formula} latex=${product(factors)} text=${factors.map((one) => one.text).join(" * ")} /></p>`}
    ${singularities.map((one, k) => html`<section class="singularity"><h2>Singularity ${k + 1}: <${Formula} latex=${one.equation.latex && `${one.equation.latex} = 0`} text=${`${one.equation.text} = 0`} /></h2>
      ${one.joint ? html`<p>where <${Formula} latex=${values(one)} text=${`${one.joint.text} = ${one.values.map((v) => v.text).join(" or ")}`} />${one.condition && html` <span class="hint">(${one.condition})</span>`}</p>` : html`<p class="hint">Not solved in closed form.</p>`}
      ${one.motions.map((motion, m) => html`<p class="hint">Joint speeds that leave the frame at rest${one.motions.length > 1 && one.values[m] ? html` at <${Formula} ...${one.values[m]} />` : ""}: ${motion.map((speed, n) => html`${n ? ", " : ""}${speed.joint} <${Formula} latex=${speed.latex} text=${speed.text} />`)}</p>`)}
    </section>`)}
  </div>`;
}

const isSum = (latex) => / [+-] /.test(latex.replace(/\\left\(.*?\\right\)/g, ""));
const product = (factors) => (factors.every((one) => one.latex) ? `\\det J = ${factors.map(({ latex }) => (factors.length > 1 && isSum(latex) ? `\\left(${latex}\\right)` : latex)).join(" \\, ")}` : "");
const values = ({ joint, values: all }) => (all.length && all.every((one) => one.latex) ? `${joint.latex} = ${all.map((one) => one.latex).join(" \\;\\text{or}\\; ")}` : "");
