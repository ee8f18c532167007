// A motion played in the 3D: a time bar and a button. The robot at hand is moved, and nothing is rendered anew.
import { html, useEffect, useRef, useState } from "../../vendor/preact.mjs";
import { pose } from "../../core/pose.js";

// Positions at a time, between two samples.
function at(samples, t) {
  const { t: times, q } = samples;
  const last = times.length - 1;
  const place = Math.min(Math.max((t / times[last]) * last, 0), last);
  const k = Math.min(Math.floor(place), last - 1);
  const part = place - k;
  return q.map((line) => line[k] * (1 - part) + line[k + 1] * part);
}

export function Player({ robot, samples }) {
  const [playing, setPlaying] = useState(false);
  const bar = useRef();
  const said = useRef();
  const time = useRef(0);
  const end = samples.t[samples.t.length - 1];
  const show = (t) => {
    time.current = t;
    bar.current.value = String(t);
    said.current.textContent = `${t.toFixed(2)} s`;
    const q = at(samples, t);
    const x = robot.direct.controls ? robot.direct.controls(q) : q;
    if (x && x.length === pose.get().length) pose.set(x, "motion");
  };
  useEffect(() => {
    if (!playing) return undefined;
    let before = null;
    let frame = requestAnimationFrame(function next(now) {
      if (before !== null) {
        const t = time.current + (now - before) / 1000;
        show(t > end ? 0 : t);
      }
      before = now;
      frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, [playing, samples]);
  return html`<div class="row inset player"><button aria-pressed=${playing ? "true" : "false"} onClick=${() => setPlaying(!playing)}>${playing ? "Pause" : "Play in 3D"}</button>
    <input ref=${bar} type="range" aria-label="Time" min="0" max=${end} step="0.01" defaultValue="0" onInput=${(e) => { setPlaying(false); show(Number(e.target.value)); }} />
    <output ref=${said} class="number">0.00 s</output></div>`;
}
