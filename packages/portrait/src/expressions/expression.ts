import type { ArkitBlendshapeName } from '@likeness/proto/blendshapes.ts';
import type { JawMove } from './jaw.ts';

export type Side = 'left' | 'right';

/** One ARKit shape at full weight. */
export interface Expression {
  readonly name: ArkitBlendshapeName;
  /** 468 × 3 metres, absent when the skin rests. */
  readonly skin?: Float32Array;
  readonly jaw?: JawMove;
  /** Turn of an eyeball, radians: about X (positive: down) and Y (positive: the subject's left). */
  readonly gaze?: { readonly side: Side; readonly down: number; readonly left: number };
  readonly tongueOut?: boolean;
}

/** Expressions by name, before they are put in order. */
export type ExpressionParts = Partial<Record<ArkitBlendshapeName, Omit<Expression, 'name'>>>;
