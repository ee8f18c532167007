// The part of the recipe that is about the data: time, roles of recordings, and the columns of every joint.
import { html } from "../../vendor/preact.mjs";
import { Choice, Line, Messages, Text } from "./fields.js";
import { put, putTable } from "./session.js";

const CURRENTS = ["A", "mA", "%", "count"];

// Names by which the first recording gives its columns.
function names(session) {
  const files = session.look?.files ?? [];
  const first = session.look?.recordings?.[0] ?? [];
  const used = files.filter((file) => first.includes(file.name));
  const plain = used.flatMap((file) => file.columns.map((one) => one.name));
  return used.flatMap((file) => file.columns.map((one) => (plain.filter((name) => name === one.name).length > 1 ? `${file.name.replace(/\.[^.]*$/, "")}.${one.name}` : one.name)));
}

export function Data({ table, choices, at, session }) {
  const data = table.data ?? {};
  const change = (patch) => {
    const next = { ...data, ...patch };
    for (const key of Object.keys(next)) if (next[key] === undefined) delete next[key];
    putTable({ ...table, data: next });
  };
  const known = names(session);
  const columns = data.time && !known.includes(data.time) ? [data.time, ...known] : known;
  return html`<fieldset><legend>Time</legend><div class="entries">
    <${Choice} label="Time stamps" value=${data.time ?? ""} problems=${at("data, time")} choices=${[["", "none: even steps"], ...columns]}
      onValue=${(v) => change(v ? { time: v, rate: undefined } : { time: undefined, time_unit: undefined })} />
    ${data.time
      ? html`<${Choice} label="Their unit" value=${data.time_unit ?? "s"} problems=${at("data, time_unit")} choices=${choices.time_units} onValue=${(v) => change({ time_unit: v })} />`
      : html`<${Text} label="Rate, Hz" value=${data.rate} placeholder="1000" problems=${[...at("data, rate"), ...at("data")]} onValue=${(v) => change({ rate: v })} />`}
    <${Text} label="From, s" placeholder="start" value=${data.start} problems=${at("data, start")} onValue=${(v) => change({ start: v })} />
    <${Text} label="To, s" placeholder="end" value=${data.stop} problems=${at("data, stop")} onValue=${(v) => change({ stop: v })} />
    <${Choice} label="Missing numbers" value=${data.missing ?? "error"} problems=${at("data, missing")} choices=${[["error", "are an error"], ["drop", "drop their rows"]]} onValue=${(v) => change({ missing: v === "error" ? undefined : v })} />
  </div><${Messages} problems=${[...at("data, files"), ...at("data, recordings"), ...at("data, role")]} />
  <${Roles} data=${data} session=${session} change=${change} /></fieldset>`;
}

// Which files make a recording together, and what each recording is for.
function Roles({ data, session, change }) {
  const files = session.look?.files ?? [];
  if (files.length < 2) return null;
  const groups = (data.recordings ?? [data.files ?? []]).map((one) => [one].flat());
  const role = data.role ?? groups.map(() => "train");
  const of = (name) => groups.findIndex((group) => group.includes(name));
  const write = (placed, roles) => {
    const count = Math.max(...placed.values()) + 1;
    const next = Array.from({ length: count }, (_, k) => files.map((file) => file.name).filter((name) => placed.get(name) === k));
    const kept = next.map((group, k) => [group, roles[k] ?? "train"]).filter(([group]) => group.length);
    if (kept.length < 2) change({ files: kept[0]?.[0], recordings: undefined, role: undefined });
    else change({ files: undefined, recordings: kept.map(([group]) => group), role: kept.map(([, what]) => what) });
  };
  const placed = new Map(files.map((file) => [file.name, of(file.name)]));
  const move = (name, to) => write(new Map([...placed, [name, to]]), role);
  const set = (k, what) => write(placed, role.map((one, i) => (i === k ? what : one)));
  return html`<div class="scroll"><table class="grid roles"><thead><tr><th>File</th><th>Recording</th><th>Used to</th></tr></thead><tbody>
    ${files.map(({ name }) => { const k = placed.get(name); return html`<tr key=${name}><th scope="row">${name}</th>
      <td><select aria-label=${`Recording of ${name}`} value=${String(k)} onChange=${(e) => move(name, Number(e.target.value))}>
        <option value="-1">not used</option>${files.map((_, i) => html`<option value=${String(i)} selected=${i === k}>${i + 1}</option>`)}</select></td>
      <td>${k >= 0 && html`<select aria-label=${`Role of recording ${k + 1} (${name})`} value=${role[k] ?? "train"} onChange=${(e) => set(k, e.target.value)}>
        <option value="train">identify</option><option value="validate">validate</option></select>`}</td></tr>`; })}</tbody></table></div>`;
}

// --- the joints ---------------------------------------------------------------------------------------------------------

