// A robot in 3D: drawn from its scene, moved by the module that Robosym wrote for it. It knows nothing of the page: colours are
// given, and what people do with it are events: "joint" {index, value}, "ended", "target" {pose}, "ghost" {index}, "hover".
import {
  Box3, BufferAttribute, BufferGeometry, Color, LessDepth, MeshLambertMaterial, Points, PointsMaterial, Vector3,
} from "../vendor/three.mjs";
import { Ellipsoids } from "./ellipsoids.js";
import { Figure, Shadow } from "./figure.js";
import { Frames, gravityArrow, pathLine } from "./marks.js";
import { Hands } from "./hands.js";
import { planned, poseOf, sizeOf } from "./plan.js";
import { placeShapes, shapesOf } from "./shapes.js";
import { Stage, SUN } from "./stage.js";
import { Target } from "./target.js";

// Behind what stands in the same place, and drawn once where several do.
const GHOSTLY = { transparent: true, depthFunc: LessDepth, polygonOffset: true, polygonOffsetFactor: 3, polygonOffsetUnits: 3 };

export class Viewer extends EventTarget {
  // `colour(name)` gives the tokens of a page: "joint", "link", "accent", "ink", "line", ...
  constructor(host, { colour }) {
    super();
    this.colour = colour;
    this.stage = new Stage(host, colour);
    this.canvas = this.stage.canvas;
    this.view = { frames: true, ellipsoid: false, workspace: false, meshes: true };
    this.ghosts = [];
    this.own = []; // objects of the robot at hand
    this.materials = this.painted();
    this.hands = new Hands(this);
  }

  tell(name, detail = {}) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  // --- the robot ---------------------------------------------------------------------------------------------------------

  // `frames(x)` is of its direct module, `x` where it stands first, `files` the meshes that were dropped with it.
  load({ scene, frames, x, files = null }) {
    this.clear();
    Object.assign(this, { robot: scene, frames, x: Float64Array.from(x) });
    const first = frames(scene.controls.map((control) => control.at));
    this.poses = first.ok ? first.poses : frames(x).poses;
    const extent = sizeOf(scene, this.poses);
    this.size = extent.size;
    this.plan = planned(scene, this.poses);
    this.figure = this.put(new Figure(this.plan, (kind, joint) => this.material(kind, joint)));
    this.marks = this.put(new Frames(scene, this.poses, this.size, this.colour));
    this.ellipsoids = this.put(new Ellipsoids(this.size, this.colour));
    this.ellipsoids.visible = false;
    this.target = new Target(this.stage, this.size, { moved: (pose) => this.tell("target", { pose }), ended: () => this.tell("ended", { what: "target" }) });
    this.figure.place(this.poses, scene.frames);
    const floor = this.floor(extent);
    this.shadow = this.put(new Shadow(this.plan, floor - 1e-3 * this.size, SUN));
    const now = frames(x).ok ? sizeOf(scene, frames(x).poses) : extent; // in sight: where it begins, and where it is
    const [low, high] = [extent.low.clone().min(now.low).setZ(floor), extent.high.clone().max(now.high)];
    this.stage.furnish({ low, high, size: this.size, floor: floor - 2e-3 * this.size }, this.known !== scene.name);
    this.known = scene.name; // with other numbers it is looked at from where one was
    const beside = new Vector3(low.x - 0.14 * this.size, low.y, floor + 0.3 * this.size);
    this.gravity = gravityArrow(scene.gravity, beside, this.size, this.colour);
    if (this.gravity) this.put(this.gravity);
    this.dress(files);
    this.show(x);
    this.set(this.view);
  }

  put(object) {
    this.own.push(object);
    this.stage.scene.add(object);
    return object;
  }

  clear() {
    this.target?.dispose();
    this.target = null;
    this.setGhosts([]);
    this.setCloud(null);
    this.trace(null);
    this.stage.scene.remove(...this.own);
    for (const mesh of this.figure?.children ?? []) mesh.geometry.dispose();
    this.own = [];
    this.shapes = null;
    this.hot = null;
  }

