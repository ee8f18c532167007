// A robot that stands in a pose: the solids of a plan, one mesh each, and rods of sliding joints.
import { CylinderGeometry, Group, Matrix4, Mesh, MeshBasicMaterial, NotEqualStencilFunc, ReplaceStencilOp, Vector3 } from "../vendor/three.mjs";
import { poseOf } from "./plan.js";

const ROD = new CylinderGeometry(1, 1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5); // along z from 0 to 1

export class Figure extends Group {
  // `material(kind, joint)` says what a part looks like.
  constructor(plan, material) {
    super();
    this.solids = plan.solids.map((part) => this.mesh(part.geometry, part, material));
    this.rods = plan.rods.map((part) => this.mesh(ROD, { ...part, kind: "link" }, material));
    this.matrixAutoUpdate = false;
  }

  mesh(geometry, part, material) {
    const made = new Mesh(geometry, material(part.kind, part.joint));
    made.userData = part;
    made.matrixAutoUpdate = false;
    made.frustumCulled = false;
    this.add(made);
    return made;
  }

  place(poses, frames) {
    const known = new Map();
    const pose = (frame) => known.get(frame) ?? known.set(frame, poseOf(poses, frame)).get(frame);
    for (const mesh of this.solids) mesh.matrix.copy(pose(mesh.userData.frame));
    for (const mesh of this.rods) {
      const { frame, corner, radius } = mesh.userData;
      const own = pose(frame);
      const from = corner.clone().applyMatrix4(pose(frames[frame].antecedent));
      const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()];
      own.extractBasis(x, y, z);
      const length = new Vector3().setFromMatrixPosition(own).sub(from).dot(z);
      const long = Math.abs(length) < 1e-6 ? 1e-6 : length;
      mesh.matrix.copy(new Matrix4().makeBasis(x.multiplyScalar(Math.sign(long) * radius), y.multiplyScalar(radius), z.multiplyScalar(long)).setPosition(from));
    }
    this.updateMatrixWorld(true);
  }

  repaint(material) {
    for (const mesh of [...this.solids, ...this.rods]) mesh.material = material(mesh.userData.kind, mesh.userData.joint);
  }
}

// Its shadow: the same solids, flattened along the light onto the ground. The stencil lets each place be darkened once.
export class Shadow extends Figure {
  constructor(plan, floor, light) {
    const dark = new MeshBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.13, depthWrite: false, fog: false });
    Object.assign(dark, { stencilWrite: true, stencilRef: 1, stencilFunc: NotEqualStencilFunc, stencilZPass: ReplaceStencilOp });
    super(plan, () => dark);
    const [x, y] = [light.x / light.z, light.y / light.z];
    this.matrix.set(1, 0, -x, x * floor, 0, 1, -y, y * floor, 0, 0, 0, floor, 0, 0, 0, 1);
  }
}
