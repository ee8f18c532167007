import { html } from "../../vendor/preact.mjs";

export function Room() {
  return html`<div class="empty">models</div>`;
}
