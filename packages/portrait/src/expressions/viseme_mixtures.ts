import type { ArkitBlendshapeName, OculusVisemeName } from '@likeness/proto/blendshapes.ts';

const both = (
  name: 'mouthPress' | 'mouthUpperUp' | 'mouthLowerDown' | 'mouthStretch' | 'mouthSmile',
  weight: number,
) => ({
  [`${name}Left`]: weight,
  [`${name}Right`]: weight,
});

/**
 * The 15 Oculus visemes as mixtures of ARKit shapes, after the mouth positions of the Oculus LipSync
 * reference: what engine/speech/mouth.ts makes of each when it is sure and the voice is loud.
 */
export const visemeMixtures: Record<OculusVisemeName, Partial<Record<ArkitBlendshapeName, number>>> = {
  viseme_sil: {},
  viseme_PP: { mouthRollLower: 0.32, mouthRollUpper: 0.28, ...both('mouthPress', 0.3) },
  viseme_FF: { jawOpen: 0.06, mouthRollLower: 1, mouthFunnel: 0.03, ...both('mouthUpperUp', 0.16) },
  viseme_TH: {
    jawOpen: 0.09,
    tongueOut: 0.4,
    mouthFunnel: 0.12,
    ...both('mouthLowerDown', 0.14),
    ...both('mouthUpperUp', 0.08),
  },
  viseme_DD: {
    jawOpen: 0.06,
    mouthFunnel: 0.08,
    mouthPucker: 0.11,
    ...both('mouthLowerDown', 0.18),
    ...both('mouthUpperUp', 0.08),
  },
  viseme_kk: {
    jawOpen: 0.05,
    ...both('mouthLowerDown', 0.16),
    ...both('mouthUpperUp', 0.08),
    ...both('mouthStretch', 0.06),
  },
  viseme_CH: {
    jawOpen: 0.09,
    mouthFunnel: 0.4,
    mouthPucker: 0.22,
    ...both('mouthLowerDown', 0.06),
    ...both('mouthUpperUp', 0.06),
  },
  viseme_SS: {
    jawOpen: 0.09,
    mouthFunnel: 0.16,
    mouthPucker: 0.4,
    ...both('mouthLowerDown', 0.14),
    ...both('mouthUpperUp', 0.08),
    ...both('mouthStretch', 0.22),
  },
  viseme_nn: {
    jawOpen: 0.05,
    mouthFunnel: 0.05,
    mouthPucker: 0.07,
    ...both('mouthLowerDown', 0.18),
    ...both('mouthUpperUp', 0.06),
  },
  viseme_RR: { jawOpen: 0.09, mouthFunnel: 0.27, mouthPucker: 0.6 },
  viseme_aa: {
    jawOpen: 0.52,
    mouthFunnel: 0.1,
    mouthPucker: 0.09,
    ...both('mouthLowerDown', 0.12),
    ...both('mouthUpperUp', 0.08),
  },
  viseme_E: {
    jawOpen: 0.37,
    mouthFunnel: 0.1,
    mouthPucker: 0.15,
    ...both('mouthLowerDown', 0.12),
    ...both('mouthUpperUp', 0.06),
    ...both('mouthStretch', 0.2),
    ...both('mouthSmile', 0.08),
  },
  viseme_I: {
    jawOpen: 0.28,
    mouthFunnel: 0.06,
    mouthPucker: 0.09,
    ...both('mouthLowerDown', 0.1),
    ...both('mouthStretch', 0.3),
    ...both('mouthSmile', 0.18),
  },
  viseme_O: { jawOpen: 0.43, mouthFunnel: 0.41, mouthPucker: 0.65, mouthClose: 0.16 },
  viseme_U: { jawOpen: 0.25, mouthFunnel: 0.31, mouthPucker: 0.87, mouthClose: 0.2 },
};
