// Lines of the equations and of the code that say the same are lit together.

export function twinLights() {
  let twins = {};
  let keys = new Map(); // of each row of the code
  let lit = [];
  let shown = null;
  const self = {
    current: null, // the line that was chosen by a click or a key: keys go on from it
    equations: null,
    code: null,
    setTwins(next) {
      twins = next;
      keys = new Map();
      for (const [key, rows] of Object.entries(next)) for (const row of rows) if (!keys.has(row)) keys.set(row, key);
      self.show(null);
    },
    keyOf(node) {
      const line = node.closest?.(".line, .row");
      if (!line) return null;
      return line.dataset.key ?? keys.get(Number(line.dataset.row)) ?? null;
    },
    show(key, { scroll = "" } = {}) {
      for (const node of lit) { node.classList.remove("lit"); if (node.hasAttribute("aria-selected")) node.setAttribute("aria-selected", "false"); }
      lit = [];
      shown = key;
      if (scroll) self.current = key;
      if (key === null) return;
      const line = self.equations?.querySelector(`.line[data-key="${CSS.escape(key)}"]`);
      const rows = (twins[key] ?? []).map((row) => self.code?.querySelector(`.row[data-row="${row}"]`)).filter(Boolean);
      lit = [line, ...rows].filter(Boolean);
      for (const node of lit) node.classList.add("lit");
      line?.setAttribute("aria-selected", "true");
      if (scroll === "code") rows[0]?.scrollIntoView({ block: "center" });
      if (scroll === "equations") line?.scrollIntoView({ block: "center" });
    },
    // Lines that scroll past a pointer at rest are not meant.
    over(event) {
      if (!event.movementX && !event.movementY) return;
      const key = self.keyOf(event.target);
      if (key !== null && key !== shown) self.show(key);
    },
    click(event) {
      const key = self.keyOf(event.target);
      if (key !== null) self.show(key, { scroll: event.target.closest(".line") ? "code" : "equations" });
    },
  };
  return self;
}
