// Curves over time, one drawing for each quantity and unit, all with the cursor of the clock. A click takes the clock there, a drag
// zooms, a double click shows all again.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../vendor/preact.mjs";
import uPlot from "../../vendor/uplot.mjs";
import { colour, onTheme } from "../../parts/theme.js";
import { player } from "./player.js";
import { factor, label, short, shownUnit } from "./units.js";

export const QUANTITIES = ["positions", "velocities", "accelerations", "torques", "errors", "energy"];
const COLOURS = 8;
const DASHES = [[], [9, 4], [2, 3], [12, 3, 2, 3]]; // of the first item that is shown, the second ...
const WANTED = [4, 4];
const HEIGHT = 148;
const NEAR = 0.9; // of a limit: a curve that comes closer has it drawn
const OF_LIMIT = { positions: ["lower", "upper"], velocities: ["velocity"], accelerations: ["acceleration"], torques: ["torque"] };

export const jointColour = (k) => colour(`curve-${(k % COLOURS) + 1}`);

// The drawings of some items { name, panels } over the joints that are not hidden.
export function figures(items, quantities, hidden, joints) {
  const found = [];
  for (const quantity of quantities) {
    const panels = items.map(({ panels: all }) => all.find(({ name }) => name === quantity));
    const units = [...new Set(panels.flatMap((panel) => panel?.units ?? []))];
    for (const unit of units) {
      const tables = [];
      const series = [];
      panels.forEach((panel, k) => {
        if (!panel) return;
        const scale = factor(unit);
        const own = panel.labels.map((name, j) => j).filter((j) => panel.units[j] === unit && !hidden.has(panel.labels[j]));
        if (!own.length) return;
        const rows = (source) => own.map((j) => source[j].map((value) => (value === null ? null : value * scale)));
        tables.push([panel.t, ...rows(panel.series), ...(panel.wanted ? rows(panel.wanted) : [])]);
        own.forEach((j) => series.push({ name: panel.labels[j], index: j, dash: DASHES[k % DASHES.length], width: 1.6, item: items[k].name, named: !joints.some(({ name }) => name === panel.labels[j]) }));
        if (panel.wanted) own.forEach((j) => series.push({ name: `${panel.labels[j]}, wanted`, index: j, dash: WANTED, width: 1, faint: true }));
      });
      if (tables.length) found.push({ key: `${quantity} ${unit}`, title: label(quantity), unit: shownUnit(unit), tables, series, limits: limitsOf(quantity, unit, tables, series, joints) });
    }
  }
  return found;
}

// Limits that a curve comes near to.
function limitsOf(quantity, unit, tables, series, joints) {
  const names = OF_LIMIT[quantity] ?? [];
  const scale = factor(unit);
  const curves = tables.flatMap((table) => table.slice(1));
  const found = new Map();
  series.forEach(({ index, faint }, k) => {
    const joint = joints[index];
    if (faint || !joint) return;
    for (const name of names) {
      if (joint[name] === null || joint[name] === undefined) continue;
      const limit = joint[name] * scale;
      for (const line of name === "lower" || name === "upper" ? [limit] : [limit, -limit]) {
        const reached = curves[k].some((value) => value !== null && (line >= 0 ? value >= NEAR * line : value <= NEAR * line));
        if (reached && line !== 0) found.set(`${index} ${line}`, { line, index });
      }
    }
  });
  return [...found.values()];
}

export function Plots({ drawings }) {
  return html`<div class="m-plots">${drawings.map((one) => html`<${Figure} key=${one.key} drawing=${one} />`)}</div>`;
}

function Figure({ drawing }) {
  const host = useRef();
  const values = useRef();
  const [look, setLook] = useState(0);
  const solid = drawing.series.map((one, k) => ({ ...one, k })).filter(({ faint }) => !faint);
  const read = solid.filter(({ item }) => item === solid[solid.length - 1].item); // numbers are of the last item that is shown
  useEffect(() => onTheme(() => setLook((n) => n + 1)), []);
  useLayoutEffect(() => {
    const plot = drawn(host.current, drawing);
    const cursor = document.createElement("div");
    cursor.className = "now";
    plot.over.append(cursor);
    const follow = () => {
      const { time, source } = player.get();
      cursor.hidden = !source;
      cursor.style.transform = `translateX(${plot.valToPos(time, "x")}px)`;
      const at = plot.valToIdx(time);
      read.forEach(({ k, name, named }, place) => { values.current.children[place].textContent = `${named ? `${name} ` : ""}${short(known(plot.data, k + 1, at), 3)}`; });
    };
    plot.hooks.setScale = [follow];
    const stop = player.subscribe(follow);
    const size = new ResizeObserver(() => { plot.setSize({ width: host.current.clientWidth, height: HEIGHT }); follow(); });
    size.observe(host.current);
    follow();
    return () => { stop(); size.disconnect(); plot.destroy(); };
  }, [drawing, look]);
  return html`<figure><figcaption><b>${drawing.title}</b> <span class="m-unit">${drawing.unit}</span>
      <span class="readout number" ref=${values}>${read.map((one) => html`<span title=${`${one.name}, ${one.item}`} style=${{ color: jointColour(one.index) }}></span>`)}</span></figcaption>
    <div ref=${host} role="img" aria-label=${`${drawing.title} over time: ${read.map(({ name }) => name).join(", ")}`}></div></figure>`;
}

// The last value of a curve up to an instant: curves of several records have instants of their own.
function known(data, k, at) {
  for (let i = at; i >= 0; i -= 1) if (Number.isFinite(data[k]?.[i])) return data[k][i];
  return null;
}

function drawn(host, { tables, series, limits }) {
  const ink = colour("muted");
  const line = colour("line");
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 }, font: "11px system-ui, sans-serif" };
  const data = tables.length > 1 ? uPlot.join(tables) : tables[0];
  const most = limits.map((one) => one.line);
  const plot = new uPlot({
    width: host.clientWidth || 400,
    height: HEIGHT,
    pxAlign: 0,
    legend: { show: false },
    padding: [6, 8, 0, 0],
    scales: { x: { time: false }, y: { range: (_, low, high) => spread(Math.min(low ?? 0, ...most), Math.max(high ?? 1, ...most)) } },
    axes: [{ ...axis, size: 22, gap: 2 }, { ...axis, size: 50, gap: 3, values: (_, ticks) => ticks.map((tick) => short(tick, 4)) }],
    cursor: { sync: { key: "motion" }, drag: { x: true, y: false }, points: { show: false }, y: false },
    series: [{}, ...series.map((one) => ({ label: one.name, stroke: jointColour(one.index), width: one.width, dash: one.dash, alpha: one.faint ? 0.7 : 1, points: { show: false } }))],
    hooks: { draw: [(u) => drawLimits(u, limits)] },
  }, data, host);
  let down = 0;
  plot.over.addEventListener("mousedown", (event) => { down = event.clientX; });
  plot.over.addEventListener("click", (event) => {
    if (Math.abs(event.clientX - down) > 3) return;
    player.pause();
    player.seek(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x"));
  });
  return plot;
}

const spread = (low, high) => { const room = (high - low || Math.abs(high) || 1) * 0.06; return [low - room, high + room]; };

function drawLimits(u, limits) {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.setLineDash([1, 3].map((n) => n * devicePixelRatio));
  ctx.lineWidth = devicePixelRatio;
  for (const { line, index } of limits) {
    const y = Math.round(u.valToPos(line, "y", true)) + 0.5;
    ctx.strokeStyle = jointColour(index);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}
