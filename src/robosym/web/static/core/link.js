// Everything in the fragment of the address: state and position as JSON, deflated, in letters that survive mails.
import { FIRST } from "./store.js";

const VERSION = "1";
const MOST = 2_000_000; // letters of a link, and bytes it may unfold to

export async function written(state, x) {
  const bytes = new TextEncoder().encode(JSON.stringify({ ...state, x: [...x] }));
  const packed = await through(new CompressionStream("deflate-raw"), bytes);
  let letters = "";
  for (const byte of packed) letters += String.fromCharCode(byte);
  return VERSION + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// The state in a fragment, or null; a link that was damaged throws with words.
export async function read(fragment) {
  const text = fragment.replace(/^#/, "");
  if (!text) return null;
  if (!text.startsWith(VERSION) || text.length > MOST) throw new Error("this link is not one of this page, or was cut");
  let saved;
  try {
    const letters = atob(text.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(letters, (c) => c.charCodeAt(0));
    saved = JSON.parse(new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), packed)));
  } catch {
    throw new Error("this link is damaged: some of its letters are missing or changed");
  }
  return checked(saved);
}

async function through(stream, bytes) {
  const writer = stream.writable.getWriter();
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const parts = [];
  let size = 0;
  for await (const part of stream.readable) {
    size += part.length;
    if (size > MOST) throw new Error("too long");
    parts.push(part);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const plain = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const word = (value) => typeof value === "string";

// What the entries of these fields are. What a room keeps, it looks through itself.
const ENTRIES = { model: word, options: plain, view: (value) => typeof value === "boolean", rooms: plain };

// Only fields that the state has, of the kinds it has: a link comes from anywhere.
function checked(saved) {
  const found = {};
  if (!plain(saved)) throw new Error("this link is damaged: it holds no state");
  for (const [name, first] of Object.entries(FIRST)) {
    const value = saved[name];
    if (value === undefined || name === "x") continue;
    if (typeof value !== typeof first || plain(value) !== plain(first)) throw new Error(`this link is damaged: ${name}`);
    if (name in ENTRIES) {
      const wrong = Object.keys(value).find((key) => !ENTRIES[name](value[key]));
      if (wrong !== undefined) throw new Error(`this link is damaged: ${name}, ${wrong.slice(0, 40)}`);
    }
    found[name] = name === "model" || name === "view" ? { ...first, ...value } : value;
  }
  if (found.robot) found.x = null; // where it stands is said below, or by the robot itself
  if (Array.isArray(saved.x) && saved.x.every((v) => Number.isFinite(v))) found.x = saved.x;
  return found;
}
