// The source: one <pre> with a span for each line, coloured when seen; the long notes on top fold away.
import { html, useEffect, useMemo, useRef, useState } from "../../vendor/preact.mjs";
import { useAsync, useStore } from "../../core/hooks.js";
import * as store from "../../core/store.js";
import { say } from "../../parts/notices.js";
import { Problem } from "../../parts/problem.js";
import { colour, headOf, notesOf } from "./colour.js";
import * as data from "./data.js";
import { saved } from "./files.js";
import { Library } from "./library.js";
import { whenSeen } from "./typeset.js";

export function Code({ found, languages, lit }) {
  const { view, options } = found;
  const asked = useStore((state) => state.language);
  const there = languages.filter((one) => !view.routine || one.routines);
  const language = !there.length || there.some((one) => one.name === asked) ? asked : there[0].name;
  const { value, error, busy } = useAsync(async () => ({ ...(await data.code(view.name, language, options)), language }), [found.asked, language]);
  const ending = languages.find((one) => one.name === language)?.ending ?? "txt";
  return html`<${Source} source=${value} error=${error} busy=${busy} lit=${lit} file=${`${view.name}.${ending}`} language=${language} languages=${there}>
    <${Library} /></${Source}>`;
}

// Any source with its twins; the optimizer shows its own.
export function Source({ source, error, busy, lit, file, language, languages, children }) {
  const [open, setOpen] = useState(false);
  const pane = useRef();
  const { lines, notes } = useMemo(() => read(source), [source]);
  const head = headOf(notes);
  useEffect(() => {
    if (!source) {
      pane.current.querySelector("pre").replaceChildren();
      return undefined;
    }
    const watch = whenSeen(pane.current, (node) => colour(node, lines[node.dataset.row], notes[node.dataset.row]));
    const pre = pane.current.querySelector("pre");
    fill(pre, lines, head, watch);
    pre.dataset.language = source.language;
    lit.setTwins(source.twins);
    lit.code = pane.current;
    pane.current.scrollTop = 0;
    return () => watch.disconnect();
  }, [source]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(source.text);
      say("The source is copied.");
    } catch {
      say("The browser does not let this page copy: mark the text, or download it.", "bad");
    }
  };
  return html`<section class="pane source" aria-label="Code" data-open=${open ? "true" : "false"}>
    <div class="pane-head"><h2>Code</h2>
      <select aria-label="Language" value=${language} onChange=${(e) => store.change({ language: e.target.value }, "language")}>
        ${languages.length ? languages.map((one) => html`<option value=${one.name}>${one.title}</option>`) : html`<option value=${language}>${language}</option>`}
      </select>
      <span class="end"><button onClick=${copy} disabled=${!source || busy}>Copy</button>
      <button onClick=${() => saved(file, source.text)} disabled=${!source || busy}>Download</button>${children}</span></div>
    ${error && html`<${Problem} error=${error} />`}
    <div class="pane-body" ref=${pane} data-busy=${busy ? "true" : "false"}>
      ${head > 0 && html`<button class="plain fold" aria-expanded=${open ? "true" : "false"} onClick=${() => setOpen(!open)}>Notes on inputs and outputs <small>${head} lines</small></button>`}
      ${busy && !source && html`<p class="hint wait" role="status">Writing the source …</p>`}
      <pre class="code" role="group" tabindex="0" aria-label="Source code"></pre>
    </div>
  </section>`;
}

function read(source) {
  const lines = source ? source.text.split("\n") : [];
  return { lines, notes: source ? notesOf(lines, source.language) : [] };
}

function fill(pre, lines, head, watch) {
  const notes = document.createElement("span");
  notes.className = "code-head";
  const rows = lines.map((line, k) => {
    const row = document.createElement("span");
    row.className = "row";
    row.dataset.row = k;
    row.textContent = k < lines.length - 1 ? `${line}\n` : line;
    if (k < lines.length - 1) watch.observe(row);
    return row;
  });
  notes.append(...rows.slice(0, head));
  pre.replaceChildren(...(head ? [notes] : []), ...rows.slice(head));
}
