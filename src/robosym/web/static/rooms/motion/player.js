// The clock of the room: what is played, where it is, and who follows it: the robot, the plots, the time bar.
import { pose } from "../../core/pose.js";

let source = null; // { name, duration, at(t) -> values of the controls, or null }
let time = 0;
let playing = false;
let speed = 1;
let loop = false;
let before = 0;
const listeners = new Set();

const tell = (what) => { for (const listener of [...listeners]) listener(what); };

function show() {
  const x = source?.at(time);
  if (x && x.every(Number.isFinite)) pose.set(x, "motion");
}

function tick(now) {
  if (!playing) return;
  const passed = Math.min((now - before) / 1000, 0.1) * speed; // a page that slept does not jump
  before = now;
  let next = time + passed;
  if (next >= source.duration) {
    if (loop) next %= source.duration || 1;
    else { next = source.duration; playing = false; tell("playing"); }
  }
  player.seek(next);
  if (playing) requestAnimationFrame(tick);
}

export const player = {
  get: () => ({ source, time, playing, speed, loop }),
  // Another motion: the clock stays where it is, if that is within it. The robot does not move until somebody asks.
  take(next) {
    source = next;
    time = Math.min(time, next?.duration ?? 0);
    if (!next) player.pause();
    tell("source");
  },
  seek(t) {
    if (!source) return;
    time = Math.min(Math.max(t, 0), source.duration);
    show();
    tell("time");
  },
  play() {
    if (!source || playing) return;
    if (time >= source.duration) time = 0;
    playing = true;
    before = performance.now();
    tell("playing");
    requestAnimationFrame(tick);
  },
  pause() {
    if (!playing) return;
    playing = false;
    tell("playing");
  },
  toggle: () => (playing ? player.pause() : player.play()),
  set(patch) {
    speed = patch.speed ?? speed;
    loop = patch.loop ?? loop;
    tell("settings");
  },
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

pose.subscribe((_, from) => { if (from !== "motion") player.pause(); }); // whoever takes the robot stops it
