import { html } from "../vendor/preact.mjs";

export function Left() {
  return html`<section class="left" aria-label="The robot"></section>`;
}
