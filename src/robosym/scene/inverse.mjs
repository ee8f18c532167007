// --- poses of the tip, and what brings it there ---

const MADE = 1e-7; // by how much a solution may miss its pose: an entry of the rotation, or a length over the size

function none(status, message) {
  return { status, message, solutions: [] };
}

/** The product of two poses, 16 numbers by rows. */
function product(A, B) {
  const made = new Float64Array(16);
  for (let i = 0; i < 4; i++) {
    for (let k = 0; k < 4; k++) {
      for (let j = 0; j < 4; j++) {
        made[4 * i + k] += A[4 * i + j] * B[4 * j + k];
      }
    }
  }
  return made;
}

function inverseOf(A) {
  const made = new Float64Array(16);
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      made[4 * i + k] = A[4 * k + i];
      made[4 * i + 3] -= A[4 * k + i] * A[4 * k + 3];
    }
  }
  made[15] = 1;
  return made;
}

const poseOf = (poses, frame) => poses.subarray(16 * frame, 16 * frame + 16);

/** What is wrong with a pose; nothing if it is one. */
function wrongPose(T) {
  const problem = wrong(T, 16, "the pose of the tip by rows");
  if (problem) {
    return problem;
  }
  let missed = Math.abs(T[12]) + Math.abs(T[13]) + Math.abs(T[14]) + Math.abs(T[15] - 1);
  for (let i = 0; i < 3; i++) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [(i + 1) % 3, (i + 2) % 3];
      const [c, d] = [(k + 1) % 3, (k + 2) % 3];
      missed += Math.abs(T[4 * i + k] - (T[4 * a + c] * T[4 * b + d] - T[4 * a + d] * T[4 * b + c])); // its cofactor
    }
  }
  return missed < 1e-6 ? "" : "expected a rotation and a position, with 0 0 0 1 below";
}

/** By how much the tip misses a pose at some controls: 0 is a solution; infinite where it cannot be assembled. */
function miss(T, x) {
  const placed = frames(x);
  if (!placed.ok) {
    return Infinity;
  }
  const there = poseOf(placed.poses, DATA.tip);
  let most = 0;
  for (let i = 0; i < 3; i++) {
    for (let k = DATA.positionOnly ? 3 : 0; k < 4; k++) {
      most = Math.max(most, Math.abs(there[4 * i + k] - T[4 * i + k]) / (k === 3 ? DATA.unit : 1));
    }
  }
  return most;
}

/** The square of the way from one position to another. */
function way(x, y) {
  let sum = 0;
  for (let k = 0; k < x.length; k++) {
    sum += ((x[k] - y[k]) / DATA.scales[k]) ** 2;
  }
  return sum;
}

/** Those that make the pose, nearest to x first; in words where there are none. */
function answered(T, x, found, status) {
  const solutions = found.filter((one) => miss(T, one) < MADE).sort((a, b) => way(a, x) - way(b, x));
  if (solutions.length === 0) {
    return none("unreachable", DATA.unreachable);
  }
  const count = solutions.length === 1 ? "1 solution" : `${solutions.length} solutions`;
  const said = status === "singular" ? `singular, ${count}: a joint may have other values here` : `reachable, ${count}`;
  return { status, message: said, solutions };
}

/** All controls that bring the tip to a pose of the world (16 numbers by rows); what does not move it stays as it is in x.
 * `outside`, where it is known, counts the solutions beyond the limits of the joints. */
export function solve(T, x) {
  const problem = wrongPose(T) || wrong(x, DATA.controls, "the controls");
  return problem ? none("no pose", problem) : solutionsOf(T, x);
}
