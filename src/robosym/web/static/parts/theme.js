// Light or dark: as the system has it, until one is chosen. The choice is of this browser, not of the link.

const KEY = "robosym.theme";
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set();

const chosen = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
export const theme = () => chosen() ?? (dark.matches ? "dark" : "light");

function show() {
  document.documentElement.dataset.theme = theme();
  for (const listener of [...listeners]) listener(theme());
}

export function startTheme() {
  dark.addEventListener("change", show);
  show();
}

export function switchTheme() {
  const next = theme() === "dark" ? "light" : "dark";
  try { localStorage.setItem(KEY, next); } catch { /* private windows */ }
  document.documentElement.dataset.theme = next;
  show();
}

// Called when it changes: drawings take their colours from the style of the page.
export function onTheme(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
