// --- the controls of a platform are coordinates of its pose ---

const POSITION = [3, 7, 11];

/** The angle nearest to another that is the same but for whole turns. */
const turnedTo = (angle, near) => angle + 2 * Math.PI * Math.round((near - angle) / (2 * Math.PI));

function solutionsOf(T, x) {
  const placed = frames(x);
  const onPlatform = placed.ok ? product(inverseOf(poseOf(placed.poses, DATA.moved)), poseOf(placed.poses, DATA.tip)) : DATA.mounted;
  const pose = product(inverseOf(DATA.base), product(T, inverseOf(onPlatform)));
  const R = product(pose, DATA.stands); // from the orientation at which its angles are zero
  const angles = rollPitchYaw([0, 1, 2, 4, 5, 6, 8, 9, 10].map((k) => R[k]));
  const made = Float64Array.from(x);
  DATA.free.forEach((component, k) => {
    made[k] = component < 3 ? pose[POSITION[component]] : turnedTo(angles[component - 3], x[k]);
  });
  const found = answered(T, x, [made], "reachable");
  if (found.solutions.length === 0) {
    return found;
  }
  const q = state(made);
  const beyond = DATA.motors.findIndex(([low, high], k) => (low !== null && q[k] < low - 1e-9) || (high !== null && q[k] > high + 1e-9));
  return beyond < 0 ? found : none("outside limits", `${DATA.motors[beyond][2]} would be beyond its limits`);
}
