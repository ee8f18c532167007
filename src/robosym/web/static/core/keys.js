// Keys of the whole page, and the commands of the palette: rooms add theirs with `command`.

const commands = new Map(); // by name: { title, key, run }

// `key` as "Mod+K", "Shift+D", "?" (Mod is Ctrl, on a Mac also Command). Returns what takes the command away again.
export function command(title, run, key = "") {
  commands.set(title, { title, key, run });
  return () => { if (commands.get(title)?.run === run) commands.delete(title); };
}

// Commands for what is being typed in the palette: `make(text)` gives a list of them.
const makers = new Set();

export function suggest(make) {
  makers.add(make);
  return () => makers.delete(make);
}

export const all = () => [...commands.values()];
export const suggested = (text) => [...makers].flatMap((make) => make(text));

function pressed(event) {
  const parts = [];
  if (event.ctrlKey || event.metaKey) parts.push("Mod");
  if (event.altKey) parts.push("Alt");
  if (event.shiftKey && event.key.length > 1) parts.push("Shift");
  parts.push(event.key.length === 1 && parts.length ? event.key.toUpperCase() : event.key);
  if (event.shiftKey && event.key.length === 1 && parts.length > 1) parts.splice(-1, 0, "Shift");
  return parts.join("+");
}

const WRITING = new Set(["INPUT", "TEXTAREA", "SELECT"]);

export function listen() {
  document.addEventListener("keydown", (event) => {
    const key = pressed(event);
    const writing = WRITING.has(event.target?.tagName) && event.target.type !== "range" && event.target.type !== "checkbox";
    const found = all().find((one) => one.key === key);
    if (!found || event.defaultPrevented) return;
    if (writing && !(key.startsWith("Mod+") && !["Mod+Z", "Mod+Shift+Z", "Mod+Y"].includes(key))) return;
    event.preventDefault();
    found.run();
  });
}
