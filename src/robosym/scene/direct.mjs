// --- x: the controls, q: the state of the models ---

function fails(message) {
  return { poses: new Float64Array(16 * DATA.frames).fill(NaN), ok: false, message };
}

function areFinite(numbers) {
  for (let i = 0; i < numbers.length; i++) {
    if (!Number.isFinite(numbers[i])) {
      return false;
    }
  }
  return true;
}

function wrong(x, count, what) {
  return x && x.length === count && areFinite(x) ? "" : `expected ${count} finite numbers, ${what}`;
}

/** The quaternion x y z w of Rz(yaw) Ry(pitch) Rx(roll). */
function quaternion(roll, pitch, yaw) {
  const [a, b, c] = [roll, pitch, yaw].map((angle) => Math.cos(angle / 2));
  const [x, y, z] = [roll, pitch, yaw].map((angle) => Math.sin(angle / 2));
  return [x * b * c - a * y * z, a * y * c + x * b * z, a * b * z - x * y * c, a * b * c + x * y * z];
}

/** The angles of a rotation by rows; at pitch +-90 degrees the roll is zero, and near there the yaw is that of what remains. */
function rollPitchYaw([r00, r01, r02, r10, r11, r12, r20, r21, r22]) {
  const level = Math.hypot(r00, r10);
  const roll = level > 1e-12 ? Math.atan2(r21, r22) : 0;
  const [c, s] = [Math.cos(roll), Math.sin(roll)];
  return [roll, Math.atan2(-r20, level), Math.atan2(s * r02 - c * r01, c * r11 - s * r12)];
}

function solved(x) {
  const given = DATA.platform ? x : state(x);
  return DATA.start === null ? geometry(given) : geometry(given, DATA.start);
}

/** World poses of all frames, 4 x 4 by rows one after the other, in the order of the scene. */
export function frames(x) {
  const problem = wrong(x, DATA.controls, "the controls");
  if (problem) {
    return fails(problem);
  }
  const found = solved(x);
  if (found.assembled !== undefined && !(found.assembled > 0.5)) {
    return fails(DATA.lost);
  }
  const poses = new Float64Array(16 * DATA.frames);
  let at = 0;
  for (const name of DATA.outputs) {
    const T = DATA.alone ? found : found[name];
    for (let i = 0; i < 4; i++) {
      for (let k = 0; k < 4; k++) {
        poses[at++] = T[i][k];
      }
    }
  }
  return areFinite(poses) ? { poses, ok: true, message: "" } : fails(DATA.lost);
}

/** q as the models take it: a free base's position and quaternion first; of a platform the motors. */
export function state(x) {
  if (wrong(x, DATA.controls, "the controls")) {
    return new Float64Array(DATA.q).fill(NaN);
  }
  if (DATA.platform) {
    return Float64Array.from(geometry(x).motors);
  }
  return DATA.floating
    ? Float64Array.of(x[0], x[1], x[2], ...quaternion(x[3], x[4], x[5]), ...Array.prototype.slice.call(x, 6))
    : Float64Array.from(x);
}

/** The controls at a state of the models; null where they are not known. */
export function controls(q) {
  if (wrong(q, DATA.q, "the state")) {
    return null;
  }
  if (DATA.platform) {
    return platformControls(q);
  }
  if (!DATA.floating) {
    return Float64Array.from(q);
  }
  const length = Math.hypot(q[3], q[4], q[5], q[6]);
  const [x, y, z, w] = [q[3], q[4], q[5], q[6]].map((entry) => entry / length);
  const turned = rollPitchYaw([
    1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
    2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
    2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y),
  ]); // prettier-ignore
  return Float64Array.of(q[0], q[1], q[2], ...turned, ...Array.prototype.slice.call(q, 7));
}
