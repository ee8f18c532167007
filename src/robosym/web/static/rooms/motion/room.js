// The Motion room: points, a motion through them, a law that follows it, and all of it played.
import { html, useEffect, useMemo, useRef, useState } from "../../vendor/preact.mjs";
import { useAsync, useStore } from "../../core/hooks.js";
import { command } from "../../core/keys.js";
import { pose } from "../../core/pose.js";
import { askRobot } from "../../core/robot.js";
import { change } from "../../core/store.js";
import { say } from "../../parts/notices.js";
import { Problem } from "../../parts/problem.js";
import { onViewer } from "../../viewer/shared.js";
import { ControlForm } from "./control.js";
import { curve, record } from "./curve.js";
import { PathForm, Planned } from "./path.js";
import { player } from "./player.js";
import { figures, Plots, QUANTITIES } from "./plots.js";
import { Points } from "./points.js";
import { nameOf, resultOf, Runs, simulate, useResults } from "./runs.js";
import { moveAsked, roomState, runAsked, setter } from "./state.js";
import { TimeBar } from "./timebar.js";
import { called } from "./units.js";

const WAIT = 200; // ms after the last change until a motion is planned
const TRACED = 240; // places of the tip that are drawn
const WHOLE = ["puma560", "panda", "double-pendulum"]; // built-in robots that have a number for every parameter
const FIRST_SHOWN = ["positions", "velocities", "torques", "errors"];

const post = (path, body, signal, as = "json") => askRobot(`/motion/${path}`, { method: "POST", body, signal, as });

async function planned(asked, signal) {
  if (!asked) return null;
  await new Promise((done) => setTimeout(done, WAIT));
  return signal.aborted ? null : post("trajectory", asked, signal);
}

