// The robot at hand: its key on the server, its scene, and the modules that move it, which run here.
import { ask, Refused } from "./api.js";
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

export async function load(spec, x = null) {
  const own = ++turn;
  try {
    const { key, robot: view, warnings, notes } = await send(spec);
    const base = { spec, key, view, warnings, notes };
    const before = current;
    if (own !== turn) return;
    current = base; // askRobot asks about it
    if (view.undrawn) throw new Refused(422, view.undrawn); // known without asking
    const [scene, direct] = await Promise.all([askRobot("/scene"), moduleOf("direct")]);
    if (own !== turn) { if (current === base) current = before; return; }
    current = { ...base, scene, direct, files: meshes.of(spec.text) };
    problem = null;
    const first = scene.controls.map((control) => control.at);
    const stays = x ?? (isChanged(before, current) ? pose.get() : first);
    pose.set(stays.length === first.length ? stays : first, "load");
  } catch (error) {
    if (own !== turn) return;
    problem = error;
  }
  tell();
}

// Undo and redo bring the robot back to where it stood.
function follow(x) {
  if (x.length === current.scene.controls.length && !same([...pose.get()], [...x])) pose.set(x, "undo");
}

// Whether it is the robot from before with some numbers changed: then it stays where it is.
const names = (scene) => JSON.stringify(scene.controls.map((control) => [control.name, control.kind]));
const isChanged = (before, now) => Boolean(before?.scene) && before.view.name === now.view.name && names(before.scene) === names(now.scene);

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export function start(x) {
  store.subscribe((state, before) => {
    if (!same(state.robot, before.robot)) load(state.robot, state.x);
    else if (state.x !== before.x && current?.scene) follow(state.x ?? current.scene.controls.map((control) => control.at));
  });
  return load(store.get().robot, x ?? store.get().x);
}
