import { jawScale, mouthChannels, roundingScale, softJaw, softRounding } from '../mouth_shapes.ts';
import { visemeCount } from '../speech_model.ts';
import type { TakeVoice } from './take_voice.ts';

/** Gains of the mouth over a whole take: from mumbling to shouting, 1 is the default strength. */
export interface MouthDials {
  readonly jaw: number;
  readonly lips: number;
}

/** Weights of {@link mouthChannels} and of the visemes, 10 ms a frame. */
export interface MouthTrack {
  /** [frames × channels] */
  readonly weights: Float32Array;
  /** [frames × 15] */
  readonly visemes: Float32Array;
}

/** Spread of the smoothing, seconds: those of live, without its delay (mouth.ts). */
const jawSpread = 0.03;
const roundingSpread = 0.05;

const channelCount = mouthChannels.length;
/** Five frames' triangle, σ 14 ms. */
const lipKernel = [1, 2, 3, 2, 1].map((share) => share / 9);
const jawKernel = gaussian(jawSpread);
const roundingKernel = gaussian(roundingSpread);
const kernels = { jaw: jawKernel, round: roundingKernel, lip: lipKernel } as const;
/** Frames on each side that contribute to a frame. */
const reach = (roundingKernel.length - 1) / 2;

/**
 * Returns the mouth from the audio, between two frames: the live mouth's shapes, smoothed symmetrically.
 * Contacts are separate.
 *
 * @param from frames of 10 ms @param to the frame after the last
 */
export function heardMouth(voice: TakeVoice, dials: MouthDials, from: number, to: number): MouthTrack {
  const first = Math.max(0, from - reach);
  const end = Math.min(voice.frames, to + reach);
  const raw = rawChannels(voice, dials, first, end);
  const weights = new Float32Array((to - from) * channelCount);
  mouthChannels.forEach(({ kind }, c) => {
    const column = smoothed(raw[c] as Float32Array, kernels[kind], from - first, to - from);
    for (let i = 0; i < column.length; i++) weights[i * channelCount + c] = column[i] as number;
  });
  const visemes = new Float32Array((to - from) * visemeCount);
  for (let v = 0; v < visemeCount; v++) {
    const column = Float32Array.from(
      { length: end - first },
      (_, i) => voice.posteriors[(first + i) * visemeCount + v] as number,
    );
    const smooth = smoothed(column, lipKernel, from - first, to - from);
    for (let i = 0; i < smooth.length; i++) visemes[i * visemeCount + v] = smooth[i] as number;
  }
  return { weights, visemes };
}

/** Opens the mouth at each moment according to its loudness. @returns one value per frame, by channel */
function rawChannels(
  { posteriors, loudness }: TakeVoice,
  { jaw, lips }: MouthDials,
  first: number,
  end: number,
): Float32Array[] {
  return mouthChannels.map(({ kind, byViseme }) =>
    Float32Array.from({ length: end - first }, (_, i) => {
      const at = first + i;
      let sum = 0;
      for (let v = 0; v < visemeCount; v++) {
        sum += (posteriors[at * visemeCount + v] as number) * (byViseme[v] as number);
      }
      return sum * mouthGain(kind, loudness[at] as number, jaw, lips);
    }),
  );
}

/** Returns the weight of a soft moment's shape relative to a loud one's, with the dials applied. */
export function mouthGain(
  kind: 'jaw' | 'round' | 'lip',
  loudness: number,
  jaw: number,
  lips: number,
): number {
  if (kind === 'jaw') return jawScale * jaw * (softJaw + (1 - softJaw) * loudness);
  if (kind === 'round') return roundingScale * lips * (softRounding + (1 - softRounding) * loudness);
  return lips * (0.6 + 0.4 * (softJaw + (1 - softJaw) * loudness));
}

/** Weighted mean about each frame; the ends are extended by their own value. */
export function smoothed(
  values: Float32Array,
  kernel: readonly number[],
  from: number,
  count: number,
): Float32Array {
  const half = (kernel.length - 1) / 2;
  const last = values.length - 1;
  return Float32Array.from({ length: count }, (_, i) => {
    let sum = 0;
    for (let k = 0; k < kernel.length; k++) {
      const at = Math.min(last, Math.max(0, from + i + k - half));
      sum += (kernel[k] as number) * (values[at] as number);
    }
    return sum;
  });
}

/** @param spread standard deviation, seconds @returns weights of frames of 10 ms, sum 1 */
export function gaussian(spread: number): readonly number[] {
  const half = Math.ceil(300 * spread);
  const shares = Array.from({ length: 2 * half + 1 }, (_, k) =>
    Math.exp(-0.5 * (((k - half) * 0.01) / spread) ** 2),
  );
  const sum = shares.reduce((total, share) => total + share, 0);
  return shares.map((share) => share / sum);
}
