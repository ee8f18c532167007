// The report: how well the torques are explained, what the parameters are and how sure, and the robot that follows from them.
import { html, useMemo, useState } from "../../vendor/preact.mjs";
import * as store from "../../core/store.js";
import { say } from "../../parts/notices.js";
import { save } from "./files.js";
import { Plot } from "./plot.js";

const digits = (value, n = 4) => (value == null ? "–" : Math.abs(value) >= 1e5 || (value && Math.abs(value) < 1e-4) ? value.toExponential(n - 1) : String(+value.toPrecision(n)));
const percent = (value) => (value == null ? "–" : `${value < 10 ? value.toFixed(1) : value.toFixed(0)} %`);
const TITLES = { "report.html": "Report", "parameters.csv": "Parameters, CSV", "identification.json": "JSON" };
const first = (name) => [...Object.keys(TITLES).slice(0, 2), ".toml", ".urdf"].findIndex((end) => name.endsWith(end)) >>> 0; // others last

export function Report({ report, robot }) {
  const text = report.identified && report.files[report.identified];
  const opened = text && robot.spec.text === text;
  const open = () => {
    store.change({ robot: { text, format: "toml" } }, "robot");
    say("The identified robot is at hand: every model has its numbers now.");
  };
  const back = () => store.change({ robot: report.spec }, "robot");
  return html`<div class="report">
    <${Summary} report=${report} />
    <div class="row inset">
      ${text && (opened ? html`<button onClick=${back}>Back to ${report.robot}</button>` : html`<button class="main" onClick=${open}>Open the identified robot</button>`)}
      ${Object.entries(report.files).sort(([a], [b]) => first(a) - first(b)).map(([name, file]) => html`<button title=${name} onClick=${() => save(name, file)}>${TITLES[name] ?? name}</button>`)}
    </div>
    ${report.warnings.length > 0 && html`<div class="warnings" role="note" aria-label="Warnings">${report.warnings.map((one) => html`<p>${one}</p>`)}</div>`}
    <${Joints} report=${report} />
    <${Traces} report=${report} />
    <${Parameters} report=${report} />
    ${report.physical && html`<${Physical} physical=${report.physical} />`}
    ${report.drive_gains && html`<${Gains} gains=${report.drive_gains} />`}
    <details class="block"><summary>Notes</summary><ul class="notes">${report.notes.map((one) => html`<li>${one}</li>`)}</ul></details>
  </div>`;
}

function Summary({ report }) {
  const left = report.joints.map((one) => one.relative);
  const cards = [
    [report.parameters.length, "parameters", `${report.method} least squares`],
    [`${percent(Math.min(...left))} – ${percent(Math.max(...left))}`, "of the torques is left", "rms, by joint"],
    [report.validation == null ? "–" : report.validation.toFixed(2), "error on unseen blocks / fit", "about 1 is good"],
    [digits(report.condition.scaled, 3), "condition number", `${digits(report.condition.raw, 3)} in SI units`],
    [report.equations.toLocaleString("en"), "equations", report.inflation == null ? "" : `bootstrap sigmas × ${report.inflation.toFixed(1)}`],
  ];
  return html`<p class="about">${report.robot}${report.simulated ? html`, <b>from simulated data</b>` : ""}</p>
    <dl class="cards">${cards.map(([value, what, more]) => html`<div><dt>${what}</dt><dd>${value}</dd><dd class="hint">${more}</dd></div>`)}</dl>`;
}

function Joints({ report }) {
  const before = report.joints.some((one) => one.before != null);
  const most = Math.max(1, ...report.joints.flatMap((one) => [one.relative, one.before ?? 0]));
  const bar = (value, kind) => html`<span class=${`amount ${kind}`} style=${{ width: `${Math.max(2, (90 * Math.min(value, most)) / most)}px` }}></span>`;
  return html`<div class="block"><h3>What is left of the torques</h3><div class="scroll"><table class="grid"><thead><tr><th>Joint</th><th class="right">rms</th><th>Left${before ? ", identified and as described before" : ""}</th><th class="right">Unseen blocks / fit</th>
    ${report.unseen.map((title) => html`<th class="right">${title}</th>`)}<th class="right">Rows</th></tr></thead><tbody>
    ${report.joints.map((one) => html`<tr><th scope="row">${one.name}</th><td class="right">${digits(one.rms, 3)} ${one.unit}</td>
      <td><span class="level">${bar(one.relative, "now")}${percent(one.relative)}</span>${before && html`<span class="level faint">${bar(one.before, "then")}${percent(one.before)}</span>`}</td>
      <td class="right">${one.test == null ? "–" : one.test.toFixed(2)}</td>
      ${report.unseen.map((title) => html`<td class="right">${percent(one.unseen[title])}</td>`)}<td class="right">${one.rows}</td></tr>`)}</tbody></table></div></div>`;
}

