// The state of the page: one immutable object that links restore, with undo and redo over it.
//
// The position of the robot changes sixty times a second and is kept beside it (core/pose.js); where it came to rest is in the
// state (core/rest.js).

const MOST_STEPS = 200;
const TOGETHER = 600; // ms: changes of the same field within it are one step to undo

export const FIRST = Object.freeze({
  robot: { name: "rx90" }, // or { text, format }, floating: true
  x: [0.5, 0.6, -0.4, 0.5, 0.9, 0.3], // where the robot came to rest: the values of its controls, here away from singularities
  room: "dynamic",
  model: { dynamic: "inverse-dynamics", geometric: "geometric", kinematic: "jacobian", identification: "regressor" },
  options: { "inverse-dynamics": { parameters: "base" } }, // of models, by model
  language: "c",
  view: { frames: true, solutions: false, ellipsoid: false, workspace: false, meshes: true },
  rooms: {}, // what each room keeps, by room
});

let state = FIRST;
let undone = [];
let done = [];
let last = { what: "", at: 0 };
const listeners = new Set();

export const get = () => state;

// Change some fields. `what` names the change: several of one name in quick succession are undone together; a change without
// a name is not a step (the theme of a click, what a room remembers).
export function change(patch, what = "") {
  const other = "robot" in patch && !("x" in patch) ? { x: null } : {}; // another robot stands elsewhere
  const next = Object.freeze({ ...state, ...other, ...patch });
  if (what) {
    const now = Date.now();
    if (what !== last.what || now - last.at > TOGETHER) done = [...done, state].slice(-MOST_STEPS);
    undone = [];
    last = { what, at: now };
  }
  put(next);
}

export const changeRoom = (room, patch, what = "") =>
  change({ rooms: { ...state.rooms, [room]: { ...state.rooms[room], ...patch } } }, what);

export function restore(saved) {
  done = [];
  undone = [];
  put(Object.freeze({ ...FIRST, ...saved }));
}

export const canUndo = () => done.length > 0;
export const canRedo = () => undone.length > 0;

export function undo() {
  if (!done.length) return;
  undone = [...undone, state];
  const before = done[done.length - 1];
  done = done.slice(0, -1);
  last = { what: "", at: 0 };
  put(before);
}

export function redo() {
  if (!undone.length) return;
  done = [...done, state];
  const after = undone[undone.length - 1];
  undone = undone.slice(0, -1);
  last = { what: "", at: 0 };
  put(after);
}

export function subscribe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function put(next) {
  const before = state;
  state = next;
  for (const listener of [...listeners]) listener(state, before);
}
