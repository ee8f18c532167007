// What the room keeps in the state of the page, and the requests that are made of it.
import { changeRoom } from "../../core/store.js";
import { anglesOf } from "../../viewer/values.js";

const FIRST = {
  space: "joints",
  points: [], // of the joints, or of the coordinates of a platform
  poses: [], // of the tip: { pose: [x, y, z, roll, pitch, yaw], q: where the joints were }
  ways: {}, // by space
  timing: "planned",
  profile: "quintic",
  synchronise: "",
  degree: 3,
  seconds: undefined, // of a leg; undefined: nobody has chosen, null: as fast as the limits allow
  limits: {},
  linear: [0.25, 1],
  angular: [Math.PI / 3, (4 * Math.PI) / 3],
  friction: false,
  law: "computed-torque",
  options: {}, // by law
  world: { friction: "stick", step: 0.001, integrator: "rk4" }, // the robot that moves, as it differs from what the law believes
  runs: [], // { id, name, asked }
};
const SECONDS = 2; // of a leg, where the description has no limits that could say

const plain = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const numbers = (value, count) => Array.isArray(value) && value.length === count && value.every(Number.isFinite);

// A link comes from anywhere: what has another form than the room's own is left out.
function checked(saved, { coordinates, laws, timing, profiles }) {
  const n = coordinates.length;
  const every = (test) => (value) => Array.isArray(value) && value.every(test);
  const tests = {
    of: (value) => typeof value === "string",
    space: (value) => ["joints", "tip"].includes(value),
    points: every((row) => numbers(row, n)),
    poses: every((one) => plain(one) && numbers(one.pose, 6) && numbers(one.q, n)),
    ways: plain,
    timing: (value) => value in timing,
    profile: (value) => profiles.includes(value),
    synchronise: (value) => typeof value === "string",
    degree: (value) => value === 3 || value === 5,
    seconds: (value) => value === null || Number.isFinite(value),
    limits: (value) => plain(value) && Object.values(value).every((rows) => plain(rows) && Object.values(rows).every(Number.isFinite)),
    linear: (value) => numbers(value, 2),
    angular: (value) => numbers(value, 2),
    friction: (value) => typeof value === "boolean",
    law: (value) => value === "" || laws.some(({ name }) => name === value),
    options: (value) => plain(value) && Object.values(value).every(plain),
    world: (value) => plain(value) && typeof value.step === "number" && typeof value.integrator === "string" && typeof value.friction === "string",
    runs: every((one) => plain(one) && Number.isInteger(one.id) && typeof one.name === "string" && plain(one.asked)),
    shown: every((one) => typeof one === "string"),
  };
  const known = plain(saved) ? saved : {};
  return Object.fromEntries(Object.entries(tests).filter(([key, test]) => key in known && test(known[key])).map(([key]) => [key, known[key]]));
}

// The state of the room for the robot at hand: points are of one robot, habits are of the person.
export function roomState(saved, view) {
  const of = view.coordinates.map(({ name }) => name).join("\n");
  const own = { ...FIRST, ...checked(saved, view) };
  if (own.of !== of) Object.assign(own, { points: [], poses: [], limits: {}, runs: [], space: "joints", seconds: undefined });
  const limited = view.coordinates.every((one) => one.velocity && (one.acceleration || one.torque));
  if (own.seconds === undefined) own.seconds = limited ? null : SECONDS;
  if (view.tip && own.space === "tip") own.space = "joints";
  own.of = of;
  own.way = own.ways[own.space] in view.ways[own.space] ? own.ways[own.space] : Object.keys(view.ways[own.space])[0];
  return own;
}

export const setter = (state) => (patch, what) => {
  const fresh = Object.fromEntries(["of", "points", "poses", "limits", "runs", "space", "seconds"].map((key) => [key, state[key]]));
  changeRoom("motion", { ...fresh, ...patch }, what);
};

export const listOf = (state) => (state.space === "tip" ? state.poses : state.points);

// What `views.motion.trajectory_view` is asked; null while there are too few points.
export function moveAsked(state) {
  const tip = state.space === "tip";
  if (listOf(state).length < 2) return null;
  const asked = { space: state.space, way: state.way, timing: state.timing, profile: state.profile, friction: state.friction };
  if (Object.keys(state.limits).length) asked.limits = state.limits;
  if (tip) return { ...asked, points: state.poses.map(({ pose }) => pose), seed: state.poses[0].q, linear: state.linear, angular: state.angular };
  if (state.synchronise && state.way === "rest") asked.synchronise = state.synchronise;
  return { ...asked, points: state.points, degree: state.degree, seconds: state.timing === "fastest" ? null : state.seconds };
}

// What `views.motion.simulated` is asked. `here` is q of the models where the robot stands.
export function runAsked(state, { floating }, here) {
  const { payload, disturbance, noise, ...plain } = state.world;
  const asked = { ...plain, law: state.law || null };
  const pushed = Object.entries(disturbance ?? {}).filter(([, value]) => value);
  if (payload?.mass) asked.payload = payload;
  if (pushed.length) asked.disturbance = Object.fromEntries(pushed);
  if (!state.law) return { ...asked, q: here };
  if (noise) asked.noise = { q: noise };
  if (floating) asked.q = [...here.slice(0, 7), ...(state.points[0] ?? here.slice(7))];
  return { ...asked, options: state.options[state.law] ?? {}, move: moveAsked(state) };
}

// --- poses: roll, pitch, yaw with R = Rz(yaw) Ry(pitch) Rx(roll) ---

export const poseOf = (T) => [T[3], T[7], T[11], ...anglesOf(T)];

export function matrixOf([x, y, z, roll, pitch, yaw]) {
  const [a, b, c] = [roll, pitch, yaw].map(Math.cos);
  const [p, q, r] = [roll, pitch, yaw].map(Math.sin);
  return [c * b, c * q * p - r * a, c * q * a + r * p, x, r * b, r * q * p + c * a, r * q * a - c * p, y, -q, b * p, b * a, z, 0, 0, 0, 1];
}
