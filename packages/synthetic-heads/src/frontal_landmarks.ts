import { mix, type Vector } from '@likeness/geometry/vector.ts';
import type { FaceLandmarks } from '@likeness/portrait/landmarks/landmarks.ts';
import { landmark } from '@likeness/portrait/topology/landmark.ts';

/** Pixels a metre of the picture that the landmarks are given in. */
const scale = 2700;
const irisRadius = 0.006;

/** The landmarks that a face (468 × 3 metres, the face frame) would have in a frontal picture of it. */
export function frontalLandmarks(face: Float32Array): FaceLandmarks {
  const points = face.map((v, i) => (i % 3 === 0 ? v : -v) * scale);
  const corner = (i: number): Vector => [points[3 * i], points[3 * i + 1], 0];
  const iris = (outer: number, inner: number) => {
    const [x, y] = mix(corner(outer), corner(inner), 0.5);
    return { x, y: y - 0.0006 * scale, radius: irisRadius * scale };
  };
  return {
    points,
    rightIris: iris(33, 133),
    leftIris: iris(263, 362),
    presence: 1,
    spread: 0,
    iod: (face[3 * landmark.leftEyeOuter] - face[3 * landmark.rightEyeOuter]) * scale,
    roll: 0,
  };
}
