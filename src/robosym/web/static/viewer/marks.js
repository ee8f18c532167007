// Axes of frames with their numbers, gravity, the line of a path: what is written onto the picture.
import {
  ArrowHelper, BufferAttribute, BufferGeometry, CanvasTexture, Color, Group, Line, LineBasicMaterial, LineSegments, Sprite, SpriteMaterial, Vector3,
} from "../vendor/three.mjs";
import { poseOf } from "./plan.js";

const AXES = [0xd6453d, 0x2f9e4f, 0x2f6fe0]; // x, y, z: as everywhere
const MANY = 16; // frames; of more only those that are moved are marked

export class Frames extends Group {
  constructor(scene, poses, size, colour) {
    super();
    const { frames, tip } = scene;
    const wanted = frames.flatMap((frame, j) => (frames.length <= MANY || j === 0 || j === tip || frame.control !== null ? [j] : []));
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1), 3));
    const colours = AXES.flatMap((hex) => { const c = new Color(hex); return [c.r, c.g, c.b, c.r, c.g, c.b]; });
    geometry.setAttribute("color", new BufferAttribute(Float32Array.from(colours), 3));
    this.triads = wanted.map((j) => {
      const made = new LineSegments(geometry, new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true }));
      made.scale.setScalar((j === tip ? 0.15 : 0.11) * size);
      made.renderOrder = 5;
      made.userData.frame = j;
      made.matrixAutoUpdate = false;
      return made;
    });
    this.labels = together(wanted, poses, 0.01 * size).map((group) => {
      const made = new Sprite(new SpriteMaterial({ sizeAttenuation: false, depthTest: false, fog: false }));
      Object.assign(made.userData, { frame: group.at(-1), text: group.join(" ") });
      made.renderOrder = 6;
      return made;
    });
    this.lift = 0.035 * size;
    this.add(...this.triads, ...this.labels);
    this.recolour(colour);
  }

  place(poses) {
    for (const one of this.triads) one.matrix.copy(poseOf(poses, one.userData.frame)).scale(one.scale);
    for (const one of this.labels) one.position.setFromMatrixPosition(poseOf(poses, one.userData.frame)).addScaledVector(new Vector3(0.6, 0.6, 1), this.lift);
    this.updateMatrixWorld(true);
  }

  recolour(colour) {
    for (const one of this.labels) {
      one.material.map?.dispose();
      const { texture, wide } = written(one.userData.text, colour);
      one.material.map = texture;
      one.material.needsUpdate = true;
      one.scale.set(0.016 * wide, 0.016, 1);
    }
  }
}

// Frames of one place have one label.
function together(frames, poses, near) {
  const groups = [];
  for (const j of frames) {
    const at = new Vector3().setFromMatrixPosition(poseOf(poses, j));
    const found = groups.find((group) => group.at.distanceTo(at) < near);
    if (found) found.frames.push(j);
    else groups.push({ at, frames: [j] });
  }
  return groups.map((group) => group.frames);
}

function written(text, colour) {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  const font = "600 36px system-ui, sans-serif";
  pen.font = font;
  canvas.width = Math.ceil(pen.measureText(text).width) + 16;
  canvas.height = 48;
  pen.font = font;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  pen.lineWidth = 9;
  pen.strokeStyle = colour("scene-low");
  pen.strokeText(text, canvas.width / 2, 25);
  pen.fillStyle = colour("ink");
  pen.fillText(text, canvas.width / 2, 25);
  return { texture: new CanvasTexture(canvas), wide: canvas.width / canvas.height };
}

// Gravity, where it can be seen beside the robot; nothing where there is none.
export function gravityArrow(gravity, at, size, colour) {
  const down = new Vector3(...(gravity ?? [0, 0, 0]));
  if (!(down.length() > 1e-9)) return null;
  const made = new ArrowHelper(down.normalize(), at, 0.16 * size, new Color(colour("muted")), 0.045 * size, 0.025 * size);
  made.add(Object.assign(new Sprite(new SpriteMaterial({ map: written("g", colour).texture, sizeAttenuation: false, depthTest: false, fog: false })), { renderOrder: 6 }));
  made.children.at(-1).scale.set(0.0135, 0.016, 1);
  made.children.at(-1).position.set(0.03 * size, 0.08 * size, 0);
  return made;
}

export function pathLine(points, colour) {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(Float32Array.from(points.flat()), 3));
  const made = new Line(geometry, new LineBasicMaterial({ color: new Color(colour("accent")) }));
  made.renderOrder = 4;
  return made;
}
