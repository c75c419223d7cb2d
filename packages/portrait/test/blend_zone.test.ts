import { describe, expect, it } from 'vitest';
import { blendZones } from '../src/appearance/blend_zone.ts';
import { fitFace } from '../src/fit/face_fit.ts';
import { frontalLandmarks } from '../src/landmarks/frontal_landmarks.ts';
import type { BlendZones } from '../src/texture/multiband_blend.ts';
import { fineFace } from '../src/topology/fine_face.ts';
import { meanFace } from '../src/topology/mean_face.ts';
import { acrossAt, downAt, off, type Place, vertexAt } from './face_places.ts';

const { count } = fineFace;
const leftCheek: Place = [0.14, 0.6];
const rightCheek: Place = [0.86, 0.6];
const mouth: Place = [0.5, 0.66];
const forehead: Place = [0.5, 0.2];

/** A crop in which each vertex has a pixel of its own, and a face whose eyes are level with the layout's upper third. */
const own = { toCrop: (x: number, y: number): [number, number] => [x, y], width: count, height: 1 };
const face = {
  points: Float32Array.from({ length: 3 * count }, (_, i) =>
    i % 3 === 1 ? -0.1 * downAt(Math.floor(i / 3)) : 0,
  ),
  photo: Float32Array.from({ length: 2 * count }, (_, i) => (i % 2 ? 0.5 : i / 2 + 0.5)),
};
/** Normals of a face whose halves turn away to the side, by so many radians at their edges. */
const turning = (right: number, left: number): Float32Array =>
  Float32Array.from({ length: 3 * count }, (_, k) => {
    const aside = 2 * acrossAt(Math.floor(k / 3)) - 1;
    const angle = aside * (aside < 0 ? right : left);
    return [Math.sin(angle), 0, Math.cos(angle)][k % 3]!;
  });
const level = turning(0, 0);
const fit = {
  neutral: new Float32Array(3 * 468).fill(-0.035),
  pose: fitFace(frontalLandmarks(meanFace)).pose,
};

/** How far the photo gives way at a place, where `hairy` places (a tenth of the layout about) look like hair. */
function zoneAt(
  place: Place,
  {
    hairy = [],
    rough = 0,
    trust = 1,
    unseen = [],
    sex = 'male',
    normals = level,
  }: {
    hairy?: Place[];
    rough?: number;
    trust?: number;
    unseen?: Place[];
    sex?: 'male' | 'female';
    normals?: Float32Array;
  },
  zone: keyof BlendZones = 'edge',
): number {
  const isHair = Float32Array.from({ length: count }, (_, i) =>
    hairy.some((at) => off(i, at) < 0.1) ? 1 : 0,
  );
  const map = {
    strands: isHair,
    skin: isHair.map((hair) => 1 - hair),
    rough: new Float32Array(count).fill(rough),
  };
  const skin = {
    ...face,
    normals,
    trust: Float32Array.from({ length: count }, (_, i) =>
      unseen.some((at) => off(i, at) < 0.1) ? 0 : trust,
    ),
  };
  return blendZones(skin, fit, own, map, new Float32Array(count), sex)[zone][vertexAt(place)]!;
}

describe('where a photo’s spots give way to the skin’s tone', () => {
  it('is cheek and jaw, and not the middle of the face or the forehead', () => {
    expect(zoneAt(leftCheek, {})).toBeGreaterThan(0.9);
    expect(zoneAt(mouth, {})).toBeLessThan(0.1);
    expect(zoneAt(forehead, {})).toBeLessThan(0.1);
  });

  it('is a cheek in the shade too, which looks like hair', () => {
    expect(zoneAt(leftCheek, { hairy: [leftCheek] })).toBeGreaterThan(0.9);
  });

  it('is no beard: on both sides, or as rough as hair is where the other isn’t seen', () => {
    expect(zoneAt(leftCheek, { hairy: [leftCheek, rightCheek] })).toBeLessThan(0.1);
    expect(zoneAt(leftCheek, { hairy: [leftCheek], rough: 1, unseen: [rightCheek] })).toBeLessThan(0.1);
    expect(zoneAt(leftCheek, { hairy: [leftCheek], rough: 1 })).toBeGreaterThan(0.9);
  });

  it('has no beard where the photo shows the cheek on neither side, or of a woman', () => {
    expect(zoneAt(leftCheek, { hairy: [leftCheek, rightCheek], trust: 0.05 })).toBeGreaterThan(0.9);
    expect(zoneAt(leftCheek, { hairy: [leftCheek, rightCheek], rough: 1, sex: 'female' })).toBeGreaterThan(
      0.9,
    );
  });
});

describe('what one side of a face alone may not show', () => {
  it('is all but lips and a beard', () => {
    expect(zoneAt(forehead, {}, 'alike')).toBeGreaterThan(0.95);
    expect(zoneAt(leftCheek, { hairy: [leftCheek] }, 'alike')).toBeGreaterThan(0.95);
    expect(zoneAt(leftCheek, { hairy: [leftCheek, rightCheek] }, 'alike')).toBeLessThan(0.1);
    expect(zoneAt([0.5, 0.7], {}, 'alike')).toBeLessThan(0.3);
  });
});

describe('where detail is drawn out', () => {
  it('is where both sides turn away: the one that is seen lends its own to the other', () => {
    expect(zoneAt(leftCheek, { normals: level }, 'smeared')).toBe(0);
    expect(zoneAt(leftCheek, { normals: turning(2, 2) }, 'smeared')).toBeGreaterThan(0.95);
    expect(zoneAt(leftCheek, { normals: turning(2, 0.5) }, 'smeared')).toBe(0);
  });
});
