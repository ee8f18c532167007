// --- the Jacobian matrix of the tip ---

/** The pose x y z qx qy qz qw of a platform in the base, as its models take it. */
function platformPose(poses) {
  const at = (frame, i, k) => poses[16 * frame + 4 * i + k];
  const inBase = (i, column) =>
    [0, 1, 2].reduce((sum, j) => sum + at(0, j, i) * column(j), 0);
  const R = [0, 1, 2].map((i) => [0, 1, 2].map((k) => inBase(i, (j) => at(DATA.moved, j, k))));
  const p = [0, 1, 2].map((i) => inBase(i, (j) => at(DATA.moved, j, 3) - at(0, j, 3)));
  const trace = R[0][0] + R[1][1] + R[2][2];
  const squares = [...[0, 1, 2].map((k) => 1 + 2 * R[k][k] - trace), 1 + trace];
  const k = squares.indexOf(Math.max(...squares)); // the largest, for the smallest error (Shepperd 1978)
  const s = 2 * Math.sqrt(squares[k]);
  if (k === 3) {
    return [...p, (R[2][1] - R[1][2]) / s, (R[0][2] - R[2][0]) / s, (R[1][0] - R[0][1]) / s, s / 4];
  }
  const [i, j] = [(k + 1) % 3, (k + 2) % 3];
  const q = [0, 0, 0, (R[j][i] - R[i][j]) / s];
  q[k] = s / 4;
  q[i] = (R[i][k] + R[k][i]) / s;
  q[j] = (R[j][k] + R[k][j]) / s;
  return [...p, ...q];
}

/** The rows of J as the model gives them; null where it is not assembled. */
function matrix(x) {
  const placed = frames(x);
  if (!placed.ok || DATA.columns === 0) {
    return null;
  }
  const q = DATA.platform ? platformPose(placed.poses) : state(x);
  const found = DATA.jacobianStart === null ? rows(q) : rows(q, DATA.jacobianStart);
  const J = found.J === undefined ? found : found.J;
  return DATA.platform ? inWorld(J, placed.poses) : J;
}

/** A platform's models are in the axes of the base, and of the platform's origin. */
function inWorld(J, poses) {
  const arm = [3, 7, 11].map((k) => poses[16 * DATA.tip + k] - poses[16 * DATA.moved + k]);
  const made = Array.from({ length: 6 }, () => new Array(DATA.columns));
  for (let c = 0; c < DATA.columns; c++) {
    const turned = (half) =>
      [0, 1, 2].map((i) => [0, 1, 2].reduce((sum, k) => sum + poses[4 * i + k] * J[half + k][c], 0));
    const [v, w] = [turned(0), turned(3)];
    const moved = [w[1] * arm[2] - w[2] * arm[1], w[2] * arm[0] - w[0] * arm[2], w[0] * arm[1] - w[1] * arm[0]];
    for (let i = 0; i < 3; i++) {
      made[i][c] = v[i] + moved[i];
      made[i + 3][c] = w[i];
    }
  }
  return made;
}

/** J by rows: velocity and angular velocity of the tip in world axes, from the speeds of the driven joints. */
export function jacobian(x) {
  const J = matrix(x);
  const values = new Float64Array(6 * DATA.columns).fill(NaN);
  for (let i = 0; J !== null && i < 6; i++) {
    for (let c = 0; c < DATA.columns; c++) {
      values[i * DATA.columns + c] = J[i][DATA.skipped + c];
    }
  }
  return { rows: 6, columns: DATA.columns, values };
}
