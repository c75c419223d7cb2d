import { type Camera, renderHead } from '@likeness/head-renderer/rasteriser.ts';
import { oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import { frontalLandmarks } from '@likeness/synthetic-heads/frontal_landmarks.ts';
import { restingFace } from '@likeness/synthetic-heads/resting_face.ts';
import { describe, expect, it } from 'vitest';
import { sharedHead } from '../../../test/support/shared_heads.ts';
import type { HeadModel } from '../src/contract/head_model.ts';
import { buildExpressions } from '../src/expressions/expressions.ts';
import { jawHinge } from '../src/expressions/jaw.ts';
import { fitFace } from '../src/fit/face_fit.ts';
import { buildMouthBag } from '../src/parts/mouth_bag.ts';
import { buildMouthInside, type MouthFrame } from '../src/parts/mouth_parts.ts';
import { defaultEnamel } from '../src/parts/tooth_colour.ts';
import { toLinear } from '../src/photo/linear_light.ts';
import { fineFace } from '../src/topology/fine_face.ts';

const mouth: MouthFrame = { middle: [0, -0.061, 0.071], halfWidth: 0.025, cornerDepth: 0.012 };

describe('the teeth', () => {
  const { points, colours } = buildMouthInside(mouth, defaultEnamel).teeth;
  const vertices = Array.from({ length: points.length / 3 }, (_, i) => ({
    depth: mouth.middle[2] - points[3 * i + 2]!,
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
    const shaded = vertices.filter(({ rgb }) => rgb[0] < 0.25 * defaultEnamel[0]);
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
    const { part, deltas } = buildMouthBag(
      fine,
      mouth,
      fineDeltas,
      expressions,
      jawHinge(fit.neutral),
      mouth.halfWidth,
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

describe('the gap between upper and lower teeth', () => {
  it('never has the colour of gums', async () => {
    const { countPink } = mouthPictures(await sharedHead('default'));
    const poses = [
      ...[0.1, 0.2, 0.3, 0.4, 0.5, 0.6].map((weight) => ({ jawOpen: weight })),
      // Only a "th" shows the tongue.
      ...oculusVisemeNames.filter((name) => name !== 'viseme_TH').map((name) => ({ [name]: 1 })),
    ];
    for (const pose of poses)
      for (const yaw of [-30, -15, 0, 15, 30])
        expect({ pose, yaw, pink: countPink(pose, yaw) }).toEqual({ pose, yaw, pink: 0 });
  });

  it('shows the tongue below in a mouth that is wide open, and amid the gap in a "th"', async () => {
    const { countPink } = mouthPictures(await sharedHead('default'));
    for (const jawOpen of [0.8, 1])
      for (const yaw of [-30, 0, 30]) {
        expect(countPink({ jawOpen }, yaw)).toBeGreaterThan(0);
        expect(countPink({ jawOpen }, yaw, 0.5)).toBe(0);
      }
    expect(countPink({ viseme_TH: 1 }, 0)).toBeGreaterThan(30);
  });
});

/** Pictures of a head's mouth in which skin is white and teeth are blue, the lower ones darker. */
function mouthPictures(head: HeadModel) {
  const [width, height] = [120, 100];
  const surfaces = head.surfaces
    .filter(({ name }) => ['Skin', 'Teeth', 'Gums', 'Tongue', 'MouthBag'].includes(name))
    .map((surface) => {
      const colours = surface.colours?.slice() ?? new Float32Array(surface.points.length).fill(1);
      const jaw = surface.morphs?.[head.targetNames.indexOf('jawOpen')];
      if (surface.name === 'Teeth')
        for (let i = 0; i < colours.length; i += 3) colours.set([0, 0, jaw?.[i + 1] ? 0.5 : 1], i);
      return { ...surface, colours, material: 0 };
    });
  const shown = { ...head, surfaces, materials: [{ name: '', colour: [1, 1, 1, 1] as const, roughness: 1 }] };
  const teeth = surfaces.find(({ name }) => name === 'Teeth')!.points;
  const front = Math.max(...teeth.filter((_, i) => i % 3 === 2));
  const middle = (3 * teeth.filter((_, i) => i % 3 === 1).reduce((sum, y) => sum + y, 0)) / teeth.length;
  const scale = width / 0.06;
  /** Turns about the mouth. */
  const cameraAt = (yaw: number): Camera => {
    const [c, s] = [Math.cos((yaw * Math.PI) / 180), Math.sin((yaw * Math.PI) / 180)];
    return {
      x: [scale * c, 0, scale * s, width / 2 - scale * s * (front - 0.006)],
      y: [0, -scale, 0, 0.35 * height + scale * middle],
      z: [-s, 0, c, 0],
    };
  };
  /** Pixels below an upper tooth, in the upper share of what is open there, at least half as light as gums. */
  const countPink = (morphs: Readonly<Record<string, number>>, yaw: number, upperShare = 1): number => {
    const { data } = renderHead(shown, {
      camera: cameraAt(yaw),
      width,
      size: height,
      morphs,
      unlit: true,
      background: [0, 255, 0],
    });
    let count = 0;
    for (let x = 0; x < width; x++) {
      const column = Array.from({ length: height }, (_, y) => data.subarray(4 * (y * width + x)));
      const upper = column.findLastIndex(([r, , b]) => r! < 20 && b! > 240);
      if (upper < 0) continue;
      const below = column.slice(upper + 1);
      const open = below.slice(
        0,
        below.findIndex(([r, g, b]) => (r! < 20 && b! > 150) || (r! > 245 && g! > 245)),
      );
      count += open.filter(
        ([r, g, b], i) => i < upperShare * open.length && toLinear(r!) > 0.2 && r! > g! && r! > b!,
      ).length;
    }
    return count;
  };
  return { countPink };
}
