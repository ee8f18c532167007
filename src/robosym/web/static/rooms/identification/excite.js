// An exciting motion: from whose recording all parameters can be told, within the limits of the joints. Found, drawn, played, saved.
import { html, useMemo, useState } from "../../vendor/preact.mjs";
import { ask } from "../../core/api.js";
import { job } from "../../core/jobs.js";
import { useStore } from "../../core/hooks.js";
import * as store from "../../core/store.js";
import { say } from "../../parts/notices.js";
import { Problem } from "../../parts/problem.js";
import { Choice, Line, problemsAt, Text } from "./fields.js";
import { save } from "./files.js";
import { Progress } from "./identify.js";
import { Player } from "./player.js";
import { Plot } from "./plot.js";

const COLOURS = ["accent", "joint", "good", "code-word", "code-number", "bad", "warn", "muted"];
const USUAL = { shape: "fourier", duration: 10, harmonics: 5, velocity: 2, acceleration: 6, reserve: 0.05, evaluations: 300, seed: 0 };
const digits = (value, n = 4) => (value == null ? "–" : String(+value.toPrecision(n)));

let found = null; // { key, result }: it outlives the room

export function Excite({ robot }) {
  const options = { ...USUAL, ...useStore((state) => state.rooms.identification?.excite) };
  const [running, setRunning] = useState(null);
  const [problem, setProblem] = useState(null);
  const [, again] = useState(0);
  const set = (key) => (value) => store.changeRoom("identification", { excite: { ...store.get().rooms.identification?.excite, [key]: value ?? null } }, `excite ${key}`);
  const at = (key) => problemsAt(problem?.problems ?? [], key);
  const result = found?.key === robot.key ? found.result : null;
  const run = async () => {
    const stop = new AbortController();
    setProblem(null);
    setRunning({ share: null, words: "deriving the model", stop });
    try {
      const asked = Object.fromEntries(Object.entries(options).filter(([, value]) => value != null));
      const made = await job("excite", { options: asked }, { signal: stop.signal, progress: ({ share, words }) => setRunning({ share, words, stop }) });
      found = { key: robot.key, result: made };
      again((n) => n + 1);
    } catch (error) {
      setProblem(stop.signal.aborted ? { stopped: true } : error);
    }
    setRunning(null);
  };
  const text = (key, label, placeholder = "") => html`<${Text} label=${label} placeholder=${placeholder} value=${options[key]} problems=${at(key)} onValue=${set(key)} />`;
  return html`<section class="step" aria-labelledby="step-motion">
    <header><h2 id="step-motion">Exciting motion</h2><span class="hint">A recording tells only what its motion excites.</span>
      <span class="end">${running ? html`<button onClick=${() => running.stop.abort()}>Stop</button>` : html`<button class="main" onClick=${run}>Find a motion</button>`}</span></header>
    <form class="form inset" aria-label="Exciting motion" onSubmit=${(e) => { e.preventDefault(); if (!running) run(); }}>
      <div class="entries">
        <${Choice} label="Shape" value=${options.shape} problems=${at("shape")} choices=${[["fourier", "Fourier series"], ["spline", "spline"]]} onValue=${set("shape")} />
        ${text("duration", "Duration, s")}
        ${options.shape === "spline" ? text("segments", "Segments", "10") : text("harmonics", "Harmonics")}
        ${text("velocity", "Velocity, rad/s or m/s", "as described")}
        ${text("acceleration", "Acceleration, rad/s²", "as described")}
        ${text("torque", "Torque, N m", "as described")}
        ${text("reserve", "Reserve of limits")}
        ${text("height", "Least height, m", "any")}
        ${text("evaluations", "Motions tried, at most")}
        ${text("seed", "Seed")}
      </div>
      <${Limits} robot=${robot} limits=${options.limits} set=${set("limits")} />
    </form>
    ${running && html`<${Progress} ...${running} />`}
    ${problem && (problem.stopped ? html`<p class="said" role="status">Stopped.</p>` : html`<${Problem} error=${problem} />`)}
    ${result && html`<${Found} result=${result} robot=${robot} />`}
  </section>`;
}

