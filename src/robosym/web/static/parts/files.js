// Files that were dropped or chosen: which of them describe a robot, which are meshes.

const SUFFIXES = { toml: "toml", par: "par", urdf: "urdf", xml: null, mjcf: "mjcf", sdf: "sdf" };
const MESHES = new Set(["stl", "dae", "obj", "glb", "gltf", "bin", "mtl", "png", "jpg", "jpeg"]);
const LOOPS = ".loops.toml";
const MOST_FILES = 5000;
const MOST_LETTERS = 3_500_000; // a description that is longer is not sent

export const EXPECTED = ".toml, .par, .urdf, .xml (MJCF) or .sdf";
export const ACCEPTED = ".toml,.par,.urdf,.xml,.mjcf,.sdf,.stl,.dae,.obj,.glb,.gltf,.bin,.mtl,.png,.jpg,.jpeg";

const ending = (path) => path.split(".").at(-1).toLowerCase();
export const baseName = (path) => path.split("/").at(-1);

// [[path, File]] of what was dropped, folders followed. The entries are taken at once: they are gone after the event.
export function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  return entries.length ? followed(entries) : Promise.resolve([...transfer.files].map((file) => [file.name, file]));
}

async function followed(entries) {
  const found = [];
  const waiting = [...entries];
  while (waiting.length && found.length < MOST_FILES) {
    const entry = waiting.shift();
    if (entry.isFile) found.push([entry.fullPath.replace(/^\//, ""), await new Promise((done, fail) => entry.file(done, fail))]);
    else waiting.push(...(await listed(entry.createReader())));
  }
  return found;
}

// A folder gives its entries in parts.
async function listed(reader) {
  const found = [];
  for (;;) {
    const part = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!part.length) return found;
    found.push(...part);
  }
}

export const chosen = (input) => [...input.files].map((file) => [file.webkitRelativePath || file.name, file]);

// { candidates: [{ path, spec }], meshes, words }: descriptions among files, and why there is none.
export async function described(files) {
  const candidates = [];
  let words = `There is no robot among these files: expected ${EXPECTED}.`;
  for (const [path, file] of files) {
    const kind = ending(path);
    if (kind === "xacro") words = `${baseName(path)}: a xacro file is a program that writes a URDF: run xacro first, then open what it wrote.`;
    if (!(kind in SUFFIXES) || path.endsWith(LOOPS)) continue;
    if (file.size > MOST_LETTERS) { words = `${baseName(path)}: longer than a description may be.`; continue; }
    const text = await file.text();
    const format = SUFFIXES[kind] ?? formatOf(text);
    if (!format) continue;
    const loops = format === "urdf" ? await loopsOf(path, files) : "";
    candidates.push({ path, spec: { text, format, ...(loops ? { loops } : {}) } });
  }
  return { candidates, meshes: files.filter(([path]) => MESHES.has(ending(path))), words };
}

const formatOf = (text) => (/<mujoco[\s>]/.test(text) ? "mjcf" : /<robot[\s>]/.test(text) ? "urdf" : /<sdf[\s>]/.test(text) ? "sdf" : null);

async function loopsOf(path, files) {
  const wanted = path.replace(/\.[^.]*$/, LOOPS);
  const found = files.find(([other]) => other === wanted);
  return found ? found[1].text() : "";
}
