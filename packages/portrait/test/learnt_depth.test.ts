import { frontalLandmarks } from '@likeness/synthetic-heads/frontal_landmarks.ts';
import { describe, expect, it } from 'vitest';
import { fitFace } from '../src/fit/face_fit.ts';
import { withLearntDepth } from '../src/fit/learnt_depth.ts';
import { eyeRim, leftEye, mirrorPoint, rightEye } from '../src/topology/face_topology.ts';
import { fineFace } from '../src/topology/fine_face.ts';
import { landmark } from '../src/topology/landmark.ts';
import { meanFace } from '../src/topology/mean_face.ts';

const rims = [...eyeRim(rightEye), ...eyeRim(leftEye)];
const fit = fitFace(frontalLandmarks(meanFace));
const told = withLearntDepth(fit);

/** How far further forward the learnt depth puts a point than the network does, metres. */
const forward = (i: number, { neutral } = told, { neutral: before } = fit): number =>
  neutral[3 * i + 2]! - before[3 * i + 2]!;

describe('withLearntDepth', () => {
  it('moves along the line of sight: x and the eyes stay, both sides alike', () => {
    for (let i = 0; i < 468; i++) {
      expect(told.neutral[3 * i]).toBe(fit.neutral[3 * i]);
      expect(Math.abs(forward(i))).toBeLessThanOrEqual(0.01401);
      expect(Math.abs(forward(i) - forward(mirrorPoint[i]!))).toBeLessThan(5e-4);
    }
    for (const i of rims) expect(forward(i)).toBe(0);
  });

  it('a face that differs in the front from the usual one differs in depth', () => {
    const long = meanFace.slice();
    // A jaw that goes further down, the mouth with it.
    for (let i = 0; i < 468; i++) {
      const below = Math.max(0, -0.05 - long[3 * i + 1]!) / 0.06;
      long[3 * i + 1]! -= 0.006 * Math.min(1, below);
    }
    const before = fitFace(frontalLandmarks(long));
    const after = withLearntDepth(before);
    const chin = forward(landmark.chin, after, before) - forward(landmark.chin);
    expect(Math.abs(chin)).toBeGreaterThan(5e-4);
  });

  it('reads lips and cheeks of a mouth at rest, and not of one that is drawn out or open', () => {
    const cheeks = meanFace.slice();
    // Cheeks below the eyes go outwards; the mouth's corners stay where its width is measured.
    for (const i of [50, 280, 205, 425, 36, 266]) cheeks[3 * i]! += Math.sign(cheeks[3 * i]!) * 0.004;
    const told = (face: Float32Array, lipGap: number, width: number): Float32Array => {
      const fitted = { ...fitFace(frontalLandmarks(face)), lipGap };
      for (const i of [landmark.leftMouthCorner, landmark.rightMouthCorner])
        fitted.neutral[3 * i] = Math.sign(fitted.neutral[3 * i]!) * width;
      return withLearntDepth(fitted).neutral;
    };
    const change = (lipGap: number, width: number): number => {
      const [plain, wide] = [told(meanFace, lipGap, width), told(cheeks, lipGap, width)];
      return Math.max(...plain.map((v, i) => (i % 3 === 2 ? Math.abs(v - wide[i]!) : 0)));
    };
    const atRest = change(0, 0.023);
    expect(atRest).toBeGreaterThan(8e-4);
    // What the fit itself makes of them is left.
    expect(change(0.1, 0.023)).toBeLessThan(atRest / 3);
    expect(change(0, 0.031)).toBeLessThan(atRest / 3);
  });

  it('believes less of the nose’s underside beside its tip where the mouth smiles', () => {
    // Wings of the nose go outwards and up, as a smile draws them.
    const flared = meanFace.slice();
    for (let i = 0; i < 468; i++) {
      const [x, y] = [Math.abs(flared[3 * i]!), flared[3 * i + 1]!];
      const near = Math.exp(-((x - 0.018) ** 2 + (y + 0.036) ** 2) / 1e-4);
      flared[3 * i]! += Math.sign(flared[3 * i]!) * 0.004 * near;
      flared[3 * i + 1]! += 0.003 * near;
    }
    /** How far the underside comes forward before the tip, metres. */
    const beak = (face: Float32Array, width: number): number => {
      const fitted = fitFace(frontalLandmarks(face));
      for (const i of [landmark.leftMouthCorner, landmark.rightMouthCorner])
        fitted.neutral[3 * i] = Math.sign(fitted.neutral[3 * i]!) * width;
      const before = fineFace.refine(fitted.neutral, 1);
      const after = fineFace.refine(withLearntDepth(fitted).neutral, 1);
      const moved = (i: number): number => after[3 * i + 2]! - before[3 * i + 2]!;
      return moved(19) - moved(landmark.noseTip);
    };
    const told = (width: number): number => beak(flared, width) - beak(meanFace, width);
    expect(told(0.024)).toBeGreaterThan(0.004);
    expect(Math.abs(told(0.031))).toBeLessThan(0.0015);
  });

  it('leaves a head that is turned far as it is', () => {
    const turned = { ...fit, pose: { ...fit.pose, yaw: 30 } };
    expect(withLearntDepth(turned)).toBe(turned);
  });
});
