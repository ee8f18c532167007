// What went wrong, in words, with every problem and its place.
import { html } from "../vendor/preact.mjs";

export function Problem({ error }) {
  const problems = error.problems ?? [];
  if (problems.length < 2) return html`<div class="problem" role="alert">${error.message}</div>`;
  return html`<div class="problem" role="alert">${problems.length} problems:
    <ul>${problems.map((one) => html`<li><b>${one.where}</b>${one.where ? ": " : ""}${one.message}</li>`)}</ul></div>`;
}
