// Joints taken in 3D: what the pointer is on, and how far a joint turns or slides when it moves.
import { Plane, Raycaster, Vector2, Vector3 } from "../vendor/three.mjs";
import { poseOf } from "./plan.js";

const EDGE = 0.2; // cosine between axis and look below which the plane of a joint is seen from the side

export class Pointer {
  constructor(canvas, camera) {
    Object.assign(this, { canvas, camera, caster: new Raycaster() });
  }

  // In the camera's square, -1 to 1.
  place(event) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    return new Vector2(((event.clientX - left) / width) * 2 - 1, 1 - ((event.clientY - top) / height) * 2);
  }

  ray(event) {
    this.caster.setFromCamera(this.place(event), this.camera);
    return this.caster.ray;
  }

  hit(event, objects) {
    this.ray(event);
    return this.caster.intersectObjects(objects, true)[0] ?? null;
  }
}

// A joint that is being moved: `value(event)` is what its control becomes.
export class Grip {
  constructor(pointer, event, { kind, start, poses, frame, point }) {
    const pose = poseOf(poses, frame);
    this.centre = new Vector3().setFromMatrixPosition(pose);
    this.axis = new Vector3().setFromMatrixColumn(pose, 2);
    Object.assign(this, { pointer, kind, last: start, point });
    this.centre.addScaledVector(this.axis, point.clone().sub(this.centre).dot(this.axis)); // in the plane of what was taken
    this.plane = new Plane().setFromNormalAndCoplanarPoint(this.axis, this.centre);
    this.flat = kind === "revolute" && Math.abs(pointer.camera.getWorldDirection(new Vector3()).dot(this.axis)) < EDGE;
    this.before = this.reading(event);
  }

  value(event) {
    const now = this.reading(event);
    if (now === null || this.before === null) return this.last;
    const step = now - this.before;
    this.last += this.kind === "revolute" ? step - 2 * Math.PI * Math.round(step / (2 * Math.PI)) : step;
    this.before = now;
    return this.last;
  }

  reading(event) {
    if (this.kind === "prismatic") return this.along(this.pointer.ray(event));
    return this.flat ? this.across(event) : this.around(this.pointer.ray(event));
  }

  // The angle about the axis; null where the ray does not meet the plane.
  around(ray) {
    const at = ray.intersectPlane(this.plane, new Vector3());
    if (!at) return null;
    const radius = this.point.clone().sub(this.centre);
    const x = radius.lengthSq() > 1e-12 ? radius.normalize() : new Vector3(1, 0, 0).projectOnPlane(this.axis).normalize();
    const way = at.sub(this.centre);
    return Math.atan2(way.dot(new Vector3().crossVectors(this.axis, x)), way.dot(x));
  }

  // Seen from the side: the way across the axis, in its own radius.
  across(event) {
    const { camera } = this.pointer;
    const place = this.pointer.place(event);
    const centre = this.centre.clone().project(camera);
    const tip = this.centre.clone().addScaledVector(this.axis, 0.01 * camera.position.distanceTo(this.centre)).project(camera);
    const axis = new Vector2((tip.x - centre.x) * camera.aspect, tip.y - centre.y).normalize();
    const side = -axis.y * (place.x - centre.x) * camera.aspect + axis.x * (place.y - centre.y);
    return -3 * side;
  }

  // Where on the axis the ray passes nearest.
  along(ray) {
    const w = this.centre.clone().sub(ray.origin);
    const b = this.axis.dot(ray.direction);
    const full = 1 - b * b;
    return full < 1e-4 ? null : (b * w.dot(ray.direction) - w.dot(this.axis)) / full;
  }
}
