/** Expressions that every head with ARKit's channels can show, as weights by channel. */
import type { ArkitBlendshapeName } from '../../blendshapes.ts';

export type ExpressionWeights = Readonly<Partial<Record<ArkitBlendshapeName, number>>>;

export const builtInExpressions = {
  neutral: {},
  joy: {
    mouthSmileLeft: 0.85,
    mouthSmileRight: 0.85,
    cheekSquintLeft: 0.5,
    cheekSquintRight: 0.5,
    eyeSquintLeft: 0.3,
    eyeSquintRight: 0.3,
  },
  anger: {
    browDownLeft: 1,
    browDownRight: 1,
    eyeSquintLeft: 0.5,
    eyeSquintRight: 0.5,
    noseSneerLeft: 0.6,
    noseSneerRight: 0.6,
    mouthPressLeft: 0.6,
    mouthPressRight: 0.6,
  },
  sadness: {
    browInnerUp: 0.8,
    mouthFrownLeft: 0.7,
    mouthFrownRight: 0.7,
    mouthShrugLower: 0.3,
    eyeLookDownLeft: 0.3,
    eyeLookDownRight: 0.3,
  },
  surprise: {
    browInnerUp: 0.9,
    browOuterUpLeft: 0.8,
    browOuterUpRight: 0.8,
    eyeWideLeft: 0.9,
    eyeWideRight: 0.9,
    jawOpen: 0.4,
  },
  disgust: {
    noseSneerLeft: 0.9,
    noseSneerRight: 0.9,
    mouthUpperUpLeft: 0.5,
    mouthUpperUpRight: 0.5,
    browDownLeft: 0.5,
    browDownRight: 0.5,
    mouthFrownLeft: 0.3,
    mouthFrownRight: 0.3,
  },
  // Action units 1, 2, 4, 5 and 20 of the Facial Action Coding System, with a little of 26.
  fear: {
    browInnerUp: 0.9,
    browOuterUpLeft: 0.4,
    browOuterUpRight: 0.4,
    browDownLeft: 0.3,
    browDownRight: 0.3,
    eyeWideLeft: 0.8,
    eyeWideRight: 0.8,
    mouthStretchLeft: 0.6,
    mouthStretchRight: 0.6,
    jawOpen: 0.12,
  },
} as const satisfies Readonly<Record<string, ExpressionWeights>>;

export const expressionNames: readonly string[] = Object.keys(builtInExpressions);
