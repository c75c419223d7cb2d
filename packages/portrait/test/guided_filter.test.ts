import { describe, expect, it } from 'vitest';
import { refinedShare, refineShares } from '../../../scripts/quality/guided_filter.ts';

const [width, height] = [40, 30];
const [dark, light] = [
  [60, 40, 30],
  [200, 170, 150],
] as const;

describe('shares refined to the photo', () => {
  /** Dark to the left of column 20.3, and a share that says so five pixels too far to the right, and softly. */
  const rgb = new Float32Array(3 * width * height);
  const shares = new Float32Array(width * height);
  for (let i = 0; i < shares.length; i++) {
    const x = i % width;
    for (let c = 0; c < 3; c++) {
      const share = Math.min(1, Math.max(0, 20.3 - x));
      rgb[3 * i + c] = share * dark[c]! + (1 - share) * light[c]!;
    }
    shares[i] = Math.min(1, Math.max(0, (23 - x) / 5));
  }
  const refined = refineShares(shares, rgb, width, height);
  const at = (from: ArrayLike<number>, o: number, cx: number, cy: number): number =>
    refinedShare(refined, from, o, cx, cy);

  it('have the edge of the colours, at places between the pixels too', () => {
    expect(at(dark, 0, 20.2, 15)).toBeGreaterThan(0.75);
    expect(at(light, 0, 20.4, 15)).toBeLessThan(0.35);
  });

  it('stay as they are where nothing changes', () => {
    expect(at(dark, 0, 4, 15)).toBeCloseTo(1, 2);
    expect(at(light, 0, 35, 15)).toBeCloseTo(0, 2);
  });

  it('read the colour from its place in a list', () => {
    const list = [0, 0, 0, ...dark];
    expect(at(list, 3, 20.3, 12)).toBe(at(dark, 0, 20.3, 12));
  });
});
