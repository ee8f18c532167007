// The options of a model as controls: what its signature says, with its meaning.
import { html } from "../../vendor/preact.mjs";

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

export function Options({ options, given, set, left }) {
  if (!options.length) return null;
  const first = options.filter(isCommon);
  const more = options.filter((one) => !isCommon(one));
  const changed = more.some((one) => one.name in given);
  const control = (one) => html`<${Control} key=${one.name} option=${one} value=${one.name in given ? given[one.name] : one.default} wrong=${left.find(({ where }) => where === one.name)}
    put=${(value) => set(one.name, same(value, one.default) ? undefined : value)} />`;
  const strange = left.filter(({ where }) => !options.some((one) => one.name === where));
  return html`<div class="options" role="group" aria-label="Options">
    ${first.map(control)}
    ${more.length > 0 && html`<details open=${changed || undefined}><summary>More options</summary><div class="options">${more.map(control)}</div></details>`}
    ${strange.map((one) => html`<span class="hint left-out">left out: ${one.where} ${one.message.split(";")[0]}
      <button class="plain" onClick=${() => set(one.where, undefined)}>Forget it</button></span>`)}
  </div>`;
}

// What one changes often stands in sight; the rest folds away.
const COMMON = new Set(["parameters", "friction", "frame", "axes", "method", "mode", "model", "coordinates", "output", "integrator", "rows", "part"]);
const isCommon = (option) => COMMON.has(option.name);

function Control({ option, value, wrong, put }) {
  const { name, label, kind, meaning, choices } = option;
  const id = `option-${name}`;
  const base = { id, title: meaning, "aria-invalid": wrong ? "true" : undefined };
  let control;
  if (kind === "flag") {
    return html`<label class="field" title=${meaning}><input ...${base} type="checkbox" checked=${value === true} onChange=${(e) => put(e.target.checked)} />${label}</label>`;
  } else if (kind === "choice" || kind === "frame") {
    const at = choices.findIndex((one) => same(one.value, value));
    control = html`<select ...${base} value=${String(at)} onChange=${(e) => put(choices[Number(e.target.value)].value)}>
      ${at < 0 && html`<option value="-1">${String(value)}</option>`}
      ${choices.map((one, k) => html`<option value=${String(k)}>${one.words}</option>`)}</select>`;
  } else if (kind === "several") {
    return html`<${Several} option=${option} value=${value} put=${put} />`;
  } else if (kind === "integer" || kind === "number") {
    control = html`<input ...${base} type="number" step=${kind === "integer" ? 1 : "any"} min=${kind === "integer" ? 1 : undefined} value=${value} onChange=${(e) => put(e.target.value === "" ? null : Number(e.target.value))} />`;
  } else {
    control = html`<input ...${base} type="text" size="14" placeholder=${HINTS[kind] ?? ""} value=${written(kind, value)} onChange=${(e) => put(read(kind, e.target.value))} />`;
  }
  return html`<span class="field-with-word"><label class="field" for=${id} title=${meaning}>${label}</label>${control}
    ${wrong && html`<span class="wrong" role="alert">${wrong.message}</span>`}</span>`;
}

function Several({ option, value, put }) {
  const list = Array.isArray(value) ? value : value === "all" ? ["all"] : [];
  const toggle = (one, is) => {
    if (one === "all") return put(is ? "all" : null);
    const next = option.choices.map((choice) => choice.value).filter((word) => word !== "all" && (word === one ? is : list.includes(word)));
    put(next.length ? next : null);
  };
  return html`<fieldset class="several" title=${option.meaning}><legend>${option.label}</legend>
    ${option.choices.map((one) => html`<label class="field"><input type="checkbox" checked=${list.includes(one.value)} onChange=${(e) => toggle(one.value, e.target.checked)} />${one.words}</label>`)}</fieldset>`;
}

const HINTS = { tool: "x, y, z", numbers: "joint=value, …", names: "name, …", data: "{…}" };

function written(kind, value) {
  if (value === null || value === undefined) return "";
  if (kind === "numbers") return Object.entries(value).map(([name, x]) => `${name}=${x}`).join(", ");
  if (kind === "data") return JSON.stringify(value);
  if (value === true) return "yes";
  if (value === false) return "no";
  return Array.isArray(value) ? (value.some(Array.isArray) ? JSON.stringify(value) : value.join(", ")) : String(value);
}

// What a field says, as JSON; what is not understood goes as it is, and the server says what is expected.
function read(kind, text) {
  const word = text.trim();
  if (!word) return null;
  if (kind === "numbers") {
    const pairs = word.split(",").map((one) => one.split("=").map((part) => part.trim()));
    return pairs.every((one) => one.length === 2 && one[1] !== "" && Number.isFinite(Number(one[1]))) ? Object.fromEntries(pairs.map(([name, x]) => [name, Number(x)])) : word;
  }
  if (kind === "data" || word.startsWith("[")) { try { return JSON.parse(word); } catch { return word; } }
  return word;
}
