// The law that follows the motion, with the options of its function; and the robot that moves, as it differs from what the law knows.
import { html, useEffect, useState } from "../../vendor/preact.mjs";
import { Choice, Flag, Line, NumberField, valueOf } from "./fields.js";
import { called, label, shownUnit } from "./units.js";

const FREE = { id: "", name: "none: left to itself" };
const SHOWN = new Set(["bandwidth", "damping", "feedback", "stiffness", "inertia", "Kp", "Kd", "KI", "friction", "integral", "scheme", "task"]);
const FRICTION = [["stick", "as described, sticking"], ["smooth", "smooth"], ["none", "none"]];
const INTEGRATORS = ["rk4", "semi-implicit", "midpoint", "dop853", "radau"];

export function ControlForm({ state, set, view }) {
  const law = view.laws.find(({ name }) => name === state.law);
  const tip = state.space === "tip";
  const names = view.laws.map(({ name, follows }) => ({ id: name, name: follows === "tip" ? `${name} (tip)` : name }));
  const given = state.options[state.law] ?? {};
  const put = (name, value) => {
    const own = { ...given };
    if (value === undefined) delete own[name]; else own[name] = value;
    set({ options: { ...state.options, [state.law]: own } }, `${state.law} ${name}`);
  };
  const first = law?.options.filter((one) => one.needed || (SHOWN.has(one.name) && !(one.default === null && ["Kp", "Kd", "KI", "inertia"].includes(one.name)))) ?? [];
  const rest = law?.options.filter((one) => !first.includes(one)) ?? [];
  const world = (patch, what) => set({ world: { ...state.world, ...patch } }, what);
  return html`<div class="m-form">
    <${Choice} title="Law" value=${state.law} choices=${[...names, FREE]} set=${(id) => set({ law: id }, "law")} />
    ${law && html`<p class="hint words">${law.words}</p>`}
    ${law?.follows === "tip" && !tip && html`<p class="m-said">This law leads the tip: make the points those of the tip.</p>`}
    ${first.map((one) => html`<${Option} key=${one.name} one=${one} value=${given[one.name]} put=${put} />`)}
    <${Line} title="Duration" unit="s"><${NumberField} wide name="Duration of the simulation" value=${state.world.duration ?? null} placeholder=${state.law ? "of the motion" : "needed"} set=${(value) => world({ duration: value ?? undefined }, "duration")} /></${Line}>
    ${rest.length > 0 && html`<details><summary>More of ${state.law}</summary><div class="m-form">${rest.map((one) => html`<${Option} key=${one.name} one=${one} value=${given[one.name]} put=${put} />`)}</div></details>`}
    <${World} state=${state} world=${world} view=${view} />
  </div>`;
}

function Option({ one, value, put }) {
  const set = (next) => put(one.name, next === one.default ? undefined : next);
  const title = label(one.name);
  if (one.kind === "flag") return html`<${Flag} title=${title} value=${value ?? one.default ?? false} set=${set} hint=${one.words} />`;
  if (one.kind === "choice") {
    const choices = [...(one.default === null && !one.needed ? [{ id: null, name: "by itself" }] : []), ...one.choices.map((id) => ({ id, name: { true: "yes", false: "no" }[String(id)] ?? String(id) }))];
    return html`<${Choice} title=${title} value=${value ?? one.default} choices=${choices} set=${set} hint=${one.words} />`;
  }
  return html`<${Line} title=${title} hint=${one.words}><${Words} name=${title} one=${one} value=${value} set=${set} /></${Line}>`;
}

// Numbers, one or several, or a word.
function Words({ name, one, value, set }) {
  const text = value === undefined ? "" : Array.isArray(value) ? value.join(", ") : String(value);
  const [own, setOwn] = useState(text);
  useEffect(() => setOwn(text), [text]);
  const take = () => { if (own.trim() !== text) set(valueOf(own, one)); };
  const shown = one.needed ? "needed" : one.default === null ? "by itself" : one.default === true ? "as described" : String(one.default);
  return html`<input type="text" class="m-amount wide" aria-label=${name} title=${one.words} aria-invalid=${one.needed && !text ? "true" : undefined} value=${own} placeholder=${shown}
    onInput=${(e) => setOwn(e.target.value)} onBlur=${take} onKeyDown=${(e) => { if (e.key === "Enter") take(); }} />`;
}

function World({ state, world, view }) {
  const now = state.world;
  const load = (patch) => world({ payload: { ...now.payload, ...patch } }, "payload");
  const push = (name, value) => world({ disturbance: { ...now.disturbance, [name]: value ?? undefined } }, `disturbance ${name}`);
  return html`<details><summary>What the law does not know</summary><div class="m-form">
    <${Choice} title="Friction" value=${now.friction} choices=${FRICTION.map(([id, name]) => ({ id, name }))} set=${(id) => world({ friction: id }, "world friction")} />
    <${Line} title="Load at the tip" unit="kg"><${NumberField} name="Load at the tip" min=${0} value=${now.payload?.mass ?? null} placeholder="0" set=${(value) => load({ mass: value ?? 0 })} /></${Line}>
    ${now.payload?.mass > 0 && html`<${Line} title="taken up at" unit="s"><${NumberField} name="Time at which the load is taken up" min=${0} value=${now.payload?.when ?? null} placeholder="0" set=${(value) => load({ when: value ?? 0 })} /></${Line}>`}
    ${state.law && html`<${Line} title="Noise of positions" unit="°"><${NumberField} name="Noise of positions" unit="rad" min=${0} value=${now.noise ?? null} placeholder="0" set=${(value) => world({ noise: value ?? undefined }, "noise")} /></${Line}>
    <${Line} title="Delay" unit="s" hint="Of the torques: whole periods of the law"><${NumberField} name="Delay of the torques" min=${0} value=${now.delay ?? null} placeholder="0" set=${(value) => world({ delay: value ?? undefined }, "delay")} /></${Line}>`}
    <${Flag} title="Motors have limits" value=${now.limits !== false} set=${(value) => world({ limits: value ? undefined : false }, "motor limits")} hint="The torques that the description allows" />
    <${Choice} title="Integrator" value=${now.integrator} choices=${INTEGRATORS.map((id) => ({ id, name: id }))} set=${(id) => world({ integrator: id }, "integrator")} />
    <${Line} title="Step" unit="s"><${NumberField} name="Step of the integration" min=${1e-7} empty=${false} value=${now.step} set=${(value) => world({ step: value }, "step")} /></${Line}>
    <h3>Disturbing torques</h3>
    ${view.coordinates.map(({ name, unit }) => html`<${Line} title=${called(name)} unit=${shownUnit(unit) === "mm" ? "N" : "N m"}><${NumberField} name=${`Disturbing torque of ${name}`} value=${now.disturbance?.[name] ?? null} placeholder="0" set=${(value) => push(name, value)} /></${Line}>`)}
  </div></details>`;
}
