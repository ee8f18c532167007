// The model at the position of the robot, in numbers, as it moves. Other inputs and missing parameters are entered here.
import { html, useEffect, useState } from "../../vendor/preact.mjs";
import { useStore } from "../../core/hooks.js";
import { pose } from "../../core/pose.js";
import { askRobot } from "../../core/robot.js";
import * as store from "../../core/store.js";
import { Problem } from "../../parts/problem.js";

const BETWEEN = 120; // ms from one answer to the next question
const FEW = 16; // entries of an input that have a field each

const written = (x) => (x === null ? "–" : x === 0 ? "0" : Math.abs(x) < 1e-12 ? "0" : String(Number(x.toPrecision(6))));

// { value, error, fresh }: of this robot, model and options only; `fresh` says whether also of these inputs and parameters.
function useValues(found, robot, given, parameters) {
  const of = `${robot.key} ${found.asked}`;
  const entered = JSON.stringify([given, parameters]);
  const [answer, set] = useState({ value: null, error: null });
  useEffect(() => {
    let stopped = false;
    let busy = false;
    let again = false;
    const ask = async () => {
      if (busy) { again = true; return; }
      if (robot.scene && pose.get().length !== robot.scene.controls.length) return; // another robot comes
      busy = true;
      again = false;
      try {
        const value = await askRobot(`/models/${found.view.name}/values`, { of: robot, method: "POST", body: { options: found.options, parameters, state: { ...stateOf(robot), ...given } } });
        if (!stopped) set({ value, error: null, of, entered });
      } catch (error) {
        if (!stopped) set({ value: null, error, of, entered });
      }
      await new Promise((done) => setTimeout(done, BETWEEN));
      busy = false;
      if (again && !stopped) ask();
    };
    ask();
    const stop = pose.subscribe(ask);
    return () => { stopped = true; stop(); };
  }, [of, entered]);
  return answer.of === of ? { ...answer, fresh: answer.entered === entered } : { value: null, error: null, fresh: false };
}

// What the models take of the position: q, and the pose of the tip.
function stateOf(robot) {
  if (!robot.direct) return {}; // without a place: what its models take is zero until it is entered
  const x = pose.get();
  const { poses } = robot.direct.frames(x);
  const tip = robot.scene.tip ?? robot.scene.frames.length - 1;
  return { q: [...robot.direct.state(x)], T: [0, 1, 2, 3].map((row) => [...poses.slice(16 * tip + 4 * row, 16 * tip + 4 * row + 4)]) };
}

const plain = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

export function Values({ found, robot }) {
  const kept = useStore((state) => state.rooms.values) ?? {};
  const given = plain(kept.given) ? kept.given : {};
  const parameters = kept.of === robot.view.name && plain(kept.parameters) ? kept.parameters : {}; // of one robot: another has its own M1
  const own = Object.fromEntries(found.view.inputs.filter((one) => given[one.name]?.length === one.shape.reduce((a, b) => a * b, 1)).map((one) => [one.name, given[one.name]]));
  const { value, error, fresh } = useValues(found, robot, own, parameters);
  if (error) return html`<div class="reading"><${Problem} error=${error} /></div>`;
  if (!value) return html`<div class="empty" role="status">…</div>`;
  const put = (name, index, size, x) => {
    const next = [...(own[name] ?? new Array(size).fill(0))];
    next[index] = x;
    store.changeRoom("values", { given: { ...given, [name]: next } }, `input ${name}`);
  };
  const enter = (next, what) => store.changeRoom("values", { of: robot.view.name, parameters: next }, what);
  const putParameter = (name, x) => enter({ ...parameters, [name]: x }, `parameter ${name}`);
  return html`<div class="reading values">
    ${value.missing.length > 0 && html`<section class="missing"><h2>${value.missing.length} parameters have no value</h2>
      <p class="hint">The description has them as symbols. Numbers that you enter here are for this page alone.</p>
      <div class="fields">${value.missing.map((one) => html`<label class="field">${one.name}<input type="number" step="any" onChange=${(e) => { if (e.target.value !== "") putParameter(one.name, Number(e.target.value)); }} /><span class="hint">${one.unit}</span></label>`)}</div>
      ${value.missing.length > 1 && html`<button onClick=${() => enter({ ...parameters, ...Object.fromEntries(value.missing.map((one) => [one.name, 0])) }, "parameters zero")}>Take zero for all of them</button>`}</section>`}
    ${fresh ? value.outputs.map((one) => html`<${Output} one=${one} />`) : html`<p class="hint" role="status">…</p>`}
    ${value.entered.length > 0 && html`<section class="missing" aria-label="Entered parameters"><h2>With ${value.entered.length} parameters as entered here</h2>
      <div class="fields">${value.entered.map((one) => html`<label class="field">${one.name}<input type="number" step="any" value=${one.value} onChange=${(e) => { if (e.target.value !== "") putParameter(one.name, Number(e.target.value)); }} /><span class="hint">${one.unit}</span></label>`)}</div>
      <button onClick=${() => enter({}, "parameters forgotten")}>Forget them</button></section>`}
    <h2>At this state</h2>
    ${value.inputs.map((one) => html`<${Input} one=${one} put=${put} />`)}
  </div>`;
}

