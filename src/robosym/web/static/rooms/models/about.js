// What goes into a model and what comes out, with units; how it was made.
import { html } from "../../vendor/preact.mjs";

export function About({ view }) {
  return html`<div class="reading">
    <${Arrays} title="Inputs" arrays=${view.inputs} none="It takes nothing but the parameters." />
    <${Arrays} title="Outputs" arrays=${view.outputs} />
    ${view.parameters.length > 0 && html`<h2>Parameters <small class="hint">${view.parameters.length}</small></h2>
      <div class="chips">${view.parameters.map((one) => html`<span><b>${one.name}</b> ${one.value === null ? html`<i>no value</i>` : `${plain(one.value)} ${one.unit}`}</span>`)}</div>`}
    <h2>How it was made</h2>
    <ul>${[...view.made, ...view.notes].map((one) => html`<li>${one}</li>`)}</ul>
  </div>`;
}

const plain = (x) => String(Number(x.toPrecision(6)));

function Arrays({ title, arrays, none }) {
  if (!arrays.length) return none ? html`<h2>${title}</h2><p class="hint">${none}</p>` : null;
  return html`<h2>${title}</h2><div class="scroll" tabindex="0" role="region" aria-label=${title}><table class="grid"><thead><tr><th>name</th><th>shape</th><th>what it is</th><th>entries</th></tr></thead><tbody>
    ${arrays.map((one) => html`<tr><td><b>${one.name}</b>${one.optional && html` <span class="hint">may be left out</span>`}</td><td>${one.shape.join(" × ") || "number"}</td>
      <td>${one.about}${one.unit && `, in ${one.unit}`}</td><td class="hint">${entries(one)}</td></tr>`)}</tbody></table></div>`;
}

function entries({ rows, columns }) {
  const list = (all) => all.map(([name, unit]) => (unit ? `${name} (${unit})` : name)).join(", ");
  if (!columns.length) return list(rows);
  return `rows: ${list(rows) || "–"}; columns: ${list(columns)}`;
}
