import {
  type ArkitBlendshapeName,
  arkitBlendshapeNames,
  oculusVisemeNames,
} from '@likeness/proto/blendshapes.ts';
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
      addWeighted(sum, delta, weight);
    }
    return sum;
  });
  return [...deltas, ...visemes];
}

function addWeighted(sum: Float32Array, values: Float32Array, weight: number): void {
  for (let i = 0; i < sum.length; i++) sum[i] += weight * values[i];
}

/** Moves vertices that the subdivision pulled into an eyeball out of it, forward. */
export function liftOffEyes(points: Float32Array, fit: FaceFit): void {
  for (const { centre } of [fit.leftEye, fit.rightEye])
    for (let i = 0; i < points.length; i += 3)
      points[i + 2] = liftedOff(centre, points[i], points[i + 1], points[i + 2]);
}

/** The depth at which a point lies on an eyeball; its own where that is not in it. */
function liftedOff(centre: readonly number[], x: number, y: number, z: number): number {
  const wanted = (eyeballRadius + lidClearance) ** 2;
  const dx = x - centre[0];
  const dy = y - centre[1];
  const dz = z - centre[2];
  const across = dx * dx + dy * dy;
  if (across > wanted || dz < 0 || across + dz * dz >= wanted) return z;
  return centre[2] + Math.sqrt(wanted - across);
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
  for (const weight of [1, 0.5])
    for (const { centre } of [fit.leftEye, fit.rightEye]) keepOff(centre, fine, delta, weight);
  return delta;
}

/** Changes a displacement, in place, so that nothing lies in an eyeball at a weight. */
function keepOff(centre: readonly number[], fine: Float32Array, delta: Float32Array, weight: number): void {
  for (let i = 0; i < delta.length; i += 3) {
    const z = fine[i + 2] + weight * delta[i + 2];
    const lifted = liftedOff(centre, fine[i] + weight * delta[i], fine[i + 1] + weight * delta[i + 1], z);
    if (lifted > z) delta[i + 2] = Math.max(delta[i + 2], (lifted - fine[i + 2]) / weight);
  }
}
