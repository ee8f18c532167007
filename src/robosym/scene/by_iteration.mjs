// --- one solution near x, by Levenberg and Marquardt's iteration within limits ---

const ROUNDS = 200;
const EXACT = 1e-13;

/** What is left: the way, then half the sine of the turn about its axis; lengths over the size. */
function left(T, x) {
  const placed = frames(x);
  if (!placed.ok) {
    return null;
  }
  const R = poseOf(placed.poses, DATA.tip);
  const e = [3, 7, 11].map((k) => (T[k] - R[k]) / DATA.unit);
  if (!DATA.positionOnly) {
    const turn = [0, 0, 0];
    for (let c = 0; c < 3; c++) {
      for (let i = 0; i < 3; i++) {
        const [a, b] = [(i + 1) % 3, (i + 2) % 3];
        turn[i] += (R[4 * a + c] * T[4 * b + c] - R[4 * b + c] * T[4 * a + c]) / 2;
      }
    }
    e.push(...turn);
  }
  return e;
}

const squared = (e) => e.reduce((sum, entry) => sum + entry * entry, 0);

/** A symmetric positive system, by Gauss. */
function linear(A, b) {
  const n = b.length;
  for (let k = 0; k < n; k++) {
    for (let i = k + 1; i < n; i++) {
      const ratio = A[i][k] / A[k][k];
      for (let j = k; j < n; j++) {
        A[i][j] -= ratio * A[k][j];
      }
      b[i] -= ratio * b[k];
    }
  }
  for (let k = n - 1; k >= 0; k--) {
    for (let j = k + 1; j < n; j++) {
      b[k] -= A[k][j] * b[j];
    }
    b[k] /= A[k][k];
  }
  return b;
}

function within(value, place) {
  const [low, high] = [DATA.limits[0][place], DATA.limits[1][place]];
  return Math.min(Math.max(value, low === null ? -Infinity : low), high === null ? Infinity : high);
}

/** A step of the joints: J dx = e, damped. */
function step(x, e, damping) {
  const J = withoutUnits(jacobian(x));
  const n = DATA.columns;
  const A = Array.from({ length: n }, (_, a) =>
    Array.from({ length: n }, (_, b) => J.reduce((sum, row) => sum + row[a] * row[b], a === b ? damping : 0)),
  );
  const b = Array.from({ length: n }, (_, a) => J.reduce((sum, row, i) => sum + row[a] * e[i], 0));
  const made = Float64Array.from(x);
  const first = DATA.controls - n;
  const way = linear(A, b).map((dx, c) => dx * DATA.units[c]);
  way.forEach((dx, c) => {
    made[first + c] = within(x[first + c] + dx, c);
  });
  for (const { at, placed } of DATA.rotations.filter((one) => one.at >= first)) {
    turn(made, x, at, way.slice(at - first, at - first + 3), placed ? way.slice(at - first - 3, at - first) : null);
  }
  return made;
}

/** Turns a body by small angles about its own axes, and moves it along these if its position stands before the angles. */
function turn(made, x, at, angles, along) {
  const R = rotation(quaternion(x[at], x[at + 1], x[at + 2]));
  const half = Math.hypot(...angles) / 2;
  const S = rotation([...angles.map((angle) => (half > 1e-12 ? (angle * Math.sin(half)) / (2 * half) : angle / 2)), Math.cos(half)]);
  const entry = (i, k) => [0, 1, 2].reduce((sum, j) => sum + R[3 * i + j] * S[3 * j + k], 0);
  made.set(rollPitchYaw([0, 1, 2].flatMap((i) => [0, 1, 2].map((k) => entry(i, k)))), at);
  for (let i = 0; along !== null && i < 3; i++) {
    made[at - 3 + i] = x[at - 3 + i] + [0, 1, 2].reduce((sum, k) => sum + R[3 * i + k] * along[k], 0);
  }
}

function solutionsOf(T, x) {
  let at = Float64Array.from(x);
  let e = left(T, at);
  let damping = 1e-3;
  for (let round = 0; e !== null && squared(e) > EXACT ** 2 && round < ROUNDS && damping < 1e9; round++) {
    const tried = step(at, e, damping);
    const after = areFinite(tried) ? left(T, tried) : null;
    if (after !== null && squared(after) < squared(e)) {
      [at, e] = [tried, after];
      damping = Math.max(damping / 5, 1e-14);
    } else {
      damping *= 6;
    }
  }
  return answered(T, x, [at], "reachable");
}
