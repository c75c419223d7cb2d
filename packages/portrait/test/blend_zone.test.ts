import { frontalLandmarks } from '@likeness/synthetic-heads/frontal_landmarks.ts';
import { describe, expect, it } from 'vitest';
import { blendZones } from '../src/appearance/blend_zone.ts';
import { fitFace } from '../src/fit/face_fit.ts';
import { craniumColumns, craniumRows } from '../src/skull/skull.ts';
import type { BlendZones } from '../src/texture/multiband_blend.ts';
import { fineFace } from '../src/topology/fine_face.ts';
import { meanFace } from '../src/topology/mean_face.ts';
import { downAt, off, type Place, turning, vertexAt } from './face_places.ts';

const count = fineFace.count + craniumRows * craniumColumns;
const leftCheek: Place = [0.14, 0.6];
const rightCheek: Place = [0.86, 0.6];
const mouth: Place = [0.5, 0.66];
const forehead: Place = [0.5, 0.2];
const temple: Place = [0.06, 0.35];

/** A crop in which each vertex has a pixel of its own, and a face whose eyes are level with the layout's upper third. */
const own = {
  toCrop: (x: number, y: number): [number, number] => [x, y],
  width: count,
  height: 1,
  mask: new Uint8Array(count),
};
const face = {
  points: Float32Array.from({ length: 3 * count }, (_, i) =>
    i % 3 === 1 && i < 3 * fineFace.count ? -0.1 * downAt(Math.floor(i / 3)) : 0,
  ),
  photo: Float32Array.from({ length: 2 * count }, (_, i) => (i % 2 ? 0.5 : i / 2 + 0.5)),
};
const level = turning(0, 0, count);
const fit = {
  neutral: new Float32Array(3 * 468).fill(-0.035),
  pose: fitFace(frontalLandmarks(meanFace)).pose,
};

/** How far the photo gives way at a place, where `hairy` places (a tenth of the layout about) look like hair. */
function zoneAt(place: Place, hairy: Place[] = [], zone: keyof BlendZones = 'edge', normals = level): number {
  const hair = Float32Array.from({ length: count }, (_, i) =>
    i < fineFace.count && hairy.some((at) => off(i, at) < 0.1) ? 1 : 0,
  );
  const map = { hair, skin: hair.map((share) => 1 - share) };
  return blendZones({ ...face, normals }, fit, own, map)[zone][vertexAt(place)]!;
}

describe('where a photo’s spots give way to the skin’s tone', () => {
  it('is cheek and jaw, and not the middle of the face or the forehead', () => {
    expect(zoneAt(leftCheek)).toBeGreaterThan(0.9);
    expect(zoneAt(mouth)).toBeLessThan(0.1);
    expect(zoneAt(forehead)).toBeLessThan(0.1);
  });

  it('is the temple, but for hair that falls over it', () => {
    expect(zoneAt(temple)).toBeGreaterThan(0.9);
    expect(zoneAt(temple, [temple])).toBeLessThan(0.1);
  });
});

const headOnly = { ...own, mask: new Uint8Array(count).fill(255) };

describe('beyond the face’s oval', () => {
  /** How far photos of hair and of bare skin give way on the cranium at a height, metres. */
  const zonesAt = (height: number): [hair: Set<number>, bare: Set<number>] => {
    const points = face.points.map((value, i) => (i % 3 === 1 && i >= 3 * fineFace.count ? height : value));
    const shown = [1, 0].map((share) => {
      const hair = new Float32Array(count).fill(share);
      const { edge } = blendZones({ ...face, points, normals: level }, fit, headOnly, {
        hair,
        skin: hair.map((h) => 1 - h),
      });
      return new Set(edge.subarray(fineFace.count));
    });
    return shown as [Set<number>, Set<number>];
  };

  it('skin above gives way, for its light isn’t the face’s, and hair stays', () => {
    expect(zonesAt(0.1)).toEqual([new Set([0]), new Set([1])]);
  });

  it('all below the jaw gives way: shade of half of it would end in a line', () => {
    expect(zonesAt(-0.2)).toEqual([new Set([1]), new Set([1])]);
  });
});

describe('what one side of a face alone may not show', () => {
  it('is all but lips, and hair on both sides', () => {
    expect(zoneAt(forehead, [], 'alike')).toBeGreaterThan(0.95);
    expect(zoneAt(leftCheek, [leftCheek], 'alike')).toBeGreaterThan(0.95);
    expect(zoneAt(leftCheek, [leftCheek, rightCheek], 'alike')).toBeLessThan(0.1);
    expect(zoneAt([0.5, 0.7], [], 'alike')).toBeLessThan(0.3);
  });
});

describe('where detail is drawn out', () => {
  it('is where both sides turn away: the one that is seen lends its own to the other', () => {
    const smearedAt = (right: number, left: number): number =>
      zoneAt(leftCheek, [], 'smeared', turning(right, left, count));
    expect(smearedAt(0, 0)).toBe(0);
    expect(smearedAt(2, 2)).toBeGreaterThan(0.95);
    expect(smearedAt(2, 0.5)).toBe(0);
  });
});
