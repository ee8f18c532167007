// Fields of forms: numbers with units, numbers of which there may be one or many, choices. A field that makes no sense says so.
import { html, useEffect, useState } from "../../vendor/preact.mjs";
import { factor, short } from "./units.js";

// A number in the unit that is shown; `set(null)` if it is emptied and may be. Taken when it is left, or by Enter.
export function NumberField({ value, set, unit = "", name, placeholder = "", empty = true, title, min, decimals, wide = false }) {
  const scale = factor(unit);
  const text = value === null || value === undefined ? "" : decimals === undefined ? short(value * scale, 9) : String(Number((value * scale).toFixed(decimals)) + 0);
  const [own, setOwn] = useState(text);
  const [bad, setBad] = useState(false);
  useEffect(() => { setOwn(text); setBad(false); }, [text]);
  const take = () => {
    const words = own.trim().replace(",", ".");
    if (words === text) return setBad(false);
    if (!words && empty) { setBad(false); return set(null); }
    const found = Number(words);
    if (!words || !Number.isFinite(found) || (min !== undefined && found < min)) return setBad(true);
    setBad(false);
    return set(found / scale);
  };
  return html`<input type="text" inputmode="decimal" class=${wide ? "m-amount wide" : "m-amount"} aria-label=${name} title=${title} aria-invalid=${bad ? "true" : undefined}
    value=${own} placeholder=${placeholder} onInput=${(e) => setOwn(e.target.value)} onBlur=${take} onKeyDown=${(e) => { if (e.key === "Enter") take(); }} />`;
}

export function Choice({ title, value, set, choices, hint, disabled }) {
  return html`<label class="m-line" title=${hint}><span>${title}</span>
    <select aria-label=${title} value=${String(value)} disabled=${disabled} onChange=${(e) => set(choices.find(({ id }) => String(id) === e.target.value).id)}>
      ${choices.map(({ id, name }) => html`<option value=${String(id)}>${name}</option>`)}
    </select></label>`;
}

export function Flag({ title, value, set, hint }) {
  return html`<label class="m-line flag" title=${hint}><span>${title}</span><input type="checkbox" aria-label=${title} checked=${value} onChange=${(e) => set(e.target.checked)} /></label>`;
}

export function Line({ title, hint, unit, children }) {
  return html`<div class="m-line" title=${hint}><span>${title}</span><span class="m-entry">${children}${unit && html`<span class="m-unit">${unit}</span>`}</span></div>`;
}

// What an option of a law may be: a number, several with commas, or one of its words.
export function valueOf(text, option) {
  const words = text.trim();
  if (!words) return undefined;
  const known = option.choices.find((one) => String(one) === words);
  if (known !== undefined) return known;
  const numbers = words.split(/[\s,;]+/).map(Number);
  return numbers.every(Number.isFinite) ? (numbers.length === 1 ? numbers[0] : numbers) : words;
}