  // Under all that is drawn at first.
  floor({ low }) {
    let lowest = low.z;
    const at = new Vector3();
    for (const mesh of this.figure.solids) {
      const points = mesh.geometry.getAttribute("position");
      for (let k = 0; k < points.count; k += 2) lowest = Math.min(lowest, at.fromBufferAttribute(points, k).applyMatrix4(mesh.matrix).z);
    }
    return lowest;
  }

  async dress(files) {
    const robot = this.robot;
    const made = await shapesOf(robot, files, this.materials.link);
    if (this.robot !== robot) return;
    this.tell("dressed", { count: made.children.length });
    if (!made.children.length) return;
    this.shapes = this.put(made);
    placeShapes(made, this.poses);
    this.set(this.view);
  }

  // Stand at values of the controls: { ok, message }. Where it cannot be assembled, it stays where it was.
  show(x) {
    const found = this.frames(x);
    this.x = Float64Array.from(x);
    if (found.ok) {
      this.poses = found.poses;
      this.figure.place(found.poses, this.robot.frames);
      this.shadow.place(found.poses, this.robot.frames);
      this.marks.place(found.poses);
      if (this.shapes) placeShapes(this.shapes, found.poses);
      if (!this.target.held) { this.target.place(this.tip()); this.target.reachable(true); }
    }
    this.stage.draw();
    return found;
  }

  // The pose of the tip: 16 numbers by rows.
  tip = () => this.poses.subarray(16 * this.robot.tip, 16 * this.robot.tip + 16);

  // --- what is shown -----------------------------------------------------------------------------------------------------

  set(view) {
    Object.assign(this.view, view);
    if (!this.figure) return;
    const dressed = Boolean(this.shapes && this.view.meshes);
    const covered = new Set(dressed ? this.shapes.children.map((holder) => holder.userData.frame) : []);
    if (this.shapes) this.shapes.visible = dressed;
    for (const mesh of this.figure.children) mesh.visible = !covered.has(mesh.userData.frame);
    this.marks.visible = this.view.frames;
    if (this.gravity) this.gravity.visible = this.view.frames;
    this.ellipsoids.visible = this.view.ellipsoid && this.measured === true;
    if (this.cloud) this.cloud.visible = this.view.workspace;
    this.stage.draw();
  }

  // { rows, columns, values } of the tip, or null. Says which ellipsoids are longer than drawn.
  setJacobian(jacobian) {
    this.measured = Boolean(jacobian);
    const cut = jacobian ? this.ellipsoids.show(jacobian, new Vector3().setFromMatrixPosition(poseOf(this.poses, this.robot.tip))) : [];
    this.set({});
    return cut;
  }