const flat = (values) => (Array.isArray(values) ? values.flat(3) : [values]);
const HOW = { position: "from the position of the robot", default: "as it is by default", zero: "zero, unless you enter another value", given: "as entered" };

function Input({ one, put }) {
  const entries = flat(one.values);
  const names = labels(one, entries.length);
  const fields = (one.how === "zero" || one.how === "given" || one.how === "default") && entries.length <= FEW && entries.every((x) => x !== null);
  return html`<section class="input"><h3>${one.name} <span class="hint">${one.about}${one.about && "; "}${HOW[one.how]}</span></h3>
    <div class="fields">${entries.slice(0, 64).map((x, k) => (fields
      ? html`<label class="field"><span>${names[k][0]}</span><input type="number" step="any" value=${Number(x.toPrecision(9))} onChange=${(e) => { if (e.target.value !== "") put(one.name, k, entries.length, Number(e.target.value)); }} /><span class="hint">${names[k][1]}</span></label>`
      : html`<span class="entry">${names[k][0]} <b class="number">${written(x)}</b> <span class="hint">${names[k][1]}</span></span>`))}</div></section>`;
}

function labels({ name, rows, columns, unit }, count) {
  if (!columns.length && rows.length === count) return rows.map(([label, own]) => [label, own || unit]);
  if (columns.length && count % columns.length === 0) {
    return Array.from({ length: count }, (_, k) => [columns[k % columns.length][0], columns[k % columns.length][1] || unit]);
  }
  return Array.from({ length: count }, (_, k) => [count === 1 ? name : `${k + 1}`, unit]);
}

function Output({ one }) {
  const isMatrix = one.shape.length === 2;
  return html`<section><h2>${one.name} <span class="hint">${one.about}${one.unit && `, in ${one.unit}`}</span></h2>
    <div class="scroll" tabindex="0" role="region" aria-label=${one.name}>${isMatrix ? html`<${Matrix} one=${one} />` : html`<${Vector} one=${one} />`}</div></section>`;
}

function Vector({ one }) {
  const entries = flat(one.values);
  const names = labels(one, entries.length);
  return html`<table class="grid"><tbody>${entries.map((x, k) => html`<tr><th scope="row">${names[k][0]}</th><td class="number right">${written(x)}</td><td class="hint">${names[k][1]}</td></tr>`)}</tbody></table>`;
}

function Matrix({ one }) {
  const { rows, columns, values } = one;
  const width = values[0]?.length ?? 0;
  const heads = columns.length === width ? columns : rows.length === width && values.length === width ? rows : [];
  return html`<table class="grid">${heads.length > 0 && html`<thead><tr><td></td>${heads.map(([name]) => html`<th scope="col">${name}</th>`)}</tr></thead>`}
    <tbody>${values.map((row, k) => html`<tr><th scope="row">${rows[k]?.[0] ?? k + 1}</th>${row.map((x) => html`<td class="number right">${written(x)}</td>`)}</tr>`)}</tbody></table>`;
}
