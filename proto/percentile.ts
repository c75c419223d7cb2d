/** NaN where there are no values. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * The percentile by nearest rank: the smallest of the values that at least the given share of them do not
 * exceed. It is always a value that was measured, and the same in every view, journal and benchmark.
 *
 * @param values in any order; left as they are
 * @param share 0..1
 * @returns NaN where there are no values
 */
export function percentile(values: Iterable<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  // 0.07 × 100 is 7.000000000000001: no rank is skipped for a product's last bit.
  const rank = Math.ceil(share * sorted.length - 1e-9);
  return sorted[Math.max(rank, 1) - 1] ?? Number.NaN;
}
