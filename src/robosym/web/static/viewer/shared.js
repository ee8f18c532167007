// The viewer of the page, for rooms: they may trace a path, run a clock, light a joint.

let current = null;
const listeners = new Set();

export function setViewer(viewer) {
  current = viewer;
  for (const listener of [...listeners]) listener(viewer);
}

// Called now, if there is one, and with each that comes.
export function onViewer(listener) {
  listeners.add(listener);
  if (current) listener(current);
  return () => listeners.delete(listener);
}
