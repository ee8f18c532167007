// The robot at hand, moved: joins the viewer with the position, the inverse geometry and the measures. Panels watch it.
import { pose } from "../core/pose.js";
import { askRobot, moduleOf, robot } from "../core/robot.js";
import * as store from "../core/store.js";
import { manipulability } from "./ellipsoids.js";
import { aligned, sameTurn } from "./solutions.js";

const REST = 160; // ms without a move, until what is not seen is counted

const FRESH = {
  ok: true, message: "", // whether it can be assembled here
  inverse: null, reason: "", status: "", words: "", outside: 0, solutions: [], current: -1, lit: -1, // of the target
  measures: null, w: null, near: [], cut: [], // at this position
  dressed: 0, // shapes that are drawn
  cloud: "", // "", "busy", "shown", or why there is none
};

export class Session {
  constructor(viewer) {
    this.viewer = viewer;
    this.is = { ...FRESH };
    this.watchers = new Set();
    this.stops = [pose.subscribe((x, from) => this.moved(x, from)), store.subscribe((state, before) => this.changed(state, before)), robot.subscribe(() => this.met())];
    const on = (name, does) => viewer.addEventListener(name, ({ detail }) => does(detail));
    on("joint", ({ index, value }) => pose.setOne(index, value, "drag"));
    on("target", ({ pose: T }) => this.aim(T));
    on("ended", () => this.step());
    on("dressed", ({ count }) => this.put({ dressed: count }));
    on("ghost", ({ index }) => this.select(this.ghosts[index]));
    on("hover", ({ ghost }) => this.light(ghost === null ? -1 : this.ghosts[ghost]));
    this.ghosts = []; // places of the ghosts among the solutions
    this.met();
  }

  watch(watcher) {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  put(patch) {
    Object.assign(this.is, patch);
    for (const watcher of [...this.watchers]) watcher(this.is);
  }

  // A step to undo: where the robot stands now.
  step() {
    const x = [...pose.get()];
    if (JSON.stringify(x) !== JSON.stringify(store.get().x)) store.change({ x }, "pose");
  }

  // --- a robot comes -----------------------------------------------------------------------------------------------------

  met() {
    const found = robot.get();
    if (!found?.scene || found === this.robot) return;
    this.robot = found;
    this.put({ ...FRESH });
    this.viewer.load({ scene: found.scene, frames: found.direct.frames, x: pose.get(), files: found.files ?? null });
    requestAnimationFrame(() => performance.mark("robosym robot drawn"));
    this.changed(store.get(), null);
    this.moved(pose.get(), "load");
    const first = () => requestAnimationFrame(() => setTimeout(() => this.learn(found), 0)); // after the first picture
    requestAnimationFrame(first);
  }

  // What takes longer to derive, one after the other.
  async learn(found) {
    const stale = () => this.robot !== found;
    try {
      const measures = await moduleOf("measures", found);
      if (stale()) return;
      this.put({ measures });
      this.measure();
    } catch { /* a robot without them is drawn without them */ }
    if (stale()) return;
    try {
      const inverse = await moduleOf("inverse", found);
      if (stale()) return;
      this.put(inverse.solve ? { inverse } : { reason: inverse.reason });
    } catch (error) {
      if (stale()) return;
      this.put({ reason: error.message });
    }
    this.solve();
  }

  changed(state, before) {
    const { view } = state;
    if (before && view === before.view) return;
    this.viewer.set({ frames: view.frames, ellipsoid: view.ellipsoid, workspace: view.workspace, meshes: view.meshes });
    if (!this.robot) return;
    this.viewer.target.show(view.solutions && Boolean(this.is.inverse));
    if (view.workspace) this.fill();
    this.measure();
    this.solve();
  }

  async fill() {
    if (this.is.cloud) return;
    const found = this.robot;
    this.put({ cloud: "busy" });
    try {
      const points = new Float32Array(await askRobot("/workspace", { of: this.robot, as: "bytes" }));
      if (this.robot !== found) return;
      this.viewer.setCloud(points);
      this.put({ cloud: points.length ? "shown" : "it has no point" });
    } catch (error) {
      if (this.robot === found) this.put({ cloud: error.problems?.[0]?.message ?? error.message });
    }
  }

  // --- it moves ----------------------------------------------------------------------------------------------------------

  moved(x, from) {
    if (!this.robot || x.length !== this.robot.scene.controls.length) return;
    const { ok, message } = this.viewer.show(x);
    if (ok !== this.is.ok || message !== this.is.message) this.put({ ok, message });
    if (!ok) return;
    this.measure();
    if (from === "target") return;
    clearTimeout(this.resting);
    if (store.get().view.solutions) this.solve();
    else this.resting = setTimeout(() => this.solve(), REST);
  }

  measure() {
    const { measures, ok } = this.is;
    if (!measures || !ok) return;
    const jacobian = measures.jacobian(pose.get());
    this.put({ cut: this.viewer.setJacobian(jacobian), w: manipulability(jacobian), near: measures.singularities(pose.get()).filter((one) => one.near) });
  }

  // --- inverse geometry --------------------------------------------------------------------------------------------------

  // The solutions where the tip is.
  solve() {
    if (!this.is.inverse) { this.ghost(); return; }
    this.found(this.viewer.tip());
  }

  found(T) {
    const { status, message, solutions, outside = 0 } = this.is.inverse.solve(Array.from(T), pose.get());
    const kept = aligned(this.is.solutions, solutions.map((x) => Float64Array.from(x)));
    this.raw = solutions;
    this.put({ status, words: message, outside, solutions: kept, lit: -1 });
    this.mark();
    return solutions;
  }

  // Bring the tip to a pose, if it can be: to the nearest solution. Says whether.
  aim(T) {
    if (!this.is.inverse) return false;
    const [nearest] = this.found(T);
    this.viewer.target.reachable(Boolean(nearest));
    if (!nearest) { this.ghost(); return false; }
    pose.set(nearest, "target");
    this.mark();
    return true;
  }

  // Which solution it stands at; the others are ghosts.
  mark() {
    const x = pose.get();
    const controls = this.robot.scene.controls;
    this.put({ current: this.is.solutions.findIndex((one) => sameTurn(one, x, controls)) });
    this.ghost();
  }

  ghost() {
    const on = store.get().view.solutions;
    this.viewer.target?.show(on && Boolean(this.is.inverse));
    this.ghosts = on ? this.is.solutions.flatMap((_, k) => (k === this.is.current ? [] : [k])) : [];
    this.viewer.setGhosts(this.ghosts.map((k) => this.is.solutions[k]), this.ghosts.indexOf(this.is.lit));
  }

  light(k) {
    if (k === this.is.lit) return;
    this.put({ lit: k });
    this.viewer.lightGhost(this.ghosts.indexOf(k));
  }

  select(k) {
    if (!this.is.solutions[k]) return;
    pose.set(this.is.solutions[k], "solution");
    this.step();
  }

  dispose() {
    clearTimeout(this.resting);
    for (const stop of this.stops) stop();
  }
}
