import { describe, expect, it } from 'vitest';
import { closeGaps, closeSpots } from '../../../../main/engine/portrait/hair/hair_gaps.ts';
import { findHem } from '../../../../main/engine/portrait/hair/hem.ts';
import { craniumColumns } from '../../../../main/engine/portrait/skull/skull.ts';

describe('how low hair hangs', () => {
  /** 64 heights of 3 mm, the highest one 45 mm above the picture plane's middle. */
  const heightOf = (level: number): number => 0.045 - 0.003 * (63 - level);
  const chin = heightOf(8);
  /** Heights with hair on the left, from below. */
  const hem = (...hair: (readonly [from: number, to: number])[]): number =>
    findHem(
      [
        Float32Array.from({ length: 64 }, (_, l) => Number(hair.some(([from, to]) => l >= from && l <= to))),
        new Float32Array(64),
      ],
      heightOf,
      chin,
    );

  it('goes on below an ear that stands before it', () => {
    expect(hem([40, 63])).toBe(heightOf(40));
    expect(hem([40, 63], [20, 36])).toBe(heightOf(20));
    expect(hem([20, 50])).toBe(heightOf(20));
  });

  it('ends above what is too short for curls, too far below or as low as a collar', () => {
    expect(hem([40, 63], [30, 36])).toBe(heightOf(40));
    expect(hem([50, 63], [12, 26])).toBe(heightOf(50));
    expect(hem([20, 63], [0, 7])).toBe(heightOf(20));
  });
});

describe('gaps in hair beside a face', () => {
  const ring = (from: number, to: number): Float32Array =>
    Float32Array.from({ length: 2 * craniumColumns }, (_, i) => {
      const column = i % craniumColumns;
      return column >= from && column < to ? 0 : 1;
    });

  it('are closed where an earring made them, and left where an ear or a cheek did', () => {
    const pierced = ring(30, 35);
    closeGaps(pierced, () => true);
    expect(pierced.every((share) => share === 1)).toBe(true);
    const wide = ring(30, 42);
    closeGaps(wide, () => true);
    expect(wide).toEqual(ring(30, 42));
  });

  it('are left above the brows', () => {
    const parted = ring(30, 35);
    closeGaps(parted, (i) => i % craniumColumns > 60);
    expect(parted).toEqual(ring(30, 35));
  });
});

describe('spots of skin amid hair', () => {
  /** Ten rows of hair with skin in some rows and columns. */
  const head = (rows: readonly [number, number], columns: readonly [number, number]): Float32Array =>
    Float32Array.from({ length: 10 * craniumColumns }, (_, i) => {
      const [row, column] = [Math.floor(i / craniumColumns), i % craniumColumns];
      const bare = row >= rows[0] && row < rows[1] && column >= columns[0] && column < columns[1];
      return bare ? 0 : 1;
    });

  it('are hair where they are small', () => {
    const glossy = head([3, 6], [40, 46]);
    closeSpots(glossy);
    expect(glossy.every((share) => share === 1)).toBe(true);
  });

  it('stay where they are a bald spot or go on to the forehead', () => {
    for (const bare of [head([2, 9], [40, 60]), head([0, 3], [40, 46])]) {
      const kept = bare.slice();
      closeSpots(bare);
      expect(bare).toEqual(kept);
    }
  });
});
