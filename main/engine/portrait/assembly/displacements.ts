import { type ArkitBlendshapeName, arkitBlendshapeNames, oculusVisemeNames } from '#proto/blendshapes.ts';
import type { Expression } from '../expressions/expression.ts';
import { visemeMixtures } from '../expressions/viseme_mixtures.ts';
import { eyeballRadius, type FaceFit } from '../fit/face_fit.ts';
import { fineFace } from '../topology/fine_face.ts';

/** Displacements of a surface's points, × 3 metres per target; undefined if it doesn't move. */
export type Displacements = (Float32Array | undefined)[];

/** Targets of every head, in this order. */
export const targetNames: readonly string[] = [...arkitBlendshapeNames, ...oculusVisemeNames];

/** How far lids are kept off the eyeballs, metres. */
const lidClearance = 0.0004;

const mixtures = oculusVisemeNames.map((name) => visemeMixtures[name]);

/** Adds the visemes to the displacements of the 52 ARKit shapes. */
export function withVisemes(deltas: readonly (Float32Array | undefined)[]): Displacements {
  const visemes = mixtures.map((mixture) => {
    let sum: Float32Array | undefined;
    for (const [name, weight] of Object.entries(mixture)) {
      const delta = deltas[arkitBlendshapeNames.indexOf(name as ArkitBlendshapeName)];
      if (!delta) continue;
      sum ??= new Float32Array(delta.length);
      for (let i = 0; i < delta.length; i++) sum[i] += weight * delta[i];
    }
    return sum;
  });
  return [...deltas, ...visemes];
}

/** Moves vertices that the subdivision pulled into an eyeball out of it, forward. */
export function liftOffEyes(points: Float32Array, fit: FaceFit): void {
  for (const eye of [fit.leftEye, fit.rightEye]) {
    const wanted = eyeballRadius + lidClearance;
    for (let i = 0; i < points.length; i += 3) {
      const dx = points[i] - eye.centre[0];
      const dy = points[i + 1] - eye.centre[1];
      const dz = points[i + 2] - eye.centre[2];
      const across = dx * dx + dy * dy;
      if (across > wanted * wanted || dz < 0 || across + dz * dz >= wanted * wanted) continue;
      points[i + 2] = eye.centre[2] + Math.sqrt(wanted * wanted - across);
    }
  }
}

/** An expression's displacement of the fine face; lids are kept off the eyeballs at full and half weight. */
export function fineDelta(
  expression: Expression,
  fit: FaceFit,
  fine: Float32Array,
): Float32Array | undefined {
  if (!expression.skin) return undefined;
  const delta = fineFace.refine(expression.skin, 3);
  if (!expression.name.startsWith('eye')) return delta;
  for (const weight of [1, 0.5]) {
    const posed = fine.map((v, i) => v + weight * delta[i]);
    liftOffEyes(posed, fit);
    for (let i = 2; i < delta.length; i += 3) {
      const wanted = (posed[i] - fine[i]) / weight;
      if (wanted > delta[i]) delta[i] = wanted;
    }
  }
  return delta;
}
