// The tables of the robot at hand, and what is being written in them.
//
// An edit is a step of undo that puts whole tables into the room's state, the draft. They are checked; when they describe a robot it
// becomes the robot at hand, as TOML, and there is no draft any more: the cells show what was understood. Until then the robot stays.
import { useEffect, useState } from "../../vendor/preact.mjs";
import { ask } from "../../core/api.js";
import { useAsync, useStore } from "../../core/hooks.js";
import { robot as atHand, send } from "../../core/robot.js";
import * as store from "../../core/store.js";
import { say } from "../../parts/notices.js";

const NOTHING = Object.freeze({ problems: [], warnings: [], notes: [] });
const LATER = 120; // ms after a letter until what is being typed is checked
const known = new Map(); // tables by the text of their robot
const MOST_KNOWN = 20;

const textOf = (spec) => JSON.stringify(spec);

function remember(spec, tables) {
  known.set(textOf(spec), tables);
  if (known.size > MOST_KNOWN) known.delete(known.keys().next().value);
}

async function tablesOf(spec, signal) {
  if (!known.has(textOf(spec))) {
    const { key } = await send(spec, signal);
    remember(spec, await ask(`/api/robots/${encodeURIComponent(key)}/tables`, { signal }));
  }
  return known.get(textOf(spec));
}

export const checked = (tables, signal) => ask("/api/tables", { method: "POST", body: tables, signal });
export const write = (draft, what) => store.changeRoom("robot", { draft }, what);
export const forget = () => store.changeRoom("robot", { draft: null }, "forget what was written");

// The robot of a draft that is right, unless something else was written since.
function adopt(draft, { text, tables }) {
  const state = store.get();
  if (state.rooms.robot?.draft !== draft || !text) return;
  const robot = { text, format: "toml" };
  if (atHand.get()?.scene?.shapes.length && state.robot.format !== "toml") say("Tables have no shapes: from now on it is drawn from its frames. Undo brings them back.");
  remember(robot, tables);
  store.change({ robot, x: state.x, rooms: { ...state.rooms, robot: { ...state.rooms.robot, draft: null } } });
}

// A draft may come from a link: what is no table is none.
const TABLES = ["general", "frames", "joints", "inertia", "actuators", "loops", "legs", "values"];
const isRow = (row) => row !== null && typeof row === "object" && Object.values(row).every((cell) => typeof cell !== "object");
const areTables = (draft) => TABLES.every((id) => Array.isArray(draft?.[id])) && Object.values(draft).every((rows) => Array.isArray(rows) && rows.every(isRow));

// { tables, isDraft, findings, error, busy, attempt }: `attempt(tables)` checks what is being typed, null ends that.
export function useDraft() {
  const spec = useStore((state) => state.robot);
  const draft = useStore((state) => (areTables(state.rooms.robot?.draft) ? state.rooms.robot.draft : null));
  const { value: read, error } = useAsync((signal) => tablesOf(spec, signal), [textOf(spec)]);
  const tables = draft ?? known.get(textOf(spec)) ?? read;
  const [attempted, setAttempted] = useState(null);
  const [findings, setFindings] = useState(NOTHING);
  const [failure, setFailure] = useState(null);
  const [busy, setBusy] = useState(false);
  const subject = attempted ?? tables;
  useEffect(() => {
    if (!subject) return undefined;
    const stop = new AbortController();
    const run = async () => {
      setBusy(true);
      try {
        const found = await checked(subject, stop.signal);
        if (stop.signal.aborted) return;
        setFindings(found);
        setFailure(null);
        if (subject === draft) adopt(draft, found);
      } catch (problem) {
        if (!stop.signal.aborted) setFailure(problem);
      }
      setBusy(false);
    };
    const waiting = setTimeout(run, attempted ? LATER : 0);
    return () => { clearTimeout(waiting); stop.abort(); };
  }, [subject]);
  return { tables, isDraft: draft !== null, findings, error: failure ?? (draft ? null : error), busy, attempt: setAttempted };
}
