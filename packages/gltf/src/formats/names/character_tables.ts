/** `{X}` in a name becomes L and R, `{Side}` and `{side}` the side in full, in name and shapes. */
function bothSides(short: Readonly<Record<string, string>>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(short).flatMap(([name, formula]) =>
      name.includes('{X}')
        ? (['Left', 'Right'] as const).map((side) => [forSide(name, side), [forSide(formula, side)]])
        : [[name, [formula]]],
    ),
  );
}

const forSide = (text: string, side: 'Left' | 'Right'): string =>
  text.replaceAll('{X}', side[0]!).replaceAll('{Side}', side).replaceAll('{side}', side.toLowerCase());

/** Speech shapes of Reallusion Character Creator 4, by viseme. */
const ccVisemes = {
  V_Explosive: 'viseme_PP',
  V_Dental_Lip: 'viseme_FF',
  V_Open: 'viseme_aa',
  V_Tight_O: 'viseme_O',
  V_Tight: 'viseme_U',
  V_Wide: 'viseme_I',
  V_Affricate: 'viseme_CH',
} as const;
type CcViseme = (typeof ccVisemes)[keyof typeof ccVisemes];

/** @param viseme alternatives that drive a viseme: the first that a face has is used */
export const ccVisemeNames = (viseme: (name: CcViseme) => string[]): Record<string, string[]> =>
  Object.fromEntries(Object.entries(ccVisemes).map(([name, is]) => [name, viseme(is)]));

/**
 * Reallusion Character Creator 4's extended facial profile. A shape that ARKit has once and CC4 per side is
 * split along the middle of the face; upper and lower lip together give the full shape.
 */
export const ccNames = (viseme: (name: CcViseme) => string[]): Record<string, string[]> => ({
  ...bothSides({
    'Brow_Raise_Inner_{X}': 'browInnerUp 1 {side}',
    'Brow_Raise_Outer_{X}': 'browOuterUp{Side}',
    'Brow_Drop_{X}': 'browDown{Side}',
    'Eye_Blink_{X}': 'eyeBlink{Side}',
    'Eye_Squint_{X}': 'eyeSquint{Side}',
    'Eye_Wide_{X}': 'eyeWide{Side}',
    Eye_L_Look_L: 'eyeLookOutLeft',
    Eye_L_Look_R: 'eyeLookInLeft',
    Eye_R_Look_L: 'eyeLookInRight',
    Eye_R_Look_R: 'eyeLookOutRight',
    'Eye_{X}_Look_Up': 'eyeLookUp{Side}',
    'Eye_{X}_Look_Down': 'eyeLookDown{Side}',
    'Nose_Sneer_{X}': 'noseSneer{Side}',
    'Cheek_Raise_{X}': 'cheekSquint{Side}',
    'Cheek_Puff_{X}': 'cheekPuff 1 {side}',
    'Mouth_Smile_{X}': 'mouthSmile{Side}',
    'Mouth_Frown_{X}': 'mouthFrown{Side}',
    'Mouth_Stretch_{X}': 'mouthStretch{Side}',
    'Mouth_Dimple_{X}': 'mouthDimple{Side}',
    'Mouth_Press_{X}': 'mouthPress{Side}',
    'Mouth_Pucker_Up_{X}': 'mouthPucker 0.5 {side}',
    'Mouth_Pucker_Down_{X}': 'mouthPucker 0.5 {side}',
    'Mouth_Funnel_Up_{X}': 'mouthFunnel 0.5 {side}',
    'Mouth_Funnel_Down_{X}': 'mouthFunnel 0.5 {side}',
    'Mouth_Roll_In_Upper_{X}': 'mouthRollUpper 1 {side}',
    'Mouth_Roll_In_Lower_{X}': 'mouthRollLower 1 {side}',
    Mouth_L: 'mouthLeft',
    Mouth_R: 'mouthRight',
    Mouth_Shrug_Upper: 'mouthShrugUpper',
    Mouth_Shrug_Lower: 'mouthShrugLower',
    'Mouth_Up_Upper_{X}': 'mouthUpperUp{Side}',
    'Mouth_Down_Lower_{X}': 'mouthLowerDown{Side}',
    Mouth_Close: 'mouthClose',
    Jaw_Open: 'jawOpen',
    Jaw_Forward: 'jawForward',
    Jaw_L: 'jawLeft',
    Jaw_R: 'jawRight',
    Tongue_Out: 'tongueOut',
  }),
  ...ccVisemeNames(viseme),
});

/**
 * MetaHuman's facial curves, as far as ARKit's channels say something about them. Left and right are the
 * face's own; a quarter of the lips is half of one side.
 */
export const metaHumanNames: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(
    bothSides({
      'browDown{X}': 'browDown{Side}',
      'browRaiseIn{X}': 'browInnerUp 1 {side}',
      'browRaiseOuter{X}': 'browOuterUp{Side}',
      'eyeBlink{X}': 'eyeBlink{Side}',
      'eyeWiden{X}': 'eyeWide{Side}',
      'eyeSquintInner{X}': 'eyeSquint{Side}',
      'eyeCheekRaise{X}': 'cheekSquint{Side}',
      'eyeLookUp{X}': 'eyeLookUp{Side}',
      'eyeLookDown{X}': 'eyeLookDown{Side}',
      eyeLookLeftL: 'eyeLookOutLeft',
      eyeLookRightL: 'eyeLookInLeft',
      eyeLookLeftR: 'eyeLookInRight',
      eyeLookRightR: 'eyeLookOutRight',
      'noseWrinkle{X}': 'noseSneer{Side}',
      'mouthCheekBlow{X}': 'cheekPuff 1 {side}',
      mouthLeft: 'mouthLeft',
      mouthRight: 'mouthRight',
      'mouthUpperLipRaise{X}': 'mouthUpperUp{Side}',
      'mouthLowerLipDepress{X}': 'mouthLowerDown{Side}',
      'mouthCornerPull{X}': 'mouthSmile{Side}',
      'mouthCornerDepress{X}': 'mouthFrown{Side}',
      'mouthStretch{X}': 'mouthStretch{Side}',
      'mouthDimple{X}': 'mouthDimple{Side}',
      'mouthLipsPress{X}': 'mouthPress{Side}',
      'mouthLipsPurseU{X}': 'mouthPucker 0.5 {side}',
      'mouthLipsPurseD{X}': 'mouthPucker 0.5 {side}',
      'mouthFunnelU{X}': 'mouthFunnel 0.5 {side}',
      'mouthFunnelD{X}': 'mouthFunnel 0.5 {side}',
      'mouthLipsTogetherU{X}': 'mouthClose 0.5 {side}',
      'mouthLipsTogetherD{X}': 'mouthClose 0.5 {side}',
      'mouthUpperLipRollIn{X}': 'mouthRollUpper 1 {side}',
      'mouthLowerLipRollIn{X}': 'mouthRollLower 1 {side}',
      'jawChinRaiseU{X}': 'mouthShrugUpper 1 {side}',
      'jawChinRaiseD{X}': 'mouthShrugLower 1 {side}',
      jawOpen: 'jawOpen',
      jawFwd: 'jawForward',
      jawLeft: 'jawLeft',
      jawRight: 'jawRight',
      tongueOut: 'tongueOut',
    }),
  ).map(([name, formulas]) => [`CTRL_expressions_${name}`, formulas]),
);