  // Float32Array of x y z, or null.
  setCloud(points) {
    if (this.cloud) { this.stage.scene.remove(this.cloud); this.cloud.geometry.dispose(); this.cloud.material.dispose(); this.cloud = null; }
    if (!points?.length) return;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(points, 3));
    geometry.setAttribute("color", new BufferAttribute(this.heights(points), 3));
    this.cloud = new Points(geometry, new PointsMaterial({ size: 1.6, sizeAttenuation: false, vertexColors: true, transparent: true, opacity: 0.75 }));
    this.cloud.visible = this.view.workspace;
    this.stage.scene.add(this.cloud);
    this.stage.draw();
  }

  // Coloured by height, from one token to the other.
  heights(points) {
    const [low, high] = [new Color(this.colour("accent")), new Color(this.colour("joint"))];
    let [from, to] = [Infinity, -Infinity];
    for (let k = 2; k < points.length; k += 3) { from = Math.min(from, points[k]); to = Math.max(to, points[k]); }
    const colours = new Float32Array(points.length);
    for (let k = 0; k < points.length; k += 3) new Color().lerpColors(low, high, (points[k + 2] - from) / (to - from || 1)).toArray(colours, k);
    return colours;
  }

  // A line through points [[x, y, z], ...]; null takes it away.
  trace(points) {
    if (this.line) { this.stage.scene.remove(this.line); this.line.geometry.dispose(); this.line = null; }
    if (points?.length) { this.line = pathLine(points, this.colour); this.stage.scene.add(this.line); }
    this.stage.draw();
  }

  // Other positions of the robot, shown through; the one at `lit` stands out.
  setGhosts(solutions, lit = -1) {
    while (this.ghosts.length > solutions.length) this.stage.scene.remove(this.ghosts.pop());
    while (this.ghosts.length < solutions.length) {
      const ghost = new Figure(this.plan.moving, () => this.materials.ghost);
      this.stage.scene.add(ghost);
      this.ghosts.push(ghost);
    }
    solutions.forEach((x, k) => {
      const { poses, ok } = this.frames(x);
      this.ghosts[k].visible = ok;
      this.ghosts[k].userData.solution = k;
      if (ok) this.ghosts[k].place(poses, this.robot.frames);
    });
    this.lightGhost(lit);
  }

  lightGhost(lit) {
    this.ghosts.forEach((ghost, k) => ghost.repaint(() => (k === lit ? this.materials.lit : this.materials.ghost)));
    this.stage.draw();
  }

  fit() {
    this.stage.extent && this.stage.fit(this.stage.camera.position.clone().sub(this.stage.orbit.target).normalize());
  }

  // All in sight: the robot, and what is drawn of its workspace and its way.
  home = () => {
    if (!this.stage.extent) return;
    const { low, high } = this.stage.extent;
    const now = sizeOf(this.robot, this.poses);
    const box = new Box3(low.clone().min(now.low), high.clone().max(now.high));
    for (const drawn of [this.cloud, this.line]) if (drawn?.visible) box.expandByObject(drawn);
    this.stage.fit(undefined, box.min, box.max);
  };

  // Called with the time in seconds before every picture while somebody listens: returns what ends it.
  onTime(listener) {
    let going = true;
    const step = (now) => { if (going) { listener(now / 1000); requestAnimationFrame(step); } };
    requestAnimationFrame(step);
    return () => { going = false; };
  }

  // --- colours -----------------------------------------------------------------------------------------------------------

  painted() {
    const plain = (name, more = {}) => new MeshLambertMaterial({ color: new Color(this.colour(name)), ...more });
    const mixed = (one, other, part) => new MeshLambertMaterial({ color: new Color(this.colour(one)).lerp(new Color(this.colour(other)), part) });
    return {
      base: mixed("link", "ink", 0.3),
      link: plain("link"),
      joint: plain("joint"),
      passive: mixed("joint", "link", 0.68),
      hot: plain("accent"),
      ghost: plain("accent", { opacity: 0.3, ...GHOSTLY }),
      lit: plain("accent", { opacity: 0.62, ...GHOSTLY }),
    };
  }

  material(kind, joint) {
    return (kind === "joint" || kind === "passive") && joint === this.hot ? this.materials.hot : this.materials[kind];
  }

  recolour() {
    const fresh = this.painted();
    for (const [name, material] of Object.entries(this.materials)) material.color.copy(fresh[name].color);
    this.marks?.recolour(this.colour);
    this.ellipsoids?.recolour(this.colour);
    this.gravity?.setColor(new Color(this.colour("muted")));
    this.target?.reachable(this.target.isReachable);
    this.stage.recolour();
  }

  // --- hands -------------------------------------------------------------------------------------------------------------

  // The joint with a control that moves a frame.
  driven(frame) {
    for (let j = frame; j !== null; j = this.robot.frames[j].antecedent) if (this.robot.frames[j].control !== null) return j;
    return null;
  }

  // The joint that is lit, by its frame.
  heat(frame) {
    if (frame === this.hot) return;
    this.hot = frame;
    this.figure?.repaint((kind, joint) => this.material(kind, joint));
    this.stage.draw();
  }

  // Lights the joint of a control, as if the pointer were on it.
  point(control) {
    const frame = control === null ? -1 : this.robot.frames.findIndex((one) => one.control === control);
    this.heat(frame < 0 ? null : frame);
  }

  dispose() {
    this.clear();
    this.stage.dispose();
  }
}
