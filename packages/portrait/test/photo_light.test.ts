import { describe, expect, it } from 'vitest';
import { shadingOf } from '../src/fit/photo_light.ts';

/** Directions over the front half of a sphere. */
const normals = Float32Array.from(
  Array.from({ length: 900 }, (_, i) => {
    const z = 0.15 + (0.85 * i) / 899;
    const turn = i * 2.399963;
    const r = Math.sqrt(1 - z * z);
    return [r * Math.cos(turn), r * Math.sin(turn), z];
  }).flat(),
);
const count = normals.length / 3;
/** A lamp on the right whose warm light falls on skin in a cool surrounding. */
const lit = (i: number, c: number): number =>
  [0.4, 0.3, 0.25][c]! *
  ([0.35, 0.4, 0.45][c]! +
    [0.75, 0.7, 0.65][c]! * Math.max(0, 0.6 * normals[3 * i]! + 0.8 * normals[3 * i + 2]!));
const colours = Float32Array.from({ length: 3 * count }, (_, o) => lit(Math.floor(o / 3), o % 3));
const weight = new Float32Array(count).fill(1);

/**
 * How unevenly a skin of one colour is left when its shading is divided out, but where `skip` says: deviation
 * by mean.
 */
function unevenness(
  seen: Float32Array,
  shading: Float32Array,
  c: number,
  skip: (i: number) => boolean,
): number {
  const left = Array.from({ length: count }, (_, i) => i)
    .filter((i) => !skip(i))
    .map((i) => seen[3 * i + c]! / shading[3 * i + c]!);
  const mean = left.reduce((sum, v) => sum + v, 0) / left.length;
  return Math.sqrt(left.reduce((sum, v) => sum + (v - mean) ** 2, 0) / left.length) / mean;
}

const none = new Float32Array(3 * count).fill(1);
const everywhere = (): boolean => false;

describe('the light of a photo', () => {
  it('is found in brightness and tint, so that skin of one colour keeps a third of its unevenness at most', () => {
    const shading = shadingOf({ normals, colours, weight });
    for (let c = 0; c < 3; c++) {
      const before = unevenness(colours, none, c, everywhere);
      expect(before).toBeGreaterThan(0.25);
      expect(unevenness(colours, shading, c, everywhere)).toBeLessThan(before / 3);
    }
  });

  it('is not misled by a beard that covers a fifth of the face', () => {
    const beard = (i: number): boolean => normals[3 * i + 1]! < -0.55;
    const bearded = colours.map((v, o) => (beard(Math.floor(o / 3)) ? v * 0.25 : v));
    const shading = shadingOf({ normals, colours: bearded, weight });
    for (let c = 0; c < 3; c++)
      expect(unevenness(bearded, shading, c, beard)).toBeLessThan(unevenness(bearded, none, c, beard) / 2);
  });

  it('is left alone where no skin is seen', () => {
    expect(shadingOf({ normals, colours, weight: new Float32Array(count) }).every((v) => v === 1)).toBe(true);
  });
});
