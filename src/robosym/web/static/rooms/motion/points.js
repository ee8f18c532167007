// The points of a motion: added where the robot stands, written, moved up and down, gone to.
import { html, useEffect } from "../../vendor/preact.mjs";
import { command } from "../../core/keys.js";
import { pose } from "../../core/pose.js";
import { moduleOf } from "../../core/robot.js";
import { say } from "../../parts/notices.js";
import { NumberField } from "./fields.js";
import { player } from "./player.js";
import { listOf, matrixOf, poseOf } from "./state.js";
import { called, shownUnit } from "./units.js";

const OF_TIP = ["x", "y", "z", "roll", "pitch", "yaw"].map((name, k) => ({ name, unit: k < 3 ? "m" : "rad" }));

// Where the robot stands, as a point; the base of a free robot is not a part of it.
export function pointHere(space, robot) {
  const x = pose.get();
  const q = [...(robot.scene.floating ? x.slice(6) : x)];
  if (space !== "tip") return q;
  const { poses, ok, message } = robot.direct.frames(x);
  if (!ok) throw new Error(message);
  return { pose: poseOf(poses.slice(16 * robot.scene.tip, 16 * robot.scene.tip + 16)), q };
}

const near = (a, b) => a.every((value, k) => Math.abs(value - b[k]) < 1e-9);

// The controls at a point: of a pose that was not changed since, where the joints were; else by the inverse geometric model.
async function go(point, space, robot) {
  player.pause();
  const q = space === "tip" ? point.q : point;
  const x = robot.scene.floating ? [...pose.get().slice(0, 6), ...q] : q;
  if (space === "tip") {
    const { poses } = robot.direct.frames(x);
    if (!near(poseOf(poses.slice(16 * robot.scene.tip, 16 * robot.scene.tip + 16)), point.pose)) {
      const inverse = await moduleOf("inverse");
      if (!inverse.solve) throw new Error(inverse.reason);
      const found = inverse.solve(matrixOf(point.pose), pose.get());
      if (!found.solutions.length) throw new Error(found.message || found.status);
      return pose.set(found.solutions[0], "point");
    }
  }
  return pose.set(x, "point");
}

export function Points({ state, set, view, robot, arrivals }) {
  const { space } = state;
  const tip = space === "tip";
  const list = listOf(state);
  const columns = tip ? OF_TIP : view.coordinates;
  const put = (next, what) => set(tip ? { poses: next } : { points: next }, what);
  const add = () => {
    try { put([...list, pointHere(space, robot)], `point ${list.length + 1} added ${Date.now()}`); } catch (error) { say(error.message, "bad"); }
  };
  useEffect(() => command("Motion: add the current position as a point", add), [state]);
  const swap = (k, other) => { const next = [...list]; [next[k], next[other]] = [next[other], next[k]]; put(next, `points swapped ${Date.now()}`); };
  const write = (k, j, value) => {
    const old = list[k];
    const numbers = [...(tip ? old.pose : old)];
    numbers[j] = value;
    put(list.map((one, i) => (i === k ? (tip ? { ...old, pose: numbers } : numbers) : one)), `point ${k + 1}, ${j}`);
  };
  return html`<section class="points" aria-label="Points">
    <div class="bar">
      <h2>Points</h2>
      <div class="m-pair" role="group" aria-label="Points of">
        <button aria-pressed=${!tip} onClick=${() => set({ space: "joints" }, "points of joints")}>${robot.scene.structure === "parallel" ? "Platform" : "Joints"}</button>
        <button aria-pressed=${tip} disabled=${Boolean(view.tip)} title=${view.tip || "Poses of the tip, with straight lines or arcs between them"} onClick=${() => set({ space: "tip" }, "points of tip")}>Tip</button>
      </div>
      <button class="main" onClick=${add}>Add the current position</button>
      ${list.length > 0 && html`<button class="plain" onClick=${() => put([], `points cleared ${Date.now()}`)}>Clear</button>`}
      ${list.length < 2 && html`<span class="hint">${list.length ? "One more makes a motion: move the robot, and add it." : "Move the robot with its sliders, and add where it stands."}</span>`}
    </div>
    ${list.length > 0 && html`<div class="scroll" tabindex="0" role="region" aria-label="Table of points"><table class="grid">
      <thead><tr><th scope="col">#</th>${columns.map(({ name, unit }) => html`<th scope="col">${called(name)} <span class="m-unit">${shownUnit(unit)}</span></th>`)}
        <th scope="col">at</th><th scope="col"><span class="hidden">What to do</span></th></tr></thead>
      <tbody>${list.map((point, k) => html`<tr key=${k}><th scope="row">${k + 1}</th>
        ${columns.map(({ name, unit }, j) => html`<td><${NumberField} decimals=${3} name=${`${name} of point ${k + 1}`} unit=${unit} empty=${false} value=${(tip ? point.pose : point)[j]} set=${(value) => write(k, j, value)} /></td>`)}
        <td class="number when">${arrivals?.[k] === undefined ? "" : html`<button class="plain" aria-label=${`To the time of point ${k + 1}`} onClick=${() => player.seek(arrivals[k])}>${arrivals[k].toFixed(2)} s</button>`}</td>
        <td class="acts">
          <button class="plain" aria-label=${`Go to point ${k + 1}`} title="Go to it" onClick=${() => go(point, space, robot).catch((error) => say(error.message, "bad"))}>Go</button>
          <button class="plain" aria-label=${`Point ${k + 1} earlier`} title="Earlier" disabled=${!k} onClick=${() => swap(k, k - 1)}>↑</button>
          <button class="plain" aria-label=${`Point ${k + 1} later`} title="Later" disabled=${k === list.length - 1} onClick=${() => swap(k, k + 1)}>↓</button>
          <button class="plain" aria-label=${`Delete point ${k + 1}`} title="Delete" onClick=${() => put(list.filter((_, i) => i !== k), `point deleted ${Date.now()}`)}>×</button>
        </td></tr>`)}</tbody>
    </table></div>`}
  </section>`;
}
