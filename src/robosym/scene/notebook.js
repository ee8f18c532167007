// Modules that stand packed in this document, each under its name.
(async () => {
  const packed = Uint8Array.from(atob(document.getElementById("packed").textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const { modules, scene, x } = JSON.parse(await new Response(stream).text());
  const imports = {};
  for (const [name, text] of Object.entries(modules)) imports[name] = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const names = Object.assign(document.createElement("script"), { type: "importmap", textContent: JSON.stringify({ imports }) });
  document.head.append(names);
  const { embed } = await import("robosym/viewer/embed.js");
  const { frames } = await import("robosym/direct.mjs");
  window.robosym = { ...embed(document.getElementById("robot"), { scene, frames, x }), frames };
})();
