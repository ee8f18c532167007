// Closed loops, by their cut joints, and platforms on legs.
import { html } from "../../vendor/preact.mjs";
import { Field } from "./general.js";
import { Sheet } from "./sheet.js";

export function Loops({ columns, draft, marks, place }) {
  const column = columns.find((one) => one.id === "loops").columns[0];
  return html`
    <section class="table" aria-label="Closed loops"><div class="bar table-bar"><h2>Closed loops</h2></div>
      <div class="form"><${Field} column=${column} table="loops" draft=${draft} marks=${marks} /></div>
      <${Pairs} tables=${draft.tables} /></section>
    <${Sheet} id="legs" columns=${columns} draft=${draft} marks=${marks} place=${place("legs")} may=${true} add="Add a leg"
      empty="No platform on legs. A platform is a frame whose σ is free; each leg has a row here: its last frame and the frame on the platform it is joined to." />`;
}

// The last frames are the cut joints, then as many twins, which are the same frames seen from the other side.
function Pairs({ tables }) {
  const count = Number(tables.loops[0]?.loops) || 0;
  const total = tables.frames.length;
  const name = (k) => `${k} ${tables.frames[k - 1]?.name || `frame${k}`}`;
  if (!count || total <= 2 * count) {
    return html`<p class="hint table-words">A loop is opened at a passive joint. The last frames of the table are these cut joints, each on one of the two links it joins, then their twins, fixed, on the other link.</p>`;
  }
  return html`<ul class="pairs">${Array.from({ length: count }, (_, k) => total - 2 * count + 1 + k).map((k) => html`<li>
    <b>${name(k)}</b> <span class="hint">on ${tables.frames[k - 1].antecedent}</span> is cut; <b>${name(k + count)}</b> <span class="hint">on ${tables.frames[k + count - 1].antecedent}</span> is its twin</li>`)}</ul>`;
}
