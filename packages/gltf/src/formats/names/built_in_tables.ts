import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import type { builtInNameTables } from '../format_names.ts';
import { ccNames, metaHumanNames } from './character_tables.ts';
import { type NameRow, type NameTable, rowsOf } from './name_table.ts';

export type BuiltInTable = (typeof builtInNameTables)[number];

/** Each of ARKit's channels under another spelling. */
const arkitAs = (spelt: (name: string) => string): NameRow[] =>
  rowsOf(Object.fromEntries(arkitBlendshapeNames.map((name) => [spelt(name), [name]])));

/**
 * Oculus visemes for heads that have only ARKit's channels: our own sums, after Meta's reference pictures. A
 * head's own viseme is always better.
 */
const visemeSums: Readonly<Record<(typeof oculusVisemeNames)[number], string>> = {
  viseme_sil: '',
  viseme_PP: 'mouthPressLeft 0.4, mouthPressRight 0.4, mouthRollLower 0.3, mouthRollUpper 0.3',
  viseme_FF: 'mouthRollLower 0.6, mouthUpperUpLeft 0.25, mouthUpperUpRight 0.25, jawOpen 0.08',
  viseme_TH: 'jawOpen 0.2, tongueOut 0.4, mouthLowerDownLeft 0.2, mouthLowerDownRight 0.2',
  viseme_DD:
    'jawOpen 0.15, mouthUpperUpLeft 0.15, mouthUpperUpRight 0.15, mouthLowerDownLeft 0.25, mouthLowerDownRight 0.25',
  viseme_kk:
    'jawOpen 0.2, mouthStretchLeft 0.15, mouthStretchRight 0.15, mouthLowerDownLeft 0.15, mouthLowerDownRight 0.15',
  viseme_CH: 'mouthFunnel 0.5, mouthPucker 0.15, jawOpen 0.1',
  viseme_SS:
    'mouthStretchLeft 0.3, mouthStretchRight 0.3, mouthLowerDownLeft 0.3, mouthLowerDownRight 0.3, jawOpen 0.05',
  viseme_nn: 'jawOpen 0.15, mouthLowerDownLeft 0.2, mouthLowerDownRight 0.2',
  viseme_RR: 'mouthFunnel 0.35, mouthPucker 0.15, jawOpen 0.12',
  viseme_aa:
    'jawOpen 0.6, mouthLowerDownLeft 0.2, mouthLowerDownRight 0.2, mouthUpperUpLeft 0.1, mouthUpperUpRight 0.1',
  viseme_E:
    'jawOpen 0.3, mouthStretchLeft 0.3, mouthStretchRight 0.3, mouthLowerDownLeft 0.2, mouthLowerDownRight 0.2',
  viseme_I:
    'jawOpen 0.2, mouthSmileLeft 0.3, mouthSmileRight 0.3, mouthStretchLeft 0.2, mouthStretchRight 0.2',
  viseme_O: 'jawOpen 0.35, mouthFunnel 0.6',
  viseme_U: 'mouthPucker 0.6, mouthFunnel 0.3, jawOpen 0.1',
};
/** A viseme: the head's own, or the sum. */
const viseme = (name: keyof typeof visemeSums): string[] => [name, visemeSums[name]];
const oculusAs = (spelt: (name: string) => string): NameRow[] =>
  rowsOf(Object.fromEntries(oculusVisemeNames.map((name) => [spelt(name), viseme(name)])));

/**
 * VRM 1.0's preset expressions (VRMC_vrm 1.0, `expressions.md`). Left and right are the avatar's own. The
 * moods are our own sums, mild enough to speak over.
 */
