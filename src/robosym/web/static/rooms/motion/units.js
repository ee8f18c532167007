// Units that people read: degrees and millimetres here, radians and metres everywhere else.

const TURN = 180 / Math.PI;

export const shownUnit = (unit) => unit.replace(/^rad/, "°").replace(/^m(?=$|\/)/, "mm");
export const factor = (unit) => (unit.startsWith("rad") ? TURN : /^m($|\/)/.test(unit) ? 1000 : 1);

// A number with as many digits as matter, and no more.
export function short(value, digits = 6) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const found = Number(value.toPrecision(digits));
  return Object.is(found, -0) ? "0" : String(Math.abs(found) >= 1e7 || (found !== 0 && Math.abs(found) < 1e-4) ? found.toExponential(Math.min(digits - 1, 3)) : found);
}

export const withUnit = (value, unit, digits = 4) => {
  const own = shownUnit(unit);
  return `${short(value === null ? null : value * factor(unit), digits)}${own === "°" ? "°" : own ? ` ${own}` : ""}`;
};

// A joint or a coordinate of a platform, as people call it.
export const called = (name) => name.replace(/^platform_/, "").replaceAll("_", " ");

export const label = (text) => { const words = text.replaceAll("_", " ").replaceAll("-", " "); return words[0].toUpperCase() + words.slice(1); };
