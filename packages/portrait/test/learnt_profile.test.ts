import { frontalLandmarks } from '@likeness/synthetic-heads/frontal_landmarks.ts';
import { describe, expect, it } from 'vitest';
import { fitFace } from '../src/fit/face_fit.ts';
import { withLearntDepth } from '../src/fit/learnt_depth.ts';
import { layProfile, middleLine } from '../src/multi_view/profile_line.ts';
import { shapedByProfiles } from '../src/multi_view/profile_shape.ts';
import { eyeRim, leftEye, mirrorPoint, rightEye, rightNoseWing } from '../src/topology/face_topology.ts';
import { fineFace } from '../src/topology/fine_face.ts';
import { landmark } from '../src/topology/landmark.ts';
import { meanFace } from '../src/topology/mean_face.ts';

const fit = withLearntDepth(fitFace(frontalLandmarks(meanFace)));
const start = { s: 2000, turn: 0, tx: 300, ty: 300 };

/** The face's own middle line from the side, its nose further out by some metres, as a head before nothing. */
function insideOf(longer: number): (x: number, y: number) => number {
  const fine = fineFace.refine(fit.neutral, 3);
  const tip = fine[3 * landmark.noseTip + 1]!;
  const line = middleLine.map((i): [number, number] => {
    const [y, z] = [fine[3 * i + 1]!, fine[3 * i + 2]!];
    return [y, z + longer * Math.exp(-(((y - tip) / 0.018) ** 2))];
  });
  line.unshift([0.2, line[0]![1]]);
  line.push([-0.2, line.at(-1)![1]]);
  return (x, y) => {
    const up = (start.ty - y) / start.s;
    const z = Math.max(
      ...line.slice(1).flatMap(([y1, z1], k) => {
        const [y0, z0] = line[k]!;
        const isBetween = up <= Math.max(y0, y1) && up >= Math.min(y0, y1);
        return isBetween ? [z0 + ((z1 - z0) * (up - y0)) / (y1 - y0 || 1)] : [];
      }),
    );
    return Math.min(1, Math.max(0, start.tx + start.s * z - x + 0.5));
  };
}

/** The face with what a profile shows whose nose is longer. */
function shaped(longer: number): Float32Array {
  return shapedByProfiles(fit, [layProfile(insideOf(longer), start, 1, fit)!]).neutral;
}

describe('the learnt profile', () => {
  const plain = shaped(0);
  const long = shaped(0.006);
  const further = (i: number): number => long[3 * i + 2]! - plain[3 * i + 2]!;

  it('a profile that shows the face as its front told it leaves it so', () => {
    for (let i = 0; i < 468; i++)
      expect(Math.abs(plain[3 * i + 2]! - fit.neutral[3 * i + 2]!)).toBeLessThan(0.0025);
  });

  it('a longer nose comes forward, its wings by a part of it, the eyes not at all', () => {
    expect(further(landmark.noseTip)).toBeGreaterThan(0.003);
    for (const i of rightNoseWing) {
      expect(further(i)).toBeGreaterThan(0);
      expect(further(i)).toBeLessThan(further(landmark.noseTip));
    }
    for (const i of [...eyeRim(rightEye), ...eyeRim(leftEye)]) expect(further(i)).toBe(0);
  });

  it('both sides move alike, and from the front the face stays', () => {
    for (let i = 0; i < 468; i++) {
      expect(long[3 * i]).toBe(fit.neutral[3 * i]);
      expect(Math.abs(further(i) - further(mirrorPoint[i]!))).toBeLessThan(5e-4);
    }
  });
});
