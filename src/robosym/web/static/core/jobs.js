// Long work on the server: begun, followed, stopped; files that are sent for it. A connection that is lost is taken up again,
// and what a server forgot that was restarted, the robot, the files or the job itself, is sent again.
import { ask, Refused } from "./api.js";
import { robot, send } from "./robot.js";

const PAGE = crypto.randomUUID(); // each tab may have so many jobs at once
const MOST_STARTS = 3;
const MEGABYTES = 200; // of a file: the server refuses larger ones too, but only after they came
const known = new WeakMap(); // id on the server, by File

// What the job gives. `progress({ share, words })` is told how far it is (share is null when nobody knows); `signal` stops it;
// `files` are Files, or ids of `upload`, or lists of them, by argument; `robot: false` is a job without one.
export async function job(kind, given = {}, { progress = () => {}, signal, files = {}, robot: withRobot = true } = {}) {
  const about = withRobot ? robot.get() : null;
  for (let starts = 1; ; starts += 1) {
    try {
      const id = await begin(kind, given, about, files, signal);
      return await followed(id, progress, signal);
    } catch (error) {
      if (error.status !== 404 || starts === MOST_STARTS || !(await sentAgain(error, about, files))) throw error;
    }
  }
}

// Send a file: its id. `progress({ share, words })` as above.
export async function upload(file, { progress = () => {}, signal } = {}) {
  if (file.size > MEGABYTES << 20) throw new Refused(413, `${file.name}: more than ${MEGABYTES} MB`);
  progress({ share: null, words: `sending ${file.name}` });
  const { id } = await ask(`/api/uploads?name=${encodeURIComponent(file.name ?? "file")}`, { method: "POST", body: file, signal });
  known.set(file, id);
  progress({ share: 1, words: `sent ${file.name}` });
  return id;
}

async function begin(kind, given, about, files, signal) {
  const ids = {};
  for (const [argument, file] of Object.entries(files)) {
    ids[argument] = Array.isArray(file) ? await Promise.all(file.map((one) => idOf(one, signal))) : await idOf(file, signal);
  }
  const body = { kind, key: about?.key ?? null, arguments: given, files: ids };
  return (await ask("/api/jobs", { method: "POST", body, headers: { "x-page": PAGE }, signal })).id;
}

const idOf = (file, signal) => (typeof file === "string" ? file : known.get(file) ?? upload(file, { signal }));

async function followed(id, progress, signal) {
  const path = `/api/jobs/${encodeURIComponent(id)}`;
  const stop = () => ask(path, { method: "DELETE" }).catch(() => {}); // it may have ended by itself
  signal?.addEventListener("abort", stop, { once: true });
  try {
    for (let last = ""; ;) {
      const answer = await ask(`${path}/events`, { as: "answer", headers: { "last-event-id": last }, signal });
      for await (const event of events(answer)) {
        last = event.id;
        if (event.name === "progress") progress(event.data);
        if (event.name === "done") return await ask(event.data.result, { signal });
        if (event.name === "failed") throw new Refused(422, event.data.message, event.data.problems);
        if (event.name === "stopped") throw new DOMException("stopped", "AbortError");
      }
    }
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

// The events of a stream; a connection that breaks ends it, and the caller asks for the rest.
async function* events(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    let part;
    try {
      part = await reader.read();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      return;
    }
    if (part.done) return;
    const whole = (text + part.value).split("\n\n");
    text = whole.pop();
    for (const block of whole) {
      const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s, 2)));
      if (fields.event) yield { id: fields.id, name: fields.event, data: JSON.parse(fields.data) };
    }
  }
}

// Whether what is missing could be sent again.
async function sentAgain(error, about, files) {
  const where = error.problems[0]?.where ?? "";
  if (where === "robot" && about) await send(about.spec);
  else if (where.startsWith("files.")) {
    const those = [files[where.slice("files.".length)]].flat();
    if (those.some((file) => typeof file === "string")) return false; // its id is all we have
    those.forEach((file) => known.delete(file));
  } else return where === "job";
  return true;
}
