// Builds the libraries of the page into src/robosym/web/static/vendor: `make vendor`, which needs node. Users do not: what it
// writes is committed, and a test compares it with the digests in vendor.json.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(here, "node_modules");
const target = join(here, "../../src/robosym/web/static/vendor");
const PACKAGES = ["three", "katex", "uplot", "preact", "htm"];

rmSync(target, { recursive: true, force: true });
mkdirSync(join(target, "fonts"), { recursive: true });
mkdirSync(join(target, "licences"), { recursive: true });

await build({
  entryPoints: ["three", "loaders", "katex", "uplot", "preact"].map((name) => join(here, `${name}.mjs`)),
  outdir: target,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true, // the loaders of meshes share three with the viewer
  chunkNames: "shared",
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "none", // the licences are beside them
});

// KaTeX's style names three formats of each font: every browser that runs the page takes woff2.
const style = readFileSync(join(modules, "katex/dist/katex.min.css"), "utf8");
const fonts = readdirSync(join(modules, "katex/dist/fonts")).filter((name) => name.endsWith(".woff2"));
writeFileSync(join(target, "katex.css"), style.replace(/,url\([^)]*\.(woff|ttf)\) format\("(woff|truetype)"\)/g, ""));
for (const font of fonts) cpSync(join(modules, "katex/dist/fonts", font), join(target, "fonts", font));
cpSync(join(modules, "uplot/dist/uPlot.min.css"), join(target, "uplot.css"));

const versions = {};
for (const name of PACKAGES) {
  const folder = join(modules, name);
  versions[name] = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
  const licence = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  cpSync(join(folder, licence), join(target, "licences", `${name}.txt`));
}

const files = readdirSync(target, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const digests = {};
for (const entry of files) {
  const path = join(entry.parentPath, entry.name);
  digests[path.slice(target.length + 1)] = createHash("sha256").update(readFileSync(path)).digest("hex");
}
const sorted = Object.fromEntries(Object.entries(digests).sort());
writeFileSync(join(target, "vendor.json"), `${JSON.stringify({ versions, digests: sorted }, null, 1)}\n`);
console.log(versions, `${files.length} files`);
