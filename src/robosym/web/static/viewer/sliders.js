// A slider and a box for each control. They are rendered once for a robot and then follow the position by themselves.
import { html, useEffect, useRef } from "../vendor/preact.mjs";
import { pose } from "../core/pose.js";
import { say } from "../parts/notices.js";
import { IN, outside, parsed, rangeOf, shown } from "./values.js";

const GROUPS = { base: "Base", platform: "Platform", joint: "Joints" };
const HINT = { rad: "degrees; pi/4 or 0.5 rad are radians", m: "millimetres; 1.2 m is metres" };

// q1 as one writes it.
export function Symbol({ name }) {
  const [, stem, below] = name.match(/^([A-Za-z]+)_?(\d+)$/) ?? [null, name, ""];
  return html`<i class="symbol">${stem}${below && html`<sub>${below}</sub>`}</i>`;
}

// The names of the models' coordinates beside those of the joints.
function symbols(scene) {
  const joints = scene.controls.filter((control) => control.group === "joint").length;
  const own = scene.q.names.slice(scene.floating ? 7 : 0);
  const names = own.length === joints ? own : []; // a quaternion has more numbers than its three sliders
  let next = 0;
  return scene.controls.map(({ group, label }) => {
    if (group === "joint") return scene.structure === "parallel" ? "" : names[next++] ?? "";
    return { theta: "θ" }[label] ?? (label.length === 1 ? label : "");
  });
}

export function Sliders({ scene, session }) {
  const rows = useRef([]);
  useEffect(() => {
    const follow = (x) => scene.controls.forEach((control, k) => rows.current[k]?.(x[k]));
    follow(pose.get());
    return pose.subscribe(follow);
  }, [scene]);
  const names = symbols(scene);
  const groups = Object.keys(GROUPS).filter((group) => scene.controls.some((control) => control.group === group));
  return html`<div class="sliders">
    <div class="bar tight">
      <button onClick=${() => { pose.set(scene.controls.map((control) => control.at), "reset"); session?.step(); }}>Reset</button>
      <button onClick=${() => random(scene, session)}>Random</button>
      <span class="hint">type an angle in degrees, or pi/4</span>
    </div>
    ${groups.map((group) => html`<fieldset key=${group}><legend class=${groups.length > 1 ? "" : "hidden"}>${GROUPS[group]}</legend>
      ${scene.controls.map((control, k) => control.group === group && html`<${Row} key=${k} k=${k} control=${control} reach=${scene.reach} name=${names[k]}
        session=${session} register=${(follow) => { rows.current[k] = follow; }} />`)}</fieldset>`)}
  </div>`;
}

function random(scene, session) {
  for (let tries = 0; tries < 60; tries++) {
    const x = scene.controls.map((control) => {
      const [low, high] = rangeOf(control, scene.reach);
      const narrow = control.group === "joint" ? 1 : 0.2; // a platform is soon out of its reach
      const centre = control.group === "joint" ? (low + high) / 2 : control.at;
      return centre + (Math.random() - 0.5) * (high - low) * narrow;
    });
    if (!session.viewer.frames(x).ok) continue;
    pose.set(x, "random");
    session.step();
    return;
  }
  say("No random position was found at which it can be assembled.", "bad");
}

function Row({ k, control, reach, name, session, register }) {
  const slider = useRef();
  const box = useRef();
  const note = useRef();
  const [low, high] = rangeOf(control, reach);
  const { unit, words, by, step } = IN[control.unit];
  const label = control.label.replaceAll("_", " ");
  useEffect(() => register((value) => {
    if (!slider.current) return; // another robot came, and this row is gone
    slider.current.value = value;
    slider.current.setAttribute("aria-valuetext", `${shown(value, control.unit)} ${words}`);
    slider.current.style.setProperty("--part", `${100 * Math.min(1, Math.max(0, (value - low) / (high - low || 1)))}%`);
    if (document.activeElement !== box.current || !box.current.dataset.typing) box.current.value = shown(value, control.unit);
    const beyond = outside(control, value);
    box.current.setAttribute("aria-invalid", beyond);
    note.current.textContent = beyond ? `outside ${limits(control)}` : "";
  }), [control]);
  const set = (value) => pose.setOne(k, value, "slider");
  const keys = (event) => {
    const size = (step / by) * (event.shiftKey ? 10 : event.altKey ? 0.1 : 1);
    const wanted = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 }[event.key];
    const inBox = event.target === box.current;
    const ends = { Home: low, End: high };
    if (wanted && !(inBox && event.key.match(/Left|Right/))) {
      event.preventDefault();
      delete box.current.dataset.typing;
      set(clamped(pose.get()[k] + wanted * size, control));
      session?.step();
    } else if (!inBox && event.key in ends) {
      event.preventDefault();
      set(ends[event.key]);
      session?.step();
    } else if (inBox && event.key === "Enter") commit();
    else if (inBox && event.key === "Escape") { delete box.current.dataset.typing; box.current.value = shown(pose.get()[k], control.unit); }
  };
  const commit = () => {
    if (!box.current.dataset.typing) return;
    delete box.current.dataset.typing;
    const value = parsed(box.current.value, control.unit);
    if (!Number.isFinite(value)) {
      say(`${label}: “${box.current.value}” is no number: expected ${HINT[control.unit]}`, "bad");
      box.current.value = shown(pose.get()[k], control.unit);
      return;
    }
    set(value);
    session?.step();
  };
  const lit = (is) => () => session?.viewer.point(is ? k : null);
  return html`<div class="control" onPointerEnter=${lit(true)} onPointerLeave=${lit(false)}>
    <span class="name">${name ? html`<${Symbol} name=${name} />` : ""}<span class="label" title=${label}>${name === label || name === "θ" ? "" : label}</span></span>
    <input type="range" ref=${slider} min=${low} max=${high} step="any" aria-label=${label} onInput=${(e) => set(Number(e.target.value))} onChange=${() => session?.step()} onKeyDown=${keys} />
    <input type="text" ref=${box} inputmode="text" autocomplete="off" spellcheck="false" aria-label=${`${label} in ${words}`} title=${`${limits(control)}. In ${HINT[control.unit]}`}
      onInput=${() => { box.current.dataset.typing = "yes"; }} onBlur=${commit} onKeyDown=${keys} onFocus=${(e) => e.target.select()} />
    <span class="unit" aria-hidden="true">${unit}</span>
    <span class="beyond" role="status" ref=${note}></span>
  </div>`;
}

const clamped = (value, { lower, upper }) => Math.min(upper ?? Infinity, Math.max(lower ?? -Infinity, value));

function limits({ lower, upper, unit }) {
  if (lower === null && upper === null) return "no limits";
  const end = (value) => (value === null ? "…" : `${shown(value, unit)} ${IN[unit].unit}`);
  return `${end(lower)} to ${end(upper)}`;
}
