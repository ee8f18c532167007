// A trajectory that the server planned, here: polynomials of the time since each piece began.

export function curve({ times, coefficients, duration }) {
  const last = coefficients.length - 1;
  return {
    duration,
    at(t) {
      const inside = Math.min(Math.max(t, 0), duration);
      let low = 0;
      let high = last;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (times[middle] <= inside) low = middle; else high = middle - 1;
      }
      const piece = coefficients[low];
      const local = inside - times[low];
      const q = new Float64Array(piece[0].length);
      for (let power = piece.length - 1; power >= 0; power -= 1) {
        for (let j = 0; j < q.length; j += 1) q[j] = q[j] * local + piece[power][j];
      }
      return q;
    },
  };
}

// A record: the instants that were recorded, and straight between them.
export function record({ t, q }) {
  return {
    duration: t[t.length - 1],
    at(time) {
      let low = 0;
      let high = t.length - 1;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (t[middle] <= time) low = middle; else high = middle;
      }
      const share = t[high] > t[low] ? Math.min(Math.max((time - t[low]) / (t[high] - t[low]), 0), 1) : 0;
      return Float64Array.from(q[low], (value, j) => value + share * (q[high][j] - value));
    },
  };
}
