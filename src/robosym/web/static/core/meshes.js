// Meshes that were dropped with a description: they stay in this browser, as addresses of blobs, and are never sent anywhere.
// A link has the text alone: who opens it drops the folder again.

const kept = new Map(); // by the text of the description: Map from paths of files to addresses

export const meshes = {
  // `files`: File objects with the paths they had in their folder, [[path, file], ...].
  keep(text, files) {
    if (!files.length) return;
    for (const address of kept.get(text)?.values() ?? []) URL.revokeObjectURL(address);
    kept.set(text, new Map(files.map(([path, file]) => [path, URL.createObjectURL(file)])));
  },
  of: (text) => kept.get(text) ?? null,
};
