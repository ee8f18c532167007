// The robot at rest is a step to undo: a drag of a slider or of the target is one, however many positions it went through.
import { pose } from "./pose.js";
import { robot } from "./robot.js";
import * as store from "./store.js";

const REST = 300; // ms without a change
const PASSING = new Set(["load", "motion", "undo"]); // who moves it without a step

const same = (a, b) => a.length === b.length && a.every((value, k) => Object.is(value, b[k]));

export function keepRest() {
  let waiting = 0;
  pose.subscribe((x, from) => {
    clearTimeout(waiting);
    if (from === "load") store.change({ x: [...x] });
    if (PASSING.has(from)) return;
    waiting = setTimeout(() => {
      const known = store.get().x;
      if (!known || !same(known, x)) store.change({ x: [...x] }, "position");
    }, REST);
  });
  store.subscribe((state, before) => {
    const here = JSON.stringify(state.robot) === JSON.stringify(before.robot); // another robot is loaded with its x
    if (!here) clearTimeout(waiting); // what was moved was the robot before
    const fits = state.x?.length === robot.get()?.scene?.controls.length; // a link may say anything
    if (here && fits && state.x !== before.x && !same(state.x, pose.get())) pose.set(state.x, "undo");
  });
}
