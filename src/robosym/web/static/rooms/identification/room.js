// The room of identification: its models, a recording turned into parameters, and motions that are worth recording.
import { html, useEffect } from "../../vendor/preact.mjs";
import { command } from "../../core/keys.js";
import { useStore } from "../../core/hooks.js";
import * as store from "../../core/store.js";
import { Room as Models } from "../models/room.js";
import { Excite } from "./excite.js";
import { Identify } from "./identify.js";

const TABS = [["models", "Models"], ["identify", "Identify"], ["excite", "Excite"]];

const turnTo = (tab) => store.changeRoom("identification", { tab }, `tab ${tab}`);

export function Room(given) {
  const tab = useStore((state) => state.rooms.identification?.tab ?? "models");
  useEffect(() => {
    const stops = TABS.map(([id, title]) => command(`Identification: ${title}`, () => turnTo(id)));
    return () => stops.forEach((stop) => stop());
  }, []);
  const step = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const at = TABS.findIndex(([id]) => id === tab);
    const next = TABS[(at + by + TABS.length) % TABS.length][0];
    event.preventDefault();
    turnTo(next);
    requestAnimationFrame(() => document.getElementById(`identification-${next}`)?.focus());
  };
  return html`<div class="tabs" role="tablist" aria-label="Identification">
      ${TABS.map(([id, title]) => html`<button class="tab" role="tab" id=${`identification-${id}`} aria-selected=${tab === id ? "true" : "false"}
        tabindex=${tab === id ? "0" : "-1"} aria-controls="identification-panel" onClick=${() => turnTo(id)} onKeyDown=${step}>${title}</button>`)}
    </div>
    <div class="identification" id="identification-panel" role="tabpanel" aria-labelledby=${`identification-${tab}`}>
      ${tab === "identify" ? html`<${Identify} robot=${given.robot} />` : tab === "excite" ? html`<${Excite} robot=${given.robot} />` : html`<${Models} ...${given} />`}
    </div>`;
}
