/**
 * Mouth targets of each phone of proto/speech/phones.ts, and their dominance over neighbouring phones.
 *
 * Jaw: relative, 1 is the widest vowel, in the order of the IPA's vowel heights. English consonants follow
 * the jaw heights of Keating, Lindblom, Lubker & Kreiman 1994 (s, sh, t highest; h and l as low as their
 * vowel).
 *
 * Rounding: Ladefoged & Johnson, A Course in Phonetics, ch. 9 and 4 (UW OW W; protruded SH CH R). Mandarin:
 * Duanmu 2007, The Phonology of Standard Chinese, ch. 2 (ü is i with rounded lips; zi, zhi syllabic and
 * spread; e unrounded), and Ladefoged & Wu 1984 (zh ch sh flat, hardly rounded; j q x spread).
 *
 * Dominance: Cohen & Massaro 1993, "Modeling coarticulation in synthetic visual speech". A consonant that
 * does not need the lips hardly counts for them, so vowels show through it (Bell-Berti & Harris 1979).
 */
import { type ArkitBlendshapeName, arkitBlendshapeIndex } from '@likeness/proto/blendshapes.ts';
import { pausePhone } from '@likeness/proto/speech/phones.ts';
import { type MouthShape, mouthChannels } from '../mouth_shapes.ts';

/** A phone's dominance, 0..1, by the part of the mouth. */
export interface Dominance {
  readonly jaw: number;
  readonly round: number;
  readonly lip: number;
}

/** A part of a phone with one target shape. */
export interface PhoneTarget {
  /** By position of `mouthChannels`, before loudness and gains. */
  readonly weights: Float32Array;
  readonly dominance: Dominance;
  /** Share of the phone's time; the parts' sum is 1. */
  readonly share: number;
}

interface Sound extends Partial<Dominance> {
  readonly shape: MouthShape;
}

const vowel = { jaw: 1, round: 1, lip: 0.8 };
/** A consonant made behind the lips. */
const inside = { jaw: 0.6, round: 0.06, lip: 0.5 };

const spread = (mouthStretch: number, mouthSmile: number, jawOpen: number): MouthShape => ({
  jawOpen,
  mouthStretch,
  mouthSmile,
  mouthLowerDown: 0.1,
  mouthUpperUp: 0.05,
  mouthDimple: 0.3 * mouthSmile,
  cheekSquint: 0.3 * mouthSmile,
});
const round = (mouthFunnel: number, mouthPucker: number, jawOpen: number): MouthShape => ({
  jawOpen,
  mouthFunnel,
  mouthPucker,
  mouthClose: 0.27 * mouthPucker,
});
const open = (jawOpen: number, more: MouthShape = {}): MouthShape => ({
  jawOpen,
  mouthFunnel: 0.04,
  mouthPucker: 0.05,
  mouthLowerDown: 0.12,
  mouthUpperUp: 0.07,
  ...more,
});
const behind = (jawOpen: number, mouthLowerDown: number, more: MouthShape = {}): MouthShape => ({
  jawOpen,
  mouthLowerDown,
  mouthUpperUp: 0.5 * mouthLowerDown,
  ...more,
});

