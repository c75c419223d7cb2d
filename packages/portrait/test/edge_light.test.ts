import { describe, expect, it } from 'vitest';
import { edgeGains } from '../src/appearance/edge_light.ts';
import { layout } from '../src/topology/face_topology.ts';
import { fineFace } from '../src/topology/fine_face.ts';

const { count, refine } = fineFace;
const flat = refine(layout, 2);
/** A face that turns away towards both sides. */
const facing = Float32Array.from({ length: count }, (_, i) => 1 - Math.abs(flat[2 * i]! - 0.5) ** 2 * 3.6);
const weight = new Float32Array(count).fill(1);

/** Gains of a face of brightness 150 that is `left` so bright beyond nine tenths of its left side. */
function gains(left: number): { middle: number; left: number; right: number } {
  const colours = new Float32Array(count * 3);
  for (let i = 0; i < count; i++) colours.fill(150 * (flat[2 * i]! < 0.15 ? left : 1), 3 * i, 3 * i + 3);
  const found = edgeGains({ colours, weight, facing });
  const near = (u: number): number => {
    let best = 0;
    for (let i = 1; i < count; i++) {
      const off = (k: number): number => Math.hypot(flat[2 * k]! - u, flat[2 * k + 1]! - 0.55);
      if (off(i) < off(best)) best = i;
    }
    return found[best]!;
  };
  return { middle: near(0.45), left: near(0.05), right: near(0.95) };
}

describe('light at a face’s edge', () => {
  it('takes deep shade and gloss out where the face turns away, on that side alone', () => {
    const dark = gains(0.4);
    expect(dark.left).toBeGreaterThan(1.2);
    expect(dark.middle).toBe(1);
    expect(dark.right).toBeCloseTo(1, 2);
    expect(gains(1.5).left).toBeLessThan(0.9);
  });

  it('leaves the shade that tells of a face’s shape', () => {
    expect(gains(0.85).left).toBeCloseTo(1, 2);
  });

  it('does nothing where too little skin is seen', () => {
    const found = edgeGains({
      colours: new Float32Array(count * 3).fill(100),
      weight: new Float32Array(count),
      facing,
    });
    expect(found.every((gain) => gain === 1)).toBe(true);
  });
});
