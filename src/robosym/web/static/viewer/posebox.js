// Where the tip is: position and angles, which can be written, or the matrix; and how well it can move there.
import { html, useEffect, useRef, useState } from "../vendor/preact.mjs";
import { pose } from "../core/pose.js";
import { say } from "../parts/notices.js";
import { anglesOf, IN, parsed, poseFrom, shown } from "./values.js";

const FIELDS = [["x", "m"], ["y", "m"], ["z", "m"], ["roll", "rad"], ["pitch", "rad"], ["yaw", "rad"]];

export function PoseBox({ session, scene }) {
  const boxes = useRef([]);
  const cells = useRef([]);
  const measure = useRef();
  const [matrix, setMatrix] = useState(false);
  const [able, setAble] = useState(Boolean(session.is.inverse));
  const values = () => { const T = session.viewer.tip(); return [T[3], T[7], T[11], ...anglesOf(T)]; };
  const follow = () => {
    const T = session.viewer.tip();
    const now = values();
    boxes.current.forEach((box, k) => { if (box && !box.dataset.typing) box.value = shown(now[k], FIELDS[k][1]); });
    cells.current.forEach((cell, k) => { if (cell) cell.textContent = T[k].toFixed(3).replace(/^-(0\.0+)$/, "$1"); });
    if (measure.current) measure.current.textContent = session.is.w === null ? "–" : session.is.w.toPrecision(3);
  };
  useEffect(() => {
    follow();
    const stops = [pose.subscribe(follow), session.watch((is) => { setAble(Boolean(is.inverse)); follow(); })];
    return () => stops.forEach((stop) => stop());
  }, [session, scene, matrix]);
  const aim = (k, value) => {
    const now = values();
    now[k] = value;
    if (session.aim(poseFrom(now.slice(0, 3), now.slice(3)))) session.step();
    else say(`The tip cannot be there: ${session.is.words || session.is.status}`, "bad");
    follow();
  };
  const commit = (k) => {
    const box = boxes.current[k];
    if (!box.dataset.typing) return;
    delete box.dataset.typing;
    const value = parsed(box.value, FIELDS[k][1]);
    if (Number.isFinite(value)) aim(k, value);
    else { say(`${FIELDS[k][0]}: “${box.value}” is no number`, "bad"); follow(); }
  };
  const keys = (event, k) => {
    if (event.key === "Enter") commit(k);
    if (event.key === "Escape") { delete boxes.current[k].dataset.typing; follow(); }
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!way || !able) return;
    event.preventDefault();
    const { by, step } = IN[FIELDS[k][1]];
    aim(k, values()[k] + (way * step * (event.shiftKey ? 10 : 1)) / by);
  };
  const tip = scene.frames[scene.tip].name; // a tree has several ends
  const why = able ? "" : session.is.reason || "the inverse geometry is not there yet";
  return html`<section class="float posebox" aria-label="Pose of the tip">
    <header><span class="of-tip" title=${`Frame ${tip}`}>Tip <span class="hint">${tip}</span></span><button class="plain small" aria-pressed=${matrix} onClick=${() => setMatrix(!matrix)}>Matrix</button></header>
    ${matrix && html`<table class="matrix" aria-label="Pose as a matrix, metres"><tbody>${[0, 1, 2, 3].map((i) => html`<tr>${[0, 1, 2, 3].map((k) => html`<td ref=${(cell) => { cells.current[4 * i + k] = cell; }}></td>`)}</tr>`)}</tbody></table>`}
    ${!matrix && html`<div class="fields">${FIELDS.map(([name, unit], k) => html`<label key=${name}><span class=${k < 3 ? "symbol" : ""}>${name}</span>
      <input type="text" ref=${(box) => { boxes.current[k] = box; }} readonly=${!able} title=${why} aria-label=${`${name} of the tip in ${IN[unit].words}`} autocomplete="off" spellcheck="false"
        onInput=${(e) => { e.target.dataset.typing = "yes"; }} onBlur=${() => commit(k)} onKeyDown=${(e) => keys(e, k)} /><span class="unit" aria-hidden="true">${IN[unit].unit}</span></label>`)}</div>`}
    <p class="measure" title="Manipulability: the product of the singular values of the Jacobian matrix"><i class="symbol">w</i> <span ref=${measure}>–</span></p>
  </section>`;
}
