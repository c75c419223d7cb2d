/** Pauses between retries, milliseconds. */
export interface Backoff {
  first: number;
  longest: number;
}

/**
 * The pause after `failures` failures in a row: the first pause, doubled for each further failure, up to the
 * longest.
 *
 * @param failures ≥ 1
 */
export const backoffPause = (failures: number, { first, longest }: Backoff): number =>
  Math.min(longest, first * 2 ** (failures - 1));
