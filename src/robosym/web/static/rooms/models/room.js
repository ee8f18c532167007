// A menu of models: which one, its options and counts, then its equations beside its code, and what else it says.
import { html, useEffect, useRef } from "../../vendor/preact.mjs";
import { useAsync, useStore } from "../../core/hooks.js";
import { command } from "../../core/keys.js";
import * as store from "../../core/store.js";
import { Problem } from "../../parts/problem.js";
import { About } from "./about.js";
import { Counts } from "./counts.js";
import * as data from "./data.js";
import { Options } from "./options.js";
import { Panes } from "./panes.js";
import { Reading } from "./reading.js";
import { Values } from "./values.js";

export const choose = (room, name) => store.change({ room, model: { ...store.get().model, [room]: name } }, `model ${name}`);

// The model of the link where the robot has it; else the first of the menu.
function useChosen(room, robot) {
  const asked = useStore((state) => state.model[room]);
  const { value: menus, error } = useAsync(() => data.menus(), [robot.key]);
  const menu = menus?.find((one) => one.menu === room)?.models ?? [];
  const sure = menus ? menu.some((one) => one.name === asked) : robot.view.models.includes(asked);
  return { menus, menu, error, name: sure ? asked : menu[0]?.name };
}

function useCommands(menus, languages) {
  useEffect(() => {
    const stops = (menus ?? []).flatMap(({ menu, models }) =>
      models.map((one) => command(`Model: ${one.title}`, () => choose(menu, one.name))));
    return () => stops.forEach((stop) => stop());
  }, [menus]);
  useEffect(() => {
    const stops = (languages ?? []).map((one) => command(`Code in ${one.title}`, () => store.change({ language: one.name }, "language")));
    return () => stops.forEach((stop) => stop());
  }, [languages]);
}

export function Room({ room, robot }) {
  const { menus, menu, error, name } = useChosen(room, robot);
  const all = useStore((state) => state.options);
  const options = all[name] ?? {};
  const { value: languages } = useAsync(() => data.languages(), []);
  useCommands(menus, languages);
  const begun = useRef(performance.now());
  const asked = `${robot.key} ${name} ${JSON.stringify(options)}`;
  const found = useAsync(async () => {
    if (!name) return null;
    begun.current = performance.now();
    return { ...(await data.model(name, options)), asked, of: `${robot.key} ${name}` };
  }, [asked]);
  const head = found.value ?? (found.last?.of === `${robot.key} ${name}` ? found.last : null); // the options stay while others are derived
  const set = (option, value) => {
    const own = { ...options, [option]: value };
    if (value === undefined) delete own[option];
    store.change({ options: { ...store.get().options, [name]: own } }, `option ${option}`);
  };
  const shown = found.value?.view;
  if (menus && !menu.length) return html`<div class="empty">This robot has no model of this kind.</div>`;
  return html`<div class="models" data-busy=${found.busy ? "true" : "false"}>
    <header class="head model-head">
      <div class="model-said">
        <${ModelPicker} menu=${menu} name=${name} title=${head?.view.title} choose=${(next) => choose(room, next)} />
        <p>${head ? head.view.about : "…"}</p>
      </div>
      ${shown && html`<${Counts} view=${shown} />`}
      ${head && html`<${Options} options=${head.view.options} given=${options} set=${set} left=${found.value?.left ?? []} />`}
    </header>
    ${error && html`<${Problem} error=${error} />`}
    ${found.error && html`<${Problem} error=${found.error} />`}
    ${shown && html`<${Tabs} room=${room} found=${found.value} robot=${robot} languages=${languages ?? []} begun=${begun} />`}
    ${!shown && !found.error && html`<div class="empty" role="status">Deriving the model …</div>`}
  </div>`;
}

function ModelPicker({ menu, name, title, choose: take }) {
  return html`<h1 class="hidden">${title ?? name}</h1>
    <select class="model-pick" aria-label="Model" value=${name} onChange=${(event) => take(event.target.value)}>
      ${menu.length ? menu.map((one) => html`<option value=${one.name} title=${one.gives}>${one.title}</option>`) : html`<option value=${name}>${title ?? "…"}</option>`}
    </select>`;
}

function Tabs({ room, found, robot, languages, begun }) {
  const { view } = found;
  const kept = useStore((state) => state.rooms.models?.tab) ?? "equations";
  const tabs = [["equations", "Equations and code"], ["values", "Values"], ...(view.reading ? [["reading", view.reading.title]] : []), ["about", "Inputs and outputs"]];
  const tab = tabs.some(([id]) => id === kept) ? kept : "equations";
  const enter = (id) => store.changeRoom("models", { tab: id }, "tab");
  const keys = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = (tabs.findIndex(([id]) => id === tab) + step + tabs.length) % tabs.length;
    enter(tabs[next][0]);
    event.currentTarget.children[next].focus();
  };
  return html`<div class="tabs" role="tablist" aria-label="Of this model" onKeyDown=${keys}>
      ${tabs.map(([id, title]) => html`<button key=${id} class="tab" role="tab" id=${`tab-${id}`} aria-selected=${tab === id ? "true" : "false"} aria-controls="model-panel"
        tabindex=${tab === id ? 0 : -1} onClick=${() => enter(id)}>${title}</button>`)}
    </div>
    <div class="model-panel" role="tabpanel" id="model-panel" aria-labelledby=${`tab-${tab}`}>
      ${tab === "equations" && html`<${Panes} found=${found} languages=${languages} begun=${begun} />`}
      ${tab === "values" && html`<${Values} found=${found} robot=${robot} />`}
      ${tab === "reading" && html`<${Reading} reading=${view.reading} />`}
      ${tab === "about" && html`<${About} view=${view} />`}
    </div>`;
}
