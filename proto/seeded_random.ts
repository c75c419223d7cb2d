/**
 * A stream of numbers in [0, 1) that depends on the seed alone (mulberry32).
 *
 * @param drawn numbers of the stream that are passed over
 */
export function seededRandom(seed: number, drawn = 0): () => number {
  let state = (seed + Math.imul(drawn, 0x6d2b79f5)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
