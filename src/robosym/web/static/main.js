// The page begins here: what the link says is restored, the robot is asked for, and the parts are put on the page.
import { h, render } from "./vendor/preact.mjs";
import * as store from "./core/store.js";
import { pose } from "./core/pose.js";
import * as link from "./core/link.js";
import * as robot from "./core/robot.js";
import { listen } from "./core/keys.js";
import { keepRest } from "./core/rest.js";
import { App } from "./parts/app.js";
import { say } from "./parts/notices.js";
import { startTheme } from "./parts/theme.js";

const WAIT = 400; // ms after the last change until the address follows

startTheme();
listen();

async function fromLink(hash) {
  try {
    const saved = await link.read(hash);
    if (saved) store.restore(saved);
  } catch (error) {
    say(error.message, "bad");
  }
}

let written = "";
let waiting = 0;

function follow() {
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    written = `#${await link.written(store.get(), pose.get())}`;
    window.history.replaceState(null, "", written);
  }, WAIT);
}

window.robosym = { ...window.robosym, pose, state: store.get, robot: robot.robot.get }; // for the console, and for tests

await fromLink(window.location.hash);
render(h(App), document.getElementById("page"));
keepRest();
robot.start().finally(() => { document.documentElement.dataset.ready = "true"; }); // tests and pictures wait for it
store.subscribe(follow);
pose.subscribe((_, from) => { if (from !== "load") follow(); });
window.addEventListener("hashchange", ({ newURL }) => { // the address may have followed the state since: what was entered counts
  const { hash } = new URL(newURL);
  if (hash !== written) fromLink(hash);
});
