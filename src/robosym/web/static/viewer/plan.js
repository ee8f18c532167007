// What is drawn of a robot: solids fixed to its frames, and rods that follow a sliding joint, from the scene and one set of poses.
//
// A link goes from its frame over the corners to the axis of the next joint. Joints that meet in a point (a wrist, a base) are
// moved apart along their own axes, and become smaller on the way to the tip: each can be seen and taken.
import { Matrix4, Vector3 } from "../vendor/three.mjs";
import { box, cylinder, limb, plate, union, vector } from "./solids.js";

const THICK = { serial: 0.06, tree: 0.05, closed: 0.045, parallel: 0.03 }; // radius of the first joint, in the size of the robot
const THIN = 0.5; // of it at the tip
const LINK = 0.62; // radius of links, in that of joints
const TALL = 1.9; // height of joints, in their radius
const PASSIVE = 0.66;

export const poseOf = (poses, frame) => new Matrix4().set(...poses.subarray(16 * frame, 16 * frame + 16));

// How large it is: of drawn things, and to look at.
export function sizeOf(scene, poses) {
  const points = scene.frames.map((_, j) => place(poses, j));
  const low = points[0].clone();
  const high = points[0].clone();
  for (const p of points) { low.min(p); high.max(p); }
  const wide = low.distanceTo(high);
  return { low, high, size: Math.min(scene.reach || wide || 1, 1.3 * wide || scene.reach || 1) || 1 };
}

const place = (poses, j) => new Vector3(poses[16 * j + 3], poses[16 * j + 7], poses[16 * j + 11]);
const axis = (poses, j) => new Vector3(poses[16 * j + 2], poses[16 * j + 6], poses[16 * j + 10]);

// { solids: [{ frame, joint, kind: "base" | "link" | "joint" | "passive", geometry }], rods: [{ frame, joint, corner, radius }], moving }
export function planned(scene, poses) {
  const { size } = sizeOf(scene, poses);
  const drawing = new Drawing(scene, poses, size * (THICK[scene.structure] ?? 0.05));
  drawing.base();
  for (let j = 1; j < scene.frames.length; j++) drawing.frame(j);
  const solids = drawing.solids();
  const moving = { solids: solids.filter((part) => part.frame !== 0), rods: drawing.rods }; // what ghosts show
  return { solids, rods: drawing.rods, moving };
}

class Drawing {
  constructor(scene, poses, thick) {
    Object.assign(this, { scene, poses, thick, rods: [], parts: new Map(), placed: [] });
    const { frames } = scene;
    this.moves = frames.map((frame) => ["revolute", "prismatic", "several"].includes(frame.kind));
    this.children = frames.map((_, j) => frames.flatMap((frame, k) => (frame.antecedent === j ? [k] : [])));
    this.depth = [];
    frames.forEach((frame, j) => { this.depth[j] = frame.antecedent === null ? 0 : this.depth[frame.antecedent] + (this.moves[j] ? 1 : 0); });
    this.deepest = Math.max(1, ...this.depth);
    this.owner = []; // the frame of the joint that moves a body
    frames.forEach((frame, j) => { this.owner[j] = this.moves[j] || frame.antecedent === null ? j : this.owner[frame.antecedent]; });
    this.plates = frames.map((_, j) => (j === 0 || frames[j].kind === "platform" ? this.seats(j) : null));
  }

  radius(j) {
    const way = Math.max(0, this.depth[j] - 1) / Math.max(1, this.deepest - 1);
    const passive = this.scene.frames[j].passive || this.scene.frames[j].kind === "cut" ? PASSIVE : 1;
    return this.thick * passive * (1 - (1 - THIN) * way);
  }

  add(frame, kind, ...geometries) {
    this.addOf(this.owner[frame], frame, kind, ...geometries);
  }

  // `joint` is the one that moves when the part is taken.
  addOf(joint, frame, kind, ...geometries) {
    const key = `${frame} ${joint} ${kind}`;
    if (!this.parts.has(key)) this.parts.set(key, { frame, joint, kind, geometries: [] });
    this.parts.get(key).geometries.push(...geometries);
  }

