import { expect, it } from 'vitest';
import { grabCut, trimapClasses } from '../src/segment/grab_cut.ts';

/** A plain linear congruential generator: whole numbers 0..limit − 1. */
function dice(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

it('follows the edge of what is sure by colour, keeps what is known, and cuts the same again', async () => {
  const [width, height] = [60, 40];
  const roll = dice(5);
  const values = new Uint8Array(3 * width * height);
  const trimap = new Uint8Array(width * height);
  const truth = new Uint8Array(width * height);
  for (let i = 0; i < width * height; i++) {
    const x = i % width;
    const y = Math.floor(i / width);
    const off = Math.hypot(x - 24, y - 20);
    // A disc of one colour, and a stripe in the ground that is coloured just like it and known to be ground.
    const stripe = x >= 50;
    truth[i] = off < 13 ? 1 : 0;
    values.set([off < 13 || stripe ? 90 + roll(9) : 160 + roll(9), 120 + roll(5), 130 + roll(5)], 3 * i);
    trimap[i] =
      off < 5
        ? trimapClasses.foreground
        : y === 0 || y === height - 1 || stripe
          ? trimapClasses.background
          : off < 18
            ? trimapClasses.probablyForeground
            : trimapClasses.probablyBackground;
  }
  const mask = await grabCut(width, height, values, trimap);
  expect([...mask]).toEqual([...truth]);
  // Another cut between them must not change the chance that mixtures begin with.
  await grabCut(width, height, values.toReversed(), trimap);
  expect([...(await grabCut(width, height, values, trimap))]).toEqual([...mask]);
});
