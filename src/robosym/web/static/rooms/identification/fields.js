// Fields of the recipe: each shows the problems of its key.
import { html, useId, useState } from "../../vendor/preact.mjs";

// Problems of a key ("torque, gain"), also of one of its entries ("torque, gain 3").
export const problemsAt = (problems, where) => problems.filter((one) => one.where === where || one.where.startsWith(`${where} `));

// What somebody typed: a number where it is one, else the text (an expression such as -pi/2); nothing where it is empty.
export function typed(text) {
  const plain = text.trim();
  if (plain === "") return undefined;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : plain;
}

// A line of text that is its writer's while it is written: "1." stays so, whatever it means so far.
export function Line({ value, onValue, ...more }) {
  const [draft, setDraft] = useState(null);
  return html`<input type="text" ...${more} value=${draft ?? value ?? ""} onInput=${(e) => { setDraft(e.target.value); onValue(typed(e.target.value)); }} onBlur=${() => setDraft(null)} />`;
}

export function Messages({ problems, id }) {
  return problems.length ? html`<span class="wrong" id=${id}>${problems.map((one) => html`<span>${one.message}</span>`)}</span>` : null;
}

// A field with its label above and its problems below.
export function Field({ label, hint, problems = [], children }) {
  const id = useId();
  const wrong = problems.length > 0;
  return html`<div class="entry"><label for=${id}>${label}</label>${children({ id, "aria-invalid": wrong ? "true" : undefined, "aria-describedby": wrong ? `${id}-wrong` : undefined })}
    ${wrong ? html`<${Messages} problems=${problems} id=${`${id}-wrong`} />` : hint && html`<span class="hint">${hint}</span>`}</div>`;
}

export function Text({ label, hint, value, problems, placeholder, onValue }) {
  return html`<${Field} label=${label} hint=${hint} problems=${problems}>
    ${(more) => html`<${Line} ...${more} value=${value} placeholder=${placeholder} onValue=${onValue} />`}<//>`;
}

export function Choice({ label, hint, value, problems, choices, onValue }) {
  const all = choices.map((one) => (Array.isArray(one) ? one : [one, one]));
  const known = all.some(([id]) => id === value);
  return html`<${Field} label=${label} hint=${hint} problems=${problems}>
    ${(more) => html`<select ...${more} value=${value} onChange=${(e) => onValue(e.target.value)}>
      ${!known && html`<option value=${value}>${String(value)}</option>`}
      ${all.map(([id, title]) => html`<option value=${id} selected=${id === value}>${title}</option>`)}</select>`}<//>`;
}

export function Check({ label, value, onValue }) {
  return html`<label class="field"><input type="checkbox" checked=${value} onChange=${(e) => onValue(e.target.checked)} />${label}</label>`;
}
