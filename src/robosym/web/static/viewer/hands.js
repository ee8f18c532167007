// What the pointer does on the picture: it lights a joint, takes it and moves it, or chooses a ghost.
import { Grip, Pointer } from "./taking.js";

const STILL = 4; // pixels a click may wander

export class Hands {
  constructor(viewer) {
    this.viewer = viewer;
    this.canvas = viewer.canvas;
    this.pointer = new Pointer(this.canvas, viewer.stage.camera);
    const on = (name, does) => this.canvas.addEventListener(name, does, { capture: true }); // before the camera is moved
    on("pointermove", (event) => (this.grip ? this.drag(event) : this.hover(event)));
    on("pointerdown", (event) => this.take(event));
    on("pointerup", (event) => this.release(event));
    on("pointercancel", (event) => this.release(event));
    on("pointerleave", () => viewer.heat(null));
  }

  // The part under the pointer that is nearest and can be taken: { frame, control, point }, or a ghost { solution }.
  under(event) {
    const { figure, shapes, ghosts, robot } = this.viewer;
    if (!figure) return null;
    const seen = [...figure.children, ...ghosts, ...(shapes ? [shapes] : [])].filter((one) => one.visible);
    const hit = this.pointer.hit(event, seen);
    if (!hit) return null;
    const ghost = ghosts.find((one) => one.children.includes(hit.object));
    if (ghost) return { solution: ghost.userData.solution };
    let owner = hit.object;
    while (owner.userData.frame === undefined) owner = owner.parent;
    const frame = this.viewer.driven(owner.userData.joint ?? owner.userData.frame);
    return frame === null ? null : { frame, control: robot.frames[frame].control, point: hit.point };
  }

  // Whether the pointer is on the gizmo of the target; a finger says so only when it is down.
  onGizmo(event) {
    const { target } = this.viewer;
    if (!target?.shown) return false;
    if (event.pointerType === "touch") target.gizmo.pointerHover({ ...this.pointer.place(event), button: event.button });
    return Boolean(target.gizmo.axis);
  }

  hover(event) {
    if (event.buttons || event.pointerType === "touch") return;
    const found = this.onGizmo(event) ? null : this.under(event);
    this.canvas.style.cursor = found ? (found.solution === undefined ? "grab" : "pointer") : "";
    this.viewer.heat(found?.frame ?? null);
    this.viewer.tell("hover", { control: found?.control ?? null, ghost: found?.solution ?? null });
  }

  take(event) {
    this.pressed = [event.clientX, event.clientY];
    if (event.button !== 0 || !event.isPrimary || this.onGizmo(event)) return;
    const found = this.under(event);
    if (!found || found.solution !== undefined) return;
    const { robot, x, poses, stage } = this.viewer;
    this.grip = new Grip(this.pointer, event, { ...found, kind: robot.frames[found.frame].kind, start: x[found.control], poses });
    this.grip.control = found.control;
    stage.orbit.enabled = false;
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.style.cursor = "grabbing";
    this.viewer.heat(found.frame);
  }

  drag(event) {
    const { control } = this.grip;
    const { lower, upper } = this.viewer.robot.controls[control];
    const value = Math.min(upper ?? Infinity, Math.max(lower ?? -Infinity, this.grip.value(event)));
    this.viewer.tell("joint", { index: control, value });
  }

  release(event) {
    const still = this.pressed && Math.hypot(event.clientX - this.pressed[0], event.clientY - this.pressed[1]) < STILL;
    this.pressed = null;
    if (this.grip) {
      this.grip = null;
      this.viewer.stage.orbit.enabled = true;
      this.canvas.style.cursor = "";
      if (!still) this.viewer.tell("ended", { what: "joint" });
    } else if (still && event.type === "pointerup" && !this.onGizmo(event)) {
      const found = this.under(event);
      if (found?.solution !== undefined) this.viewer.tell("ghost", { index: found.solution });
    }
  }
}
