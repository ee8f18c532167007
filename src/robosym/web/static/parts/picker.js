// The robot at hand: built-in ones by name, or the one that was opened or written; others from files and templates.
import { html, useEffect } from "../vendor/preact.mjs";
import { ask } from "../core/api.js";
import { useAsync, useRobot, useStore } from "../core/hooks.js";
import { command, suggest } from "../core/keys.js";
import { newDialog, openDialog, Opening, takeRobot } from "./opening.js";

const ORDER = ["serial", "tree", "closed", "parallel"];
const TITLES = { serial: "Arms", tree: "Trees", closed: "Closed loops", parallel: "Platforms on legs" };
const FAMILIES = /^(general-[1-9]\d{0,2}r|eel-[1-9]\d{0,2})$/; // robots of any number of joints, by their names
const OTHER = { "open…": openDialog, "new…": newDialog };

const open = (name) => takeRobot({ name }, "robot");
const familyOf = (text) => text.toLowerCase().split(/\s+/).filter((word) => FAMILIES.test(word))
  .map((name) => ({ title: `Open robot ${name}`, key: "", run: () => open(name) }));

export function Picker() {
  const spec = useStore((state) => state.robot);
  const { view } = useRobot();
  const { value: found } = useAsync(() => ask("/api/robots"), []);
  useEffect(() => {
    const stops = [suggest(familyOf), ...(found ?? []).map(({ name }) => command(`Open robot ${name}`, () => open(name)))];
    return () => stops.forEach((stop) => stop());
  }, [found]);
  const listed = found?.some((one) => one.name === spec.name);
  const own = spec.name && !spec.floating && (listed || !found) ? null : view?.name || spec.name || "…";
  const choose = (event) => {
    const { value } = event.target;
    event.target.value = own === null ? spec.name : "";
    if (value in OTHER) OTHER[value]();
    else if (value) open(value);
  };
  return html`<select class="picker" aria-label="Robot" value=${own === null ? spec.name : ""} onChange=${choose}>
    ${own !== null && html`<option value="">${own}</option>`}
    ${!found && own === null && html`<option value=${spec.name}>${spec.name}</option>`}
    <optgroup label="Your own"><option value="open…">Open…</option><option value="new…">New…</option></optgroup>
    ${found && ORDER.map((kind) => html`<optgroup label=${TITLES[kind]}>
      ${found.filter((one) => one.structure === kind).map((one) => html`<option value=${one.name} title=${one.description}>${one.name}</option>`)}
    </optgroup>`)}
  </select><${Opening} />`;
}
