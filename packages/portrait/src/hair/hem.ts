/** Most that an ear hides of the hair behind it, metres, and levels of hair that there must be below it. */
const earHeight = 0.06;
const minLevelsBelowEar = 10;

/**
 * The lowest height with hair on either side. Where an ear stands before it, it goes on below: curls in the neck of short
 * hair, not below `end`, where a collar's shadow looks like them.
 *
 * @param hangs - Whether any hangs there by height, from below, on each side, 0..1.
 * @param heightOf - Metres of each of these heights.
 */
export function findHem(
  hangs: readonly [Float32Array, Float32Array],
  heightOf: (l: number) => number,
  end: number,
): number {
  const isHair = (l: number): boolean => Math.max(hangs[0][l], hangs[1][l]) >= 0.4;
  const levels = hangs[0].length;
  let hem = heightOf(levels - 1);
  let gap = 0;
  for (let l = levels - 1; l >= 0; l--) {
    const v = heightOf(l);
    if (isHair(l)) {
      const goesOn = Array.from({ length: minLevelsBelowEar }, (_, k) => l - k).every(isHair);
      if (gap && (v < end || !goesOn)) break;
      hem = v;
      gap = 0;
      continue;
    }
    gap += 1;
    if (gap * (v - heightOf(l - 1)) > earHeight) break;
  }
  return hem;
}
