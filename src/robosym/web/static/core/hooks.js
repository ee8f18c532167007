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
  return { robot: robot.get(), problem: robot.problem() }; // of a robot that cannot be drawn scene and direct are null
}

export function useConnection() {
  const [is, set] = useState(connection.get());
  useEffect(() => connection.subscribe(set), []);
  return is;
}

// What a promise gives: { value, error, busy, last }. `make(signal)` is called anew when one of the inputs changes; from then on
// there is no value until its own comes: an answer of other inputs is never taken for theirs. `last` is the last there was, for
// who shows it as such.
export function useAsync(make, inputs) {
  const [found, set] = useState({ value: null, error: null, of: null });
  useEffect(() => {
    const stop = new AbortController();
    make(stop.signal).then(
      (value) => { if (!stop.signal.aborted) set({ value, error: null, of: inputs }); },
      (error) => { if (!stop.signal.aborted) set({ value: null, error, of: inputs }); },
    );
    return () => stop.abort();
  }, inputs);
  const here = found.of?.every((one, k) => Object.is(one, inputs[k])) ?? false;
  return { value: here ? found.value : null, error: here ? found.error : null, busy: !here, last: found.value };
}
