// The robot at hand: built-in ones by name, or the one that was opened or written.
import { html } from "../vendor/preact.mjs";
import { ask } from "../core/api.js";
import { useAsync, useRobot, useStore } from "../core/hooks.js";
import * as store from "../core/store.js";

const ORDER = ["serial", "tree", "closed", "parallel"];
const TITLES = { serial: "Arms", tree: "Trees", closed: "Closed loops", parallel: "Platforms on legs" };

export function Picker() {
  const spec = useStore((state) => state.robot);
  const { robot } = useRobot();
  const { value: found } = useAsync(() => ask("/api/robots"), []);
  const own = spec.name && !spec.floating ? null : robot?.view.name ?? spec.name ?? "…";
  return html`<select class="picker" aria-label="Robot" value=${own === null ? spec.name : ""}
      onChange=${(e) => { if (e.target.value) store.change({ robot: { name: e.target.value } }, "robot"); }}>
    ${own !== null && html`<option value="">${own}</option>`}
    ${!found && own === null && html`<option value=${spec.name}>${spec.name}</option>`}
    ${found && ORDER.map((kind) => html`<optgroup label=${TITLES[kind]}>
      ${found.filter((one) => one.structure === kind).map((one) => html`<option value=${one.name} title=${one.description}>${one.name}</option>`)}
    </optgroup>`)}
  </select>`;
}
