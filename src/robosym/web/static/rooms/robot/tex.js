// A symbol, typeset.
import { html, useEffect, useRef } from "../../vendor/preact.mjs";
import katex from "../../vendor/katex.mjs";

export function Tex({ text }) {
  const place = useRef();
  useEffect(() => { katex.render(text, place.current, { throwOnError: false, output: "html" }); }, [text]);
  return html`<span ref=${place} class="tex" aria-hidden="true"></span>`;
}