/** The target shapes that phones consist of. */
const sounds = {
  [pausePhone]: { shape: {}, jaw: 0.6, round: 0.35, lip: 0.6 },
  // English vowels: tense ones reach further than lax ones.
  AA: { ...vowel, shape: open(0.9) },
  AE: { ...vowel, shape: open(0.95, { mouthStretch: 0.22, mouthSmile: 0.06, mouthFunnel: 0 }) },
  AH: { ...vowel, jaw: 0.85, round: 0.6, shape: open(0.62) },
  AX: { ...vowel, jaw: 0.6, round: 0.35, lip: 0.5, shape: open(0.42) },
  AO: { ...vowel, shape: round(0.3, 0.38, 0.75) },
  EH: { ...vowel, shape: spread(0.2, 0.06, 0.65) },
  ER: { ...vowel, jaw: 0.8, shape: { ...round(0.2, 0.42, 0.4), mouthLowerDown: 0.06 } },
  IH: { ...vowel, jaw: 0.8, round: 0.7, shape: spread(0.2, 0.1, 0.46) },
  IY: { ...vowel, shape: spread(0.34, 0.22, 0.36) },
  UH: { ...vowel, jaw: 0.8, shape: round(0.22, 0.42, 0.42) },
  UW: { ...vowel, shape: round(0.25, 0.72, 0.32) },
  OW: { ...vowel, shape: round(0.32, 0.52, 0.62) },
  // End shapes of diphthongs.
  toI: { ...vowel, jaw: 0.7, shape: spread(0.26, 0.15, 0.42) },
  toU: { ...vowel, jaw: 0.7, shape: round(0.24, 0.6, 0.4) },
  // Consonants of both languages.
  P: { jaw: 0.9, round: 0.1, lip: 1, shape: { jawOpen: 0.1 } },
  F: { jaw: 0.9, round: 0.15, lip: 1, shape: { jawOpen: 0.05, mouthFunnel: 0.05 } },
  TH: { ...inside, lip: 0.9, shape: behind(0.18, 0.14, { tongueOut: 0.4 }) },
  T: { ...inside, jaw: 0.75, shape: behind(0.1, 0.17) },
  L: { ...inside, jaw: 0.35, shape: behind(0.3, 0.16, { tongueOut: 0.12 }) },
  N: { ...inside, shape: behind(0.12, 0.16) },
  K: { ...inside, jaw: 0.4, lip: 0.4, shape: behind(0.16, 0.14, { mouthStretch: 0.05 }) },
  HH: { jaw: 0.08, round: 0.02, lip: 0.05, shape: open(0.4) },
  S: { ...inside, jaw: 0.95, round: 0.12, lip: 0.7, shape: behind(0.08, 0.15, { mouthStretch: 0.2 }) },
  SH: {
    jaw: 0.95,
    round: 0.8,
    lip: 0.7,
    shape: behind(0.1, 0.08, { mouthFunnel: 0.36, mouthPucker: 0.22 }),
  },
  R: { jaw: 0.5, round: 0.65, lip: 0.5, shape: { ...round(0.2, 0.45, 0.25), mouthLowerDown: 0.08 } },
  W: { jaw: 0.8, round: 1, lip: 0.8, shape: round(0.2, 0.8, 0.22) },
  Y: { jaw: 0.7, round: 0.5, lip: 0.6, shape: spread(0.28, 0.16, 0.28) },
  // Mandarin.
  j: { ...inside, jaw: 0.9, round: 0.2, lip: 0.7, shape: behind(0.1, 0.12, { mouthStretch: 0.26 }) },
  zh: {
    jaw: 0.9,
    round: 0.45,
    lip: 0.6,
    shape: behind(0.12, 0.1, { mouthFunnel: 0.22, mouthPucker: 0.1 }),
  },
  r: { jaw: 0.7, round: 0.4, lip: 0.5, shape: behind(0.2, 0.1, { mouthFunnel: 0.2, mouthPucker: 0.14 }) },
  e: { ...vowel, round: 0.8, shape: open(0.55, { mouthStretch: 0.12, mouthFunnel: 0, mouthPucker: 0 }) },
  apical: { ...vowel, jaw: 0.9, round: 0.5, shape: behind(0.2, 0.14, { mouthStretch: 0.24 }) },
  yu: { ...vowel, shape: round(0.2, 0.82, 0.28) },
  u: { ...vowel, shape: round(0.24, 0.76, 0.32) },
  o: { ...vowel, shape: round(0.3, 0.48, 0.58) },
  er: { ...vowel, shape: open(0.5, { mouthFunnel: 0.14, mouthPucker: 0.1 }) },
} as const satisfies Readonly<Record<string, Sound>>;
type SoundName = keyof typeof sounds;

