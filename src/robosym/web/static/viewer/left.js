// The left pane of the page: the robot in 3D with what is shown of it, and the sliders that move it.
import { html, useEffect, useRef, useState } from "../vendor/preact.mjs";
import { command } from "../core/keys.js";
import { useRobot, useStore } from "../core/hooks.js";
import { pose } from "../core/pose.js";
import * as store from "../core/store.js";
import { colour, onTheme } from "../parts/theme.js";
import { PoseBox } from "./posebox.js";
import { Session } from "./session.js";
import { setViewer } from "./shared.js";
import { Sliders } from "./sliders.js";
import { Solutions } from "./solutions.js";
import { shown } from "./values.js";
import { Viewer } from "./viewer.js";
import { useSession } from "./watched.js";

const REST = 700; // ms after the last move until the picture is described anew

const toggle = (name) => {
  const { view } = store.get();
  store.change({ view: { ...view, [name]: !view[name] } }, `show ${name}`);
};

// The table with the limits of the joints.
const toLimits = () => store.change({ room: "robot", rooms: { ...store.get().rooms, robot: { ...store.get().rooms.robot, tab: "geometry" } } }, "room robot");

export function Left() {
  const { robot, problem } = useRobot();
  const host = useRef();
  const [session, setSession] = useState(null);
  const [lack, setLack] = useState("");
  useEffect(() => {
    let viewer;
    try {
      viewer = new Viewer(host.current, { colour });
    } catch {
      setLack("This browser has no WebGL: the robot cannot be drawn, all else works.");
      return undefined;
    }
    const made = new Session(viewer);
    setViewer(viewer);
    setSession(made);
    Object.assign(window.robosym, { frames: () => Array.from(viewer.poses ?? []), solutions: () => made.raw?.map((x) => Array.from(x)) ?? [], viewer });
    const stops = [onTheme(() => viewer.recolour()), described(viewer), ...commands(viewer), () => { made.dispose(); viewer.dispose(); setViewer(null); }];
    return () => stops.forEach((stop) => stop());
  }, []);
  const ready = robot?.scene && session;
  const why = problem ? problem.message : robot?.view.undrawn;
  return html`<section class="left" aria-label="The robot">
    <div class="picture"><div class="host" ref=${host} style=${{ visibility: !robot && problem ? "hidden" : "visible" }}></div>
      ${lack && html`<p class="empty">${lack}</p>`}
      ${!robot?.scene && !lack && html`<p class="empty" role="status">${why ? `It cannot be drawn: ${why}` : "The robot is being read…"}</p>`}
      ${ready && html`<${Overlays} key=${robot.key} session=${session} scene=${robot.scene} />`}
    </div>
    ${ready && html`<${Sliders} key=${robot.key} scene=${robot.scene} session=${session} />`}
  </section>`;
}

function Overlays({ session, scene }) {
  const view = useStore((state) => state.view);
  const { solutions, cloud, near, cut, ok, message, inverse, measures, dressed } = useSession(session, (is) =>
    [is.solutions.length, is.cut.join(), is.cloud, is.near.map((one) => one.name).join(), is.ok, is.message, is.inverse, is.measures, is.dressed]);
  const pressed = (name, title, label = title) => html`<button aria-pressed=${view[name]} onClick=${() => toggle(name)} title=${label}>${title}</button>`;
  return html`
    <div class="toggles" role="group" aria-label="What is shown">
      ${pressed("frames", "Frames")}
      ${pressed("solutions", inverse ? `Solutions ${solutions.length}` : "Solutions", "All solutions of the inverse geometry, and a target that can be dragged")}
      ${pressed("ellipsoid", "Ellipsoids", "Velocities (blue) and forces (orange) at the tip")}
      ${pressed("workspace", "Workspace")}
      ${scene.shapes.length > 0 && html`<button aria-pressed=${view.meshes && dressed > 0} disabled=${!dressed} onClick=${() => toggle("meshes")}
        title=${dressed ? `${dressed} of ${scene.shapes.length} shapes` : "The files of its meshes are not here: drop the folder of the robot on the page"}>Meshes</button>`}
      <button class="fit" aria-label="Whole robot in sight" title="Whole robot in sight (Home)" onClick=${() => session.viewer.home()}>⤢</button>
    </div>
    ${view.solutions && html`<${Solutions} session=${session} scene=${scene} />`}
    <div class="chips" role="status">
      ${!ok && html`<p class="chip bad">${message}</p>`}
      ${ok && near.length > 0 && html`<div class="chip warn"><b>Near a singularity</b>
        ${near.map((one) => html`<p key=${one.name} title=${one.words}>${one.name.replaceAll("_", " ")}${one.words && one.words !== one.name ? `: ${one.words.replace(/^singular where /, "")}` : ""}</p>`)}</div>`}
      ${view.workspace && cloud === "busy" && html`<p class="chip">The workspace is being sampled…</p>`}
      ${view.workspace && cloud && !["busy", "shown"].includes(cloud) && html`<div class="chip bad"><p>No workspace: ${cloud.replace(/: give them in metres, limits=.*$/s, "")}.</p>
        ${cloud.includes("has no limits") && html`<button class="link" onClick=${toLimits}>Give its limits in the Robot room</button>`}</div>`}
      ${view.ellipsoid && measures && html`<p class="chip legend"><span class="velocity">velocity</span> <span class="force">force</span>${cut.length > 0 && html`<i class="cut">${cut.join(" and ")}: longer than drawn</i>`}</p>`}
    </div>
    <${PoseBox} session=${session} scene=${scene} />`;
}

// The picture by keyboard, and in words.
function described(viewer) {
  const { canvas, stage } = viewer;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", "The robot");
  const keys = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (way) event.shiftKey ? stage.pan(-0.05 * way[0], -0.05 * way[1]) : stage.turn(7 * way[0], 7 * way[1]);
    else if (event.key === "+" || event.key === "=") stage.zoom(0.88);
    else if (event.key === "-") stage.zoom(1 / 0.88);
    else if (event.key === "Home" || event.key === "0") viewer.home();
    else return;
    event.preventDefault();
  };
  canvas.addEventListener("keydown", keys);
  let waiting;
  const tell = () => {
    if (!viewer.robot) return;
    const T = viewer.tip();
    const [x, y, z] = [T[3], T[7], T[11]].map((v) => shown(v, "m", 0));
    canvas.setAttribute("aria-label", `${viewer.robot.name} in 3D, tip at x ${x}, y ${y}, z ${z} millimetres. Arrow keys turn the view, plus and minus zoom.`);
  };
  const stop = pose.subscribe(() => { clearTimeout(waiting); waiting = setTimeout(tell, REST); });
  return () => { clearTimeout(waiting); stop(); };
}

const commands = (viewer) => [
  ...[["frames", "frames"], ["solutions", "solutions and target"], ["ellipsoid", "ellipsoids"], ["workspace", "workspace"], ["meshes", "meshes"]]
    .map(([name, words]) => command(`Show or hide ${words}`, () => toggle(name))),
  command("Whole robot in sight", () => viewer.home()),
];
