// The recipe: a form and its text beside each other. Both are the same tables; a change of one is followed by the other.
import { html } from "../../vendor/preact.mjs";
import { useAsync } from "../../core/hooks.js";
import { askRobot } from "../../core/robot.js";
import { Data, Joints } from "./recipe_data.js";
import { Check, Choice, Messages, problemsAt, Text } from "./fields.js";
import { save } from "./files.js";
import { put, putText, suggest } from "./session.js";

const PLACED = ["data", "position", "velocity", "acceleration", "torque", "transmission", "processing", "model", "estimate", "payload"];

export function Recipe({ robot, session }) {
  const { value: choices } = useAsync(() => askRobot("/recipe"), [robot.key]);
  const { table, text, problems, doubts } = session;
  const at = (where) => problemsAt(problems, where);
  const rest = problems.filter((one) => one.where !== "text" && !PLACED.some((name) => one.where === name || one.where.startsWith(`${name},`)));
  const given = { robot, choices, table: table ?? {}, at, session };
  const broken = at("text");
  return html`<section class="step" aria-labelledby="step-recipe">
    <header><h2 id="step-recipe"><span class="count">2</span>Recipe</h2><span class="hint">What the columns mean. What is left open is chosen by the data.</span>
      <span class="end">${session.look?.table?.data && html`<button class="plain" onClick=${suggest}>As suggested</button>`}<button onClick=${() => save("recipe.toml", text)}>Save recipe</button></span></header>
    <div class="recipe">
      ${choices && table && html`<form class="form" aria-label="Recipe" onSubmit=${(e) => e.preventDefault()}>
        ${rest.length > 0 && html`<p class="wrong">${rest.map((one) => html`<span>${one.where && html`<b>${one.where}</b>: `}${one.message}</span>`)}</p>`}
        <${Data} ...${given} />
        <${Joints} ...${given} />
        <${Processing} ...${given} />
        <${Model} ...${given} />
        <${Payload} ...${given} />
        ${doubts.map((one) => html`<p class="doubt">${one}</p>`)}
      </form>`}
      ${!(choices && table) && html`<p class="hint" role="status">The form is being made …</p>`}
      <div class="text"><label for="recipe-text">recipe.toml</label>
        <textarea id="recipe-text" spellcheck="false" rows="24" value=${text} aria-invalid=${broken.length ? "true" : undefined} aria-describedby="recipe-note" onInput=${(e) => putText(e.target.value)} />
        <${Messages} problems=${broken} id="recipe-wrong" />
        <span class="hint" id="recipe-note">Runs as it is with <span class="code">robosym identify</span>. Edit it, and the form follows; a change in the form writes it anew, without comments.</span></div>
    </div>
  </section>`;
}

function Processing({ table, at }) {
  const own = table.processing ?? {};
  const set = (key) => (value) => put("processing", key, value);
  const delay = table.torque?.delay;
  const open = Object.keys(own).length > 0 || delay !== undefined || at("processing").length > 0;
  return html`<details open=${open}><summary>Filter <span class="hint">${open ? "" : "automatic"}</span></summary><div class="entries">
    <${Text} label="Cut-off, Hz" placeholder="automatic" value=${own.cutoff} problems=${at("processing, cutoff")} onValue=${set("cutoff")} />
    <${Text} label="One sample in" placeholder="automatic" value=${own.decimation} problems=${at("processing, decimation")} onValue=${set("decimation")} />
    <${Text} label="Least speed" placeholder="automatic" value=${own.low_speed} problems=${at("processing, low_speed")} onValue=${set("low_speed")} />
    <${Text} label="Trimmed samples" placeholder="automatic" value=${own.trim} problems=${at("processing, trim")} onValue=${set("trim")} />
    <${Text} label="Outliers, sigmas" placeholder="kept" value=${own.outliers} problems=${at("processing, outliers")} onValue=${set("outliers")} />
    <${Choice} label="Decimated" value=${own.where ?? "signals"} problems=${at("processing, where")} choices=${[["signals", "signals"], ["columns", "columns of the equations"]]} onValue=${(v) => put("processing", "where", v === "signals" ? undefined : v)} />
    <${Text} label="Delay of torques, s" placeholder="0, or estimate" value=${delay} problems=${at("torque, delay")} onValue=${(v) => put("torque", "delay", v)} />
  </div></details>`;
}

