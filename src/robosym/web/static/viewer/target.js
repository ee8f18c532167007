// The target of the tip: a gizmo that is moved and turned.
import { Color, Matrix4, Mesh, MeshBasicMaterial, Object3D, SphereGeometry, TransformControls } from "../vendor/three.mjs";

export class Target {
  constructor(stage, size, { moved, ended }) {
    this.stage = stage;
    this.handle = new Object3D();
    this.mark = new Mesh(new SphereGeometry(0.014 * size, 14, 10), new MeshBasicMaterial({ depthTest: false, transparent: true }));
    this.mark.renderOrder = 7;
    this.handle.add(this.mark);
    this.gizmo = new TransformControls(stage.camera, stage.canvas);
    this.gizmo.attach(this.handle);
    this.gizmo.setSpace("local");
    this.gizmo.setSize(0.72);
    this.gizmo.addEventListener("change", () => stage.draw());
    this.gizmo.addEventListener("dragging-changed", ({ value }) => {
      stage.orbit.enabled = !value;
      this.held = value;
      if (!value) ended();
    });
    this.gizmo.addEventListener("objectChange", () => moved(this.pose()));
    this.reachable(true);
    this.show(false);
    stage.scene.add(this.handle, this.gizmo.getHelper());
  }

  show(is) {
    this.shown = is;
    this.gizmo.enabled = is;
    this.gizmo.getHelper().visible = is;
    this.handle.visible = is;
    this.stage.draw();
  }

  mode(name) {
    this.gizmo.setMode(name);
    this.stage.draw();
  }

  reachable(is) {
    this.isReachable = is;
    this.mark.material.color = new Color(this.stage.colour(is ? "accent" : "bad"));
    this.stage.draw();
  }

  // 16 numbers by rows.
  pose() {
    this.handle.updateMatrix();
    return new Matrix4().copy(this.handle.matrix).transpose().toArray();
  }

  place(rows) {
    new Matrix4().set(...rows).decompose(this.handle.position, this.handle.quaternion, this.handle.scale);
    this.handle.scale.set(1, 1, 1);
    this.stage.draw();
  }

  dispose() {
    this.stage.scene.remove(this.handle, this.gizmo.getHelper());
    this.gizmo.detach();
    this.gizmo.dispose();
  }
}
