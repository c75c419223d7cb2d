import { describe, expect, it } from 'vitest';
import { aboutAxis, drapeHair } from '../src/hair/draped_hair.ts';
import type { HangingHair } from '../src/hair/hanging_hair.ts';
import { findHem } from '../src/hair/hem.ts';
import type { PicturePlane } from '../src/hair/picture_plane.ts';
import type { Cranium } from '../src/skull/skull.ts';

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

describe('hair that falls', () => {
  const heights = Array.from({ length: 20 }, (_, k) => 0.08 - 0.01 * k);
  const lobes = -0.02;
  const neck = 0.05;
  /** Rings of a head from the brow down, whose neck is as wide as its hair isn't; the last ring is a rim. */
  const points = Float32Array.from(
    heights.flatMap((y) =>
      Array.from({ length: 36 }, (_, k) => {
        const angle = (2 * Math.PI * (k + 0.5)) / 36;
        const radius = y > 0 ? 0.09 : neck;
        return [radius * Math.sin(angle), y, radius * Math.cos(angle) - 0.035];
      }).flat(),
    ),
  );
  const count = points.length / 3;
  const plane = { of: (p: readonly number[]) => [p[0], p[1]] } as Partial<PicturePlane> as PicturePlane;
  const cranium = {
    points,
    columnDistance: new Float32Array(count).fill(0.1),
  } as Partial<Cranium> as Cranium;
  cranium.columnDistance.fill(0, count - 36);
  const width = (half: (v: number) => number): Float32Array =>
    Float32Array.from({ length: 64 }, (_, l) => half(-0.12 + 0.0033 * l));
  const drape = (hem: number, half: (v: number) => number): Float32Array => {
    const sides = {
      level: (v: number) => Math.min(63, Math.max(0, (v + 0.12) / 0.0033)),
      width: [width(half), width(half)],
      isLong: false,
      hem,
      lobes,
    } as Partial<HangingHair> as HangingHair;
    const blown = points.slice();
    drapeHair(blown, cranium, plane, sides);
    return blown;
  };
  const radiusOf = (blown: Float32Array, ring: number): number =>
    Math.max(...Array.from({ length: 36 }, (_, k) => aboutAxis(blown, ring * 36 + k)[1]));

  it('hangs from where it is fullest instead of lying on the neck', () => {
    const blown = drape(-0.09, () => 0.09);
    for (let ring = 12; ring < 19; ring++) expect(radiusOf(blown, ring)).toBeGreaterThan(0.08);
    // The face's own edge stays.
    expect(blown.subarray(-3 * 36)).toEqual(points.subarray(-3 * 36));
  });

  it('draws in as the photo shows it, and lies close where it is short', () => {
    const tapering = drape(-0.09, (v) => 0.09 + 0.3 * Math.min(0, v + 0.02));
    expect(radiusOf(tapering, 18)).toBeLessThan(0.082);
    expect(radiusOf(tapering, 18)).toBeGreaterThan(0.06);
    expect(drape(0.01, () => 0.09)).toEqual(points);
  });
});