const vrmExpressions: Readonly<Record<string, readonly string[]>> = {
  neutral: [''],
  aa: viseme('viseme_aa'),
  ih: viseme('viseme_I'),
  ou: viseme('viseme_U'),
  ee: viseme('viseme_E'),
  oh: viseme('viseme_O'),
  blink: ['eyeBlinkLeft, eyeBlinkRight'],
  blinkLeft: ['eyeBlinkLeft'],
  blinkRight: ['eyeBlinkRight'],
  lookUp: ['eyeLookUpLeft, eyeLookUpRight'],
  lookDown: ['eyeLookDownLeft, eyeLookDownRight'],
  lookLeft: ['eyeLookOutLeft, eyeLookInRight'],
  lookRight: ['eyeLookInLeft, eyeLookOutRight'],
  happy: [
    'mouthSmileLeft 0.8, mouthSmileRight 0.8, cheekSquintLeft 0.5, cheekSquintRight 0.5, eyeSquintLeft 0.3, eyeSquintRight 0.3',
  ],
  angry: [
    'browDownLeft 0.9, browDownRight 0.9, eyeSquintLeft 0.4, eyeSquintRight 0.4, noseSneerLeft 0.4, noseSneerRight 0.4, mouthFrownLeft 0.3, mouthFrownRight 0.3, mouthPressLeft 0.3, mouthPressRight 0.3',
  ],
  sad: [
    'browInnerUp 0.8, mouthFrownLeft 0.7, mouthFrownRight 0.7, mouthShrugLower 0.25, eyeBlinkLeft 0.15, eyeBlinkRight 0.15',
  ],
  relaxed: [
    'mouthSmileLeft 0.3, mouthSmileRight 0.3, eyeBlinkLeft 0.25, eyeBlinkRight 0.25, browInnerUp 0.1',
  ],
  surprised: [
    'browInnerUp 0.7, browOuterUpLeft 0.8, browOuterUpRight 0.8, eyeWideLeft 0.8, eyeWideRight 0.8, jawOpen 0.3',
  ],
};
/** Their names in VRM 0.x (`BlendShapePreset`), as UniVRM names the clips. 0.x has no surprise. */
export const vrm0Clips = {
  neutral: 'Neutral',
  aa: 'A',
  ih: 'I',
  ou: 'U',
  ee: 'E',
  oh: 'O',
  blink: 'Blink',
  blinkLeft: 'Blink_L',
  blinkRight: 'Blink_R',
  lookUp: 'LookUp',
  lookDown: 'LookDown',
  lookLeft: 'LookLeft',
  lookRight: 'LookRight',
  happy: 'Joy',
  angry: 'Angry',
  sad: 'Sorrow',
  relaxed: 'Fun',
  surprised: 'Surprised',
} as const;
const vrm0Expressions = Object.fromEntries(
  Object.entries(vrm0Clips).map(([name, clip]) => [clip, vrmExpressions[name]!]),
);

/** Preston Blair's mouths as Papagayo, Moho and OpenToonz name them. */
const prestonBlair: Readonly<Record<string, readonly string[]>> = {
  rest: [''],
  AI: viseme('viseme_aa'),
  E: viseme('viseme_E'),
  O: viseme('viseme_O'),
  U: viseme('viseme_U'),
  FV: viseme('viseme_FF'),
  L: viseme('viseme_nn'),
  MBP: viseme('viseme_PP'),
  WQ: ['viseme_U 0.8, viseme_CH 0.2', visemeSums.viseme_U],
  etc: viseme('viseme_DD'),
};

/** Rhubarb Lip Sync's mouths, after the descriptions in its manual: A–F basic, G, H and X extended. */
const rhubarb: Readonly<Record<string, readonly string[]>> = {
  A: viseme('viseme_PP'),
  B: viseme('viseme_SS'),
  C: viseme('viseme_E'),
  D: viseme('viseme_aa'),
  E: ['viseme_O 0.7, viseme_E 0.2', visemeSums.viseme_O],
  F: viseme('viseme_U'),
  G: viseme('viseme_FF'),
  H: viseme('viseme_nn'),
  X: [''],
};

/** VRChat's `vrc.v_*`, in its order of Oculus' visemes. */
const vrchat = (name: string): string => {
  const short = name.slice('viseme_'.length).toLowerCase();
  return `vrc.v_${{ i: 'ih', o: 'oh', u: 'ou' }[short] ?? short}`;
};
/** OVRLipSync's own enumeration, without a prefix. */
const ovr = (name: string): string => {
  const short = name.slice('viseme_'.length);
  return { I: 'ih', O: 'oh', U: 'ou' }[short] ?? short;
};
const words = (name: string): string[] => name.split(/(?=[A-Z])/);
/** `eyeBlink_L`; shapes for a sideways movement keep names such as `jawLeft`. */
const shortSide = (name: string): string =>
  /^(jaw|mouth)(Left|Right)$/.test(name) ? name : name.replace(/Left$/, '_L').replace(/Right$/, '_R');

/**
 * The studio's built-in vocabularies. `docs/formats/names.md` gives the source of each name, and marks our
 * own additions.
 */
export const builtInTables = {
  arkit: arkitAs((name) => name),
  'arkit-pascal': arkitAs((name) => name.charAt(0).toUpperCase() + name.slice(1)),
  'arkit-snake': arkitAs((name) => words(name).join('_').toLowerCase()),
  'arkit-short': arkitAs(shortSide),
  oculus: oculusAs((name) => name),
  'oculus-short': oculusAs(ovr),
  vrchat: oculusAs(vrchat),
  vrm: rowsOf(vrmExpressions),
  vrm0: rowsOf(vrm0Expressions),
  cc4: rowsOf(ccNames(viseme)),
  metahuman: rowsOf(metaHumanNames),
  'preston-blair': rowsOf(prestonBlair),
  rhubarb: rowsOf(rhubarb),
} as const satisfies Record<BuiltInTable, readonly NameRow[]>;

/** The built-in table of this id; null where there is none. */
export const builtInTable = (id: string): NameTable | null =>
  Object.hasOwn(builtInTables, id) ? { id, rows: builtInTables[id as BuiltInTable] } : null;
