// All models of the robot as a library in C, in one archive: a job, as every model is derived for it. It can be stopped.
import { html, useState } from "../../vendor/preact.mjs";
import { job } from "../../core/jobs.js";
import { say } from "../../parts/notices.js";
import { fromBase64, saved } from "./files.js";

export function Library() {
  const [running, setRunning] = useState(null); // { stop, share }
  const begin = async () => {
    const stop = new AbortController();
    setRunning({ stop, share: 0 });
    try {
      const { name, zip, left_out: out } = await job("c-library", {}, { signal: stop.signal, progress: ({ share }) => setRunning({ stop, share: share ?? 0 }) });
      saved(name, fromBase64(zip), "application/zip");
      say(out.length ? `${name} is there; left out: ${out.map((one) => one.name).join(", ")}.` : `${name} is there.`);
    } catch (error) {
      if (error.name !== "AbortError") say(error.message, "bad");
    }
    setRunning(null);
  };
  if (running) return html`<button onClick=${() => running.stop.abort()} title="Stop">Stop (${Math.round(100 * running.share)} %)</button>`;
  return html`<button onClick=${begin} title="Every model of this robot in C, with CMake and a program that checks them, as a zip">C library</button>`;
}