  solids() {
    return [...this.parts.values()].map(({ geometries, ...part }) => ({ ...part, geometry: union(geometries) }));
  }

  // Where frames that are fixed to a body stand in it, as a plate if there are three and more in a plane.
  seats(j) {
    const inverse = poseOf(this.poses, j).invert();
    const fixed = (k) => this.children[k].filter((n) => !this.moves[n] && this.scene.frames[n].kind !== "platform")
      .flatMap((n) => (this.children[n].some((m) => !this.moves[m] && this.scene.frames[m].kind !== "platform") ? fixed(n) : [n]));
    const points = fixed(j).map((n) => place(this.poses, n).applyMatrix4(inverse));
    if (points.length < 3) return null;
    const centre = points.reduce((sum, p) => sum.add(p), new Vector3()).divideScalar(points.length);
    const wide = Math.max(...points.map((p) => p.distanceTo(centre)));
    const found = plate(points, Math.max(0.03 * wide, 0.3 * this.thick), Math.max(0.06 * wide, 0.8 * this.thick));
    if (!found || j) return found?.solids ?? null;
    const away = found.normal.multiplyScalar(-this.side(found.normal, centre) * 1.3 * this.thick); // the legs stand on it
    return found.solids.map((solid) => solid.translate(away.x, away.y, away.z));
  }

  // On which side of the base the robot is; of a flat one, where its joints point to.
  side(normal, centre) {
    const inverse = poseOf(this.poses, 0).invert();
    const sum = this.scene.frames.reduce((total, _, k) => total + place(this.poses, k).applyMatrix4(inverse).sub(centre).dot(normal), 0);
    if (Math.abs(sum) > 0.5 * this.thick) return Math.sign(sum);
    const root = this.moves.indexOf(true);
    return Math.sign(axis(this.poses, root).transformDirection(inverse).dot(normal)) || 1;
  }

  base() {
    if (this.plates[0]) { this.add(0, "base", ...this.plates[0]); return; }
    const r = this.thick;
    if (this.scene.floating) { this.add(0, "base", box(3 * r, 3 * r, 1.6 * r)); return; }
    const root = this.children[0].find((k) => this.moves[k]) ?? null;
    if (root === null) { this.add(0, "base", box(2 * r, 2 * r, r)); return; }
    const inverse = poseOf(this.poses, 0).invert();
    const z = axis(this.poses, root).transformDirection(inverse);
    const rise = this.risen(root);
    const slides = this.scene.frames[root].kind === "prismatic";
    const behind = slides ? -1.3 * r : Math.abs(rise) > TALL * r ? 0 : rise - r * (0.9 + TALL); // the joint stands on it
    const foot = this.corner(root).addScaledVector(z, behind);
    this.add(0, "base", cylinder(foot.clone().addScaledVector(z, -0.45 * r), foot, 2.1 * r), cylinder(foot, foot.clone().addScaledVector(z, 0.2 * r), 1.5 * r));
  }

  // Where the axis of a joint is reached, in the axes of its antecedent.
  corner(j) {
    const { corners } = this.scene.frames[j];
    return corners.length ? vector(corners.at(-1)) : new Vector3();
  }

  // How far the frame is from there along its axis.
  risen(j) {
    const from = this.corner(j).applyMatrix4(poseOf(this.poses, this.scene.frames[j].antecedent));
    return place(this.poses, j).sub(from).dot(axis(this.poses, j));
  }

  frame(j) {
    const frame = this.scene.frames[j];
    if (this.plates[j]) this.add(j, "link", ...this.plates[j]);
    if (frame.kind === "platform") return;
    const a = frame.antecedent;
    const [from, to] = [LINK * this.radius(this.owner[a] || j), LINK * this.radius(j)];
    if (!this.plates[a]) {
      let last = new Vector3();
      for (const corner of frame.corners.map(vector)) {
        this.add(a, "link", ...limb(last, corner, from, to));
        last = corner;
      }
    }
    if (frame.kind === "prismatic") this.slide(j);
    else if (frame.kind === "several") this.ball(j);
    else this.turn(j, to);
  }

