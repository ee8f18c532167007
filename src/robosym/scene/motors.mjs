// --- a platform from its motors ---

const STEPS = 60;
const SMALL = 1e-6; // of a control, to see how the motors follow

/** A square system by Gauss with pivots; null where it is singular. */
function squareSystem(A, b) {
  const n = b.length;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) {
      pivot = Math.abs(A[i][k]) > Math.abs(A[pivot][k]) ? i : pivot;
    }
    [A[k], A[pivot], b[k], b[pivot]] = [A[pivot], A[k], b[pivot], b[k]];
    if (!(Math.abs(A[k][k]) > 1e-12)) {
      return null;
    }
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

/** The difference of two states; of angles the shorter way round. */
function apart(q, other) {
  return Array.from(q, (value, k) => {
    const way = value - other[k];
    return DATA.turning[k] ? way - 2 * Math.PI * Math.round(way / (2 * Math.PI)) : way;
  });
}

const length = (e) => Math.max(...e.map(Math.abs));

/** By Newton's iteration from where the platform begins, damped; null if it does not arrive. */
function platformControls(q) {
  let x = Float64Array.from(DATA.at);
  let e = apart(q, state(x));
  for (let round = 0; round < STEPS && length(e) > 1e-14; round++) {
    const slopes = Array.from(x, (_, k) => {
      const [ahead, behind] = [1, -1].map((sign) => state(x.map((entry, i) => entry + (i === k ? sign * SMALL : 0))));
      return apart(ahead, behind).map((way) => way / (2 * SMALL));
    });
    const dx = squareSystem(Array.from(e, (_, i) => slopes.map((column) => column[i])), Array.from(e));
    let share = 1;
    let better = false;
    while (dx !== null && !better && share > 1e-3) {
      const tried = x.map((entry, k) => entry + share * dx[k]);
      const left = apart(q, state(tried));
      better = frames(tried).ok && length(left) < length(e);
      [x, e] = better ? [tried, left] : [x, e];
      share /= 2;
    }
    if (!better) {
      break;
    }
  }
  return length(e) < 1e-10 ? x : null;
}
