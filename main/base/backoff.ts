/** Pauses between tries of what failed, milliseconds. */
export interface Backoff {
  first: number;
  longest: number;
}

/**
 * The pause after so many failures in a row: the first one, and with each further failure twice as long, up
 * to the longest.
 *
 * @param failures ≥ 1
 */
export const backoffPause = (failures: number, { first, longest }: Backoff): number =>
  Math.min(longest, first * 2 ** (failures - 1));
