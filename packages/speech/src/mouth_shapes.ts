/**
 * Mouth shapes in ARKit's channels: the shape of each viseme, and lip contacts. Live analysis and full pass
 * both use them.
 */
import { type ArkitBlendshapeName, arkitBlendshapeIndex } from '@likeness/proto/blendshapes.ts';
import { visemeCount } from './speech_model.ts';

/** Rows of the table below: how each viseme shapes the mouth at full posterior, by ARKit channel. */
export type MouthShape = Partial<Record<ArkitBlendshapeName | Pair, number>>;
/** Channels that come as Left and Right. */
type Pair =
  | 'mouthSmile'
  | 'mouthStretch'
  | 'mouthLowerDown'
  | 'mouthUpperUp'
  | 'mouthDimple'
  | 'mouthPress'
  | 'cheekSquint';

/**
 * Jaw and rounding (funnel + pucker) by viseme were chosen on captured faces outside the test set
 * (speech.md); the rest follows MIT's and TalkingHead's published tables, and phonetics. jawOpen and rounding
 * are relative (1 = widest vowel) and scaled below.
 */
const visemeShapes: readonly MouthShape[] = [
  /* sil */ {},
  /* PP */ { jawOpen: 0.1 },
  /* FF */ { jawOpen: 0.05, mouthFunnel: 0.1 },
  /* TH */ { jawOpen: 0.15, mouthFunnel: 0.1, tongueOut: 0.4, mouthLowerDown: 0.14, mouthUpperUp: 0.08 },
  /* DD */ { jawOpen: 0.1, mouthFunnel: 0.06, mouthPucker: 0.09, mouthLowerDown: 0.18, mouthUpperUp: 0.08 },
  /* kk */ { jawOpen: 0.05, mouthLowerDown: 0.16, mouthUpperUp: 0.08, mouthStretch: 0.06 },
  /* CH */ { jawOpen: 0.15, mouthFunnel: 0.32, mouthPucker: 0.18, mouthLowerDown: 0.06, mouthUpperUp: 0.06 },
  /* SS */ {
    jawOpen: 0.15,
    mouthFunnel: 0.13,
    mouthPucker: 0.32,
    mouthLowerDown: 0.14,
    mouthUpperUp: 0.08,
    mouthStretch: 0.22,
  },
  /* nn */ { jawOpen: 0.08, mouthFunnel: 0.04, mouthPucker: 0.06, mouthLowerDown: 0.18, mouthUpperUp: 0.06 },
  /* RR */ { jawOpen: 0.15, mouthFunnel: 0.22, mouthPucker: 0.48 },
  /* aa */ {
    jawOpen: 0.85,
    mouthFunnel: 0.08,
    mouthPucker: 0.07,
    mouthLowerDown: 0.12,
    mouthUpperUp: 0.08,
  },
  /* E */ {
    jawOpen: 0.6,
    mouthFunnel: 0.08,
    mouthPucker: 0.12,
    mouthLowerDown: 0.12,
    mouthUpperUp: 0.06,
    mouthStretch: 0.2,
    mouthSmile: 0.08,
  },
  /* I */ {
    jawOpen: 0.45,
    mouthFunnel: 0.05,
    mouthPucker: 0.07,
    mouthLowerDown: 0.1,
    mouthUpperUp: 0.04,
    mouthStretch: 0.3,
    mouthSmile: 0.18,
    mouthDimple: 0.08,
    cheekSquint: 0.06,
  },
  /* O */ { jawOpen: 0.7, mouthFunnel: 0.33, mouthPucker: 0.52, mouthClose: 0.16 },
  /* U */ { jawOpen: 0.4, mouthFunnel: 0.25, mouthPucker: 0.7, mouthClose: 0.2 },
];

/** ARKit jawOpen of the widest vowel: captured talkers open to .4–.6, a full 1 is a yawn. */
export const jawScale = 0.62;
export const roundingScale = 1.25;
/** Opening of a soft syllable relative to a loud one: a soft o is hardly less round, but much less open. */
export const softJaw = 0.4;
export const softRounding = 0.75;

