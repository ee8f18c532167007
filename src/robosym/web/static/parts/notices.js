// Short words on the page, read out by screen readers: a link was copied, a file was not a robot.
import { html, useEffect, useState } from "../vendor/preact.mjs";

const listeners = new Set();
let unheard = []; // said before the page stood
let next = 0;

export function say(text, kind = "") {
  const notice = { id: ++next, text: String(text), kind };
  if (!listeners.size) unheard.push(notice);
  for (const listener of listeners) listener(notice);
}

export function Notices() {
  const [shown, set] = useState([]);
  useEffect(() => {
    const add = (notice) => {
      set((before) => [...before.slice(-2), notice]);
      setTimeout(() => set((before) => before.filter((one) => one !== notice)), notice.kind === "bad" ? 12000 : 4000);
    };
    listeners.add(add);
    unheard.forEach(add);
    unheard = [];
    return () => listeners.delete(add);
  }, []);
  return html`<div class="notices" role="status" aria-live="polite">
    ${shown.map((one) => html`<div key=${one.id} class=${`notice ${one.kind}`}>${one.text}
      <button class="plain" aria-label="Close this message" onClick=${() => set((before) => before.filter((x) => x !== one))}>×</button></div>`)}
  </div>`;
}
