// What components listen to.
import { useEffect, useRef, useState } from "../vendor/preact.mjs";
import * as store from "./store.js";
import { robot } from "./robot.js";
import { connection } from "./api.js";

// A part of the state; the component is rendered anew when that part changes.
export function useStore(part = (state) => state) {
  const [, again] = useState(0);
  const seen = useRef();
  seen.current = part(store.get());
  useEffect(() => store.subscribe((state) => { if (part(state) !== seen.current) again((n) => n + 1); }), []);
  return seen.current;
}

export function useRobot() {
  const [, again] = useState(0);
  useEffect(() => robot.subscribe(() => again((n) => n + 1)), []);
  const found = robot.get(); // its view is known also where it cannot be drawn
  return { robot: found?.scene ? found : null, view: found?.view ?? null, problem: robot.problem() };
}

export function useConnection() {
  const [is, set] = useState(connection.get());
  useEffect(() => connection.subscribe(set), []);
  return is;
}

// What a promise gives: { value, error, busy }. `make(signal)` is called anew when one of the inputs changes.
export function useAsync(make, inputs) {
  const [found, set] = useState({ value: null, error: null, busy: true });
  useEffect(() => {
    const stop = new AbortController();
    set((before) => ({ ...before, busy: true }));
    make(stop.signal).then(
      (value) => { if (!stop.signal.aborted) set({ value, error: null, busy: false }); },
      (error) => { if (!stop.signal.aborted) set({ value: null, error, busy: false }); },
    );
    return () => stop.abort();
  }, inputs);
  return found;
}