const spread = (value, n, usual) => Array.from({ length: n }, (_, k) => (Array.isArray(value) ? (value.length === 1 ? value[0] : value[k]) : value) ?? usual);

export function Joints({ robot, table, choices, at, session }) {
  const joints = robot.view.joints;
  const n = joints.length;
  const [position, torque] = [table.position ?? {}, table.torque ?? {}];
  const units = [torque.unit ?? "N m"].flat();
  const currents = units.some((unit) => CURRENTS.includes(unit)) || torque.gain !== undefined;
  const known = names(session);
  const stems = (session.look?.files ?? []).map((file) => file.name.replace(/\.[^.]*$/, ""));
  const list = (section, key, usual) => ({
    section, key, usual, values: spread(table[section]?.[key], n, usual),
    set(k, value) {
      const next = spread(table[section]?.[key], n, usual).map((one, i) => (i === k ? value ?? usual : one));
      put(section, key, key !== "columns" && next.every((one) => one === usual) ? undefined : next);
    },
  });
  const q = list("position", "columns", "");
  const tau = list("torque", "columns", "");
  const gain = list("torque", "gain", "");
  const side = (section, own) => html`<${Choice} label="Measured at" value=${own.side ?? "joint"} problems=${at(`${section}, side`)} choices=${[["joint", "the joints"], ["motor", "the motors"]]} onValue=${(v) => put(section, "side", v)} />`;
  const unit = (section, own, usual) => {
    const all = [own.unit ?? usual].flat();
    const same = all.every((one) => one === all[0]);
    return html`<${Choice} label="Unit" value=${same ? all[0] : all.join(", ")} problems=${at(`${section}, unit`)} choices=${choices.units[section]} onValue=${(v) => put(section, "unit", v)} />`;
  };
  return html`<fieldset><legend>Joints</legend>
    <div class="pair"><div class="entries"><span class="of">Positions</span>${unit("position", position, "rad")}${side("position", position)}</div>
    <div class="entries"><span class="of">Torques</span>${unit("torque", torque, "N m")}${side("torque", torque)}</div></div>
    <div class="scroll"><table class="grid joints"><thead><tr><th>Joint</th><th>Position</th><th>Sign</th><th>Offset</th><th>Torque</th><th>Sign</th>${currents && html`<th>Gain</th>`}</tr></thead>
    <tbody>${joints.map((joint, k) => html`<tr key=${joint}><th scope="row">${joint}</th>
      <td><${Column} of=${q} k=${k} label=${`Position of ${joint}`} known=${known} stems=${stems} /></td>
      <td><${Sign} of=${list("position", "sign", 1)} k=${k} label=${`Sign of the position of ${joint}`} /></td>
      <td><${Cell} of=${list("position", "offset", 0)} k=${k} label=${`Offset of ${joint}`} /></td>
      <td><${Column} of=${tau} k=${k} label=${`Torque of ${joint}`} known=${known} stems=${stems} /></td>
      <td><${Sign} of=${list("torque", "sign", 1)} k=${k} label=${`Sign of the torque of ${joint}`} /></td>
      ${currents && html`<td><${Cell} of=${gain} k=${k} label=${`Gain of ${joint}, N m for one unit`} placeholder="KT" /></td>`}</tr>`)}</tbody></table></div>
    <${Messages} problems=${["position", "position, columns", "position, sign", "position, scale", "position, offset", "velocity", "acceleration", "velocity, columns", "torque", "torque, columns", "torque, sign", "torque, scale", "torque, gain", "torque, limit", "transmission"].flatMap(at).filter((one, k, all) => all.indexOf(one) === k)} />
  </fieldset>`;
}

// The column before its file: what tells them apart is seen also where there is little room.
const told = (name, stems) => {
  const file = stems.find((stem) => name.startsWith(`${stem}.`));
  return file ? `${name.slice(file.length + 1)} · ${file}` : name;
};

function Column({ of, k, label, known, stems }) {
  const value = of.values[k] ?? "";
  const missing = value && !known.includes(value);
  return html`<select aria-label=${label} aria-invalid=${value && (!missing || !known.length) ? undefined : "true"} value=${value} onChange=${(e) => of.set(k, e.target.value)}>
    <option value="">choose…</option>${missing && html`<option value=${value} selected>${told(value, stems)}</option>`}
    ${known.map((name) => html`<option value=${name} selected=${name === value}>${told(name, stems)}</option>`)}</select>`;
}

const Sign = ({ of, k, label }) => html`<select aria-label=${label} value=${String(of.values[k])} onChange=${(e) => of.set(k, Number(e.target.value))}>
  <option value="1">+</option><option value="-1">−</option></select>`;

const Cell = ({ of, k, label, placeholder }) => html`<${Line} class="narrow" aria-label=${label} placeholder=${placeholder} value=${of.values[k]} onValue=${(value) => of.set(k, value)} />`;
