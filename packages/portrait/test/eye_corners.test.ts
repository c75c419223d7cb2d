import { frontalLandmarks } from '@likeness/synthetic-heads/frontal_landmarks.ts';
import { expect, it } from 'vitest';
import { sharpenEyes } from '../src/fit/eye_corners.ts';
import type { FaceLandmarks } from '../src/landmarks/landmarks.ts';
import { leftEye, rightEye } from '../src/topology/face_topology.ts';
import { landmark } from '../src/topology/landmark.ts';
import { meanFace } from '../src/topology/mean_face.ts';

const found = frontalLandmarks(meanFace);

/** What the eye network says of eyes whose every place lies `dx` pixels nearer to the nose. */
function seenEyes(dx: number): FaceLandmarks {
  const lidsOf = (eye: typeof rightEye, shift: number): Float32Array =>
    Float32Array.from(
      [eye.outer, ...eye.lower[0]!, eye.inner, ...eye.upper[0]!].flatMap((i) => [
        found.points[3 * i]! + shift,
        found.points[3 * i + 1]!,
      ]),
    );
  return {
    ...found,
    rightIris: { ...found.rightIris, lids: lidsOf(rightEye, dx) },
    leftIris: { ...found.leftIris, lids: lidsOf(leftEye, -dx) },
  };
}

const moved = (points: Float32Array, i: number): number => points[3 * i]! - found.points[3 * i]!;

it('lays lids where the eye network sees them, with the skin about them, and leaves nose and mouth', () => {
  const points = sharpenEyes(seenEyes(5), 0);
  expect(moved(points, landmark.rightEyeOuter)).toBeCloseTo(5, 3);
  expect(moved(points, landmark.leftEyeInner)).toBeCloseTo(-5, 3);
  const [belowRim, outline] = [rightEye.lower[1]![3]!, 454];
  expect(moved(points, belowRim)).toBeGreaterThan(2);
  for (const i of [landmark.noseTip, landmark.leftMouthCorner, outline]) expect(moved(points, i)).toBe(0);
});

it('hears the eye network less the more a head is turned, and not where it was not asked', () => {
  expect(moved(sharpenEyes(seenEyes(5), 18), landmark.rightEyeOuter)).toBeLessThan(4);
  expect(sharpenEyes(seenEyes(5), -30)).toBe(found.points);
  expect(sharpenEyes(found, 0)).toBe(found.points);
});
