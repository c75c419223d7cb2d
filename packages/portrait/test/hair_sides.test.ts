import { describe, expect, it } from 'vitest';
import { bridgeEar, trustOutlines, turnIn } from '../src/hair/hair_sides.ts';
import type { PicturePlane } from '../src/hair/picture_plane.ts';
import type { Silhouette } from '../src/matte/silhouette.ts';

const levels = 64;
/** 64 heights of 3 mm, the highest one 45 mm above the picture plane's middle. */
const heightOf = (level: number): number => 0.045 - 0.003 * (levels - 1 - level);

describe('the outline of hair beside an ear', () => {
  /** Hair at these heights, 100 mm wide above and 80 mm below the middle one. */
  const side = (...hair: (readonly [from: number, to: number])[]) => {
    const hangs = Float32Array.from({ length: levels }, (_, l) =>
      Number(hair.some(([from, to]) => l >= from && l <= to)),
    );
    return { hangs, width: hangs.map((share, l) => (share ? (l > 32 ? 0.1 : 0.08) : 0.065)) };
  };

  it('goes on behind it, without a waist', () => {
    const { width, hangs } = side([37, 63], [15, 28]);
    bridgeEar(width, hangs, heightOf);
    for (let l = 29; l < 37; l++) {
      expect(hangs[l]).toBe(1);
      expect(width[l]).toBeGreaterThan(width[l - 1]!);
      expect(width[l]).toBeLessThan(0.1);
    }
  });

  it('stays where too little follows below, or nothing for longer than an ear', () => {
    for (const { width, hangs } of [side([37, 63], [24, 28]), side([50, 63], [10, 24])]) {
      const had = hangs.slice();
      bridgeEar(width, hangs, heightOf);
      expect(hangs).toEqual(had);
    }
  });
});

describe('the outline of a bob', () => {
  it('turns in above its end, and ends open instead of being led in to the neck', () => {
    const bare = new Float32Array(levels).fill(0.06);
    const hangs = Float32Array.from({ length: levels }, (_, l) => Number(l >= 20));
    const width = hangs.map((share) => (share ? 0.11 : 0.06));
    turnIn(width, hangs, bare, 0.003);
    expect(width[20]).toBeCloseTo(0.095, 4);
    expect(width[25]).toBeGreaterThan(0.1);
    expect(width[40]).toBeCloseTo(0.11, 6);
    expect(width[19]).toBeGreaterThan(0.088);
    expect(width[0]).toBeCloseTo(0.06, 6);
  });
});

describe('how far a side can be trusted', () => {
  const size = 240;
  /** Dark hair of 100 mm half-width before walls of this lightness, left in the picture first; one pixel a mm. */
  const cut = (left: number, right: number): Silhouette =>
    ({
      width: size,
      height: size,
      outside: new Uint8Array(size * size),
      toCrop: (x: number, y: number): [number, number] => [x, y],
      lab: Uint8Array.from({ length: 3 * size * size }, (_, j) => {
        if (j % 3) return 128;
        const x = ((j / 3) % size) - size / 2;
        return Math.abs(x) < 100 ? 12 : x < 0 ? left : right;
      }),
    }) as Partial<Silhouette> as Silhouette;
  const plane = {
    toPhoto: (u: number, v: number): [number, number] => [size / 2 + 1000 * u, size / 2 - 1000 * v],
  } as Partial<PicturePlane> as PicturePlane;
  const all = [new Float32Array(levels).fill(1), new Float32Array(levels).fill(1)] as const;
  const wide = (k: number) => [new Float32Array(levels).fill(0.1), new Float32Array(levels).fill(k)] as const;
  const trust = (left: number, right: number, yaw = 0, rightWidth = 0.1) =>
    trustOutlines(cut(left, right), plane, wide(rightWidth), all, heightOf, yaw);

  it('is the same where both are seen, or neither is', () => {
    expect(trust(150, 90)).toEqual([1, 1]);
    expect(trust(30, 30)).toEqual([1, 1]);
  });

  it('is none in the dark before a dark wall, beyond the photo’s edge and on the far side', () => {
    expect(trust(14, 150)).toEqual([1, 0]);
    expect(trust(150, 14)).toEqual([0, 1]);
    expect(trust(150, 150, 0, 0.115)).toEqual([1, 0]);
    expect(trust(150, 150, 20)).toEqual([0, 1]);
    expect(trust(150, 150, -20)).toEqual([1, 0]);
  });
});
