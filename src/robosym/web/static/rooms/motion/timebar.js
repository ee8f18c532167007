// The bar with the time: play, step, scrub, speed, what is played. Space plays and stops, arrows step, wherever nobody writes.
import { html, useEffect, useRef, useState } from "../../vendor/preact.mjs";
import { command } from "../../core/keys.js";
import { player } from "./player.js";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5];
const STEP = 0.01; // of the whole
const BUSY = "button, a, select, textarea, summary, dialog, [role=option], [role=tab], input, .left";
const seconds = (t) => t.toFixed(3);

function keys(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const bar = event.target.closest?.(".timebar input[type=range]");
  if (!bar && event.target.closest?.(BUSY)) return;
  const { source, time } = player.get();
  if (!source) return;
  const step = source.duration * STEP * (event.shiftKey ? 10 : 1);
  const run = {
    " ": player.toggle,
    ArrowRight: () => player.seek(time + step),
    ArrowLeft: () => player.seek(time - step),
    Home: () => player.seek(0),
    End: () => player.seek(source.duration),
  }[event.key];
  if (!run) return;
  event.preventDefault();
  run();
}

export function TimeBar({ choices, chosen, choose }) {
  const [, again] = useState(0);
  const slider = useRef();
  const clock = useRef();
  useEffect(() => {
    const follow = () => {
      const { time, source } = player.get();
      if (slider.current) {
        slider.current.value = time;
        slider.current.setAttribute("aria-valuetext", `${seconds(time)} of ${seconds(source?.duration ?? 0)} seconds`);
      }
      if (clock.current) clock.current.textContent = seconds(time);
    };
    const stop = player.subscribe((what) => { if (what !== "time") again((n) => n + 1); follow(); });
    const stops = [stop, command("Play or stop the motion", player.toggle), command("Motion: to its start", () => player.seek(0)), command("Motion: to its end", () => player.seek(Infinity))];
    document.addEventListener("keydown", keys);
    follow();
    return () => { stops.forEach((one) => one()); document.removeEventListener("keydown", keys); player.pause(); };
  }, []);
  const { source, time, playing, speed, loop } = player.get();
  const none = !source;
  const step = (source?.duration ?? 0) * STEP;
  return html`<div class="timebar" role="group" aria-label="Time">
    <button class="plain" aria-label="To the start" title="To the start (Home)" disabled=${none} onClick=${() => player.seek(0)}>⇤</button>
    <button class="main play" aria-label=${playing ? "Pause" : "Play"} title="Space" disabled=${none} onClick=${player.toggle}>${playing ? "❚❚" : "▶"}</button>
    <button class="plain" aria-label="A step back" title="A step back (←)" disabled=${none} onClick=${() => player.seek(player.get().time - step)}>◂</button>
    <button class="plain" aria-label="A step on" title="A step on (→)" disabled=${none} onClick=${() => player.seek(player.get().time + step)}>▸</button>
    <input ref=${slider} type="range" aria-label="Time" min="0" max=${source?.duration ?? 1} step="any" value=${time} disabled=${none}
      onInput=${(e) => { player.pause(); player.seek(Number(e.target.value)); }} />
    <span class="clock number"><span ref=${clock}>${seconds(time)}</span> / ${seconds(source?.duration ?? 0)} s</span>
    <select aria-label="Speed" value=${speed} onChange=${(e) => player.set({ speed: Number(e.target.value) })}>
      ${SPEEDS.map((one) => html`<option value=${one}>${one}×</option>`)}
    </select>
    <button aria-pressed=${loop} aria-label="Loop" title="Again and again" onClick=${() => player.set({ loop: !loop })}>↻</button>
    ${choices.length > 1 && html`<select aria-label="What is played" value=${chosen} onChange=${(e) => choose(e.target.value)}>
      ${choices.map(({ id, name }) => html`<option value=${id}>${name}</option>`)}
    </select>`}
  </div>`;
}
