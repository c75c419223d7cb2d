/**
 * The median; of an even number of values the greater of the middle two.
 *
 * @param values - In any order; left as they are.
 * @param none - Of no values.
 */
export function median(values: ArrayLike<number>, none = 0): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[sorted.length >> 1] ?? none;
}

/**
 * The weighted median of many values, by whole steps.
 *
 * @param valueAt - 0..255, whole; not asked where the weight is 0.
 * @param none - Of no weight.
 */
export function histogramMedian(
  count: number,
  valueAt: (i: number) => number,
  weightAt: (i: number) => number,
  none: number,
): number {
  const histogram = new Float32Array(256);
  let total = 0;
  for (let i = 0; i < count; i++) {
    const weight = weightAt(i);
    if (!weight) continue;
    histogram[valueAt(i)] += weight;
    total += weight;
  }
  let below = 0;
  for (let value = 0; value < 256; value++) {
    below += histogram[value];
    if (2 * below >= total && total > 0) return value;
  }
  return none;
}
