import { describe, expect, it } from 'vitest';
import { grabCut, trimapClasses } from '../src/matte/grab_cut.ts';
import { gridCut } from '../src/matte/grid_cut.ts';

/** A plain linear congruential generator: whole numbers 0..limit − 1. */
function dice(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const neighbours = [
  [1, 0],
  [-1, 1],
  [0, 1],
  [1, 1],
] as const;

/** What a labelling costs. */
function costOf(
  width: number,
  height: number,
  terminals: Float32Array,
  links: Float32Array,
  labels: readonly number[],
): number {
  let cost = 0;
  for (let i = 0; i < labels.length; i++) {
    const terminal = terminals[i]!;
    if (terminal > 0 && !labels[i]) cost += terminal;
    if (terminal < 0 && labels[i]) cost -= terminal;
    for (const [d, [dx, dy]] of neighbours.entries()) {
      const x = (i % width) + dx;
      const y = Math.floor(i / width) + dy;
      if (x < 0 || x >= width || y >= height) continue;
      if (labels[i] !== labels[y * width + x]) cost += links[4 * i + d]!;
    }
  }
  return cost;
}

describe('the minimum cut of a grid', () => {
  it('costs no more than the best of all labellings', () => {
    const roll = dice(11);
    const width = 4;
    const height = 3;
    for (let trial = 0; trial < 60; trial++) {
      const terminals = Float32Array.from({ length: width * height }, () => roll(21) - 10);
      const links = Float32Array.from({ length: 4 * width * height }, () => roll(3) * roll(5));
      let min = Number.POSITIVE_INFINITY;
      for (let word = 0; word < 2 ** (width * height); word++) {
        const labels = Array.from({ length: width * height }, (_, i) => (word >> i) & 1);
        min = Math.min(min, costOf(width, height, terminals, links, labels));
      }
      const cut = gridCut(width, height, terminals, links);
      expect(costOf(width, height, terminals, links, [...cut])).toBe(min);
    }
  });
});

describe('GrabCut', () => {
  it('follows the edge of what is sure by colour, and the prior where colours say nothing', () => {
    const width = 60;
    const height = 40;
    const roll = dice(5);
    const values = new Float32Array(3 * width * height);
    const trimap = new Uint8Array(width * height);
    const prior = new Float32Array(width * height);
    const truth = new Uint8Array(width * height);
    for (let i = 0; i < width * height; i++) {
      const x = i % width;
      const y = Math.floor(i / width);
      // A disc of one colour, and a stripe in the ground that is coloured just like it.
      const disc = Math.hypot(x - 24, y - 20) < 13;
      const stripe = x >= 50;
      truth[i] = disc ? 1 : 0;
      values.set([disc || stripe ? 90 + roll(9) : 160 + roll(9), 120 + roll(5), 130 + roll(5)], 3 * i);
      const sure = Math.hypot(x - 24, y - 20) < 5;
      const edge = (y === 0 || y === height - 1) && !stripe;
      trimap[i] = sure
        ? trimapClasses.foreground
        : edge
          ? trimapClasses.background
          : trimapClasses.probablyForeground;
      prior[i] = 60 * Math.max(-1, Math.min(1, (18 - Math.hypot(x - 24, y - 20)) / 6));
    }
    const input = { width, height, channels: 3, values, trimap, prior };
    const mask = grabCut(input);
    expect([...mask]).toEqual([...truth]);
    expect([...grabCut(input)]).toEqual([...mask]);
    // Without the prior the stripe goes with the disc.
    const blind = grabCut({ ...input, prior: new Float32Array(width * height) });
    expect(blind[20 * width + 55]).toBe(1);
  });
});
