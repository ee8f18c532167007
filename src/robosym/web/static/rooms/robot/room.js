// The Robot room: the description of the robot at hand in tables and as a text, checked as one writes.
import { html, useEffect, useRef, useState } from "../../vendor/preact.mjs";
import { ask } from "../../core/api.js";
import { useAsync, useRobot, useStore } from "../../core/hooks.js";
import { command } from "../../core/keys.js";
import * as store from "../../core/store.js";
import { newDialog, openDialog } from "../../parts/opening.js";
import { Problem } from "../../parts/problem.js";
import { forget, useDraft } from "./draft.js";
import { Findings, marksOf } from "./findings.js";
import { General } from "./general.js";
import { cellId } from "./grid.js";
import { Loops } from "./loops.js";
import { Saving } from "./saving.js";
import { Sheet } from "./sheet.js";
import { Text } from "./text.js";

const TABS = [
  { id: "general", title: "General", tables: ["general", "location", "motion"] },
  { id: "geometry", title: "Geometry", tables: ["frames", "joints"] },
  { id: "inertia", title: "Inertia", tables: ["inertia", "wrench", "state"] },
  { id: "drives", title: "Drives", tables: ["actuators", "motors", "friction", "couplings"] },
  { id: "loops", title: "Loops and legs", tables: ["loops", "legs"] },
  { id: "values", title: "Values", tables: ["values"] },
  { id: "text", title: "Text", tables: [] },
];

const KINDS = { serial: "an arm", tree: "a tree", closed: "with closed loops", parallel: "a platform on legs" };

export function Room() {
  const { robot: at, problem } = useRobot();
  const view = at?.view ?? null;
  const tab = useStore((state) => state.rooms.robot?.tab ?? "geometry");
  const { value: columns, error } = useAsync(() => ask("/api/tables"), []);
  const draft = useDraft();
  const [saving, setSaving] = useState(false);
  const [places, setPlaces] = useState({});
  const goal = useRef(null); // the cell that is to be shown
  useEffect(() => command("Save the robot as…", () => setSaving(true), "Mod+S"), []);
  useEffect(() => {
    const found = goal.current && document.getElementById(goal.current);
    if (!found) return;
    goal.current = null;
    found.closest("details")?.setAttribute("open", "");
    found.scrollIntoView({ block: "center", inline: "nearest" });
    found.focus();
  });
  const marks = marksOf(draft.findings);
  const enter = (id) => store.changeRoom("robot", { tab: id });
  const place = (id) => [places[id] ?? { row: 0, column: 0 }, (at) => setPlaces((before) => ({ ...before, [id]: at }))];
  const go = ({ table, row, column }) => {
    goal.current = cellId(table, row, column);
    const known = columns.find((one) => one.id === table);
    place(table)[1]({ row, column: known.columns.findIndex((one) => one.key === column) });
    enter(TABS.find((one) => one.tables.includes(table)).id);
  };
  const general = draft.tables?.general[0];
  return html`
    <header class="head robot-head">
      <div><h1>${general?.name || view?.name || "A robot without a name"}</h1>
        <p>${general?.description || html`<em>No description yet.</em>`}</p>
        ${general?.source && html`<p class="hint source" title=${general.source}>Source: ${general.source}</p>`}
        ${view && html`<p class="hint">${[view.joints.length === 1 ? "one joint" : `${view.joints.length} joints`, KINDS[view.structure], view.floating && "floating base"].filter(Boolean).join(", ")}</p>`}</div>
      <div class="head-acts"><button onClick=${openDialog}>Open…</button><button onClick=${newDialog}>New…</button><button onClick=${() => setSaving(true)} disabled=${!view}>Save as…</button></div>
    </header>
    <${Tabs} at=${tab} enter=${enter} findings=${draft.findings} tables=${draft.tables} />
    ${problem && !draft.isDraft && !draft.error && html`<div class="found warn" role="alert"><p>It cannot be drawn: ${problem.message}</p></div>`}
    ${(error || draft.error) && html`<${Problem} error=${error ?? draft.error} />`}
    ${draft.error && tab !== "text" && html`<p class="bar bare">The tables cannot show it yet. <button onClick=${() => enter("text")}>Mend its text</button></p>`}
    <div class="tab-body" role="tabpanel" id="robot-panel" aria-labelledby=${`robot-tab-${tab}`}>
      ${tab === "text" ? html`<${Text} />`
    : columns && draft.tables ? html`<${Panel} tab=${tab} columns=${columns} draft=${draft} marks=${marks} place=${place} />
        <${Findings} findings=${draft.findings} isDraft=${draft.isDraft} busy=${draft.busy} go=${go} forget=${forget} />`
      : !error && !draft.error && html`<div class="empty" role="status">The tables are being read…</div>`}
    </div>
    ${saving && html`<${Saving} close=${() => setSaving(false)} />`}`;
}

function Tabs({ at, enter, findings, tables }) {
  const wrong = (tab) => findings.problems.filter((one) => tab.tables.includes(one.table)).length;
  const missing = tables?.values.filter((row) => row.symbol && row.value === "").length ?? 0;
  const keys = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = TABS[(TABS.findIndex((one) => one.id === at) + step + TABS.length) % TABS.length];
    enter(next.id);
    document.getElementById(`robot-tab-${next.id}`).focus();
  };
  return html`<div class="tabs" role="tablist" aria-label="The description" onKeyDown=${keys}>${TABS.map((tab) => html`<button key=${tab.id} class="tab" role="tab" id=${`robot-tab-${tab.id}`}
    aria-selected=${at === tab.id ? "true" : "false"} aria-controls="robot-panel" tabindex=${at === tab.id ? 0 : -1} onClick=${() => enter(tab.id)}>${tab.title}
    ${wrong(tab) > 0 && html`<span class="count bad" aria-label=${`${wrong(tab)} problems`}>${wrong(tab)}</span>`}
    ${tab.id === "values" && missing > 0 && html`<span class="count" title="symbols without a number" aria-label=${`${missing} symbols without a number`}>${missing}</span>`}</button>`)}</div>`;
}

function Panel({ tab, columns, draft, marks, place }) {
  const shared = { columns, draft, marks };
  const sheet = (id, more = {}) => html`<${Sheet} key=${id} id=${id} ...${shared} place=${place(id)} ...${more} />`;
  const open = (...ids) => ids.some((id) => draft.tables[id].some((row) => Object.values(row).some((cell) => cell !== ""))); // whether something is written there
  const more = (title, ...ids) => html`<details class="more" open=${open(...ids)}><summary>${title}</summary>${ids.map((id) => sheet(id))}</details>`;
  if (tab === "general") return html`<${General} ...${shared} />`;
  if (tab === "inertia") return html`${sheet("inertia", { rows: "link" })}${more("Forces on the environment, symbols of the state", "wrench", "state")}`;
  if (tab === "drives") {
    return html`${sheet("actuators", { rows: "joint" })}${more("Motors", "motors")}${more("More friction", "friction")}
      ${sheet("couplings", { may: true, add: "Add a coupling", empty: "Each motor moves one joint. Where several move some joints together, a row says how." })}`;
  }
  if (tab === "loops") return html`<${Loops} ...${shared} place=${place} />`;
  if (tab === "values") return sheet("values", { may: true, add: "Add a symbol", empty: "No symbols: every entry is a number. A name in any cell becomes a symbol and appears here." });
  return html`${sheet("frames", { may: true, add: "Add a joint", rows: "j", empty: "No frames: the robot is its base, one body. Add a joint to begin." })}${sheet("joints", { rows: "j" })}`;
}
