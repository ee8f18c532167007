// One table of the draft with what changes its rows: a heading, buttons, the grid.
import { html, useState } from "../../vendor/preact.mjs";
import { blankOf } from "./blank.js";
import { write } from "./draft.js";
import { Grid } from "./grid.js";
import { added, copied, edited, moved, pasted, removed, renamed } from "./rows.js";

function headsOf(table, tables) {
  const frame = (row, k) => ({ number: k + 1, name: row.name || `frame${k + 1}`, label: `frame ${k + 1}` });
  if (table.rows === "bodies") return [{ number: 0, name: tables.general[0]?.base || "base", label: "the base" }, ...tables.frames.map(frame)];
  if (table.rows === "frames") return tables.frames.map((row, k) => (table.id === "frames" ? { number: k + 1, name: "", label: `frame ${k + 1}` } : frame(row, k)));
  if (table.lines.length) return table.lines.map((name) => ({ name, label: name }));
  return tables[table.id].map((_, k) => ({ number: k + 1, name: "", label: `row ${k + 1}` }));
}

// `may`: whether rows are added and deleted here.
export function Sheet({ id, columns, draft, marks, place, may = false, add = "Add", empty = "", title = true, rows = null }) {
  const table = columns.find((one) => one.id === id);
  const { tables, attempt } = draft;
  const [own, setOwn] = useState({ row: 0, column: 0 });
  const [at, setAt] = place ?? [own, setOwn];
  const row = Math.min(at.row, tables[id].length - 1);
  const change = (next, what) => { if (next !== tables) write(next, what); };
  const onRows = (make, step = 0) => (r = row) => { change(make(r), `rows ${Date.now()}`); setAt({ ...at, row: Math.max(0, r + step) }); };
  const acts = {
    add: onRows((r) => added(columns, tables, id, r), 1),
    copy: onRows((r) => copied(columns, tables, id, r), 1),
    up: onRows((r) => moved(columns, tables, id, r, -1), -1),
    down: onRows((r) => moved(columns, tables, id, r, 1), 1),
    remove: onRows((r) => removed(columns, tables, id, r), 0),
  };
  const rowKeys = may ? { "Mod+Enter": acts.add, "Alt+ArrowUp": acts.up, "Alt+ArrowDown": acts.down, "Mod+Delete": acts.remove } : {};
  const none = tables[id].length === 0;
  return html`<section class="table" aria-label=${table.title}>
    <div class="bar table-bar">
      ${title && html`<h2>${table.title}</h2>`}
      ${may && html`<div class="row-acts" role="group" aria-label=${`Rows of ${table.title.toLowerCase()}`}>
        <button onClick=${() => acts.add(tables[id].length ? row : -1)} title="Ctrl-Enter">${add}</button>
        <button disabled=${none} onClick=${() => acts.copy()}>Duplicate</button>
        <button disabled=${none || row === 0} onClick=${() => acts.up()} title="Alt-Up" aria-label="Move up">↑</button>
        <button disabled=${none || row === tables[id].length - 1} onClick=${() => acts.down()} title="Alt-Down" aria-label="Move down">↓</button>
        <button disabled=${none} onClick=${() => acts.remove()} title="Ctrl-Delete">Delete</button>
      </div>`}
    </div>
    ${table.words && html`<p class="hint table-words">${table.words}</p>`}
    ${none ? html`<p class="hint table-words">${empty}</p>`
    : html`<${Grid} table=${table} rows=${tables[id]} heads=${headsOf(table, tables)} corner=${rows ?? ""} marks=${marks} at=${at} setAt=${setAt} rowKeys=${rowKeys}
        blank=${(column, r) => blankOf(table, column, tables, r)}
        write=${(r, key, cell) => change(id === "frames" && key === "name" ? renamed(columns, tables, r, cell) : edited(tables, id, r, key, cell), `cell ${id} ${r} ${key} ${Date.now()}`)}
        paste=${(r, k, block) => change(pasted(columns, tables, id, r, k, block), `paste ${Date.now()}`)}
        typing=${(r, key, text) => attempt(text === null ? null : edited(tables, id, r, key, text.trim()))} />`}
  </section>`;
}
