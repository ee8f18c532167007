// Rows of tables: added, copied, moved, deleted. The tables of frames change together, and whatever names a frame by its number
// or a joint by its usual variable (q3 of frame 3) names the same one afterwards.

const OF_FRAMES = new Set(["frames", "bodies"]);
const numeric = (cell) => /^\d+$/.test(String(cell).trim());
const blankRow = (table) => Object.fromEntries(table.columns.map(({ key }) => [key, ""]));

export const edited = (tables, table, row, key, cell) =>
  ({ ...tables, [table]: tables[table].map((one, k) => (k === row ? { ...one, [key]: cell } : one)) });

const nameOf = (frames, k) => String(frames[k]?.name || `frame${k + 1}`);

// A frame with another name: whatever names it, names it so.
export function renamed(columns, tables, row, name) {
  const next = edited(tables, "frames", row, "name", name);
  const [before, after] = [nameOf(tables.frames, row), nameOf(next.frames, row)];
  for (const { id, columns: known } of columns) {
    for (const { key } of known.filter((one) => one.kind === "frame")) {
      if (next[id].some((one) => one[key] === before)) next[id] = next[id].map((one) => (one[key] === before ? { ...one, [key]: after } : one));
    }
  }
  return next;
}

// A block of cells from (row, column) on, as pasted; rows that are missing are added.
export function pasted(columns, tables, table, row, column, block) {
  let next = tables;
  const { rows, columns: known } = columns.find((one) => one.id === table);
  const missing = row + block.length - next[table].length;
  for (let k = 0; k < missing && (rows === "frames" || rows === "free"); k++) next = added(columns, next, table, next[table].length - 1);
  block.forEach((cells, i) => cells.forEach((cell, k) => {
    const target = known[column + k];
    if (target && next[table][row + i]) next = edited(next, table, row + i, target.key, target.kind === "truth" ? truthOf(cell) : cell);
  }));
  return next;
}

const truthOf = (cell) => ({ true: true, yes: true, 1: true, "✓": true, false: false, no: false, 0: false })[cell.trim().toLowerCase()] ?? "";

export function added(columns, tables, table, after) {
  const definition = columns.find((one) => one.id === table);
  if (!OF_FRAMES.has(definition.rows)) return { ...tables, [table]: spliced(tables[table], after + 1, 0, blankRow(definition)) };
  const order = spliced([...tables.frames.keys()], after + 1, 0, null);
  const next = reordered(columns, tables, order);
  return edited(next, "frames", after + 1, "antecedent", String(after + 1));
}

export function copied(columns, tables, table, row) {
  const definition = columns.find((one) => one.id === table);
  if (!OF_FRAMES.has(definition.rows)) return { ...tables, [table]: spliced(tables[table], row + 1, 0, { ...tables[table][row] }) };
  return reordered(columns, tables, spliced([...tables.frames.keys()], row + 1, 0, { copy: row }));
}

export function removed(columns, tables, table, row) {
  const definition = columns.find((one) => one.id === table);
  if (!OF_FRAMES.has(definition.rows)) return { ...tables, [table]: spliced(tables[table], row, 1) };
  return reordered(columns, tables, spliced([...tables.frames.keys()], row, 1));
}

export function moved(columns, tables, table, row, step) {
  const definition = columns.find((one) => one.id === table);
  if (row + step < 0 || row + step >= tables[table].length) return tables;
  const swap = (list) => { const next = [...list]; [next[row], next[row + step]] = [next[row + step], next[row]]; return next; };
  if (!OF_FRAMES.has(definition.rows)) return { ...tables, [table]: swap(tables[table]) };
  return reordered(columns, tables, swap([...tables.frames.keys()]));
}

const spliced = (list, at, count, ...more) => { const next = [...list]; next.splice(at, count, ...more); return next; };

// The tables with frames in another order: indices of the old ones, null for a new one, { copy } for one like another.
export function reordered(columns, tables, order) {
  const full = { ...tables, frames: tables.frames.map((row, k) => (String(row.antecedent).trim() ? row : { ...row, antecedent: String(k) })) };
  const places = new Map(order.map((from, to) => [from, to + 1]).filter(([from]) => typeof from === "number"));
  const number = (old) => { // of the frame that had this number; what stood on one that is gone stands on what carried it
    for (let n = old; n > 0;) {
      if (places.has(n - 1)) return places.get(n - 1);
      const below = full.frames[n - 1]?.antecedent;
      if (!numeric(below) || Number(below) >= n) return 0;
      n = Number(below);
    }
    return 0;
  };
  const isThere = (old) => old === 0 || places.has(old - 1);
  const variables = usualVariables(full, places);
  const usual = new Map([...places].filter(([from]) => !full.frames[from].name).map(([from, to]) => [`frame${from + 1}`, `frame${to}`]));
  const next = {};
  for (const { id, rows, columns: known } of columns) {
    const change = (row, own = variables) => changedRow(row, known, own, number, isThere, usual);
    const from = rows === "bodies" ? full[id].slice(1) : full[id];
    if (!OF_FRAMES.has(rows)) { next[id] = full[id].map((row) => change(row)); continue; }
    const list = order.map((one, to) => {
      if (one === null) return blankRow({ columns: known });
      if (typeof one === "number") return change(from[one] ?? {});
      const fresh = change(from[one.copy] ?? {}, new Map([...variables, [`q${one.copy + 1}`, `q${to + 1}`]]));
      return { ...fresh, ...("variable" in fresh ? { variable: "", joint: "" } : {}), ...(id === "frames" ? { name: "" } : {}) };
    });
    next[id] = rows === "bodies" ? [change(full[id][0] ?? {}), ...list] : list;
  }
  return next;
}

// q3 becomes q4 where frame 3 becomes frame 4 and its joint has no name of its own.
function usualVariables(tables, places) {
  const own = new Set(tables.joints.map((row) => row.variable).filter(Boolean));
  const found = new Map();
  for (const [from, to] of places) {
    if (!tables.joints[from]?.variable && !own.has(`q${from + 1}`) && from + 1 !== to) found.set(`q${from + 1}`, `q${to}`);
  }
  return found;
}

function changedRow(row, columns, variables, number, isThere, usual) {
  const next = { ...row };
  for (const { key, kind } of columns) {
    const cell = next[key];
    if (cell === "" || cell === undefined || typeof cell === "boolean") continue;
    if (kind === "frame" && numeric(cell)) next[key] = key === "antecedent" || isThere(Number(cell)) ? String(number(Number(cell))) : "";
    else if (kind === "frame") next[key] = usual.get(cell) ?? cell;
    else if (kind === "frames") next[key] = String(cell).split(",").map((one) => (numeric(one) ? String(number(Number(one))) : one.trim())).join(", ");
    else if (["expression", "points", "matrix"].includes(kind)) next[key] = String(cell).replace(/[A-Za-z_]\w*/g, (name) => variables.get(name) ?? name);
  }
  return next;
}
