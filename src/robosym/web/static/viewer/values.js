// Values as people read and write them: degrees and millimetres on the page, radians and metres inside.

export const IN = { rad: { unit: "°", words: "degrees", by: 180 / Math.PI, step: 1 }, m: { unit: "mm", words: "millimetres", by: 1000, step: 5 } };

export const shown = (value, unit, digits = 1) => {
  const text = (value * IN[unit].by).toFixed(digits);
  return Number(text) === 0 ? (0).toFixed(digits) : text;
};

const UNITS = { deg: ["rad", Math.PI / 180], "°": ["rad", Math.PI / 180], rad: ["rad", 1], mm: ["m", 1e-3], cm: ["m", 1e-2], m: ["m", 1] };

// What was typed, in radians or metres; NaN if it is none. A bare number is in the unit shown; with pi in it, it is radians:
// "-90", "pi/4", "2*(30+15)", "0.5 rad", "1.2 m".
export function parsed(text, unit) {
  const cleaned = text.trim().toLowerCase().replaceAll("−", "-").replaceAll("π", "pi").replaceAll(",", ".");
  const [, body, named] = cleaned.match(/^(.*?)\s*(deg|°|rad|mm|cm|m)?$/s);
  if (named && UNITS[named][0] !== unit) return NaN;
  const value = computed(body);
  if (named) return value * UNITS[named][1];
  return unit === "rad" && body.includes("pi") ? value : value / IN[unit].by;
}

// + - * / ( ) of numbers and pi.
function computed(text) {
  const tokens = text.match(/\d+\.?\d*(?:e[+-]?\d+)?|\.\d+|pi|[-+*/()]|\S/g) ?? [];
  let at = 0;
  const factor = () => {
    const token = tokens[at++];
    if (token === "-") return -factor();
    if (token === "+") return factor();
    if (token === "pi") return Math.PI;
    if (token === "(") {
      const inside = sum();
      return tokens[at++] === ")" ? inside : NaN;
    }
    return token !== undefined && /^[\d.]/.test(token) ? Number(token) : NaN;
  };
  const product = () => {
    let found = factor();
    while (tokens[at] === "*" || tokens[at] === "/") found = tokens[at++] === "*" ? found * factor() : found / factor();
    return found;
  };
  const sum = () => {
    let found = product();
    while (tokens[at] === "+" || tokens[at] === "-") found = tokens[at++] === "+" ? found + product() : found - product();
    return found;
  };
  const found = sum();
  return at === tokens.length && Number.isFinite(found) ? found : NaN;
}

// The range a slider offers: the limits, else a whole turn or what is in reach.
export function rangeOf(control, reach) {
  const wide = control.unit === "rad" ? Math.PI : control.group === "platform" ? 0.5 * reach : reach;
  const centre = control.unit === "rad" ? 0 : control.at;
  return [control.lower ?? Math.min(centre - wide, control.upper ?? Infinity), control.upper ?? Math.max(centre + wide, control.lower ?? -Infinity)];
}

export const outside = (control, value) =>
  (control.lower !== null && value < control.lower - 1e-9) || (control.upper !== null && value > control.upper + 1e-9);

// Roll, pitch, yaw of a pose by rows: R = Rz(yaw) Ry(pitch) Rx(roll); the roll is zero where they are not unique, and near there
// the yaw is that of what remains without the roll.
export function anglesOf(T) {
  const level = Math.hypot(T[0], T[4]);
  const roll = level > 1e-12 ? Math.atan2(T[9], T[10]) : 0;
  const [c, s] = [Math.cos(roll), Math.sin(roll)];
  return [roll, Math.atan2(-T[8], level), Math.atan2(s * T[2] - c * T[1], c * T[5] - s * T[6])];
}

export function poseFrom([x, y, z], [roll, pitch, yaw]) {
  const [a, b, c] = [roll, pitch, yaw].map(Math.cos);
  const [s, t, u] = [roll, pitch, yaw].map(Math.sin);
  return [c * b, c * t * s - u * a, c * t * a + u * s, x, u * b, u * t * s + c * a, u * t * a - c * s, y, -t, b * s, b * a, z, 0, 0, 0, 1];
}
