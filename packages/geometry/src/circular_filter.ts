/** The median of each value and its neighbours up to `reach` away; the ends join. */
export function medianCircle(values: Float32Array, reach: number): Float32Array {
  const n = values.length;
  return values.map((_, i) => {
    const window: number[] = [];
    for (let d = -reach; d <= reach; d++) window.push(values[(i + d + n) % n]);
    return window.sort((p, q) => p - q)[reach];
  });
}

/** Evens values out between neighbours; the ends join. */
export function smoothCircle(values: Float32Array, rounds: number): Float32Array {
  let current = values;
  const n = values.length;
  for (let r = 0; r < rounds; r++)
    current = current.map((v, i) => (current[(i + n - 1) % n] + 2 * v + current[(i + 1) % n]) / 4);
  return current;
}

/**
 * Limits each value round a circle to its mirror image across the vertical axis plus a difference allowed there. Values are
 * evenly spaced, anticlockwise from the right.
 */
export const limitToMirror = (values: Float32Array, allowed: (i: number) => number): Float32Array =>
  values.map((value, i) => {
    const mirror = (values.length / 2 - 1 - i + values.length) % values.length;
    return Math.min(value, values[mirror] + allowed(i));
  });
