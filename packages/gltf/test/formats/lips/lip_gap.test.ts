import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import { beforeAll, expect, test } from 'vitest';
import { lipsOf } from '../../../../../test/bench/lips.ts';
import { headGlb } from '../../../../../test/fixtures/studio/head_glb.ts';
import { defaultHeadGlb } from '../../../../../test/support/heads/default_head_glb.ts';
import { type LipGap, lipGapOf } from '../../../src/formats/lips/lip_gap.ts';

let gap: LipGap;
beforeAll(async () => {
  gap = (await lipGapOf(await defaultHeadGlb()))!;
});

const weightsOf = (face: Record<string, number>): Float32Array =>
  Float32Array.from(arkitBlendshapeNames, (name) => face[name] ?? 0);

test.each([
  [{}],
  [{ jawOpen: 0.1 }],
  [{ jawOpen: 1 }],
  [{ jawOpen: 0.3, mouthClose: 0.3 }],
  [{ jawOpen: 0.3, mouthClose: 0.25 }],
  [{ mouthFunnel: 0.6 }],
  [{ mouthPucker: 1 }],
  [{ mouthSmileLeft: 1, mouthSmileRight: 1 }],
  [{ mouthPressLeft: 1, mouthPressRight: 1 }],
  [{ mouthUpperUpLeft: 0.5, mouthUpperUpRight: 0.5 }],
  [{ mouthLowerDownLeft: 0.5 }],
])('%j: what is found in the file is what the engine knows of its own rims', (face) => {
  const known = lipsOf(weightsOf(face)).gap;
  expect(Math.abs(gap(weightsOf(face), arkitBlendshapeNames) - known)).toBeLessThan(
    // Near the corners of curved lips the file's rims are paired by place, not by the engine's columns.
    0.15 + 0.03 * Math.abs(known),
  );
});

test('visemes beside ARKit’s channels do not open the mouth twice, nor do channels that it has not', () => {
  const names = ['jawOpen', 'viseme_aa', 'somethingElse'];
  expect(gap([0.5, 0, 0], names)).toBeCloseTo(gap([0.5, 1, 1], names), 9);
});

test('a head without a mouth to measure has no figure', async () => {
  expect(await lipGapOf(headGlb())).toBeNull();
});
