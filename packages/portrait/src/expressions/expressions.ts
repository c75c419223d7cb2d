import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import type { FaceFit } from '../fit/face_fit.ts';
import { browAndCheekExpressions } from './brow_cheek_shapes.ts';
import type { Expression, ExpressionParts } from './expression.ts';
import { expressionRig } from './expression_rig.ts';
import { eyeExpressions } from './eye_shapes.ts';
import { jawExpressions } from './jaw_shapes.ts';
import { mouthExpressions } from './lip_shapes.ts';

/**
 * All 52 ARKit shapes (Apple's ARFaceAnchor.BlendShapeLocation) on the landmarks of a fitted face, in the
 * order of `arkitBlendshapeNames`. Lengths in them are parts of the mouth's width `u`.
 */
export function buildExpressions(fit: FaceFit): Expression[] {
  const rig = expressionRig(fit);
  const jaw = jawExpressions(rig);
  const made: ExpressionParts = {
    ...eyeExpressions(rig),
    ...browAndCheekExpressions(rig),
    ...jaw,
    ...mouthExpressions(rig, jaw.jawOpen.skin),
    tongueOut: { tongueOut: true },
  };
  return arkitBlendshapeNames.map((name) => ({ name, ...made[name] }));
}
