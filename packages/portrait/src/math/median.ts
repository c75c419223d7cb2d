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
