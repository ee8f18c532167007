// Formulas are typeset when they come into sight: a model may have thousands.
import katex from "../../vendor/katex.mjs";

const AHEAD = "400px 0px";

export function render(latex, node) {
  katex.render(latex, node, { throwOnError: false, trust: false, strict: "ignore", displayMode: false });
}

// Calls `draw(node)` once for each node that comes into sight within the pane.
export function whenSeen(pane, draw) {
  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      watch.unobserve(target);
      draw(target);
    }
  }, { root: pane, rootMargin: AHEAD });
  return watch;
}