export const ppViseme = 1;
export const ffViseme = 2;

/** Maximum approach of the lips for a contact just below its threshold. */
export const maxNearing = 0.85;

export const jawOpen = arkitBlendshapeIndex.jawOpen;
export const mouthClose = arkitBlendshapeIndex.mouthClose;

/** A channel that the shapes move. */
export interface MouthChannel {
  readonly channel: number;
  readonly kind: 'jaw' | 'round' | 'lip';
  /** [visemes] */
  readonly byViseme: Float32Array;
}

const partingChannels = [
  'mouthLowerDownLeft',
  'mouthLowerDownRight',
  'mouthUpperUpLeft',
  'mouthUpperUpRight',
  'mouthStretchLeft',
  'mouthStretchRight',
  'mouthShrugUpper',
  'tongueOut',
].map((name) => arkitBlendshapeIndex[name as ArkitBlendshapeName]);

export const roundingChannels = [arkitBlendshapeIndex.mouthFunnel, arkitBlendshapeIndex.mouthPucker];

/** The channels that the shapes move, each with its weight in every viseme. */
export const mouthChannels = makeChannels();

/** Lips and jaw together: in ARKit's terms lips meet where mouthClose equals jawOpen. */
export function makeClosure(weights: Float32Array, closed: number): void {
  const free = 1 - closed;
  const jaw = (weights[jawOpen] as number) * free + 0.035 * closed;
  for (const channel of partingChannels) weights[channel] = (weights[channel] as number) * free;
  for (const channel of roundingChannels) {
    weights[channel] = (weights[channel] as number) * (1 - 0.5 * closed);
  }
  weights[jawOpen] = jaw;
  weights[mouthClose] = (weights[mouthClose] as number) * free + jaw * closed;
  weights[arkitBlendshapeIndex.mouthRollUpper] = 0.28 * closed;
  weights[arkitBlendshapeIndex.mouthRollLower] = Math.max(
    weights[arkitBlendshapeIndex.mouthRollLower] as number,
    0.32 * closed,
  );
  weights[arkitBlendshapeIndex.mouthPressLeft] = 0.3 * closed;
  weights[arkitBlendshapeIndex.mouthPressRight] = 0.3 * closed;
  weights[arkitBlendshapeIndex.cheekPuff] = 0.08 * closed;
}

/** Lower lip in under the upper teeth, upper lip lifted off them. */
export function makeTeethContact(weights: Float32Array, contact: number): void {
  const free = 1 - contact;
  weights[jawOpen] = (weights[jawOpen] as number) * free + 0.06 * contact;
  for (const channel of partingChannels) weights[channel] = (weights[channel] as number) * free;
  for (const channel of roundingChannels) {
    weights[channel] = (weights[channel] as number) * (1 - 0.7 * contact);
  }
  weights[mouthClose] = (weights[mouthClose] as number) * free;
  for (const side of ['Left', 'Right'] as const) {
    const up = arkitBlendshapeIndex[`mouthUpperUp${side}`];
    weights[up] = (weights[up] as number) + 0.16 * contact;
  }
  weights[arkitBlendshapeIndex.mouthRollLower] = contact;
  weights[arkitBlendshapeIndex.tongueOut] = (weights[arkitBlendshapeIndex.tongueOut] as number) * free;
}

function makeChannels(): MouthChannel[] {
  const rows = new Map<number, Float32Array>();
  visemeShapes.forEach((shape, viseme) => {
    for (const [name, value] of Object.entries(shape)) {
      const names = name in arkitBlendshapeIndex ? [name] : [`${name}Left`, `${name}Right`];
      for (const full of names) {
        const channel = arkitBlendshapeIndex[full as ArkitBlendshapeName];
        const row = rows.get(channel) ?? new Float32Array(visemeCount);
        row[viseme] = value;
        rows.set(channel, row);
      }
    }
  });
  return [...rows].map(([channel, byViseme]) => ({
    channel,
    kind: channel === jawOpen ? 'jaw' : roundingChannels.includes(channel) ? 'round' : 'lip',
    byViseme,
  }));
}
