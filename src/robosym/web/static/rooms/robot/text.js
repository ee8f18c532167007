// The description as a text, checked while it is written: when it is a robot, it is the robot at hand.
import { html, useEffect, useRef, useState } from "../../vendor/preact.mjs";
import { ask } from "../../core/api.js";
import { useAsync, useStore } from "../../core/hooks.js";
import { check, send } from "../../core/robot.js";
import * as store from "../../core/store.js";

const LATER = 250; // ms after a letter
const NAMES = { toml: "TOML", par: "SYMORO+ .par", urdf: "URDF", mjcf: "MJCF", sdf: "SDF" };

async function textOf(spec, signal) {
  if (spec.text) return spec;
  const { key } = await send(spec, signal);
  const { files } = await ask(`/api/robots/${encodeURIComponent(key)}/texts/toml`, { signal });
  return { text: files[0].text, format: "toml" };
}

function adopt(writing) {
  const { rooms, x, robot } = store.get();
  if (rooms.robot?.writing !== writing) return;
  const { writing: done, draft, ...room } = rooms.robot;
  store.change({ robot: { ...(robot.text ? robot : {}), ...writing }, x, rooms: { ...rooms, robot: room } }, "text");
}

export function Text() {
  const spec = useStore((state) => state.robot);
  const writing = useStore((state) => (typeof state.rooms.robot?.writing?.text === "string" ? state.rooms.robot.writing : null));
  const { value: read, error } = useAsync((signal) => textOf(spec, signal), [JSON.stringify(spec)]);
  const [problem, setProblem] = useState(null);
  const area = useRef();
  useEffect(() => {
    if (!writing) { setProblem(null); return undefined; }
    const stop = new AbortController();
    const waiting = setTimeout(async () => {
      try {
        const found = await check({ ...(spec.text ? spec : {}), ...writing }, stop.signal);
        if (stop.signal.aborted) return;
        if (found.robot) adopt(writing);
        else setProblem(found);
      } catch (found) { if (!stop.signal.aborted) setProblem(found); }
    }, LATER);
    return () => { clearTimeout(waiting); stop.abort(); };
  }, [writing]);
  const shown = writing ?? (spec.text ? spec : read);
  if (!shown) return html`<div class="empty" role="status">${error ? error.message : "…"}</div>`;
  const { text, format } = shown;
  const toLine = (line) => {
    const lines = text.split("\n");
    const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    area.current.focus();
    area.current.setSelectionRange(from, from + (lines[line - 1] ?? "").length);
  };
  const problems = problem ? (problem.problems?.length ? problem.problems : [{ where: "", message: problem.message }]) : [];
  return html`<div class="text-tab">
    <div class="bar table-bar"><h2>${NAMES[format] ?? "Text"}</h2><span class="hint">${text.split("\n").length} lines${spec.name ? "; what you change becomes a robot of your own" : ""}</span>
      ${writing && html`<button onClick=${() => store.changeRoom("robot", { writing: null }, "leave the text")}>Leave what was written</button>`}</div>
    ${problems.length > 0 && html`<div class="found bad" id="text-problems" role="alert"><ul>${problems.map((one) => {
      const line = /line (\d+)/.exec(`${one.where} ${one.message}`)?.[1];
      return html`<li>${line ? html`<button class="plain link" onClick=${() => toLine(Number(line))}>line ${line}</button> ` : ""}${one.where && html`<b>${one.where}</b> `}<span>${one.message}</span></li>`;
    })}</ul><p>The robot at hand stays as it was until this is right.</p></div>`}
    <textarea ref=${area} class="source" aria-label="Text of the description" spellcheck=${false} autocapitalize="off" autocomplete="off" wrap="off" value=${text}
      aria-invalid=${problems.length ? "true" : undefined} aria-describedby=${problems.length ? "text-problems" : undefined}
      onInput=${(e) => store.changeRoom("robot", { writing: { text: e.target.value, format } })}></textarea>
  </div>`;
}
