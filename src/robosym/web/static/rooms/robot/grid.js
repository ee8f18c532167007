// A table as in a spreadsheet: arrows move, typing or Enter or F2 writes, Escape leaves it as it was, Tab and Enter go on; blocks of
// cells are copied and pasted as a spreadsheet does. A cell with a problem has its words as a description.
import { html, useLayoutEffect, useRef, useState } from "../../vendor/preact.mjs";
import { Tex } from "./tex.js";

const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const clamp = (value, last) => Math.max(0, Math.min(value, last));
const asText = (cell) => (typeof cell === "boolean" ? String(cell) : cell ?? "");

// Long decimals are shown with seven digits; the cell has, copies and writes all of them.
const DECIMAL = /^-?\d*\.\d{8,}(e[-+]?\d+)?$/i;
const short = (cell) => (DECIMAL.test(cell) ? String(Number(Number(cell).toPrecision(7))) : cell);
const fullOf = (cell) => (short(cell) === cell ? undefined : `${cell}, about ${Number((Number(cell) * 180 / Math.PI).toPrecision(7))}° as an angle`);

export const cellId = (table, row, key) => `cell-${table}-${row}-${key}`;

// `table`: id, title, columns; `heads`: what each row is; `blank(column, row)`: what an empty cell means; `marks`: a Map from cell ids
// to { kind, id } of the words about them; `write(row, key, cell)`, `paste(row, column, block)`, `typing(row, key, text | null)`;
// `rowKeys` are keys that change rows, by name.
export function Grid({ table, rows, heads, corner, blank, marks, write, paste, typing, rowKeys = {}, at, setAt }) {
  const { columns } = table;
  const [end, setEnd] = useState(null); // the other corner of a block
  const [editing, setEditing] = useState(null); // { row, column, text }
  const open = useRef(false); // the editor is left once: taking it away is a blur too
  const wanted = useRef(false); // the focus follows
  const body = useRef();
  const row = clamp(at.row, rows.length - 1);
  const column = clamp(at.column, columns.length - 1);

  useLayoutEffect(() => { // before the next key
    if (!wanted.current) return;
    wanted.current = false;
    const place = body.current?.querySelector(editing ? ".editor" : '[tabindex="0"]');
    place?.focus();
    if (editing && place?.setSelectionRange) place.setSelectionRange(place.value.length, place.value.length);
  });

  const go = (to, across, stretch = false) => {
    const next = { row: clamp(to, rows.length - 1), column: clamp(across, columns.length - 1) };
    wanted.current = true;
    if (stretch) setEnd(next);
    else { setEnd(null); setAt(next); }
  };
  const isTruth = (k) => columns[k].kind === "truth";
  const truth = (r, k) => { const cell = rows[r][columns[k].key]; return typeof cell === "boolean" ? cell : blank(columns[k], r).truth ?? false; };
  const begin = (r, k, text) => {
    wanted.current = true;
    if (isTruth(k)) return write(r, columns[k].key, !truth(r, k));
    setAt({ row: r, column: k });
    open.current = true;
    return setEditing({ row: r, column: k, text: text ?? asText(rows[r][columns[k].key]) });
  };
  const finish = (keep, to = row, across = column, follow = true) => {
    if (!editing || !open.current) return;
    const { row: r, column: k, text } = editing;
    open.current = false;
    setEditing(null);
    typing(r, columns[k].key, null);
    if (keep && text.trim() !== asText(rows[r][columns[k].key])) write(r, columns[k].key, text.trim());
    if (follow) go(to, across);
  };
  const choose = (letter) => {
    const found = columns[column].choices.find((one) => one.startsWith(letter.toLowerCase()));
    if (found) write(row, columns[column].key, found);
  };

  const keys = (event) => {
    const { key } = event;
    const mod = event.ctrlKey || event.metaKey;
    if (editing) {
      if (key === "Enter") finish(true, row + (event.shiftKey ? -1 : 1), column);
      else if (key === "Tab") finish(true, row, column + (event.shiftKey ? -1 : 1));
      else if (key === "Escape") finish(false);
      else return;
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const named = [mod && "Mod", event.altKey && "Alt", key].filter(Boolean).join("+");
    const from = event.shiftKey && end ? end : { row, column };
    if (rowKeys[named]) { wanted.current = true; rowKeys[named](row); } else if (MOVES[key] && !mod && !event.altKey) go(from.row + MOVES[key][0], from.column + MOVES[key][1], event.shiftKey);
    else if (key === "Home") go(mod ? 0 : row, 0);
    else if (key === "End") go(mod ? rows.length - 1 : row, columns.length - 1);
    else if (mod || event.altKey) return;
    else if (key === "Enter" || key === "F2") begin(row, column);
    else if (key === "Delete" || key === "Backspace") clear();
    else if (key === " " && isTruth(column)) begin(row, column);
    else if (key === "Escape") setEnd(null);
    else if (key.length === 1 && columns[column].choices.length) choose(key);
    else if (key.length === 1 && !isTruth(column)) begin(row, column, key);
    else return;
    event.preventDefault();
  };

  const block = () => {
    const other = end ?? { row, column };
    return { top: Math.min(row, other.row), bottom: Math.max(row, other.row), left: Math.min(column, other.column), right: Math.max(column, other.column) };
  };
  const clear = () => {
    const { top, bottom, left, right } = block();
    paste(top, left, Array.from({ length: bottom - top + 1 }, () => Array(right - left + 1).fill("")));
  };
  const copy = (event) => {
    if (editing) return;
    const { top, bottom, left, right } = block();
    const lines = rows.slice(top, bottom + 1).map((one) => columns.slice(left, right + 1).map(({ key }) => asText(one[key])).join("\t"));
    event.clipboardData.setData("text/plain", lines.join("\n"));
    event.preventDefault();
    if (event.type === "cut") clear();
  };
  const put = (event) => {
    if (editing) return;
    const text = event.clipboardData.getData("text/plain").replace(/\r/g, "").replace(/\n$/, "");
    event.preventDefault();
    paste(row, column, text.split("\n").map((line) => line.split("\t").map((cell) => cell.trim())));
  };
  const pointed = (event) => {
    const place = event.target.closest("td");
    if (!place || event.target.closest(".editor")) return;
    const [r, k] = place.dataset.at.split(",").map(Number);
    if (editing && (editing.row !== r || editing.column !== k)) finish(true, r, k);
    else go(r, k, event.shiftKey);
    if (isTruth(k) && event.detail === 1 && event.target.closest(".tick")) begin(r, k);
  };

  const focused = (event) => { // by a screen reader, or a link to the cell
    if (!event.target.matches("td")) return;
    const [r, k] = event.target.dataset.at.split(",").map(Number);
    if (!end && (r !== row || k !== column)) setAt({ row: r, column: k });
  };

  const inBlock = (r, k) => { if (!end) return false; const { top, bottom, left, right } = block(); return r >= top && r <= bottom && k >= left && k <= right; };
  const cell = (one, r, k) => {
    const definition = columns[k];
    const mark = marks.get(cellId(table.id, r, definition.key));
    const isAt = r === row && k === column;
    const written = editing && editing.row === r && editing.column === k;
    const empty = one[definition.key] === "" || one[definition.key] === undefined;
    const usual = empty ? blank(definition, r) : null;
    const names = [definition.kind, empty && "blank", usual?.own && "own", mark?.kind, inBlock(r, k) && "picked", written && "written"].filter(Boolean).join(" ");
    const label = `${heads[r].label}, ${definition.words || definition.title}`;
    return html`<td key=${definition.key} id=${cellId(table.id, r, definition.key)} data-at=${`${r},${k}`} role="gridcell" class=${names} tabindex=${isAt && !written ? 0 : -1}
      aria-selected=${isAt || inBlock(r, k) ? "true" : "false"} aria-invalid=${mark?.kind === "bad" ? "true" : undefined} aria-describedby=${mark?.id} title=${mark?.words ?? fullOf(one[definition.key])}>
      ${written ? html`${short(one[definition.key]) || "0"}<${Editor} column=${definition} label=${label} text=${editing.text} invalid=${mark?.kind === "bad"} describedby=${mark?.id}
          change=${(text) => { setEditing({ ...editing, text }); typing(r, definition.key, text); }} done=${() => finish(true, row, column, false)} />`
        : definition.kind === "truth" ? html`<span class="tick" role="img" aria-label=${truth(r, k) ? "yes" : "no"}>${truth(r, k) ? "✓" : "–"}</span>`
          : empty ? usual.text : short(one[definition.key])}</td>`;
  };

  const units = columns.some((one) => one.unit);
  const here = rows.length ? marks.get(cellId(table.id, row, columns[column].key)) : null;
  return html`<div class="scroll sheet"><table class="grid" role="grid" aria-label=${table.title} aria-rowcount=${rows.length + 1}
      ref=${body} onKeyDown=${keys} onCopy=${copy} onCut=${copy} onPaste=${put} onClick=${pointed} onFocusIn=${focused}
      onDblClick=${(e) => { const place = e.target.closest("td"); if (place && !e.target.closest(".editor")) begin(...place.dataset.at.split(",").map(Number)); }}>
    <thead><tr><th scope="col" class="corner">${corner}</th>${columns.map((one) => html`<th key=${one.key} scope="col" class=${one.kind} title=${one.words || undefined}>
      <span class="named">${one.tex ? html`<${Tex} text=${one.tex} /><span class="hidden">${one.words || one.title}</span>` : one.title}</span>
      ${units && html`<span class="unit">${one.unit || " "}</span>`}</th>`)}</tr></thead>
    <tbody>${rows.map((one, r) => html`<tr key=${r} class=${r === row ? "at" : ""}><th scope="row">${heads[r].number !== undefined && html`<span class="index">${heads[r].number}</span>`} ${heads[r].name}</th>
      ${columns.map((_, k) => cell(one, r, k))}</tr>`)}</tbody>
  </table></div>${here && html`<p class=${`cell-word ${here.kind}`} aria-hidden="true">${heads[row].label}: ${here.words}</p>`}`;
}

function Editor({ column, label, text, change, done, invalid, describedby }) {
  const shared = { class: "editor", "aria-label": label, "aria-invalid": invalid ? "true" : undefined, "aria-describedby": describedby, onBlur: done };
  if (column.choices.length) {
    const choices = ["", ...column.choices, ...(text && !column.choices.includes(text) ? [text] : [])];
    return html`<select ...${shared} value=${text} onChange=${(e) => change(e.target.value)}>
      ${choices.map((one) => html`<option value=${one}>${one || `(${column.blank || "none"})`}</option>`)}</select>`;
  }
  return html`<input type="text" ...${shared} value=${text} size="4" spellcheck=${false} autocomplete="off" onInput=${(e) => change(e.target.value)} />`;
}
