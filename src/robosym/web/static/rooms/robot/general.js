// What is said of the robot as a whole: a form, and its base.
import { html } from "../../vendor/preact.mjs";
import { write } from "./draft.js";
import { cellId } from "./grid.js";
import { edited } from "./rows.js";
import { Sheet } from "./sheet.js";
import { Tex } from "./tex.js";

const GRAVITY = ["gravity_x", "gravity_y", "gravity_z"];

export function General({ columns, draft, marks }) {
  const table = columns.find((one) => one.id === "general");
  const column = (key) => table.columns.find((one) => one.key === key);
  const field = (key, more = {}) => html`<${Field} column=${column(key)} draft=${draft} marks=${marks} ...${more} />`;
  return html`
    <div class="form">
      ${field("name")} ${field("description")} ${field("source")}
      <div class="form-row" role="group" aria-label="Gravity"><span class="form-label">Gravity <span class="hint">m/s², in frame 0</span></span>
        <div class="three">${GRAVITY.map((key) => field(key, { bare: true }))}</div></div>
      ${field("base")}
      <div class="form-row"><span class="form-label"></span><div class="ticks">${field("floating")} ${field("mobile")}</div></div>
      ${draft.tables.general[0].par_type !== "" && field("par_type")}
    </div>
    <details class="more"><summary>Where the base is and how it moves</summary>
      <${Sheet} id="location" columns=${columns} draft=${draft} marks=${marks} />
      <${Sheet} id="motion" columns=${columns} draft=${draft} marks=${marks} />
    </details>`;
}

export function Field({ column, draft, marks, bare = false, table = "general" }) {
  const { key, kind, title, words, tex, blank } = column;
  const { tables, attempt } = draft;
  const id = cellId(table, 0, key);
  const mark = marks.get(id);
  const cell = tables[table][0]?.[key] ?? "";
  const put = (value) => { attempt(null); if (value !== cell) write(edited(tables, table, 0, key, value), `cell ${table} ${key} ${Date.now()}`); };
  const shared = { id, "aria-invalid": mark?.kind === "bad" ? "true" : undefined, "aria-describedby": mark?.id };
  if (kind === "truth") {
    return html`<label class="field" title=${words}><input type="checkbox" ...${shared} checked=${cell === true} onChange=${(e) => put(e.target.checked)} />${title}</label>`;
  }
  const input = html`<input type="text" ...${shared} value=${cell} placeholder=${blank} spellcheck=${false} autocomplete="off"
    onInput=${(e) => attempt(edited(tables, table, 0, key, e.target.value.trim()))} onChange=${(e) => put(e.target.value.trim())} />`;
  if (bare) return html`<label class="field"><${Tex} text=${tex} /><span class="hidden">${words} ${key.at(-1)}</span>${input}</label>`;
  return html`<div class="form-row"><label class="form-label" for=${id}>${title}</label>${input}${mark && html`<span class="form-word">${mark.words}</span>`}</div>`;
}
