// From a recording to the parameters, in three steps: recordings, recipe, result.
import { html, useEffect } from "../../vendor/preact.mjs";
import { command } from "../../core/keys.js";
import { useStore } from "../../core/hooks.js";
import { Problem } from "../../parts/problem.js";
import { Recipe } from "./recipe.js";
import { Recordings } from "./recordings.js";
import { Report } from "./report.js";
import { follow, robotChanged, run, simulate, stopRun, useSession } from "./session.js";

export function Identify({ robot }) {
  const session = useSession();
  const text = useStore((state) => state.rooms.identification?.text ?? "");
  useEffect(robotChanged, [robot.key]);
  useEffect(follow, [text]);
  const ready = session.look && session.table && !session.problems.length && session.checked === session.text && !session.run;
  useEffect(() => {
    const stops = [command("Identify: run", () => { if (ready) run(); }, "Mod+Enter"), command("Identify: try with simulated data", simulate)];
    return () => stops.forEach((stop) => stop());
  }, [ready]);
  const show = session.table;
  return html`<${Recordings} robot=${robot} session=${session} />
    ${show && html`<${Recipe} key=${robot.key} robot=${robot} session=${session} />`}
    ${show && html`<section class="step" aria-labelledby="step-run">
      <header><h2 id="step-run"><span class="count">3</span>Result</h2>
        <span class="hint">${why(session)}</span>
        <span class="end">${session.run
          ? html`<button onClick=${stopRun}>Stop</button>`
          : html`<button class="main" disabled=${!ready} title="Ctrl-Enter" onClick=${run}>Identify</button>`}</span>
      </header>
      ${session.run && html`<${Progress} ...${session.run} />`}
      ${session.failed && (session.failed.stopped ? html`<p class="said" role="status">${session.failed.message}</p>` : html`<${Problem} error=${session.failed} />`)}
      ${session.report && html`<${Report} report=${session.report} robot=${robot} />`}
    </section>`}`;
}

export function Progress({ share, words }) {
  return html`<div class="running" role="status"><progress aria-label="Progress" max="1" value=${share ?? undefined}></progress><span>${words}…</span></div>`;
}

function why(session) {
  if (session.run || session.report) return "";
  if (!session.files.length) return "Choose the recordings first: they are not part of a link.";
  if (session.problems.length) return `The recipe has ${session.problems.length === 1 ? "a problem" : `${session.problems.length} problems`}.`;
  return "";
}
