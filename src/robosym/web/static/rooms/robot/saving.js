// Save as: the robot at hand in a format that can hold it, and what the format has no place for.
import { html, useState } from "../../vendor/preact.mjs";
import { useAsync } from "../../core/hooks.js";
import { askRobot } from "../../core/robot.js";
import { Dialog, Title } from "../../parts/opening.js";
import { say } from "../../parts/notices.js";
import { Problem } from "../../parts/problem.js";

const FORMATS = [
  ["toml", "TOML", "all that Robosym knows of it"],
  ["par", ".par", "SYMORO+: geometry, inertia and friction, in symbols"],
  ["urdf", "URDF", "numbers; loops in a second file"],
  ["mjcf", "MJCF", "MuJoCo: numbers, loops as constraints"],
];

function download(name, content) {
  const address = URL.createObjectURL(content);
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

async function save(format, files) {
  if (files.length === 1) return download(files[0].name, new Blob([files[0].text], { type: "text/plain" }));
  const packed = await askRobot(`/saved/${format}`, { as: "bytes" });
  return download(`${files[0].name.replace(/\.[^.]*$/, "")}.zip`, new Blob([packed], { type: "application/zip" }));
}

export function Saving({ close }) {
  const [format, setFormat] = useState("toml");
  const { value, error, busy } = useAsync((signal) => askRobot(`/texts/${format}`, { signal }), [format]);
  const files = value?.files ?? [];
  const copy = async () => {
    try { await navigator.clipboard.writeText(files[0].text); say("The text is copied."); } catch { say("This browser does not let a page copy.", "bad"); }
  };
  return html`<${Dialog} close=${close}><${Title} text="Save the robot as" close=${close} />
    <div class="asking-body">
      <fieldset class="choices"><legend class="hidden">Format</legend>
        ${FORMATS.map(([id, name, words]) => html`<label><input type="radio" name="format" value=${id} checked=${format === id} onChange=${() => setFormat(id)} />
          <b>${name}</b> <span class="hint">${words}</span></label>`)}</fieldset>
      <div aria-live="polite">
        ${!busy && error && html`<${Problem} error=${error} />`}
        ${!busy && value?.problems.length > 0 && html`<div class="found bad"><h2>This format cannot hold it</h2><ul>${value.problems.map((one) => html`<li>${one.where && html`<b>${one.where}</b> `}${one.message}</li>`)}</ul></div>`}
        ${!busy && value?.warnings.length > 0 && html`<div class="found warn"><ul>${value.warnings.map((one) => html`<li>${one}</li>`)}</ul></div>`}
      </div>
      <div class="bar bare">
        <button class="main" disabled=${busy || !files.length} onClick=${() => save(format, files)}>Download${files.length ? ` ${files.map((one) => one.name).join(" and ")}` : ""}</button>
        <button disabled=${busy || !files.length} onClick=${copy}>Copy</button>
      </div>
    </div><//>`;
}
