// What one call costs, beside what others have published for the same.
import { html } from "../../vendor/preact.mjs";

const SHOWN = 3;

export function Counts({ view, robot }) {
  const { counts, precompute, published } = view;
  const beside = published.filter((one) => one.same).slice(0, SHOWN);
  const others = published.filter((one) => !one.same);
  const most = Math.max(counts.total, ...beside.map((one) => one.total), 1);
  return html`<section class="counts" aria-label="Operations">
    <table><tbody>
      <${Row} name="robosym" own counts=${counts} most=${most} />
      ${beside.map((one) => html`<${Row} name=${author(one.source)} counts=${one} most=${most} title=${one.source} />`)}
    </tbody></table>
    <p class="hint">${rest(counts)}${precompute.total ? `; once, from the parameters: ${precompute.total}` : ""}</p>
    ${beside.map((one) => html`<p class="hint cite">${one.source}</p>`)}
    ${!beside.length && others.length > 0 && html`<p class="hint cite">Published with ${words(others[0])}: ${others[0].total} (${others[0].source})</p>`}
    ${!published.length && robot.spec.name && counts.total > 0 && html`<p class="hint cite">No published count is known to us.</p>`}
  </section>`;
}

function Row({ name, counts, most, own, title }) {
  return html`<tr class=${own ? "own" : ""} title=${title}>
    <th scope="row">${name}</th>
    <td class="share"><span class="bar-of"><i style=${{ width: `${(100 * counts.total) / most}%` }}></i></span></td>
    <td class="number">${counts.mul} ×</td><td class="number">${counts.add} +</td><td class="number total">${counts.total}</td></tr>`;
}

// "Khalil and Creusot 1997" of a whole citation, which stands below.
function author(source) {
  const year = source.match(/\b(1[89]|20)\d\d\b/)?.[0];
  return `${source.split(/[,(]/)[0].trim()}${year ? ` ${year}` : ""}`;
}

const rest = ({ div, trig, other }) => [div && `${div} div`, `${trig} sin, cos`, other && `${other} other`].filter(Boolean).join(", ");
const words = (one) => [...Object.entries(one.options).map(([key, value]) => `${key} ${value}`), ...(one.numeric ? ["numbers in the code"] : [])].join(", ");