function Limits({ robot, limits, set }) {
  const given = limits ?? {};
  const controls = Object.fromEntries((robot.scene.controls ?? []).map((one) => [one.name, one]));
  const change = (joint, k, value) => {
    const own = controls[joint] ?? {};
    const pair = [...(given[joint] ?? [own.lower ?? null, own.upper ?? null])];
    pair[k] = value ?? null;
    const next = { ...given, [joint]: pair };
    if (pair.every((x) => x === null)) delete next[joint];
    set(Object.keys(next).length ? next : undefined);
  };
  const shown = (joint, k) => given[joint]?.[k] ?? "";
  const usual = (joint, k) => { const x = controls[joint]?.[k ? "upper" : "lower"]; return x == null ? (k ? "π" : "−π") : digits(x, 3); };
  return html`<details open=${Object.keys(given).length > 0}><summary>Limits of positions <span class="hint">${Object.keys(given).length ? "" : "as described"}</span></summary>
    <div class="scroll"><table class="grid joints"><thead><tr><th>Joint</th><th>From</th><th>To</th></tr></thead><tbody>
      ${robot.view.joints.map((joint) => html`<tr key=${joint}><th scope="row">${joint}</th>${[0, 1].map((k) => html`<td><${Line} class="narrow" aria-label=${`${k ? "Upper" : "Lower"} limit of ${joint}`}
        value=${shown(joint, k)} placeholder=${usual(joint, k)} onValue=${(value) => change(joint, k, value)} /></td>`)}</tr>`)}</tbody></table></div></details>`;
}

function Found({ result, robot }) {
  const [rate, setRate] = useState(500);
  const [repeats, setRepeats] = useState(1);
  const { samples, units } = result;
  const joints = result.motion.joints;
  const plots = useMemo(() => [["q", "Positions", ""], ["qd", "Velocities", "/s"], ["qdd", "Accelerations", "/s²"]].map(([name, title, per]) => ({
    title, unit: [...new Set(units)].map((unit) => unit + per).join(", "),
    lines: samples[name].map((values, k) => ({ label: joints[k], values, colour: COLOURS[k % COLOURS.length], dash: k >= COLOURS.length ? [4, 3] : undefined })),
  })), [samples]);
  const download = async (kind) => {
    try {
      const body = { motion: result.motion, kind, ...(kind === "csv" ? { rate, repeats } : {}) };
      save(`motion.${kind}`, await ask("/api/motion", { method: "POST", body, as: "text" }));
    } catch (error) {
      say(error.message, "bad");
    }
  };
  return html`<div class="report">
    <dl class="cards">
      <div><dt>condition number</dt><dd>${digits(result.condition, 3)}</dd><dd class="hint">columns of length one</dd></div>
      <div><dt>in SI units</dt><dd>${digits(result.raw_condition, 3)}</dd><dd class="hint">${result.columns.length} parameters</dd></div>
      <div><dt>motions tried</dt><dd>${result.evaluations}</dd><dd class="hint">seed ${result.seed}</dd></div>
    </dl>
    <${Player} robot=${robot} samples=${samples} />
    <div class="row inset"><button class="main" onClick=${() => download("csv")}>Save CSV</button>
      <label class="field">at <input type="number" min="1" max="100000" value=${rate} onInput=${(e) => setRate(Number(e.target.value))} /> Hz</label>
      ${result.motion.kind === "Fourier" && html`<label class="field">repeated <input type="number" min="1" max="1000" value=${repeats} onInput=${(e) => setRepeats(Number(e.target.value))} /> times</label>`}
      <button onClick=${() => download("c")}>Save C</button></div>
    <div class="plots wide">${plots.map((one) => html`<${Plot} key=${one.title} title=${one.title} unit=${one.unit} time=${samples.t} lines=${one.lines} group="motion" height=${200} />`)}</div>
    <div class="block"><h3>Room to the limits</h3><div class="scroll"><table class="grid"><thead><tr><th>Limit</th><th>Nearest</th><th class="right">Margin</th></tr></thead><tbody>
      ${result.margins.map((one) => html`<tr><th scope="row">${one.limit}</th><td>${one.what}</td><td class="right">${one.margin == null ? "no limit" : `${digits(one.margin, 3)} ${one.unit}`}</td></tr>`)}</tbody></table></div></div>
    ${result.notes.length > 0 && html`<ul class="notes">${result.notes.map((one) => html`<li>${one}</li>`)}</ul>`}
  </div>`;
}
