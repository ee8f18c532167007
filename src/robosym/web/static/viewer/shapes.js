// Shapes that a description has for its links: primitives, and meshes from files that were given with it.
import { BoxGeometry, CapsuleGeometry, Color, CylinderGeometry, Group, Matrix4, Mesh, MeshLambertMaterial, SphereGeometry } from "../vendor/three.mjs";
import { poseOf } from "./plan.js";

const SOLIDS = {
  box: ([x, y, z]) => new BoxGeometry(x, y, z),
  sphere: ([radius]) => new SphereGeometry(radius, 24, 14),
  cylinder: ([radius, length]) => new CylinderGeometry(radius, radius, length, 24).rotateX(Math.PI / 2),
  capsule: ([radius, length]) => new CapsuleGeometry(radius, length, 6, 18).rotateX(Math.PI / 2),
};

// `files`: a Map from names to addresses of blobs. Shapes whose file is not there are left out.
export async function shapesOf(scene, files, material) {
  const group = new Group();
  for (const shape of scene.shapes) {
    const made = shape.kind === "mesh" ? await meshOf(shape, files, material) : new Mesh(SOLIDS[shape.kind](shape.size), material);
    if (!made) continue;
    if (shape.colour) paint(made, shape.colour);
    const own = new Matrix4().set(...shape.pose);
    if (shape.kind === "mesh" && shape.scale) own.scale({ x: shape.scale[0], y: shape.scale[1], z: shape.scale[2] });
    const holder = new Group().add(made);
    made.applyMatrix4(own);
    holder.matrixAutoUpdate = false;
    holder.userData = { frame: shape.frame };
    group.add(holder);
  }
  return group;
}

export function placeShapes(group, poses) {
  for (const holder of group.children) holder.matrix.copy(poseOf(poses, holder.userData.frame));
  group.updateMatrixWorld(true);
}

function paint(object, [r, g, b, a = 1]) {
  const material = new MeshLambertMaterial({ color: new Color(r, g, b), transparent: a < 1, opacity: a });
  object.traverse((one) => { if (one.isMesh) one.material = material; });
}

// Of the name as a description has it (package://..., folders) the file with the same end.
export function fileOf(name, files) {
  const wanted = name.replaceAll("\\", "/").split("/").filter(Boolean);
  for (let from = 0; from < wanted.length; from++) {
    const tail = wanted.slice(from).join("/");
    for (const [known, address] of files) if (known === tail || known.endsWith(`/${tail}`)) return address;
  }
  return null;
}

async function meshOf(shape, files, material) {
  const address = shape.mesh && files ? fileOf(shape.mesh, files) : null;
  if (!address) return null;
  const loaders = await import("../vendor/loaders.mjs");
  const kind = shape.mesh.split(".").at(-1).toLowerCase();
  try {
    if (kind === "stl") return new Mesh(await new loaders.STLLoader().loadAsync(address), material);
    if (kind === "obj") return dressed(await new loaders.OBJLoader().loadAsync(address), material);
    if (kind === "dae") return (await new loaders.ColladaLoader().loadAsync(address)).scene;
    if (kind === "glb" || kind === "gltf") return (await new loaders.GLTFLoader().loadAsync(address)).scene;
  } catch { /* a damaged file is a shape that is not there */ }
  return null;
}

function dressed(object, material) {
  object.traverse((one) => { if (one.isMesh) one.material = material; });
  return object;
}
