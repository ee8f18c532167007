// Where the robot stands: the values of its controls (scene.controls). Kept out of the components: sliders, viewer and rooms
// listen to it, and nothing is rendered anew.

let values = new Float64Array(0);
const listeners = new Set();

export const pose = {
  get: () => values,
  set(next, from = null) {
    values = Float64Array.from(next);
    for (const listener of [...listeners]) listener(values, from);
  },
  setOne(index, value, from = null) {
    const next = Float64Array.from(values);
    next[index] = value;
    pose.set(next, from);
  },
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
