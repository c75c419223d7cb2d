import { expect, it } from 'vitest';
import { crownHair } from '../src/hair/crown_hair.ts';
import { craniumColumns, craniumRows } from '../src/skull/skull.ts';

const count = (craniumRows + 1) * craniumColumns;
const rowOf = (i: number): number => Math.floor(i / craniumColumns);
const isRight = (i: number): boolean => i % craniumColumns > craniumColumns / 2;
const blown = { points: new Float32Array(3 * count).fill(0.05) };
const depths = Float32Array.from({ length: count }, (_, i) => 0.01 * rowOf(i));

/** Hair of the crown behind the middle of the right side, whose temple is bare, with so many rows of the left side seen. */
const rightCrown = (rowsSeen: number): number =>
  crownHair(blown, depths, {
    seen: (i) => Number(rowOf(i) < (isRight(i) ? 3 : rowsSeen)),
    hair: (i) => Number(!isRight(i)),
  })[Math.round(0.75 * craniumColumns)]!;

it('gives a side of which a photo shows the temple alone the crown of the other side', () => {
  expect(rightCrown(10)).toBeGreaterThan(0.95);
  expect(rightCrown(3)).toBeLessThan(0.05);
});
