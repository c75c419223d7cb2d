import { posedPoints } from '@likeness/head-renderer/rasteriser.ts';
import type { HeadModel } from '@likeness/portrait/contract/head_model.ts';
import { eyeballRadius, outerEyeDistance } from '@likeness/portrait/fit/face_fit.ts';
import { leftEye, lowerLip, rightEye, upperLip } from '@likeness/portrait/topology/face_topology.ts';
import { fineFace } from '@likeness/portrait/topology/fine_face.ts';

/** Measurements of a head's shapes, for their limits. */
export interface ShapeFigures {
  /** Gap of the lips' middle at jawOpen, in outer eye distances. */
  readonly jawOpen: number;
  /** Lid opening at eyeBlink relative to rest, of the worse eye. */
  readonly blink: number;
  /** Mouth width at smile and pucker relative to rest. */
  readonly smile: number;
  readonly pucker: number;
  /**
   * Maximum depth of a lid vertex inside an eyeball, mm: at rest, and in lid shapes at half and full weight.
   */
  readonly lidDepth: number;
  /** Lip gap at rest and at jawOpen with mouthClose, in outer eye distances. */
  readonly restGap: number;
  readonly closedGap: number;
}

/** Measures the shapes of a head's skin (its first 468 vertices are the landmarks). */
export function measureShapes(model: HeadModel): ShapeFigures {
  const skin = model.surfaces.find((surface) => surface.name === 'Skin')!;
  const pose = (morphs: Record<string, number>): Float32Array => posedPoints(model, skin, morphs);
  const gap = (p: Float32Array, a: number, b: number): number =>
    Math.hypot(p[3 * a]! - p[3 * b]!, p[3 * a + 1]! - p[3 * b + 1]!, p[3 * a + 2]! - p[3 * b + 2]!);
  const rest = pose({});
  const lips = (p: Float32Array): number => {
    let worst = 0;
    for (let k = 1; k < 10; k++) worst = Math.max(worst, gap(p, upperLip[3]![k]!, lowerLip[3]![k]!));
    return worst / outerEyeDistance;
  };
  const opening = (p: Float32Array, eye: typeof rightEye): number =>
    [2, 3, 4].reduce((sum, k) => sum + gap(p, eye.upper[0]![k]!, eye.lower[0]![k]!), 0);
  const blinked = pose({ eyeBlinkLeft: 1, eyeBlinkRight: 1 });
  const width = (p: Float32Array): number => gap(p, 61, 291);
  let lidDepth = 0;
  const lidShapes = ['eyeBlink', 'eyeSquint', 'eyeWide', 'eyeLookDown', 'eyeLookUp'];
  for (const weights of [
    {},
    ...lidShapes.flatMap((name) => [0.5, 1].map((w) => ({ [`${name}Left`]: w, [`${name}Right`]: w }))),
  ]) {
    const p = pose(weights);
    for (let i = 0; i < fineFace.count; i++) {
      for (const centre of [model.leftEye, model.rightEye]) {
        const d = Math.hypot(p[3 * i]! - centre[0], p[3 * i + 1]! - centre[1], p[3 * i + 2]! - centre[2]);
        lidDepth = Math.max(lidDepth, (eyeballRadius - d) * 1000);
      }
    }
  }
  return {
    jawOpen: gap(pose({ jawOpen: 1 }), 13, 14) / outerEyeDistance,
    blink: Math.max(...[rightEye, leftEye].map((eye) => opening(blinked, eye) / opening(rest, eye))),
    smile: width(pose({ mouthSmileLeft: 1, mouthSmileRight: 1 })) / width(rest) - 1,
    pucker: width(pose({ mouthPucker: 1 })) / width(rest) - 1,
    lidDepth,
    restGap: lips(rest),
    closedGap: lips(pose({ jawOpen: 1, mouthClose: 1 })),
  };
}