  // A sleeve in which the rod slides; a box where it begins drawn in.
  slide(j) {
    const r = this.radius(j);
    const { antecedent: a, passive } = this.scene.frames[j];
    const own = poseOf(this.poses, a).invert().multiply(poseOf(this.poses, j)).setPosition(this.corner(j));
    const rise = this.risen(j);
    const long = Math.abs(rise) > 4 * r;
    const sleeve = long ? cylinder(new Vector3(), new Vector3(0, 0, 0.45 * rise), 0.8 * r).applyMatrix4(own) : box(1.9 * r, 1.9 * r, 2.2 * r, own);
    this.addOf(j, a, passive ? "passive" : "joint", sleeve);
    this.rods.push({ frame: j, joint: j, corner: this.corner(j), radius: 0.5 * r });
    this.placed.push({ j, at: this.corner(j).applyMatrix4(poseOf(this.poses, a)), r });
  }

  // A joint of several axes: a ball at the origin of its frame.
  ball(j) {
    const [zero, r] = [new Vector3(), this.radius(j)];
    this.add(j, "joint", ...limb(zero, zero, 1.3 * r, 1.3 * r));
    this.placed.push({ j, at: place(this.poses, j), r });
  }

  turn(j, thin) {
    const frame = this.scene.frames[j];
    const rise = this.risen(j);
    const [back, zero] = [new Vector3(0, 0, -rise), new Vector3()];
    const r = this.radius(j);
    if (Math.abs(rise) > 1e-9 && !(this.plates[frame.antecedent] && frame.kind === "fixed")) this.add(j, "link", ...limb(back, zero, thin, thin * 0.92));
    if (!this.moves[j] && frame.kind !== "cut") return;
    const at = this.apart(j, rise, r);
    const kind = frame.passive || frame.kind === "cut" || this.twin(j) ? "passive" : "joint";
    const h = (TALL * r) / 2;
    const point = (s) => new Vector3(0, 0, s);
    this.add(j, kind, cylinder(point(at - 0.8 * h), point(at + 0.8 * h), r));
    this.add(j, "link", cylinder(point(at - h), point(at - 0.8 * h), 0.94 * r), cylinder(point(at + 0.8 * h), point(at + h), 0.94 * r));
    if (Math.abs(at) > 1e-9 && Math.abs(rise) < 1e-9) this.add(j, "link", ...limb(zero, point(at), thin, thin));
    if (j === this.scene.tip) this.add(j, "link", cylinder(point(at + h), point(at + 1.25 * h), 0.75 * r));
  }

  twin = (j) => this.scene.loops.some(([p, q]) => p === j || q === j);

  // Where on its axis a joint is drawn: on the way to its frame, behind a base, else beside what is there already.
  apart(j, rise, r) {
    const half = (TALL * r) / 2;
    const own = poseOf(this.poses, j);
    const z = axis(this.poses, j);
    let first = 0;
    if (Math.abs(rise) > 2 * half) first = -rise + Math.sign(rise) * Math.min(half + 1.15 * r, Math.abs(rise) - half);
    else if (this.depth[j] === 1 && !this.scene.floating && !this.plates[0]) first = -(half + 0.9 * r);
    const world = (s) => new Vector3(0, 0, s).applyMatrix4(own);
    const free = (s) => this.placed.every(({ at, r: other }) => at.distanceTo(world(s)) > 0.8 * (r + other));
    const way = this.outward(j, z);
    const step = half + 1.1 * r;
    const at = this.scene.frames[j].kind === "cut" ? first : [0, 1, -1, 2, -2].map((k) => first + k * way * step).find(free) ?? first;
    this.placed.push({ j, at: world(at), r });
    return at;
  }

  // The side on which the robot goes on.
  outward(j, z) {
    for (let k = this.children[j][0]; k !== undefined; k = this.children[k][0]) {
      const side = place(this.poses, k).sub(place(this.poses, j)).dot(z);
      if (Math.abs(side) > 1e-6) return Math.sign(side);
    }
    return 1;
  }
}
