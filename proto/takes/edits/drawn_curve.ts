import { lastThat } from '../../binary_search.ts';
import type { Interpolation } from './edit_limits.ts';

interface Key {
  readonly time: number;
  readonly value: number;
  /** How the value goes to the next key's. */
  readonly to: Interpolation;
}

/** How far on the way to the next key, 0..1, after a share of the time. */
export const eased = (share: number, to: Interpolation): number =>
  to === 'step' ? 0 : to === 'linear' ? share : share * share * (3 - 2 * share);

/** Position of the last key that is not after a time; −1 where all are. @param keys rising by time */
export function keyBefore(keys: readonly { readonly time: number }[], time: number): number {
  return lastThat(keys.length, (at) => keys[at]!.time <= time);
}

/** A curve at a time: held before its first key and after its last one, 0 without any. */
export function valueAt(keys: readonly Key[], time: number): number {
  const at = keyBefore(keys, time);
  const [key, next] = [keys[Math.max(0, at)], keys[at + 1]];
  if (!key) return 0;
  if (at < 0 || !next) return key.value;
  const share = (time - key.time) / (next.time - key.time);
  return key.value + (next.value - key.value) * eased(share, key.to);
}
