// The room a robot stands in: camera, light, ground; drawn only when something changed.
import {
  Color, DirectionalLight, Fog, GridHelper, HemisphereLight, OrbitControls, PerspectiveCamera, Scene, Vector3, WebGLRenderer,
} from "../vendor/three.mjs";

const LOOK = new Vector3(1.15, -1.5, 0.75).normalize(); // from where one looks at first
export const SUN = new Vector3(0.35, -0.6, 1.5).normalize(); // towards the light
const DENSEST = 2; // pixels for each pixel of the page, at most

export class Stage {
  constructor(host, colour) {
    this.host = host;
    this.colour = colour;
    // With alpha the page is seen until the first drawing, not a black box.
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, stencil: true, powerPreference: "high-performance" });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, DENSEST));
    this.canvas = this.renderer.domElement;
    host.append(this.canvas);
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(32, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.orbit = new OrbitControls(this.camera, this.canvas);
    this.orbit.addEventListener("change", () => this.draw());
    this.lights();
    this.before = new Set(); // called before each drawing
    this.sizes = new ResizeObserver(() => this.resize());
    this.sizes.observe(host);
    this.ground = null;
    this.recolour();
    this.resize();
  }

  lights() {
    this.sky = new HemisphereLight(0xffffff, 0x9aa2b4, 2.1);
    this.sky.position.set(0, 0, 1);
    this.sun = new DirectionalLight(0xffffff, 2.2);
    this.sun.position.copy(SUN);
    this.scene.add(this.sky, this.sun);
  }

  // The ground under a robot of this size.
  furnish({ low, high, size, floor }, isNew = true) {
    this.extent = { low, high, size };
    if (this.ground) { this.scene.remove(this.ground); this.ground.geometry.dispose(); this.ground.material.dispose(); }
    const cell = 10 ** Math.round(Math.log10(size / 4));
    const cells = 2 * Math.ceil((2.4 * size) / cell / 2) + 2;
    const middle = low.clone().add(high).multiplyScalar(0.5);
    this.ground = new GridHelper(cells * cell, cells).rotateX(Math.PI / 2);
    const snap = (v) => Math.round(v / cell) * cell;
    this.ground.position.set(snap(middle.x), snap(middle.y), floor);
    this.scene.add(this.ground);
    this.recolour();
    if (isNew) this.fit();
  }

  recolour() {
    const low = new Color(this.colour("scene-low"));
    this.scene.background = low;
    if (this.extent) this.scene.fog = new Fog(low);
    if (this.ground) {
      const line = new Color(this.colour("line"));
      const colours = this.ground.geometry.getAttribute("color");
      for (let k = 0; k < colours.count; k++) colours.setXYZ(k, line.r, line.g, line.b);
      colours.needsUpdate = true;
    }
    this.draw();
  }

  // All of it in sight, from where one looks now or at first.
  fit(from = LOOK, low = this.extent.low, high = this.extent.high) {
    const { size } = this.extent;
    const radius = Math.max(0.5 * low.distanceTo(high), 0.4 * size) + 0.1 * size;
    const half = (this.camera.fov * Math.PI) / 360;
    const narrow = Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect));
    this.orbit.target.copy(low).add(high).multiplyScalar(0.5).addScaledVector(this.camera.up, -0.06 * size); // its pose is written below
    this.camera.position.copy(this.orbit.target).addScaledVector(from, (1.12 * radius) / Math.sin(narrow));
    this.camera.near = 0.02 * size;
    this.camera.far = 30 * size;
    this.camera.updateProjectionMatrix();
    this.orbit.minDistance = 0.2 * size;
    this.orbit.maxDistance = 12 * size;
    this.orbit.update();
    this.draw();
  }

  // Turn about what is looked at, in degrees; move in its plane and nearer, in parts of the distance.
  turn(right, up) {
    const away = this.camera.position.clone().sub(this.orbit.target);
    away.applyAxisAngle(this.camera.up, (-right * Math.PI) / 180);
    const side = new Vector3().crossVectors(this.camera.up, away).normalize();
    const polar = away.angleTo(this.camera.up);
    const wanted = Math.min(Math.PI - 0.02, Math.max(0.02, polar - (up * Math.PI) / 180));
    away.applyAxisAngle(side, wanted - polar);
    this.camera.position.copy(this.orbit.target).add(away);
    this.orbit.update();
  }

  pan(right, up) {
    const far = this.camera.position.distanceTo(this.orbit.target);
    const [x, y] = [new Vector3().setFromMatrixColumn(this.camera.matrix, 0), new Vector3().setFromMatrixColumn(this.camera.matrix, 1)];
    const move = x.multiplyScalar(right * far).addScaledVector(y, up * far);
    this.camera.position.add(move);
    this.orbit.target.add(move);
    this.orbit.update();
  }

  zoom(factor) {
    this.camera.position.sub(this.orbit.target).multiplyScalar(factor).add(this.orbit.target);
    this.orbit.update();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.extent && !this.seen) this.fit();
    this.seen = true;
    this.draw(true);
  }

  draw(now = false) {
    if (now) { this.render(); return; }
    this.waiting ??= requestAnimationFrame(() => this.render());
  }

  render() {
    if (this.waiting) cancelAnimationFrame(this.waiting);
    this.waiting = null;
    for (const each of this.before) each();
    this.haze();
    this.renderer.render(this.scene, this.camera);
    this.drawn = performance.now();
  }

  // The ground fades behind what is looked at, from however far.
  haze() {
    if (!this.scene.fog) return;
    const far = this.camera.position.distanceTo(this.orbit.target);
    this.scene.fog.near = far + this.extent.size;
    this.scene.fog.far = far + 4.6 * this.extent.size;
  }

  dispose() {
    this.sizes.disconnect();
    if (this.waiting) cancelAnimationFrame(this.waiting);
    this.orbit.dispose();
    this.renderer.dispose();
    this.canvas.remove();
  }
}
