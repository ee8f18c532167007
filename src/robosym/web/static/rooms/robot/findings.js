// What is wrong, what is probably not meant and what may surprise, each with a way to its cell.
import { html } from "../../vendor/preact.mjs";
import { cellId } from "./grid.js";

const wordId = (kind, k) => `${kind}-${k}`;

// A Map from cells to the words about them.
export function marksOf({ problems, warnings }) {
  const found = new Map();
  for (const [kind, list] of [["warn", warnings], ["bad", problems]]) {
    list.forEach((one, k) => { if (one.table) found.set(cellId(one.table, one.row, one.column), { kind, id: wordId(kind, k), words: one.message }); });
  }
  return found;
}

const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;

export function Findings({ findings, isDraft, go, forget, busy }) {
  const { problems, warnings, notes } = findings;
  const line = (one, kind, k) => html`<li id=${wordId(kind, k)}>${one.table
    ? html`<button class="plain link" onClick=${() => go(one)}>${one.where}</button> ` : one.where && html`<b>${one.where}</b> `}<span>${one.message}</span></li>`;
  return html`<section class="findings" aria-label="What was found">
    ${problems.length > 0 && html`<div class="found bad" role="alert"><h2>${count(problems.length, "problem", "problems")}</h2>
      <ul>${problems.map((one, k) => line(one, "bad", k))}</ul>
      ${isDraft && html`<p>The robot at hand stays as it was until this is right. <button onClick=${forget}>Leave what was written</button></p>`}</div>`}
    ${warnings.length > 0 && html`<div class="found warn"><h2>${count(warnings.length, "warning", "warnings")}</h2>
      <ul>${warnings.map((one, k) => line(one, "warn", k))}</ul></div>`}
    ${notes.length > 0 && html`<div class="found note"><h2>${count(notes.length, "note", "notes")}</h2><ul>${notes.map((one) => html`<li>${one}</li>`)}</ul></div>`}
    ${!problems.length && !warnings.length && !notes.length && html`<p class="fine" role="status">${busy ? "…" : "No problems."}</p>`}
  </section>`;
}
