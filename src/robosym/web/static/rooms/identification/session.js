// What is at work in this tab: the files, what they hold, the recipe, a run and its report. It outlives the rooms; of all of it
// only the recipe is in the link, for recordings are too large.
import { useEffect, useState } from "../../vendor/preact.mjs";
import { job } from "../../core/jobs.js";
import { askRobot, robot } from "../../core/robot.js";
import * as store from "../../core/store.js";

const EMPTY = {
  files: [], look: null, looking: null, trouble: null, simulated: null, // recordings
  table: null, text: "", problems: [], doubts: [], checked: "", // the recipe; `checked` is the text that the problems are of
  run: null, report: null, failed: null, // { share, words, stop } while it runs
};

let now = { ...EMPTY };
const listeners = new Set();

export const get = () => now;

export function set(patch) {
  now = { ...now, ...patch };
  for (const listener of [...listeners]) listener();
}

export function useSession() {
  const [, again] = useState(0);
  useEffect(() => {
    const listener = () => again((n) => n + 1);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, []);
  return now;
}

// --- recordings ---------------------------------------------------------------------------------------------------------

const label = (name) => name.replace(/[^\p{L}\p{N}_.\- ()+]/gu, "_").replace(/^[. ]+|[. ]+$/g, "").slice(-80) || "file"; // as the server calls it

export function addFiles(list) {
  const added = [...list].map((file) => new File([file], label(file.name), { type: file.type }));
  const names = new Set(added.map((file) => file.name));
  return setFiles([...now.files.filter((file) => !names.has(file.name)), ...added]);
}

export const removeFile = (name) => setFiles(now.files.filter((file) => file.name !== name));

async function setFiles(files, simulated = null) {
  now.looking?.stop.abort();
  if (!files.length) {
    set({ files, look: null, looking: null, trouble: null, simulated: null });
    return;
  }
  const stop = new AbortController();
  set({ files, simulated, trouble: null, looking: { stop, words: "sending" } });
  try {
    const look = await job("look", {}, { files: { recordings: files }, signal: stop.signal });
    set({ look, looking: null });
    const untouched = !now.text || now.table === null || now.suggested === now.text;
    if (untouched) await suggest();
    else await check({ text: now.text });
  } catch (error) {
    if (!stop.signal.aborted) set({ look: null, looking: null, trouble: error });
  }
}

// A recording of the robot at hand that never happened.
export async function simulate() {
  now.looking?.stop.abort();
  const stop = new AbortController();
  set({ looking: { stop, words: "simulating" }, trouble: null });
  try {
    const progress = ({ share, words }) => set({ looking: { stop, share, words } });
    const made = await job("record", {}, { signal: stop.signal, progress });
    await setFiles([new File([made.text], made.name, { type: "text/csv" })], made.words);
  } catch (error) {
    if (!stop.signal.aborted) set({ looking: null, trouble: error });
  }
}

export const stopLooking = () => { now.looking?.stop.abort(); set({ looking: null }); };

// --- the recipe ---------------------------------------------------------------------------------------------------------

const columns = () => Object.fromEntries((now.look?.files ?? []).map((file) => [file.name, file.columns.map((one) => one.name)]));

export async function suggest() {
  if (!now.look?.table?.data) return;
  await check({ table: now.look.table });
  set({ suggested: now.text });
}

let turn = 0;
let wait = 0;

// Send tables or a text: the other of both, and the problems, come back; late answers to earlier questions do not count.
export async function check(given) {
  const own = ++turn;
  clearTimeout(wait);
  try {
    const found = await askRobot("/recipe", { method: "POST", body: { ...given, files: columns() } });
    if (own !== turn) return;
    const table = found.table ?? now.table;
    set({ table, text: found.text, problems: found.problems, doubts: found.doubts, checked: found.text });
    if (store.get().rooms.identification?.text !== found.text) store.changeRoom("identification", { text: found.text }, "recipe");
  } catch (error) {
    if (own === turn) set({ problems: [{ where: "text", message: error.message }] });
  }
}

function later(given, ms) {
  turn += 1;
  clearTimeout(wait);
  wait = setTimeout(() => check(given), ms);
}

// The form: one key of one table (of the top: section ""); undefined takes it away.
export function put(section, key, value) {
  const before = section ? now.table?.[section] ?? {} : now.table ?? {};
  const after = { ...before, [key]: value };
  if (value === undefined) delete after[key];
  putTable(section ? { ...now.table, [section]: after } : after);
}

export function putTable(table) {
  const kept = Object.fromEntries(Object.entries(table).filter(([, one]) => one !== undefined));
  set({ table: kept });
  later({ table: kept }, 150);
}

export function putText(text) {
  set({ text });
  later({ text }, 300);
}

// What the link, undo or another robot changed.
export function follow() {
  const text = store.get().rooms.identification?.text ?? "";
  if (text && text !== now.text) check({ text });
}

let key = null;

export function robotChanged() {
  const next = robot.get()?.key;
  if (key !== null && next !== key) {
    if (now.files.length) setFiles(now.files, now.simulated);
    else if (now.text) check({ text: now.text });
  }
  key = next;
}

// --- a run --------------------------------------------------------------------------------------------------------------

export async function run() {
  const stop = new AbortController();
  const about = robot.get().spec;
  set({ run: { share: null, words: "starting", stop }, failed: null });
  try {
    const progress = ({ share, words }) => set({ run: { share, words, stop } });
    const report = await job("identify", { recipe: now.text }, { files: { recordings: now.files }, signal: stop.signal, progress });
    set({ run: null, report: { ...report, spec: about, simulated: now.simulated } });
  } catch (error) {
    const words = stop.signal.aborted ? { message: "Stopped. Nothing was changed.", stopped: true } : error;
    const places = (error.problems ?? []).filter((one) => one.where);
    set({ run: null, failed: words, problems: places.length ? places : now.problems });
  }
}

export const stopRun = () => now.run?.stop.abort();
