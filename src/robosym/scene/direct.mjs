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
  const q = [];
  let start = 0;
  for (const { at } of DATA.rotations) {
    q.push(...Array.prototype.slice.call(x, start, at), ...quaternion(x[at], x[at + 1], x[at + 2]));
    start = at + 3;
  }
  return Float64Array.of(...q, ...Array.prototype.slice.call(x, start));
}

/** The rotation of a quaternion of any length, by rows. */
function rotation(numbers) {
  const length = Math.hypot(...numbers);
  const [x, y, z, w] = Array.from(numbers, (entry) => entry / length);
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
    2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
    2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y),
  ]; // prettier-ignore
}

/** The controls at a state of the models; null where they are not known. */
export function controls(q) {
  if (wrong(q, DATA.q, "the state")) {
    return null;
  }
  if (DATA.platform) {
    return platformControls(q);
  }
  const x = [];
  let start = 0;
  DATA.rotations.forEach(({ at }, k) => {
    const place = at + k; // each quaternion before it has one number more than its angles
    const turned = rollPitchYaw(rotation(Array.prototype.slice.call(q, place, place + 4)));
    x.push(...Array.prototype.slice.call(q, start, place), ...turned);
    start = place + 4;
  });
  return Float64Array.of(...x, ...Array.prototype.slice.call(q, start));
}
