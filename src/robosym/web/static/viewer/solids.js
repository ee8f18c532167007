// Small solids for robots, and their union in one geometry: few draw calls, few triangles.
import { BoxGeometry, BufferAttribute, BufferGeometry, CylinderGeometry, Matrix4, Quaternion, SphereGeometry, Vector3 } from "../vendor/three.mjs";

const ROUND = 18; // sides of what is round
const UP = new Vector3(0, 1, 0); // the axis of three's cylinders

export const vector = ([x, y, z]) => new Vector3(x, y, z);

function along(geometry, from, to) {
  const way = to.clone().sub(from);
  const turned = new Quaternion().setFromUnitVectors(UP, way.clone().normalize());
  return geometry.applyMatrix4(new Matrix4().compose(from.clone().addScaledVector(way, 0.5), turned, new Vector3(1, 1, 1)));
}

// A body between two points, thinner towards the second, with round ends.
export function limb(from, to, first, second) {
  const ends = [[from, first], [to, second]].map(([at, radius]) => new SphereGeometry(radius, ROUND, 9).translate(at.x, at.y, at.z));
  const length = from.distanceTo(to);
  if (length < 1e-9) return ends.slice(0, 1);
  return [along(new CylinderGeometry(second, first, length, ROUND, 1, true), from, to), ...ends];
}

export function cylinder(from, to, radius) {
  return along(new CylinderGeometry(radius, radius, from.distanceTo(to), ROUND), from, to);
}

export const box = (x, y, z, matrix = null) => {
  const made = new BoxGeometry(x, y, z);
  return matrix ? made.applyMatrix4(matrix) : made;
};

// A plate through points that lie in a plane: their convex hull, rounded by discs at the corners. Null if they do not.
export function plate(points, thickness, radius) {
  const centre = points.reduce((sum, p) => sum.add(p), new Vector3()).divideScalar(points.length);
  const normal = normalOf(points, centre);
  if (!normal) return null;
  const size = Math.max(...points.map((p) => p.distanceTo(centre)));
  if (points.some((p) => Math.abs(p.clone().sub(centre).dot(normal)) > 0.05 * size)) return null;
  const x = points[0].clone().sub(centre).projectOnPlane(normal).normalize();
  const y = normal.clone().cross(x);
  const rim = hull(points.map((p) => [p.clone().sub(centre).dot(x), p.clone().sub(centre).dot(y)]));
  const at = ([u, v], h) => centre.clone().addScaledVector(x, u).addScaledVector(y, v).addScaledVector(normal, h);
  const discs = rim.map((p) => cylinder(at(p, -thickness / 2), at(p, thickness / 2), radius));
  return { solids: [prism(rim, radius, at, thickness), ...discs], normal };
}

function normalOf(points, centre) {
  let best = null;
  for (const p of points) {
    for (const q of points) {
      const n = p.clone().sub(centre).cross(q.clone().sub(centre));
      if (!best || n.lengthSq() > best.lengthSq()) best = n;
    }
  }
  return best.length() > 1e-12 ? best.normalize() : null;
}

// The outer points in turn, counter-clockwise (monotone chain).
function hull(points) {
  const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const left = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list) => {
    const found = [];
    for (const p of list) {
      while (found.length > 1 && left(found.at(-2), found.at(-1), p) <= 1e-12) found.pop();
      found.push(p);
    }
    return found.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

// The rim moved outwards by the radius of its discs, between two planes.
function prism(rim, radius, at, thickness) {
  const outer = rim.flatMap((p, k) => {
    const q = rim[(k + 1) % rim.length];
    const [dx, dy] = [q[0] - p[0], q[1] - p[1]];
    const length = Math.hypot(dx, dy);
    const [nx, ny] = [(dy / length) * radius, (-dx / length) * radius];
    return [[p[0] + nx, p[1] + ny], [q[0] + nx, q[1] + ny]];
  });
  const triangles = [];
  const h = thickness / 2;
  outer.forEach((p, k) => {
    const q = outer[(k + 1) % outer.length];
    triangles.push(at(p, -h), at(q, -h), at(q, h), at(p, -h), at(q, h), at(p, h));
    if (k && k < outer.length - 1) triangles.push(at(outer[0], h), at(p, h), at(q, h), at(outer[0], -h), at(q, -h), at(p, -h));
  });
  const made = new BufferGeometry();
  made.setAttribute("position", new BufferAttribute(Float32Array.from(triangles.flatMap((p) => [p.x, p.y, p.z])), 3));
  made.computeVertexNormals();
  return made;
}

// One geometry of many.
export function union(geometries) {
  const count = geometries.reduce((n, g) => n + g.getAttribute("position").count, 0);
  const positions = new Float32Array(3 * count);
  const normals = new Float32Array(3 * count);
  const index = [];
  let at = 0;
  for (const one of geometries) {
    const own = one.getAttribute("position");
    positions.set(own.array, 3 * at);
    normals.set(one.getAttribute("normal").array, 3 * at);
    const corners = one.index ? one.index.array : Uint32Array.from({ length: own.count }, (_, k) => k);
    for (const k of corners) index.push(at + k);
    at += own.count;
    one.dispose();
  }
  const made = new BufferGeometry();
  made.setAttribute("position", new BufferAttribute(positions, 3));
  made.setAttribute("normal", new BufferAttribute(normals, 3));
  made.setIndex(index);
  return made;
}
