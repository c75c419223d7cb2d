/**
 * The two sets of face channels of the studio, in the order in which it sends them.
 *
 * A stream names its channels in its header, so readers don't depend on this order. Our engine sends it, and
 * the mapping of a stream without names offers it.
 */

/**
 * The 52 face channels of Apple's ARKit: `ARFaceAnchor.BlendShapeLocation`, spelt as its raw values, weights
 * 0..1. The order is Apple's (left eye, right eye, mouth and jaw, eyebrows, cheeks, nose, tongue). Live Link
 * Face's network protocol and NVIDIA Audio2Face-3D's stream use it too. Left and right are those of the face.
 * Live Link Face's CSV files swap `jawLeft`/`jawRight` and `mouthLeft`/`mouthRight`: read those by their
 * header, never by position.
 */
export const arkitBlendshapeNames = [
  'eyeBlinkLeft',
  'eyeLookDownLeft',
  'eyeLookInLeft',
  'eyeLookOutLeft',
  'eyeLookUpLeft',
  'eyeSquintLeft',
  'eyeWideLeft',
  'eyeBlinkRight',
  'eyeLookDownRight',
  'eyeLookInRight',
  'eyeLookOutRight',
  'eyeLookUpRight',
  'eyeSquintRight',
  'eyeWideRight',
  'jawForward',
  'jawLeft',
  'jawRight',
  'jawOpen',
  'mouthClose',
  'mouthFunnel',
  'mouthPucker',
  'mouthLeft',
  'mouthRight',
  'mouthSmileLeft',
  'mouthSmileRight',
  'mouthFrownLeft',
  'mouthFrownRight',
  'mouthDimpleLeft',
  'mouthDimpleRight',
  'mouthStretchLeft',
  'mouthStretchRight',
  'mouthRollLower',
  'mouthRollUpper',
  'mouthShrugLower',
  'mouthShrugUpper',
  'mouthPressLeft',
  'mouthPressRight',
  'mouthLowerDownLeft',
  'mouthLowerDownRight',
  'mouthUpperUpLeft',
  'mouthUpperUpRight',
  'browDownLeft',
  'browDownRight',
  'browInnerUp',
  'browOuterUpLeft',
  'browOuterUpRight',
  'cheekPuff',
  'cheekSquintLeft',
  'cheekSquintRight',
  'noseSneerLeft',
  'noseSneerRight',
  'tongueOut',
] as const;

/**
 * The 15 visemes of Oculus Lipsync (`ovrLipSyncViseme`), in its order, weights 0..1, with the
 * `viseme_` prefix under which Ready Player Me and most glTF heads name their morph targets.
 */
export const oculusVisemeNames = [
  'viseme_sil',
  'viseme_PP',
  'viseme_FF',
  'viseme_TH',
  'viseme_DD',
  'viseme_kk',
  'viseme_CH',
  'viseme_SS',
  'viseme_nn',
  'viseme_RR',
  'viseme_aa',
  'viseme_E',
  'viseme_I',
  'viseme_O',
  'viseme_U',
] as const;

export type ArkitBlendshapeName = (typeof arkitBlendshapeNames)[number];
export type OculusVisemeName = (typeof oculusVisemeNames)[number];

/** Position of an ARKit channel in {@link arkitBlendshapeNames}: `arkitBlendshapeIndex.jawOpen === 17`. */
export const arkitBlendshapeIndex: Readonly<Record<ArkitBlendshapeName, number>> =
  indexByName(arkitBlendshapeNames);

/** Whether `name` is one of ARKit's 52, spelt exactly as Apple spells it. */
export function isArkitBlendshapeName(name: string): name is ArkitBlendshapeName {
  return Object.hasOwn(arkitBlendshapeIndex, name);
}

function indexByName<Name extends string>(names: readonly Name[]): Readonly<Record<Name, number>> {
  const index = Object.create(null) as Record<Name, number>;
  for (const [position, name] of names.entries()) index[name] = position;
  return Object.freeze(index);
}