function Traces({ report }) {
  const [at, setAt] = useState(0);
  const [residual, setResidual] = useState(false);
  const trace = report.traces[Math.min(at, report.traces.length - 1)];
  const drawn = useMemo(() => trace.joints.map((joint) => ({
    name: joint.name, time: joint.time,
    lines: residual
      ? [{ label: "measured − predicted", values: joint.measured.map((y, k) => (y == null ? null : y - joint.predicted[k])), colour: "bad" }]
      : [
        { label: "measured", values: joint.measured, colour: "link", width: 3 },
        { label: "predicted", values: joint.predicted, colour: "accent" },
        ...(joint.before ? [{ label: "as described before", values: joint.before, colour: "joint", dash: [4, 3], shown: false }] : []),
      ],
  })), [trace, residual]);
  const units = Object.fromEntries(report.joints.map((one) => [one.name, one.unit]));
  return html`<div class="block"><div class="row wide"><h3>Torques</h3>
      ${report.traces.length > 1 && html`<select aria-label="Recording" value=${String(at)} onChange=${(e) => setAt(Number(e.target.value))}>
        ${report.traces.map((one, k) => html`<option value=${String(k)}>${one.recording}${one.role === "validate" ? " (validation)" : ""}</option>`)}</select>`}
      <span class="end"><button aria-pressed=${residual ? "false" : "true"} onClick=${() => setResidual(false)}>Measured and predicted</button><button aria-pressed=${residual ? "true" : "false"} onClick=${() => setResidual(true)}>Residuals</button></span></div>
    <div class="plots">${drawn.map((one) => html`<${Plot} key=${`${at}${residual}${one.name}`} title=${one.name} unit=${units[one.name]} time=${one.time} lines=${one.lines} group="torques" />`)}</div></div>`;
}

function Parameters({ report }) {
  const [only, setOnly] = useState(false);
  const before = report.parameters.some((one) => one.before != null);
  const shown = only ? report.parameters.filter((one) => one.essential) : report.parameters;
  const { essential } = report;
  return html`<div class="block"><div class="row wide"><h3>Parameters</h3>
      ${essential && html`<span class="hint">${essential.kept.length} of ${essential.of} are essential: alone they leave at most ${percent(essential.rise)} more</span>
      <span class="end"><label class="field"><input type="checkbox" checked=${only} onChange=${(e) => setOnly(e.target.checked)} />essential only</label></span>`}</div>
    <div class="scroll"><table class="grid parameters"><thead><tr><th>Parameter</th><th class="right">Value</th><th class="right">Sigma</th><th class="right">by bootstrap</th><th class="right">Sigma, %</th>
      ${before && html`<th class="right">Before</th><th class="right">Change, sigmas</th>`}<th>Meaning</th></tr></thead><tbody>
      ${shown.map((one) => html`<tr key=${one.name}><th scope="row">${one.name}${one.essential ? html`<span class="essential" title="essential" role="img" aria-label="essential">●</span>` : ""}</th>
        <td class="right strong">${digits(one.value, 5)}</td><td class="right">${digits(one.sigma, 2)}</td><td class="right">${digits(one.sigma_bootstrap, 2)}</td>
        <td class=${`right ${one.relative_sigma == null || one.relative_sigma > 30 ? "unsure" : ""}`}>${one.relative_sigma == null ? "–" : digits(one.relative_sigma, 2)}</td>
        ${before && html`<td class="right">${digits(one.before, 5)}</td><td class=${`right ${Math.abs(one.deviation ?? 0) > 3 ? "changed" : ""}`}>${one.deviation == null ? "–" : one.deviation.toFixed(1)}</td>`}
        <td class="meaning">${one.meaning}</td></tr>`)}</tbody></table></div></div>`;
}

function Physical({ physical }) {
  return html`<details class="block"><summary>Physically consistent standard parameters</summary>
    <p class="hint">Those of a possible robot, nearest to what was known before; chi-squared rises by ${percent(100 * physical.rise)}.${physical.at_limit.length ? ` At a limit: ${physical.at_limit.join(", ")}.` : ""}</p>
    <div class="scroll"><table class="grid"><thead><tr><th>Parameter</th><th class="right">Value</th><th class="right">Before</th></tr></thead><tbody>
      ${physical.values.map((one) => html`<tr><th scope="row">${one.name}</th><td class="right">${digits(one.value, 5)}</td><td class="right">${digits(one.before, 5)}</td></tr>`)}</tbody></table></div></details>`;
}

function Gains({ gains }) {
  return html`<div class="block"><h3>Drive gains</h3><p class="hint">What the known payload shows: 1 where the torques are to scale.</p><div class="scroll"><table class="grid"><tbody>
    ${Object.entries(gains).map(([joint, one]) => html`<tr><th scope="row">${joint}</th><td class="right">${digits(one.gain)} ± ${digits(one.sigma, 2)}</td></tr>`)}</tbody></table></div></div>`;
}
