// The recordings: chosen, dropped or simulated; what their columns hold, and what they are taken for.
import { html, useRef, useState } from "../../vendor/preact.mjs";
import * as store from "../../core/store.js";
import { Problem } from "../../parts/problem.js";
import { Progress } from "./identify.js";
import { addFiles, removeFile, simulate, stopLooking } from "./session.js";

const ENDINGS = ".csv,.txt,.tsv,.dat,.parquet,.mat,.npy,.npz,.h5,.hdf5";
const number = (value) => (value == null ? "" : String(+value.toPrecision(4)));

export function Recordings({ robot, session }) {
  const input = useRef();
  const [over, setOver] = useState(false);
  const drop = (event) => {
    event.preventDefault();
    event.stopPropagation();
    setOver(false);
    if (event.dataTransfer.files.length) addFiles(event.dataTransfer.files);
  };
  const take = (event) => {
    if (event.target.files.length) addFiles(event.target.files);
    event.target.value = "";
  };
  const { files, look, looking, trouble, simulated } = session;
  const empty = !files.length && !looking;
  return html`<section class="step" aria-labelledby="step-data" onDragOver=${(e) => { e.preventDefault(); e.stopPropagation(); setOver(true); }} onDragLeave=${() => setOver(false)} onDrop=${drop}>
    <header><h2 id="step-data"><span class="count">1</span>Recordings</h2>
      <input ref=${input} type="file" multiple accept=${ENDINGS} class="hidden" aria-label="Recordings" tabindex="-1" onChange=${take} />
      ${!empty && html`<span class="end"><button onClick=${() => input.current.click()}>Add files</button><button class="plain" onClick=${simulate}>Simulate</button></span>`}
    </header>
    ${empty && html`<div class=${over ? "drop over" : "drop"}>
      <p><b>Drop recordings of ${robot.view.name} here</b></p>
      <p class="hint">Positions and torques (or currents) of its ${robot.view.joints.length} joints over time: CSV, text, NumPy, Parquet, MAT or HDF5.</p>
      <div class="row"><button class="main" onClick=${() => input.current.click()}>Choose files</button><button onClick=${simulate}>Try with simulated data</button></div>
      <p class="hint after">Their columns are looked at, a recipe is written that you can correct, and the parameters come with their uncertainty. Nothing recorded yet? <button class="plain link" onClick=${() => store.changeRoom("identification", { tab: "excite" }, "tab excite")}>Find a motion</button> that is worth it.</p>
    </div>`}
    ${looking && html`<${Progress} share=${looking.share} words=${looking.words} /><div class="row inset"><button onClick=${stopLooking}>Stop</button></div>`}
    ${trouble && html`<${Problem} error=${trouble} />`}
    ${simulated && !looking && html`<p class="banner">${simulated}</p>`}
    ${!looking && files.length > 0 && html`<ul class="files">${files.map((file) => html`<${File} key=${file.name} file=${file} look=${look} />`)}</ul>`}
    ${look && !looking && look.notes.length > 0 && html`<ul class="notes">${look.notes.map((note) => html`<li>${note}</li>`)}</ul>`}
    ${look && !looking && look.files.map((file) => html`<${Columns} key=${file.name} file=${file} only=${look.files.length === 1} table=${session.table} joints=${robot.view.joints} />`)}
  </section>`;
}

function File({ file, look }) {
  const found = look?.files.find((one) => one.name === file.name);
  const problem = look?.problems.find((one) => one.where === file.name);
  return html`<li class=${problem ? "bad" : ""}>
    <span class="name">${file.name}</span>
    ${found && html`<span class="hint number">${found.rows.toLocaleString("en")} rows · ${found.columns.length} columns</span>`}
    <button class="plain" aria-label=${`Remove ${file.name}`} title="Remove" onClick=${() => removeFile(file.name)}>×</button>
    ${problem && html`<span class="wrong" role="alert">${problem.message}</span>`}
  </li>`;
}

function Columns({ file, only, table, joints }) {
  return html`<details class="columns" open=${file.columns.length <= 13}>
    <summary>${only ? "Columns" : `Columns of ${file.name}`}</summary>
    <div class="scroll"><table class="grid"><thead><tr><th>Column</th><th>Looks like</th><th>Used as</th><th class="right">From</th><th class="right">To</th><th>Shape</th></tr></thead>
    <tbody>${file.columns.map((one) => html`<tr><th scope="row" class="code">${one.name}</th>
      <td>${[one.kind || "–", one.unit && `[${one.unit}]`].filter(Boolean).join(" ")}${one.constant ? ", constant" : ""}${one.missing ? html` <span class="wrong">${one.missing} missing</span>` : ""}</td>
      <td>${use(table, file, one, joints) ?? html`<span class="hint">not used</span>`}</td>
      <td class="right">${number(one.least)}</td><td class="right">${number(one.most)}</td><td><${Shape} column=${one} /></td></tr>`)}</tbody></table></div>
  </details>`;
}

// What the recipe takes a column for.
function use(table, file, column, joints) {
  const names = [column.name, `${file.name.replace(/\.[^.]*$/, "")}.${column.name}`];
  if (names.includes(table?.data?.time)) return "time";
  for (const kind of ["position", "velocity", "acceleration", "torque"]) {
    const listed = table?.[kind]?.columns;
    const at = Array.isArray(listed) ? listed.findIndex((one) => names.includes(one)) : -1;
    if (at >= 0) return `${kind}, ${joints[at] ?? at + 1}`;
  }
  return null;
}

const WIDE = 96;
const HIGH = 18;

function Shape({ column }) {
  const height = column.most - column.least || 1;
  const step = WIDE / Math.max(1, column.picture.length - 1);
  const points = column.picture.map((y, k) => (y == null ? null : `${(k * step).toFixed(1)},${(HIGH - 1 - ((y - column.least) / height) * (HIGH - 2)).toFixed(1)}`)).filter(Boolean);
  return html`<svg class="shape" width=${WIDE} height=${HIGH} viewBox=${`0 0 ${WIDE} ${HIGH}`} aria-hidden="true"><polyline points=${points.join(" ")} /></svg>`;
}
