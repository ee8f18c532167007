// The robot at rest is a step to undo: a drag of a slider or of the target is one, however many positions it went through.
import { pose } from "./pose.js";
import { robot } from "./robot.js";
import * as store from "./store.js";

const REST = 300; // ms without a change
const PASSING = new Set(["load", "motion", "undo"]); // who moves it without a step

const same = (a, b) => a.length === b.length && a.every((value, k) => Object.is(value, b[k]));

export function keepRest() {
  let waiting = 0;
  let held = false; // a hand that stops within a drag has not ended it
  const rest = () => {
    const known = store.get().x;
    if (held) waiting = setTimeout(rest, REST);
    else if (!known || !same(known, pose.get())) store.change({ x: [...pose.get()] }, "position");
  };
  document.addEventListener("pointerdown", () => { held = true; }, { capture: true });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => { held = false; }, { capture: true });
  pose.subscribe((x, from) => {
    clearTimeout(waiting);
    if (from === "load") store.change({ x: [...x] });
    if (!PASSING.has(from)) waiting = setTimeout(rest, REST);
  });
  store.subscribe((state, before) => {
    const here = JSON.stringify(state.robot) === JSON.stringify(before.robot); // another robot is loaded with its x
    if (!here) clearTimeout(waiting); // what was moved was the robot before
    const fits = state.x?.length === robot.get()?.scene?.controls.length; // a link may say anything
    if (here && fits && state.x !== before.x && !same(state.x, pose.get())) pose.set(state.x, "undo");
  });
}
