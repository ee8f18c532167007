// The page: a bar with robot and menus, the robot on the left, a room on the right.
import { html, useEffect, useErrorBoundary, useState } from "../vendor/preact.mjs";
import { command } from "../core/keys.js";
import { useAsync, useConnection, useRobot, useStore } from "../core/hooks.js";
import * as store from "../core/store.js";
import { ROOMS } from "../rooms/index.js";
import { Left } from "../viewer/left.js";
import { Notices, say } from "./notices.js";
import { Palette } from "./palette.js";
import { Picker } from "./picker.js";
import { Problem } from "./problem.js";
import { onTheme, switchTheme, theme } from "./theme.js";

const enter = (room) => store.change({ room }, `room ${room}`);

async function share() {
  await new Promise((done) => setTimeout(done, 450)); // until the address has followed
  try {
    await navigator.clipboard.writeText(window.location.href);
    say("The link is copied: it restores all of this, the robot too.");
  } catch {
    say("The address of this page is the link: it restores all of this, the robot too.");
  }
}

export function App() {
  const [palette, setPalette] = useState(false);
  useEffect(() => {
    const stops = [
      command("Commands", () => setPalette(true), "Mod+K"),
      command("Undo", store.undo, "Mod+Z"),
      command("Redo", store.redo, "Mod+Shift+Z"),
      command("Copy a link to all of this", share),
      command("Light or dark", switchTheme),
      ...ROOMS.map(({ id, title }, k) => command(`Go to ${title}`, () => enter(id), `Alt+${k + 1}`)),
    ];
    return () => stops.forEach((stop) => stop());
  }, []);
  return html`
    <a class="skip" href="#room" onClick=${(e) => { e.preventDefault(); document.getElementById("room").focus(); }}>To the room</a>
    <${Top} openPalette=${() => setPalette(true)} />
    <${Connection} />
    <div class="body">
      <${Left} />
      <${RoomPane} />
    </div>
    <${Foot} />
    <${Notices} />
    ${palette && html`<${Palette} close=${() => setPalette(false)} />`}`;
}

function Top({ openPalette }) {
  const room = useStore((state) => state.room);
  const [look, setLook] = useState(theme());
  useStore(); // undo and redo follow every change
  useEffect(() => onTheme(setLook), []);
  return html`<header class="top">
    <a class="brand" href="/" aria-label="robosym, from the beginning"><img src="/static/icon.svg" alt="" width="26" height="26" /><span>robosym</span></a>
    <${Picker} />
    <nav aria-label="Rooms">${ROOMS.map(({ id, title }) => html`<button class="plain" aria-current=${room === id ? "page" : undefined} onClick=${() => enter(id)}>${title}</button>`)}</nav>
    <div class="end">
      <button class="plain" aria-label="Undo" title="Undo (Ctrl-Z)" disabled=${!store.canUndo()} onClick=${store.undo}>↶</button>
      <button class="plain" aria-label="Redo" title="Redo (Ctrl-Shift-Z)" disabled=${!store.canRedo()} onClick=${store.redo}>↷</button>
      <button class="plain" aria-label="Commands" title="Commands (Ctrl-K)" onClick=${openPalette}><span class="long">Commands</span><span class="short" aria-hidden="true">⋯</span></button>
      <button class="plain" aria-label="Share" title="Copy a link to all of this" onClick=${share}><span class="long">Share</span><span class="short" aria-hidden="true">↗</span></button>
      <button class="plain" aria-label=${look === "dark" ? "Light colours" : "Dark colours"} title=${look === "dark" ? "Light colours" : "Dark colours"} onClick=${switchTheme}>◐</button>
    </div>
  </header>`;
}

// Rooms write here what they did (see useFoot of the models); before that it says which robot is at hand.
function Foot() {
  const { robot } = useRobot();
  return html`<footer class="foot" id="foot">
    <span class="usual">${robot ? [robot.view.name, robot.view.description].filter(Boolean).join(": ") : ""}</span><span class="usual">All commands: Ctrl-K</span>
  </footer>`;
}

function Connection() {
  const online = useConnection();
  return html`<div role="status">${!online && html`<div class="banner">The server does not answer. Nothing is lost: the robot still moves, and the rest goes on when it is back.</div>`}</div>`;
}

function RoomPane() {
  const id = useStore((state) => state.room);
  const { robot, problem } = useRobot();
  const found = ROOMS.find((one) => one.id === id) ?? ROOMS[0];
  const { value: part, error } = useAsync(() => found.load(), [found.load.toString()]);
  const ready = part && (robot || problem);
  const still = id === "motion" && robot && !robot.scene;
  return html`<main class=${`room room-${id}`} id="room" tabindex="-1" aria-label=${found.title}>
    ${problem && id !== "robot" && html`<${Problem} error=${problem} /><p class="bar bare">${robot && `What is shown is still ${robot.view.name}.`} <button onClick=${() => enter("robot")}>Mend it in the Robot room</button></p>`}
    ${error && html`<${Problem} error=${error} />`}
    ${still ? html`<div class="empty">It has no place to move to: ${robot.view.undrawn}. The room Robot takes values.</div>` : ready && (robot || id === "robot") ? html`<${Guarded} key=${id} id=${id}><${part.Room} room=${id} robot=${robot} problem=${problem} /><//>` : !problem && html`<div class="empty" role="status">Reading the robot …</div>`}
  </main>`;
}

const KEPT = { geometric: ["models", "values"], kinematic: ["models", "values"], dynamic: ["models", "values"] }; // other rooms: by their name

// A room that cannot go on says so and leaves the page alone: what it keeps may come from a link.
function Guarded({ id, children }) {
  const [error, again] = useErrorBoundary((found) => console.error(found));
  if (!error) return children;
  const forget = () => {
    const { rooms } = store.get();
    store.change({ rooms: Object.fromEntries(Object.entries(rooms).filter(([name]) => !(KEPT[id] ?? [id]).includes(name))) }, `forget room ${id}`);
    again();
  };
  return html`<${Problem} error=${{ message: `This room cannot go on (${error.message}). What it keeps may be damaged; all else works.` }} />
    <div class="bar"><button onClick=${again}>Try again</button><button onClick=${forget}>Forget what this room keeps</button></div>`;
}