function Model({ table, choices, at }) {
  const model = table.model ?? {};
  const estimate = table.estimate ?? {};
  const friction = [model.friction ?? ["viscous", "coulomb", "offset"]].flat();
  const toggle = (word, is) => put("model", "friction", choices.friction.filter((one) => (one === word ? is : friction.includes(one))));
  const set = (key, usual) => (value) => put("estimate", key, value === usual ? undefined : value);
  return html`<fieldset><legend>Model and estimate</legend><div class="entries">
    <${Choice} label="Equations" value=${model.kind ?? "dynamic"} problems=${at("model, kind")} choices=${choices.kinds} onValue=${(v) => put("model", "kind", v === "dynamic" ? undefined : v)} />
    <${Choice} label="Least squares" value=${estimate.method ?? "weighted"} problems=${at("estimate, method")} choices=${choices.methods} onValue=${set("method", "weighted")} />
    <${Text} short label="Essential ratio" placeholder="30" value=${estimate.essential} problems=${at("estimate, essential")} onValue=${set("essential", 30)} />
    <${Text} short label="Blocks, s" placeholder="0.5" value=${estimate.block} problems=${at("estimate, block")} onValue=${set("block", 0.5)} />
    <${Text} short label="Folds" placeholder="4" value=${estimate.folds} problems=${at("estimate, folds")} onValue=${set("folds", 4)} />
    <${Text} short label="Rise for the prior" placeholder="0.02" value=${estimate.rise} problems=${at("estimate, rise")} onValue=${set("rise", 0.02)} />
  </div>
  <div class="row wide" role="group" aria-label="Friction"><span class="of">Friction</span>${choices.friction.map((word) => html`<${Check} label=${word} value=${friction.includes(word)} onValue=${(is) => toggle(word, is)} />`)}</div>
  <${Messages} problems=${at("model, friction")} />
  <div class="row wide"><span class="of">Links</span><${Check} label="rotor inertias" value=${model.rotor_inertia ?? true} onValue=${(is) => put("model", "rotor_inertia", is ? undefined : false)} />
    <${Check} label="physically consistent" value=${estimate.physical ?? false} onValue=${set("physical", false)} /></div>
  <${Messages} problems=${[...at("model"), ...at("estimate"), ...at("estimate, physical"), ...at("model, without")]} />
  </fieldset>`;
}

function Payload({ table, choices, at }) {
  const own = table.payload;
  const frames = choices.frames;
  const begin = () => put("", "payload", { frame: frames[frames.length - 1], M: 1 });
  return html`<details open=${!!own}><summary>Known payload <span class="hint">${own ? "" : "none"}</span></summary>
    ${!own && html`<p class="hint">A load of known mass fixes the scale of the torques: record with and without it.</p>`}
    <${Check} label="the robot carried a known payload" value=${!!own} onValue=${(is) => (is ? begin() : put("", "payload", undefined))} />
    ${own && html`<div class="entries"><${Choice} label="Frame" value=${own.frame} problems=${at("payload, frame")} choices=${frames} onValue=${(v) => put("payload", "frame", v)} />
      <${Text} label="Recordings" placeholder="all" value=${[own.recordings ?? []].flat().join(" ") || undefined} problems=${at("payload, recordings")}
        onValue=${(v) => put("payload", "recordings", v === undefined ? undefined : String(v).split(/[\s,]+/).filter(Boolean).map(Number))} />
      ${["M", "MX", "MY", "MZ", "XX", "YY", "ZZ"].map((name) => html`<${Text} label=${name} placeholder="0" value=${own[name]} problems=${at(`payload, ${name}`)} onValue=${(v) => put("payload", name, v)} />`)}</div>`}
  </details>`;
}