/** Each phone's target shapes in order, with their shares of its time if they aren't equal. */
const phones: Readonly<Record<string, string>> = {
  [pausePhone]: pausePhone,
  ...plain('AA AE AH AX AO EH ER IH IY UH UW TH L HH S SH R W Y K T N P F'),
  ...alike('P', 'B M b p m'),
  ...alike('F', 'V f'),
  ...alike('TH', 'DH'),
  ...alike('T', 'D d t'),
  ...alike('K', 'G g k NG'),
  ...alike('HH', 'h'),
  ...alike('S', 'Z z c s'),
  ...alike('SH', 'ZH CH JH'),
  ...alike('N', 'n'),
  ...alike('L', 'l'),
  ...alike('j', 'j q x'),
  ...alike('zh', 'zh ch sh'),
  ...plain('r e er u o'),
  AY: 'AA:.6 toI:.4',
  AW: 'AA:.6 toU:.4',
  OY: 'AO:.6 toI:.4',
  EY: 'EH:.55 toI:.45',
  OW: 'OW:.6 toU:.4',
  a: 'AA',
  i: 'IY',
  ü: 'yu',
  '-i': 'apical',
  ê: 'EH',
  ai: 'AA:.6 toI:.4',
  ei: 'EH:.55 toI:.45',
  ao: 'AA:.6 toU:.4',
  ou: 'o:.6 toU:.4',
  an: 'AA:.65 N:.35',
  ang: 'AA:.65 K:.35',
  en: 'e:.6 N:.4',
  eng: 'e:.6 K:.4',
  ia: 'Y:.25 AA:.75',
  ie: 'Y:.3 EH:.7',
  iao: 'Y:.2 AA:.45 toU:.35',
  iu: 'Y:.25 o:.35 toU:.4',
  ian: 'Y:.25 EH:.45 N:.3',
  in: 'IY:.6 N:.4',
  ing: 'IY:.6 K:.4',
  iang: 'Y:.2 AA:.5 K:.3',
  iong: 'yu:.3 u:.4 K:.3',
  ong: 'u:.65 K:.35',
  ua: 'W:.25 AA:.75',
  uo: 'W:.3 o:.7',
  uai: 'W:.2 AA:.45 toI:.35',
  ui: 'W:.25 EH:.35 toI:.4',
  uan: 'W:.2 AA:.5 N:.3',
  uang: 'W:.2 AA:.5 K:.3',
  un: 'W:.3 e:.35 N:.35',
  ueng: 'W:.25 e:.45 K:.3',
  üe: 'yu:.3 EH:.7',
  üan: 'yu:.25 EH:.45 N:.3',
  ün: 'yu:.6 N:.4',
};

function plain(names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, name]));
}

function alike(sound: SoundName, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, sound]));
}

const targets = new Map<string, readonly PhoneTarget[]>(
  Object.entries(phones).map(([phone, parts]) => [
    phone,
    parts.split(' ').map((part) => {
      const [name, share = '1'] = part.split(':') as [SoundName, string?];
      const { shape, jaw, round: rounding, lip } = sounds[name];
      return {
        weights: weightsOf(shape),
        dominance: { jaw, round: rounding, lip },
        share: Number(share),
      };
    }),
  ]),
);

/** @throws RangeError for a phone that is in no table */
export function phoneTargets(phone: string): readonly PhoneTarget[] {
  const found = targets.get(phone);
  if (!found) throw new RangeError(`There is no mouth for the phone "${phone}"`);
  return found;
}

function weightsOf(shape: MouthShape): Float32Array {
  const byChannel = new Map<number, number>();
  for (const [name, value] of Object.entries(shape)) {
    for (const full of name in arkitBlendshapeIndex ? [name] : [`${name}Left`, `${name}Right`]) {
      byChannel.set(arkitBlendshapeIndex[full as ArkitBlendshapeName], value);
    }
  }
  return Float32Array.from(mouthChannels, ({ channel }) => byChannel.get(channel) ?? 0);
}
