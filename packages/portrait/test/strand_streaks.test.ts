import { describe, expect, it } from 'vitest';
import { drawStreaks, streakLayers } from '../src/hair/strands/strand_streaks.ts';
import { craniumColumns, craniumRows } from '../src/skull/skull.ts';

const [width, height] = [512, 256];

/** A tube of 9 cm radius, 40 cm long, whose hair runs down it and round it by `around`. */
function tube(around: number) {
  const points: number[] = [];
  const along: number[] = [];
  for (let row = 0; row <= craniumRows; row++) {
    for (let k = 0; k < craniumColumns; k++) {
      const angle = (2 * Math.PI * k) / craniumColumns;
      points.push(0.09 * Math.cos(angle), -0.4 * (row / craniumRows), 0.09 * Math.sin(angle));
      const [c, s] = [Math.cos(around), Math.sin(around)];
      along.push(-s * Math.sin(angle), -c, s * Math.cos(angle));
    }
  }
  return { points: Float32Array.from(points), along: Float32Array.from(along) };
}

const draw = (around: number, isHair: (row: number, column: number) => boolean = () => true) => {
  const { points, along } = tube(around);
  return drawStreaks(points, along, isHair, width, height);
};

/** Likeness of a layer to itself some pixels on, away from the ends. */
function correlation(streaks: Float32Array, layer: number, dx: number, dy: number): number {
  let [sum, squares] = [0, 0];
  for (let y = 60; y < 196; y++) {
    for (let x = 60; x < 452; x++) {
      const a = streaks[streakLayers * (y * width + x) + layer]!;
      sum += a * streaks[streakLayers * ((y + dy) * width + x + dx) + layer]!;
      squares += a * a;
    }
  }
  return sum / squares;
}

describe('streaks of hair', () => {
  it('go on along the way of the hair for a centimetre and change across it within two millimetres', () => {
    const down = draw(0);
    // A pixel is 1.1 mm wide and 1.6 mm high.
    expect(correlation(down, 0, 0, 6)).toBeGreaterThan(0.6);
    expect(correlation(down, 0, 2, 0)).toBeLessThan(0.3);
    const aslant = draw(Math.PI / 4);
    expect(correlation(aslant, 0, 10, 7)).toBeGreaterThan(0.5);
    expect(correlation(aslant, 0, 10, -7)).toBeLessThan(0.2);
    expect(correlation(down, 2, 2, 0)).toBeGreaterThan(correlation(down, 0, 2, 0) + 0.3);
  });

  it('deviate by 1 where hair is, and are nowhere else', () => {
    const streaks = draw(0.3, (row) => row < craniumRows / 2);
    const [hair, bare] = [
      streaks.subarray(0, streaks.length / 2),
      streaks.subarray(streaks.length / 2 + 2 * streakLayers * width),
    ];
    expect(Math.sqrt(hair.reduce((sum, v) => sum + v * v, 0) / hair.length)).toBeCloseTo(1, 1);
    expect(bare.some((v) => v !== 0)).toBe(false);
  });
});
