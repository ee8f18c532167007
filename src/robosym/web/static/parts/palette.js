// Ctrl-K: every command of the page by its name.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact.mjs";
import { all, suggested } from "../core/keys.js";

const words = (text) => text.toLowerCase();

export function Palette({ close }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const dialog = useRef();
  useLayoutEffect(() => { dialog.current.showModal(); }, []); // before the next key is pressed
  const wanted = words(text).split(/\s+/).filter(Boolean);
  const known = all().filter((one) => wanted.every((word) => words(one.title).includes(word)));
  const found = [...known, ...suggested(text).filter((one) => !known.some((other) => other.title === one.title))].slice(0, 60);
  const run = (one) => { dialog.current.close(); one.run(); };
  const keys = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) { event.preventDefault(); setAt((at + step + found.length) % Math.max(found.length, 1)); }
    if (event.key === "Enter" && found[at]) { event.preventDefault(); run(found[at]); }
  };
  useEffect(() => { dialog.current.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" }); }, [at]);
  return html`<dialog ref=${dialog} class="palette" aria-label="Commands" onClose=${close} onClick=${(e) => { if (e.target === dialog.current) dialog.current.close(); }}>
    <input type="search" role="combobox" aria-expanded="true" aria-controls="palette-list" aria-activedescendant=${found[at] ? `palette-${at}` : undefined}
      aria-label="Command" placeholder="What do you want to do?" value=${text} autofocus
      onInput=${(e) => { setText(e.target.value); setAt(0); }} onKeyDown=${keys} />
    <ul id="palette-list" role="listbox" aria-label="Commands">
      ${found.map((one, k) => html`<li id=${`palette-${k}`} role="option" aria-selected=${k === at ? "true" : "false"} onClick=${() => run(one)} onPointerMove=${() => setAt(k)}>
        <span>${one.title}</span>${one.key && html`<kbd>${one.key.replace("Mod", "Ctrl")}</kbd>`}</li>`)}
    </ul>
    ${!found.length && html`<p class="empty">Nothing here has these words.</p>`}
  </dialog>`;
}
