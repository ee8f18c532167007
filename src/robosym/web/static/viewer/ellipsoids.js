// Velocities that unit rates of the joints give the tip, and forces that unit torques hold there: J J^T and its inverse.
import { Color, Group, Matrix4, Mesh, MeshLambertMaterial, SphereGeometry, Vector3, DoubleSide } from "../vendor/three.mjs";

const LARGEST = 0.34; // of the first velocity ellipsoid, in the size of the robot
const FORCE = 0.16;

// Eigenvalues, largest first, and vectors of a symmetric 3x3 matrix, by rotations of Jacobi.
export function symmetricEigen(matrix) {
  const a = matrix.map((row) => [...row]);
  const v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (let sweep = 0; sweep < 30; sweep++) {
    const off = Math.abs(a[0][1]) + Math.abs(a[0][2]) + Math.abs(a[1][2]);
    if (off < 1e-15 * (Math.abs(a[0][0]) + Math.abs(a[1][1]) + Math.abs(a[2][2])) || off === 0) break;
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      if (a[p][q] === 0) continue;
      const angle = Math.atan2(2 * a[p][q], a[q][q] - a[p][p]) / 2;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      for (let k = 0; k < 3; k++) [a[k][p], a[k][q]] = [c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]];
      for (let k = 0; k < 3; k++) [a[p][k], a[q][k]] = [c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]];
      for (let k = 0; k < 3; k++) [v[k][p], v[k][q]] = [c * v[k][p] - s * v[k][q], s * v[k][p] + c * v[k][q]];
    }
  }
  const order = [0, 1, 2].sort((p, q) => a[q][q] - a[p][p]);
  return { values: order.map((k) => a[k][k]), vectors: order.map((k) => v.map((row) => row[k])) };
}

// Yoshikawa's measure, the product of the singular values of J: sqrt(det(J J^T)), or of J^T J where it has fewer columns.
export function manipulability({ rows, columns, values }) {
  const at = (i, k) => values[i * columns + k];
  const wide = columns >= rows;
  const n = Math.min(rows, columns);
  const m = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, k) => {
    let sum = 0;
    for (let s = 0; s < Math.max(rows, columns); s++) sum += wide ? at(i, s) * at(k, s) : at(s, i) * at(s, k);
    return sum;
  }));
  return Math.sqrt(Math.max(0, determinant(m)));
}

function determinant(matrix) {
  const a = matrix.map((row) => [...row]);
  let found = 1;
  for (let k = 0; k < a.length; k++) {
    let best = k;
    for (let i = k + 1; i < a.length; i++) if (Math.abs(a[i][k]) > Math.abs(a[best][k])) best = i;
    if (a[best][k] === 0) return 0;
    if (best !== k) { [a[k], a[best]] = [a[best], a[k]]; found = -found; }
    found *= a[k][k];
    for (let i = k + 1; i < a.length; i++) {
      const f = a[i][k] / a[k][k];
      for (let c = k; c < a.length; c++) a[i][c] -= f * a[k][c];
    }
  }
  return found;
}

// Semi-axes and directions of the velocities of the tip's origin: of the first three rows.
export function velocityAxes({ rows, columns, values }) {
  const at = (i, k) => (i < rows ? values[i * columns + k] : 0);
  const m = [0, 1, 2].map((i) => [0, 1, 2].map((k) => { let sum = 0; for (let s = 0; s < columns; s++) sum += at(i, s) * at(k, s); return sum; }));
  const { values: squares, vectors } = symmetricEigen(m);
  return { lengths: squares.map((v) => Math.sqrt(Math.max(0, v))), vectors };
}

export class Ellipsoids extends Group {
  constructor(size, colour) {
    super();
    this.size = size;
    const ball = new SphereGeometry(1, 28, 18);
    const make = () => new Mesh(ball, new MeshLambertMaterial({ transparent: true, opacity: 0.3, depthWrite: false, side: DoubleSide }));
    [this.velocity, this.force] = [make(), make()];
    for (const one of [this.velocity, this.force]) { one.matrixAutoUpdate = false; one.frustumCulled = false; this.add(one); }
    this.recolour(colour);
  }

  recolour(colour) {
    this.velocity.material.color = new Color(colour("accent"));
    this.force.material.color = new Color(colour("joint"));
  }

  // Where an axis has no end in sight it is cut: those of which it is so are named.
  show(jacobian, tip) {
    const { lengths, vectors } = velocityAxes(jacobian);
    this.unit ??= lengths[0] || 1; // one scale while the robot is the same: sizes can be compared
    const longest = 0.75 * this.size;
    const axes = {
      velocity: lengths.map((v) => (LARGEST * this.size * v) / this.unit),
      force: lengths.map((v) => (FORCE * this.size * this.unit * 0.4) / Math.max(v, 1e-9 * this.unit)),
    };
    for (const [name, own] of Object.entries(axes)) this.stretch(this[name], own.map((length) => Math.min(length, longest)), vectors, tip);
    return Object.keys(axes).filter((name) => axes[name].some((length) => length > longest));
  }

  stretch(mesh, lengths, vectors, tip) {
    const flat = 2e-3 * this.size; // a disk, where it cannot move
    const [x, y, z] = vectors.map((v, k) => new Vector3(...v).multiplyScalar(Math.max(lengths[k], flat)));
    mesh.matrix.copy(new Matrix4().makeBasis(x, y, z).setPosition(tip));
    mesh.updateMatrixWorld(true);
  }
}
