// Lines over time by uPlot, in the colours of the page; plots of one group share their cursor.
import { html, useEffect, useRef } from "../../vendor/preact.mjs";
import uPlot from "../../vendor/uplot.mjs";
import { colour, onTheme } from "../../parts/theme.js";

const short = (value) => (value == null ? "" : Math.abs(value) >= 1e5 || (value && Math.abs(value) < 1e-3) ? value.toExponential(1) : String(+value.toPrecision(4)));

// `lines`: { label, values, colour (a name of the theme), width, dash, shown, points }.
export function Plot({ title, time, lines, unit = "", height = 170, group = null }) {
  const place = useRef();
  useEffect(() => {
    let plot;
    const axis = () => ({ stroke: colour("muted"), grid: { stroke: colour("line"), width: 1 }, ticks: { stroke: colour("line"), width: 1 }, font: "11px system-ui", size: 46, values: (_, all) => all.map(short) });
    const draw = () => {
      plot?.destroy();
      const width = Math.max(220, place.current.clientWidth);
      plot = new uPlot({
        width, height,
        scales: { x: { time: false } },
        cursor: { drag: { x: true, y: false }, ...(group ? { sync: { key: group } } : {}) },
        legend: { live: true },
        axes: [{ ...axis(), size: 28 }, axis()],
        series: [{ label: "s", value: (_, x) => short(x) }, ...lines.map((line) => ({
          label: line.label, stroke: colour(line.colour), width: line.width ?? 1.4, dash: line.dash, show: line.shown ?? true,
          points: { show: false }, value: (_, y) => short(y), spanGaps: false,
        }))],
      }, [time, ...lines.map((line) => line.values)], place.current);
    };
    draw();
    const watch = new ResizeObserver(() => { if (Math.abs(place.current.clientWidth - plot.width) > 4) plot.setSize({ width: Math.max(220, place.current.clientWidth), height }); });
    watch.observe(place.current);
    const stop = onTheme(draw);
    return () => { watch.disconnect(); stop(); plot?.destroy(); };
  }, [time, lines.map((line) => line.label).join("|"), lines, height]);
  return html`<figure class="plot"><figcaption>${title}${unit && html` <span class="hint">${unit}</span>`}</figcaption>
    <div ref=${place} role="img" aria-label=${`${title} over time: ${lines.map((line) => line.label).join(", ")}`}></div></figure>`;
}
