import { smoothstep } from '@likeness/geometry/vector.ts';
import { type FaceFit, fitFace } from '@likeness/portrait/fit/face_fit.ts';
import { meanFace } from '@likeness/portrait/topology/mean_face.ts';
import { frontalLandmarks } from './frontal_landmarks.ts';

/** 1 at the middle, 0 from `reach` on, flat in between. */
const bell = (x: number, middle: number, reach: number): number =>
  smoothstep(reach, 0.35 * reach, Math.abs(x - middle));

/**
 * The mean face at rest: portraits smile, which draws the mouth wide and its corners back and fills the
 * cheeks. 468 × 3 metres.
 */
export const restingFace: Float32Array = (() => {
  const face = meanFace.slice();
  for (let i = 0; i < face.length; i += 3) {
    const [x, y] = [face[i]!, face[i + 1]!];
    const side = Math.abs(x);
    const mouth = bell(x, 0, 0.042) * bell(y, -0.062, 0.024);
    const corner = bell(side, 0.029, 0.013) * bell(y, -0.062, 0.014);
    // A smile lifts the ends of the lips by 3 mm; at rest the line between them is level.
    const ends = smoothstep(0.002, 0.027, side) * smoothstep(0.048, 0.03, side) * bell(y, -0.0615, 0.026);
    const lips = bell(x, 0, 0.032) * bell(y, -0.0615, 0.016);
    const nose = bell(x, 0, 0.026) * bell(y, -0.036, 0.016);
    const cheek = smoothstep(0.02, 0.06, side) * bell(y, -0.075, 0.046);
    const lids = bell(side, 0.0335, 0.021) * bell(y, 0.001, 0.017);
    const brows = bell(side, 0.036, 0.03) * bell(y, 0.019, 0.02);
    face[i] = x * (1 - 0.1 * mouth - 0.06 * nose - 0.05 * cheek);
    face[i + 1] =
      y * (y < 0 ? 0.975 : 1) -
      0.0026 * ends -
      0.08 * lips * (y + 0.0615) +
      0.2 * lids * Math.max(0, y) +
      0.0015 * brows;
    face[i + 2]! += 0.0022 * corner;
  }
  return face;
})();

/** How far faces lean forward in portraits, radians: the head keeps half of it, and stands level. */
const lean = (9 * Math.PI) / 180;

/** Fits a face (468 × 3 metres) as if it were seen in a portrait, held as people hold theirs. */
export function fitPortrayed(face: Float32Array): FaceFit {
  const tilted = face.slice();
  for (let i = 0; i < face.length; i += 3) {
    const [y, z] = [face[i + 1]!, face[i + 2]!];
    tilted[i + 1] = y * Math.cos(lean) - z * Math.sin(lean);
    tilted[i + 2] = z * Math.cos(lean) + y * Math.sin(lean);
  }
  return fitFace(frontalLandmarks(tilted));
}
