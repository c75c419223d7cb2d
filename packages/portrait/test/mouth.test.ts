import { describe, expect, it } from 'vitest';
import { restingFace } from '../src/default_head/resting_face.ts';
import { buildExpressions } from '../src/expressions/expressions.ts';
import { jawHinge } from '../src/expressions/jaw.ts';
import { fitFace } from '../src/fit/face_fit.ts';
import { frontalLandmarks } from '../src/landmarks/frontal_landmarks.ts';
import { growMouthBag } from '../src/parts/mouth_bag.ts';
import { growMouthInside, type MouthPlace } from '../src/parts/mouth_parts.ts';
import { usualEnamel } from '../src/parts/tooth_colour.ts';
import { fineFace } from '../src/topology/fine_face.ts';

const place: MouthPlace = { middle: [0, -0.061, 0.071], halfWidth: 0.025, cornerDepth: 0.012 };

describe('the teeth', () => {
  const { points, colours } = growMouthInside(place, usualEnamel).teeth;
  const vertices = Array.from({ length: points.length / 3 }, (_, i) => ({
    depth: place.middle[2] - points[3 * i + 2]!,
    rgb: [0, 1, 2].map((c) => colours[3 * i + c]!) as [number, number, number],
  }));
  /** The lightest red between two depths behind the lips, metres. */
  const lightest = (from: number, to: number): number =>
    Math.max(...vertices.filter(({ depth }) => depth >= from && depth < to).map(({ rgb }) => rgb[0]));

  it('are darker the further back they stand: cheeks keep the light off', () => {
    const [front, side, back] = [lightest(0, 0.01), lightest(0.024, 0.03), lightest(0.034, 0.05)];
    expect(side).toBeLessThan(0.7 * front);
    expect(back).toBeLessThan(0.4 * front);
  });

  it('turn red in the shade, never green', () => {
    for (const { rgb } of vertices) {
      const [red, green, blue] = rgb;
      expect(green).toBeLessThan(red);
      expect(blue).toBeLessThan(green);
    }
    const shaded = vertices.filter(({ rgb }) => rgb[0] < 0.25 * usualEnamel[0]);
    expect(shaded.length).toBeGreaterThan(0);
    for (const { rgb } of shaded) expect(rgb[1] / rgb[0]).toBeLessThan(0.75);
  });
});

describe('the inside of the cheeks', () => {
  it('stays by the teeth when a smile draws the lips away from them', () => {
    const fit = fitFace(frontalLandmarks(restingFace));
    const expressions = buildExpressions(fit);
    const fine = fineFace.refine(fit.neutral, 3);
    const fineDeltas = expressions.map(({ skin }) => skin && fineFace.refine(skin, 3));
    const { part, deltas } = growMouthBag(
      fine,
      place,
      fineDeltas,
      expressions,
      jawHinge(fit.neutral),
      place.halfWidth,
    );
    const smile = expressions.findIndex(({ name }) => name === 'mouthSmileLeft');
    const corner = fineFace.mouthRim.length / 2;
    const rim = fineFace.mouthRim[corner]!;
    const aside = fineDeltas[smile]![3 * rim]!;
    expect(aside).toBeGreaterThan(0.004);
    // Along the corner's column, the lips' own inside and the cheek behind it.
    const column: { behind: number; share: number }[] = [];
    for (let i = corner; i < part.points.length / 3; i += fineFace.mouthRim.length)
      column.push({
        behind: fine[3 * rim + 2]! - part.points[3 * i + 2]!,
        share: deltas[smile]![3 * i]! / aside,
      });
    const lips = column.filter(({ behind }) => behind < 0.001);
    const cheek = column.filter(({ behind }) => behind > 0.012);
    expect([lips.length, cheek.length].every((count) => count > 0)).toBe(true);
    for (const { share } of lips) expect(share).toBeCloseTo(1, 1);
    for (const { share } of cheek) expect(share).toBeLessThan(0.4);
  });
});
