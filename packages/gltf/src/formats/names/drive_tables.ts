import { oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import { builtInTables } from './built_in_tables.ts';
import { ccVisemeNames } from './character_tables.ts';
import { type NameRow, rowsOf, type ShapePart } from './name_table.ts';

/** Vocabularies that identify a head's shapes. */
export const driveVocabularies = [
  'arkit',
  'oculus',
  'oculus-short',
  'vrchat',
  'vowels',
  'vrm',
  'vrm0',
  'vroid',
  'cc4',
  'cc3',
  'metahuman',
  'mmd',
  'preston-blair',
  'rhubarb',
] as const;
export type DriveVocabulary = (typeof driveVocabularies)[number];

type Viseme = (typeof oculusVisemeNames)[number];
type ShortTable = Readonly<Record<string, readonly string[]>>;

/**
 * Expressions that drive visemes on a face with ARKit's channels only. They are our own differences of
 * channels, so that of two vowels only the right one moves. A face without visemes can't distinguish t, k, s
 * and n: they stay still, and the plan reports them.
 */
const derived: Partial<Record<Viseme, string>> = {
  viseme_aa: 'jawOpen 1.4, mouthFunnel -0.7, mouthPucker -0.7, mouthStretchLeft -0.4, mouthStretchRight -0.4',
  viseme_E: 'jawOpen 0.6, mouthStretchLeft 0.7, mouthStretchRight 0.7, mouthFunnel -0.5, mouthPucker -0.5',
  viseme_I:
    'mouthStretchLeft 0.7, mouthStretchRight 0.7, mouthSmileLeft 0.3, mouthSmileRight 0.3, jawOpen -0.5',
  viseme_O: 'mouthFunnel 0.8, mouthPucker 0.4, jawOpen 0.4, mouthStretchLeft -0.4, mouthStretchRight -0.4',
  viseme_U: 'mouthPucker 1, mouthFunnel 0.2, jawOpen -0.6',
  viseme_PP: 'mouthPressLeft 0.6, mouthPressRight 0.6, mouthRollLower 0.3, mouthRollUpper 0.3',
  viseme_FF: 'mouthRollLower 1, mouthRollUpper -0.8',
  viseme_TH: 'tongueOut 1',
  viseme_CH: 'mouthFunnel 1, mouthPucker -0.5, jawOpen -0.6',
};
const viseme = (name: Viseme): string[] => [name, ...(derived[name] ? [derived[name]] : [])];
/** Several visemes that share one drawing. */
const anyOf = (...names: Viseme[]): string[] => [
  names.join(', '),
  ...names.flatMap((name) => (derived[name] ? [derived[name]] : [])).slice(0, 1),
];

const blinks: ShortTable = {
  blink: ['eyeBlinkLeft 0.5, eyeBlinkRight 0.5'],
  blinkLeft: ['eyeBlinkLeft'],
  blinkRight: ['eyeBlinkRight'],
};
const vowels: ShortTable = {
  A: viseme('viseme_aa'),
  E: viseme('viseme_E'),
  I: viseme('viseme_I'),
  O: viseme('viseme_O'),
  U: viseme('viseme_U'),
};

/** VRM 1.0's presets. Moods stay still: they shut eyes and bend mouths that speak. */
const vrm: ShortTable = {
  aa: vowels.A!,
  ih: vowels.I!,
  ou: vowels.U!,
  ee: vowels.E!,
  oh: vowels.O!,
  ...blinks,
  lookUp: ['eyeLookUpLeft 0.5, eyeLookUpRight 0.5'],
  lookDown: ['eyeLookDownLeft 0.5, eyeLookDownRight 0.5'],
  lookLeft: ['eyeLookOutLeft 0.5, eyeLookInRight 0.5'],
  lookRight: ['eyeLookInLeft 0.5, eyeLookOutRight 0.5'],
};
const vrm0: ShortTable = {
  ...vowels,
  Blink: blinks.blink!,
  Blink_L: blinks.blinkLeft!,
  Blink_R: blinks.blinkRight!,
  LookUp: vrm.lookUp!,
  LookDown: vrm.lookDown!,
  LookLeft: vrm.lookLeft!,
  LookRight: vrm.lookRight!,
};
/** VRoid Studio's shapes, under the end of their names (`Face.M_F00_000_00_Fcl_MTH_A`). */
const vroid: ShortTable = {
  Fcl_MTH_A: vowels.A!,
  Fcl_MTH_I: vowels.I!,
  Fcl_MTH_U: vowels.U!,
  Fcl_MTH_E: vowels.E!,
  Fcl_MTH_O: vowels.O!,
  Fcl_MTH_Close: ['mouthPressLeft 0.5, mouthPressRight 0.5'],
  Fcl_EYE_Close: blinks.blink!,
  Fcl_EYE_Close_L: blinks.blinkLeft!,
  Fcl_EYE_Close_R: blinks.blinkRight!,
};
/** MikuMikuDance's vowels and lids. */
const mmd: ShortTable = {
  あ: vowels.A!,
  い: vowels.I!,
  う: vowels.U!,
  え: vowels.E!,
  お: vowels.O!,
  まばたき: blinks.blink!,
  ウィンク: blinks.blinkLeft!,
  ウィンク右: blinks.blinkRight!,
};
/** Reallusion's Character Creator 3: eight visemes, lips and lids by side. */
const cc3: ShortTable = {
  Open: viseme('viseme_aa'),
  Explosive: viseme('viseme_PP'),
  Dental_Lip: viseme('viseme_FF'),
  'Tight-O': viseme('viseme_O'),
  Tight: viseme('viseme_U'),
  Wide: viseme('viseme_I'),
  Affricate: viseme('viseme_CH'),
  Lip_Open: viseme('viseme_E'),
  Eye_Blink: blinks.blink!,
  Eye_Blink_L: blinks.blinkLeft!,
  Eye_Blink_R: blinks.blinkRight!,
  Brow_Raise_L: ['browOuterUpLeft'],
  Brow_Raise_R: ['browOuterUpRight'],
  Brow_Raise_Inner_L: ['browInnerUp'],
  Brow_Raise_Inner_R: ['browInnerUp'],
  Brow_Raise_Outer_L: ['browOuterUpLeft'],
  Brow_Raise_Outer_R: ['browOuterUpRight'],
  Brow_Drop_L: ['browDownLeft'],
  Brow_Drop_R: ['browDownRight'],
  Eye_Wide_L: ['eyeWideLeft'],
  Eye_Wide_R: ['eyeWideRight'],
  Eye_Squint_L: ['eyeSquintLeft'],
  Eye_Squint_R: ['eyeSquintRight'],
  Nose_Scrunch: ['noseSneerLeft 0.5, noseSneerRight 0.5'],
  Cheek_Raise_L: ['cheekSquintLeft'],
  Cheek_Raise_R: ['cheekSquintRight'],
  Mouth_Smile: ['mouthSmileLeft 0.5, mouthSmileRight 0.5'],
  Mouth_Smile_L: ['mouthSmileLeft'],
  Mouth_Smile_R: ['mouthSmileRight'],
  Mouth_Frown: ['mouthFrownLeft 0.5, mouthFrownRight 0.5'],
  Mouth_Frown_L: ['mouthFrownLeft'],
  Mouth_Frown_R: ['mouthFrownRight'],
  Mouth_L: ['mouthLeft'],
  Mouth_R: ['mouthRight'],
};
const prestonBlair: ShortTable = {
  rest: [''],
  AI: viseme('viseme_aa'),
  E: anyOf('viseme_E', 'viseme_I'),
  O: viseme('viseme_O'),
  U: viseme('viseme_U'),
  FV: viseme('viseme_FF'),
  L: viseme('viseme_nn'),
  MBP: viseme('viseme_PP'),
  WQ: [''],
  etc: ['viseme_TH, viseme_DD, viseme_kk, viseme_CH, viseme_SS, viseme_RR'],
};
const rhubarb: ShortTable = {
  A: viseme('viseme_PP'),
  B: anyOf('viseme_I', 'viseme_TH', 'viseme_DD', 'viseme_kk', 'viseme_CH', 'viseme_SS', 'viseme_nn'),
  C: viseme('viseme_E'),
  D: viseme('viseme_aa'),
  E: anyOf('viseme_O', 'viseme_RR'),
  F: viseme('viseme_U'),
  G: viseme('viseme_FF'),
  H: [''],
  X: [''],
};

/**
 * A rig's own halves and quarters of one ARKit channel: each follows the whole channel. (In the other
 * direction, where ARKit's shapes make such shapes, they are shares of it.)
 */
const wholeSides = (rows: readonly NameRow[]): NameRow[] =>
  rows.map(({ name, alternatives }) => ({
    name,
    alternatives: alternatives.map((parts) =>
      parts.map((part): ShapePart => (part.side ? { ...part, weight: 1 } : part)),
    ),
  }));

/** The fifteen visemes under the names of a built-in table, which has them in the same order. */
const visemesAs = (table: 'oculus' | 'oculus-short' | 'vrchat'): readonly NameRow[] =>
  rowsOf(
    Object.fromEntries(builtInTables[table].map(({ name }, at) => [name, viseme(oculusVisemeNames[at]!)])),
  );

/** The channels that drive each name of a vocabulary, as alternatives: the first that a face has is used. */
export const driveTables: Readonly<Record<DriveVocabulary, readonly NameRow[]>> = {
  arkit: builtInTables.arkit,
  oculus: visemesAs('oculus'),
  'oculus-short': visemesAs('oculus-short'),
  vrchat: visemesAs('vrchat'),
  vrm: rowsOf(vrm),
  vrm0: rowsOf(vrm0),
  vroid: rowsOf(vroid),
  cc4: [
    ...wholeSides(builtInTables.cc4).filter(({ name }) => !name.startsWith('V_')),
    ...rowsOf(ccVisemeNames(viseme)),
  ],
  cc3: rowsOf(cc3),
  metahuman: wholeSides(builtInTables.metahuman),
  vowels: rowsOf(vowels),
  mmd: rowsOf(mmd),
  'preston-blair': rowsOf(prestonBlair),
  rhubarb: rowsOf(rhubarb),
};
