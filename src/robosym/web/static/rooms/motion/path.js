// How the motion goes through its points: the way, its timing, its limits; and what came of it.
import { html } from "../../vendor/preact.mjs";
import { Choice, Flag, Line, NumberField } from "./fields.js";
import { called, label, short, shownUnit } from "./units.js";

const LIMITS = { velocity: "/s", acceleration: "/s²", jerk: "/s³", torque: "" };
const TIMES = { planned: "as planned", fastest: "fastest within limits", scaled: "scaled to torques" };
const SYNCHRONISE = [["", "in step"], ["time", "same end"], ["none", "each for itself"]];

export function PathForm({ state, set, view }) {
  const { space, way, timing } = state;
  const tip = space === "tip";
  const ways = Object.keys(view.ways[space]).map((id) => ({ id, name: { rest: "point to point", blend: "lines with blends", straight: "straight lines", via: "rounded lines", arc: "arcs" }[id] ?? id }));
  const profiles = (tip ? view.tip_profiles : view.profiles).map((id) => ({ id, name: id }));
  const planned = timing !== "fastest";
  const profile = tip && state.profile !== "trapeze" ? "quintic" : state.profile;
  const pair = (key, k, value) => set({ [key]: state[key].map((one, i) => (i === k ? value : one)) }, `${key} ${k}`);
  return html`<div class="m-form">
    <${Choice} title="Way" value=${way} choices=${ways} hint=${view.ways[space][way]} set=${(id) => set({ ways: { ...state.ways, [space]: id } }, "way")} />
    <${Choice} title="Timing" value=${timing} choices=${Object.entries(TIMES).map(([id, name]) => ({ id, name }))} hint=${view.timing[timing]} set=${(id) => set({ timing: id }, "timing")} />
    ${(tip || way === "rest") && planned && html`<${Choice} title="Profile" value=${profile} choices=${profiles} set=${(id) => set({ profile: id }, "profile")} />`}
    ${!tip && way === "rest" && planned && html`<${Choice} title="Joints" value=${state.synchronise} choices=${SYNCHRONISE.map(([id, name]) => ({ id, name }))} set=${(id) => set({ synchronise: id }, "synchronise")} />`}
    ${way === "spline" && planned && html`<${Choice} title="Degree" value=${state.degree} choices=${[3, 5].map((id) => ({ id, name: String(id) }))} set=${(id) => set({ degree: id }, "degree")} />`}
    ${!tip && planned && html`<${Line} title="Each leg" unit="s" hint="Seconds from point to point; empty: as fast as the limits allow"><${NumberField} name="Seconds of each leg" value=${state.seconds} placeholder="fastest" set=${(value) => set({ seconds: value }, "seconds")} /></${Line}>`}
    ${tip && html`<${Line} title="Tip speed" unit="mm/s"><${NumberField} name="Largest speed of the tip" unit="m/s" empty=${false} value=${state.linear[0]} set=${(value) => pair("linear", 0, value)} /></${Line}>
      <${Line} title="acceleration" unit="mm/s²"><${NumberField} name="Largest acceleration of the tip" unit="m/s" empty=${false} value=${state.linear[1]} set=${(value) => pair("linear", 1, value)} /></${Line}>
      <${Line} title="Tip turning" unit="°/s"><${NumberField} name="Largest angular speed of the tip" unit="rad/s" empty=${false} value=${state.angular[0]} set=${(value) => pair("angular", 0, value)} /></${Line}>
      <${Line} title="acceleration" unit="°/s²"><${NumberField} name="Largest angular acceleration of the tip" unit="rad/s" empty=${false} value=${state.angular[1]} set=${(value) => pair("angular", 1, value)} /></${Line}>`}
    <${Flag} title="Torques with friction" value=${state.friction} set=${(value) => set({ friction: value }, "friction")} hint="The friction of the description is in the torques" />
    <${Limits} state=${state} set=${set} view=${view} />
  </div>`;
}

// What the description says stands in the fields, greyed; a number in its place counts.
function Limits({ state, set, view }) {
  const write = (what, name, value) => {
    const rows = { ...state.limits[what] };
    if (value === null) delete rows[name]; else rows[name] = value;
    const limits = { ...state.limits, [what]: rows };
    if (!Object.keys(rows).length) delete limits[what];
    set({ limits }, `limit ${what} ${name}`);
  };
  const all = (what, unit, value) => {
    const limits = { ...state.limits };
    if (value === null) delete limits[what]; else limits[what] = Object.fromEntries(view.coordinates.filter((one) => one.unit === unit).map(({ name }) => [name, value]));
    set({ limits }, `limits ${what}`);
  };
  const unit = view.coordinates[0].unit;
  const one = view.coordinates.every((joint) => joint.unit === unit);
  const given = Object.values(state.limits).reduce((n, rows) => n + Object.keys(rows).length, 0);
  return html`<details class="limits"><summary>Limits of the joints <span class="hint">${given ? `${given} of your own` : "as described"}</span></summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Limits"><table class="grid small"><thead><tr><th scope="col">joint</th>${Object.entries(LIMITS).map(([what, per]) => html`<th scope="col">${what}<br /><span class="m-unit">${what === "torque" ? (one ? (unit === "m" ? "N" : "N m") : "N m, N") : one ? shownUnit(unit) + per : `°, mm${per}`}</span></th>`)}</tr></thead>
    <tbody>
      ${one && view.coordinates.length > 1 && html`<tr><th scope="row">all</th>${Object.keys(LIMITS).map((what) => html`<td><${NumberField} name=${`${label(what)} limit of all joints`} unit=${what === "torque" ? "" : unit} min=${0} value=${common(state.limits[what], view.coordinates)} placeholder="–" set=${(value) => all(what, unit, value)} /></td>`)}</tr>`}
      ${view.coordinates.map((joint) => html`<tr><th scope="row">${called(joint.name)}</th>${Object.keys(LIMITS).map((what) => html`<td><${NumberField} name=${`${label(what)} limit of ${joint.name}`} unit=${what === "torque" ? "" : joint.unit} min=${0}
        value=${state.limits[what]?.[joint.name] ?? null} placeholder=${joint[what] === null ? "none" : short(joint[what] * (what === "torque" ? 1 : joint.unit === "m" ? 1000 : 180 / Math.PI), 4)} set=${(value) => write(what, joint.name, value)} /></td>`)}</tr>`)}
    </tbody></table></div></details>`;
}

function common(rows, coordinates) {
  const values = coordinates.map(({ name }) => rows?.[name]);
  return values.every((value) => value !== undefined && value === values[0]) ? values[0] : null;
}

// In a line: how long, and how much of which limit.
export function Planned({ found }) {
  return html`<div class="planned">
    <p><b class="number">${short(found.duration, 5)} s</b> <span class="hint">${found.name}</span></p>
    ${found.used.map((one) => html`<div class="used" title=${`${one.joint}: ${short(one.value, 4)} of ${short(one.limit, 4)}`}><span>${one.what}</span>
      <meter min="0" max="1" value=${Math.min(one.share, 1)} aria-label=${`Share of the limit of ${one.what}`}></meter>
      <span class=${one.share > 1.001 ? "number over" : "number"}>${short(100 * one.share, 3)} %</span><span class="hint">${called(one.joint)}</span></div>`)}
    ${found.problems.map((text) => html`<p class="m-said bad" role="alert">${text}</p>`)}
    ${found.notes.map((text) => html`<p class="m-said">${text}</p>`)}
    ${found.no_torques && html`<p class="m-said">No torques: ${found.no_torques}</p>`}
  </div>`;
}

