import { describe, expect, it } from 'vitest';
import { closeGaps, closeSpots } from '../../../../main/engine/portrait/hair/hair_gaps.ts';
import { besideThroat } from '../../../../main/engine/portrait/hair/hair_presence.ts';
import type { HangingHair } from '../../../../main/engine/portrait/hair/hanging_hair.ts';
import { findHem } from '../../../../main/engine/portrait/hair/hem.ts';
import type { PicturePlane } from '../../../../main/engine/portrait/hair/picture_plane.ts';
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

  it('may be as wide as an ear where the other side tells of it', () => {
    const eared = ring(30, 45);
    closeGaps(eared, () => true, 20);
    expect(eared.every((share) => share === 1)).toBe(true);
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

describe('the end of a bob', () => {
  const chin = -0.1;
  const hem = -0.095;
  /** The height at which hair ends so far behind the face's oval, metres. */
  const endAt = (off: number): number => {
    const points = new Float32Array(2 * craniumColumns * 3);
    points[3 * craniumColumns + 2] = -off;
    const sides = { chin, hem, isLong: false } as Partial<HangingHair> as HangingHair;
    const ends = Array.from({ length: 200 }, (_, mm) => -0.15 + 0.001 * mm);
    const blown = { points, raised: new Float32Array(2 * craniumColumns) };
    return ends.find((v) => besideThroat(blown, {} as PicturePlane, sides, craniumColumns, v) > 0.5)!;
  };

  it('is one line from the front lock, rounded off, down to the nape', () => {
    const line = Array.from({ length: 24 }, (_, k) => endAt(0.005 * k));
    const falls = line.slice(1).map((v, k) => line[k]! - v);
    expect(line[0]).toBeGreaterThan(chin + 0.035);
    expect(line.at(-1)).toBeLessThan(hem - 0.005);
    for (const [k, fall] of falls.entries()) {
      expect(fall).toBeGreaterThanOrEqual(0);
      expect(fall).toBeLessThan(k < 8 ? 0.01 : 0.004);
    }
  });
});
