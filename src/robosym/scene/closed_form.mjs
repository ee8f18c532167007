// --- all solutions, by the inverse geometric model of the arm ---

const LIMITS = [0, 1].map((side) => DATA.limits[side].map((limit) => (limit === null ? (side ? Infinity : -Infinity) : limit)));
const ANYWHERE = [-Infinity, Infinity].map((limit) => DATA.solved.map(() => limit));
const STATUS = { 1: "reachable", 2: "singular" };

function solutionsOf(T, x) {
  const base = DATA.floating ? poseOf(frames(x).poses, 0) : DATA.base;
  const pose = product(inverseOf(base), T);
  const matrix = [0, 1, 2, 3].map((i) => Array.from(pose.subarray(4 * i, 4 * i + 4)));
  const held = DATA.given.length ? [DATA.given.map((k) => x[k])] : [];
  const within = (limits) => inverse(matrix, ...held, DATA.solved.map((k) => x[k]), 1, limits);
  const found = within(LIMITS);
  if (found.status === 3) {
    return none("outside limits", "the pose is reachable, but not within the limits of the joints");
  }
  if (!(found.count > 0)) {
    return none("unreachable", DATA.unreachable);
  }
  const solutions = found.solutions.slice(0, found.count).map((row) => {
    const one = Float64Array.from(x);
    DATA.solved.forEach((k, c) => (one[k] = row[c]));
    return one;
  });
  const everywhere = within(ANYWHERE); // at a singularity the number of solutions says little
  const outside = found.status === 1 && everywhere.status === 1 ? Math.max(0, everywhere.count - found.count) : 0;
  return { ...answered(T, x, solutions, STATUS[found.status]), outside };
}
