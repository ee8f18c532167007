// Robots from files and templates: Open, New, and files dropped anywhere on the page.
import { html, useEffect, useRef, useState } from "../vendor/preact.mjs";
import { ask } from "../core/api.js";
import { useAsync } from "../core/hooks.js";
import { command } from "../core/keys.js";
import { meshes } from "../core/meshes.js";
import { check } from "../core/robot.js";
import * as store from "../core/store.js";
import { ACCEPTED, baseName, chosen, described, dropped, EXPECTED } from "./files.js";
import { say } from "./notices.js";
import { Problem } from "./problem.js";

let show = () => {}; // what opens a dialog: set while the page stands

export const openDialog = () => show({ kind: "open" });
export const newDialog = () => show({ kind: "new" });

// Another robot at hand; what was being written in tables is left behind, and undo brings it back.
export function takeRobot(robot, what = "robot") {
  const { rooms } = store.get();
  const { draft, writing, ...room } = rooms.robot ?? {};
  store.change({ robot, rooms: { ...rooms, robot: room } }, what);
}

async function openFiles(files) {
  const { candidates, meshes: shapes, words } = await described(files);
  if (!candidates.length) return show({ kind: "failed", title: "No robot", error: { message: words } });
  if (candidates.length > 1) return show({ kind: "which", candidates, shapes });
  return openOne(candidates[0], shapes);
}

async function openOne({ path, spec }, shapes) {
  const failed = (error) => show({ kind: "failed", title: `${baseName(path)} is no robot yet`, error });
  try {
    const { robot, problems } = await check(spec);
    if (!robot) return failed({ problems, message: problems.map((one) => `${one.where}${one.where ? ": " : ""}${one.message}`).join("; ") });
    meshes.keep(spec.text, shapes);
    takeRobot(spec, `open ${path}`);
    show(null);
    const kept = shapes.length ? `, with ${shapes.length} ${shapes.length === 1 ? "file" : "files"} of shapes, which stay in this browser` : "";
    return say(`${baseName(path)}: ${robot.name || "a robot"} is open${kept}.`);
  } catch (error) {
    return failed(error);
  }
}

export function Opening() {
  const [asked, setAsked] = useState(null);
  const [over, setOver] = useState(false);
  useEffect(() => {
    show = setAsked;
    const stops = [command("Open a robot from files…", openDialog, "Mod+O"), command("New robot…", newDialog), watchDrops(setOver)];
    return () => { show = () => {}; stops.forEach((stop) => stop()); };
  }, []);
  const close = () => setAsked(null);
  const Body = asked && { open: Open, new: New, which: Which, failed: Failed }[asked.kind];
  return html`
    ${over && html`<div class="dropping" aria-hidden="true"><p>Drop a robot: a ${EXPECTED} file, or its folder with meshes</p></div>`}
    ${asked && html`<${Dialog} key=${asked.kind} close=${close}><${Body} ...${asked} close=${close} /><//>`}`;
}

function watchDrops(setOver) {
  const carries = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files") && !event.defaultPrevented;
  const enter = (event) => { if (carries(event)) { event.preventDefault(); setOver(true); } };
  const leave = (event) => { if (!event.relatedTarget) setOver(false); };
  const drop = async (event) => {
    setOver(false);
    if (!carries(event)) return;
    event.preventDefault();
    openFiles(await dropped(event.dataTransfer));
  };
  const heard = { dragover: enter, dragleave: leave, drop };
  for (const [name, run] of Object.entries(heard)) document.addEventListener(name, run);
  return () => { for (const [name, run] of Object.entries(heard)) document.removeEventListener(name, run); };
}

export function Dialog({ close, children }) {
  const dialog = useRef();
  useEffect(() => { dialog.current.showModal(); }, []);
  return html`<dialog ref=${dialog} class="asking" aria-labelledby="asking-title" onClose=${close}
    onClick=${(e) => { if (e.target === dialog.current) dialog.current.close(); }}>${children}</dialog>`;
}

const Title = ({ text, close }) => html`<header class="asking-head"><h2 id="asking-title">${text}</h2>
  <button class="plain" aria-label="Close" onClick=${close}>×</button></header>`;
export { Title };

function Open({ close }) {
  const files = useRef();
  const folder = useRef();
  const take = (e) => { const found = chosen(e.target); e.target.value = ""; if (found.length) openFiles(found); };
  return html`<${Title} text="Open a robot" close=${close} />
    <div class="asking-body">
      <p>A ${EXPECTED} file, alone or with its meshes and the loops file beside a URDF. Dropping files or a folder anywhere on the page does the same.</p>
      <div class="bar bare">
        <button class="main" onClick=${() => files.current.click()}>Files…</button>
        <button onClick=${() => folder.current.click()}>Folder with meshes…</button>
      </div>
      <input ref=${files} type="file" class="hidden" tabindex="-1" multiple accept=${ACCEPTED} aria-label="Files of a robot" onChange=${take} />
      <input ref=${folder} type="file" class="hidden" tabindex="-1" webkitdirectory aria-label="Folder of a robot" onChange=${take} />
      <p class="hint">Meshes stay in this browser: they are not sent, and a link keeps the description alone.</p>
    </div>`;
}

function New({ close }) {
  const { value: found } = useAsync(() => ask("/api/templates"), []);
  const [kind, setKind] = useState("blank");
  const [name, setName] = useState("robot");
  const make = async (event) => {
    event.preventDefault();
    const text = await ask(`/api/templates/${kind}?name=${encodeURIComponent(name)}`, { as: "text" });
    takeRobot({ text, format: "toml" }, "new robot");
    store.change({ room: "robot" });
    close();
  };
  return html`<${Title} text="New robot" close=${close} />
    <form class="asking-body" onSubmit=${make}>
      <label class="stacked">Name <input type="text" value=${name} onInput=${(e) => setName(e.target.value)} autofocus /></label>
      <fieldset class="choices"><legend>Begin with</legend>
        ${(found ?? []).map((one) => html`<label><input type="radio" name="kind" value=${one.kind} checked=${kind === one.kind} onChange=${() => setKind(one.kind)} />
          <b>${one.kind}</b> <span class="hint">${one.words}</span></label>`)}
      </fieldset>
      <div class="bar bare"><button class="main" type="submit">Make it</button></div>
    </form>`;
}

function Which({ candidates, shapes, close }) {
  return html`<${Title} text="Which robot?" close=${close} />
    <div class="asking-body"><p>Several files here describe one.</p>
      <ul class="which">${candidates.map((one) => html`<li><button onClick=${() => openOne(one, shapes)}>${one.path}</button></li>`)}</ul></div>`;
}

function Failed({ title, error, close }) {
  return html`<${Title} text=${title} close=${close} />
    <div class="asking-body"><${Problem} error=${error} /><p class="hint">The robot at hand stays as it was.</p></div>`;
}
