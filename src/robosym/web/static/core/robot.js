// The robot at hand: its key on the server, its scene, and the modules that move it, which run here.
import { ask } from "./api.js";
import * as store from "./store.js";
import { meshes } from "./meshes.js";
import { pose } from "./pose.js";

let current = null; // { spec, key, view, warnings, notes, scene, direct }
let problem = null;
let turn = 0;
const listeners = new Set();

export const robot = {
  get: () => current,
  problem: () => problem,
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

const tell = () => { for (const listener of [...listeners]) listener(current, problem); };

// Send a description: { key, robot, warnings, notes }, or a Refused with its problems.
export async function send(spec, signal) {
  if (spec.name && !spec.floating) return { key: spec.name, ...(await ask("/api/robots", { method: "POST", body: spec, signal })) };
  const answer = await ask("/api/robots", { method: "POST", body: spec, signal, as: "answer" });
  return { key: answer.headers.get("x-robot"), ...(await answer.json()) };
}

// What is wrong with a text that may be no robot yet: { robot or null, problems, warnings, notes }.
export const check = (spec, signal) => ask("/api/robots/check", { method: "POST", body: spec, signal });

// What the server answers about a robot, that at hand unless another is named; if it forgot it (it was restarted), it is sent again.
export async function askRobot(path, { of = current, ...options } = {}) {
  const { key, spec } = of;
  try {
    return await ask(`/api/robots/${encodeURIComponent(key)}${path}`, options);
  } catch (error) {
    if (error.status !== 404) throw error;
    await send(spec);
    return ask(`/api/robots/${encodeURIComponent(key)}${path}`, options);
  }
}

// A module that the server wrote for the robot at hand, imported: "direct", "measures", "inverse". It is fetched first: an
// import that fails says nothing of why, and cannot be tried again.
export async function moduleOf(name, of = current) {
  await askRobot(`/${name}.mjs`, { of, as: "text" });
  return import(`/api/robots/${encodeURIComponent(of.key)}/${name}.mjs`);
}

// Where it stands at first: as the state has it; where it stood, if the robot was edited and moves as before; else as it says.
function firstOf(scene, x, before) {
  const known = (values) => values && values.length === scene.controls.length;
  if (known(x)) return x;
  const names = (of) => JSON.stringify([of.name, ...of.controls.map((control) => [control.name, control.kind])]);
  if (before?.scene && names(before.scene) === names(scene)) return pose.get();
  return scene.controls.map((control) => control.at);
}

export async function load(spec, x = null) {
  const own = ++turn;
  const before = current;
  try {
    const { key, robot: view, warnings, notes } = await send(spec);
    if (own !== turn) return;
    const base = { spec, key, view, warnings, notes };
    const drawn = view.undrawn ? [null, null] : await Promise.all([askRobot("/scene", { of: base }), moduleOf("direct", base)]);
    if (own !== turn) return;
    const [scene, direct] = drawn; // none of a robot whose geometry has no numbers: it has its models all the same
    current = { ...base, scene, direct, files: meshes.of(spec.text) };
    problem = null;
    pose.set(scene ? firstOf(scene, x, before) : [], "load");
  } catch (error) {
    if (own !== turn) return;
    problem = error;
  }
  tell();
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export function start() {
  store.subscribe((state, before) => { if (!same(state.robot, before.robot)) load(state.robot, state.x); });
  return load(store.get().robot, store.get().x);
}
