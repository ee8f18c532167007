// --- how near singularities are ---

/** Singular values, the largest first: columns are turned in pairs until all are orthogonal (Hestenes 1958). */
function singularValues(J) {
  const columns = J[0].map((_, c) => J.map((row) => row[c]));
  for (let sweep = 0, turned = true; turned && sweep < 60; sweep++) {
    turned = false;
    for (let a = 0; a < columns.length; a++) {
      for (let b = a + 1; b < columns.length; b++) {
        let [aa, bb, ab] = [0, 0, 0];
        for (let i = 0; i < J.length; i++) {
          aa += columns[a][i] * columns[a][i];
          bb += columns[b][i] * columns[b][i];
          ab += columns[a][i] * columns[b][i];
        }
        if (Math.abs(ab) <= 1e-15 * Math.sqrt(aa * bb) || ab === 0) {
          continue;
        }
        turned = true;
        const zeta = (bb - aa) / (2 * ab);
        const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.hypot(1, zeta));
        const c = 1 / Math.hypot(1, t);
        for (let i = 0; i < J.length; i++) {
          const [u, v] = [columns[a][i], columns[b][i]];
          columns[a][i] = c * (u - t * v);
          columns[b][i] = c * (v + t * u);
        }
      }
    }
  }
  return columns.map((column) => Math.hypot(...column)).sort((a, b) => b - a);
}

/** The rows that count, lengths over the size of the robot. */
function withoutUnits({ values, columns }) {
  const entry = (i, c) => (values[i * columns + c] * DATA.units[c]) / (i < 3 ? DATA.unit : 1);
  return Array.from({ length: DATA.used }, (_, i) => Array.from({ length: columns }, (_, c) => entry(i, c)));
}

/** How near the robot is to its singularities: each value is a share of the largest that it takes, zero where it is singular. */
export function singularities(x) {
  const made = jacobian(x);
  if (made.columns === 0 || !areFinite(made.values)) {
    return [];
  }
  const exact = DATA.exact ? factors(DATA.floating ? state(x).slice(7) : state(x)) : [];
  const sizes = DATA.exact ? [] : singularValues(withoutUnits(made));
  return DATA.singular.map(({ name, words, scale, by, place }) => {
    const raw = by === "factor" ? exact[place] : by === "inverse" ? 1 / sizes[0] : sizes[place];
    const value = raw / scale;
    return { name, words, value, near: !(Math.abs(value) >= DATA.near) };
  });
}
