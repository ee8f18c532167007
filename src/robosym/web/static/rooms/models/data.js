// What the server says of models, kept by address: a language that was seen before is there at once.
import { ask } from "../../core/api.js";
import { askRobot, robot } from "../../core/robot.js";

const MOST = 120;
const kept = new Map(); // promises by robot and path, the latest last

export function asked(path) {
  const key = `${robot.get().key} ${path}`;
  if (!kept.has(key)) {
    const promise = askRobot(path);
    promise.catch(() => kept.delete(key));
    kept.set(key, promise);
    if (kept.size > MOST) kept.delete(kept.keys().next().value);
  }
  return kept.get(key);
}

let known = null;
export const languages = () => { known ??= ask("/api/languages").catch((error) => { known = null; throw error; }); return known; };

export const query = (options) => (Object.keys(options).length ? `?options=${encodeURIComponent(JSON.stringify(options))}` : "");
export const menus = () => asked("/models");
export const code = (model, language, options) => asked(`/models/${model}/code/${language}${query(options)}`);

// The model with these options: { view, options, left }. Those that this robot's model does not take (of a link, or of the robot
// before) are left out, and `left` says why: [{ where, message }].
export async function model(name, options) {
  const view = await asked(`/models/${name}${query(options)}`);
  return { view, options: view.asked, left: view.left };
}