async function download(name, text) {
  try {
    const address = URL.createObjectURL(new Blob([await text]));
    Object.assign(document.createElement("a"), { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  } catch (error) {
    say(error.message, "bad");
  }
}

export function Room({ robot }) {
  const { value: view, error } = useAsync(() => askRobot("/motion"), [robot.key]);
  if (error) return html`<${Problem} error=${error} />`;
  if (!view) return html`<div class="empty" role="status">Reading what the robot can do …</div>`;
  return html`<${Motion} key=${robot.key} robot=${robot} view=${view} />`;
}

function Motion({ robot, view }) {
  const state = roomState(useStore((all) => all.rooms.motion), view);
  const set = setter(state);
  const asked = moveAsked(state);
  const move = useAsync((signal) => planned(asked, signal), [JSON.stringify(asked)]);
  const found = asked ? move.value ?? move.last : null; // the motion before stands, dimmed, while another is planned
  useResults();
  const [picked, setPicked] = useState(null); // what is shown, in the order of the dashes; null: nobody has picked
  const [played, setPlayed] = useState(null);
  const known = state.runs.filter(({ asked: own }) => resultOf(own));
  const shown = (picked ?? [known.length ? known[known.length - 1].id : "move"]).filter((id) => (id === "move" ? found : known.some((run) => run.id === id)));
  const playing = played !== null && (played === "move" ? found : known.some(({ id }) => id === played)) ? played : shown[shown.length - 1] ?? (found ? "move" : null);
  useSource(robot, playing, found, known);
  const running = useRun(state, set, view, robot, (id) => { setPicked((before) => [...(before ?? shown).filter((one) => one !== "move"), id]); setPlayed(id); });
  const show = (id) => setPicked(shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id]);
  const choices = [...(found ? [{ id: "move", name: "Trajectory" }] : []), ...known.map(({ id, name }) => ({ id: String(id), name: `${id}. ${name}` }))];
  const files = found && html`<button class="plain" title="500 samples a second" onClick=${() => download(`${robot.scene.name}-trajectory.csv`, post("trajectory.csv", asked, undefined, "text"))}>CSV</button>
    <button class="plain" title="q, qd, qdd as a C function of t" onClick=${() => download("trajectory.c", post("trajectory/c", asked, undefined, "text"))}>C</button>`;
  return html`<div class="motion">
    <header class="head"><h1>Motion</h1><p>Points, a motion through them, and a law that makes the robot follow it.</p></header>
    <${Points} state=${state} set=${set} view=${view} robot=${robot} arrivals=${found?.arrivals} />
    <div class="m-columns">
      <div class="settings">
        <section aria-label="Trajectory"><h2>Trajectory</h2>
          <${PathForm} state=${state} set=${set} view=${view} />
          ${asked && move.error && html`<${Problem} error=${move.error} /><p class="hint">Messages count in rad, m and s.</p>`}
          ${found && html`<div class=${move.busy ? "busy" : ""}><${Planned} found=${found} /></div>`}
          ${asked && !move.value && !move.error && html`<p class="hint" role="status">Planning…</p>`}
        </section>
        <section aria-label="Simulation"><h2>Simulation</h2>
          ${view.simulation ? html`<p class="m-said">${view.simulation}</p><${Elsewhere} missing=${view.missing} />`
            : html`<${ControlForm} state=${state} set=${set} view=${view} />
              <${RunButton} running=${running} ready=${!state.law || (found && !move.error)} law=${state.law} source=${() => download(`${state.law}.c`, post("law/c", { law: state.law, options: state.options[state.law] ?? {} }, undefined, "text"))} />`}
        </section>
      </div>
      <${Results} state=${state} set=${set} view=${view} found=${found} known=${known} shown=${shown} show=${show} files=${files} running=${running} robot=${robot} />
    </div>
    <${TimeBar} choices=${choices} chosen=${String(playing)} choose=${(id) => setPlayed(id === "move" ? id : Number(id))} />
  </div>`;
}

// Where to go from a robot without numbers.
function Elsewhere({ missing }) {
  if (!missing.length) return null;
  return html`<div class="bar run"><button onClick=${() => change({ room: "robot" }, "room robot")}>Fill them in</button>
    ${WHOLE.map((name) => html`<button class="plain" onClick=${() => change({ robot: { name } }, "robot")}>Open ${name}</button>`)}</div>`;
}

// The clock plays what is chosen; the tip leaves its trace.
function useSource(robot, playing, found, known) {
  const result = playing === "move" ? found : playing === null ? null : resultOf(known.find(({ id }) => id === playing).asked);
  useEffect(() => {
    if (!result) { player.take(null); return undefined; }
    const { floating, tip } = robot.scene;
    const base = [...pose.get().slice(0, 6)];
    const own = playing === "move" ? curve(result) : record(result.played);
    const at = (t) => (playing !== "move" ? robot.direct.controls(own.at(t)) : floating ? [...base, ...own.at(t)] : own.at(t));
    player.take({ name: playing, duration: own.duration, at });
    const points = [];
    for (let k = 0; k <= TRACED; k += 1) {
      const x = at((own.duration * k) / TRACED);
      const { poses, ok } = x ? robot.direct.frames(x) : { ok: false };
      if (ok) points.push([poses[16 * tip + 3], poses[16 * tip + 7], poses[16 * tip + 11]]);
    }
    let viewer = null;
    const stop = onViewer((one) => { viewer = one; one?.trace(points); });
    return () => { stop(); viewer?.trace(null); };
  }, [playing, result]);
  useEffect(() => () => player.take(null), []);
}

// A simulation that runs: how far it is, and how to stop it.
function useRun(state, set, view, robot, made) {
  const [now, setNow] = useState(null); // { share, words, stop }
  const [error, setError] = useState(null);
  const latest = useRef();
  const stopping = useRef(null);
  latest.current = { state, set, made };
  useEffect(() => () => stopping.current?.abort(), []); // who leaves the room stops it
  const start = async (again) => {
    if (stopping.current) return;
    const own = new AbortController();
    stopping.current = own;
    const asked = again ?? runAsked(latest.current.state, view, [...robot.direct.state(pose.get())]);
    setError(null);
    setNow({ share: null, words: "starting", stop: () => own.abort() });
    try {
      await simulate(asked, { signal: own.signal, progress: (one) => setNow((before) => before && { ...before, ...one }) });
      const { state: { runs }, set: put, made: tell } = latest.current;
      const old = runs.find((run) => JSON.stringify(run.asked) === JSON.stringify(asked));
      const id = old?.id ?? 1 + Math.max(0, ...runs.map((run) => run.id));
      if (!old) put({ runs: [...runs, { id, name: nameOf(asked), asked }] }, `run ${id}`);
      tell(id);
    } catch (problem) {
      if (problem.name === "AbortError") say("The simulation was stopped."); else setError(problem);
    }
    setNow(null);
    stopping.current = null;
  };
  return { now, error, start };
}

function RunButton({ running, ready, law, source }) {
  const { now, error, start } = running;
  useEffect(() => command("Motion: simulate", () => start()), []);
  return html`${error && html`<${Problem} error=${error} />`}
    <div class="bar run">
      ${now ? html`<button onClick=${now.stop}>Stop</button><progress aria-label="Simulation" max="1" value=${now.share ?? undefined}></progress><span class="hint" role="status">${now.words}</span>`
        : html`<button class="main" disabled=${!ready} onClick=${() => start()}>Simulate</button>
          ${law && html`<button class="plain" title="The law as a C function, called every period" onClick=${source}>Law as C</button>`}
          ${!ready && html`<span class="hint">A law follows a motion: it takes two points or more, within the limits.</span>`}`}
    </div>`;
}

function Results({ state, set, view, found, known, shown, show, files, running, robot }) {
  const [hidden, setHidden] = useState(() => new Set());
  const quantities = Array.isArray(state.shown) ? state.shown : FIRST_SHOWN;
  const items = shown.map((id) => (id === "move" ? { name: "trajectory", panels: found.panels } : { name: `run ${id}`, panels: resultOf(known.find((run) => run.id === id).asked).panels }));
  const joints = found?.joints ?? view.coordinates;
  const drawings = useMemo(() => figures(items, QUANTITIES.filter((one) => quantities.includes(one)), hidden, joints), [shown.join(), found, known.length, quantities.join(), hidden]);
  const there = new Set(items.flatMap(({ panels }) => panels.map(({ name }) => name)));
  const last = known.find(({ id }) => id === shown[shown.length - 1]);
  const said = last && resultOf(last.asked);
  const hide = (name) => setHidden((before) => { const next = new Set(before); if (!next.delete(name)) next.add(name); return next; });
  if (!found && !state.runs.length) return html`<div class="results"><div class="empty">Curves of positions, velocities, torques and errors stand here once there is a motion. <br />Add two points, or choose the law “none” and leave the robot to itself.</div></div>`;
  const csv = (id, asked) => download(`${robot.scene.name}-run-${id}.csv`, post("run.csv", asked, undefined, "text"));
  return html`<div class="results">
    <${Runs} runs=${state.runs} shown=${shown} show=${show} move=${files} again=${running.start} csv=${csv}
      drop=${(id) => set({ runs: state.runs.filter((run) => run.id !== id) }, `run ${id} deleted`)} />
    <div class="bar picks" role="group" aria-label="Quantities">${QUANTITIES.filter((one) => there.has(one)).map((one) => html`<button aria-pressed=${quantities.includes(one)}
      onClick=${() => set({ shown: quantities.includes(one) ? quantities.filter((x) => x !== one) : [...quantities, one] }, `show ${one}`)}>${one}</button>`)}</div>
    <div class="bar picks" role="group" aria-label="Joints">${joints.map(({ name }, k) => html`<button class="plain" aria-pressed=${!hidden.has(name)} onClick=${() => hide(name)}><span class="swatch" style=${{ background: `var(--curve-${(k % 8) + 1})` }}></span>${called(name)}</button>`)}</div>
    <${Plots} drawings=${drawings} />
    ${said && html`<div class="words">${said.failed !== null && html`<p class="m-said bad" role="alert">Run ${last.id} was lost at ${said.failed.toFixed(4)} s: ${said.reason}</p>`}
      ${said.summary.slice(1).map((line) => html`<p class="m-said">${line}</p>`)}${said.warnings.map((line) => html`<p class="m-said bad">${line}</p>`)}</div>`}
  </div>`;
}
