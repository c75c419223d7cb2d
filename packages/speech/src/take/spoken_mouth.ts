import { lastThat } from '@likeness/proto/binary_search.ts';
import { pausePhone, phoneParts } from '@likeness/proto/speech/phones.ts';
import type { AlignedWord, SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { mouthChannels } from '../mouth_shapes.ts';
import { visemeCount } from '../speech_model.ts';
import { gaussian, type MouthDials, type MouthTrack, mouthGain, smoothed } from './heard_mouth.ts';
import { type PhoneTarget, phoneTargets } from './phone_targets.ts';
import type { TakeVoice } from './take_voice.ts';

/** A stretch of time, seconds. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A time with one target shape. */
interface Segment extends Stretch, PhoneTarget {
  readonly viseme: number;
}

/** Mouth targets from the words, in order of time. */
export interface SpokenPlan {
  readonly segments: readonly Segment[];
  /** Stretches driven by words; elsewhere the audio alone drives the face. */
  readonly trusted: readonly Stretch[];
}

/**
 * Time constant of a phone's influence, seconds in which its dominance falls to 1/e before its start and
 * after its end. Rounding begins early: the u of "stew" is visible at its s (Cohen & Massaro 1993; Bell-Berti
 * & Harris 1979).
 */
const reaches = {
  jaw: { before: 0.04, after: 0.035 },
  round: { before: 0.085, after: 0.06 },
  lip: { before: 0.025, after: 0.025 },
} as const;
/** Beyond this time a phone has no influence, seconds. */
const farthest = 0.4;
/** Share of a phone's time, at each end, in which its neighbours already influence it. */
const edgeShare = 0.2;
/** Smoothing of the loudness that opens the mouth, without the dips of voiceless sounds: σ, seconds. */
const loudnessKernel = gaussian(0.05);
/** Cross-fade from the words' face to the audio's, seconds. */
const crossFade = 0.06;

const frame = 0.01;
const channelCount = mouthChannels.length;

const isSpoken = ({ flag }: AlignedWord): boolean => flag === null || flag === 'followed_by_more';

/**
 * Plans the stretches driven by words, and their mouth targets. Flagged words follow the audio, with the
 * pauses around them. So does speech that the script lacks, between two words or before the first.
 */
export function planSpoken({ words }: SpeechAlignment, seconds: number): SpokenPlan {
  const segments: Segment[] = [];
  const trusted: Stretch[] = [];
  words.forEach((word, k) => {
    if (!isSpoken(word)) return;
    const next = words[k + 1];
    for (const phone of word.phones) addPhone(segments, phone.phone, phone.start, phone.end);
    const goesOn = word.flag === null && (!next || isSpoken(next));
    const end = goesOn ? (next?.start ?? seconds) : word.end;
    if (goesOn && end > word.end) addPhone(segments, pausePhone, word.end, end);
    const before = trusted.at(-1);
    if (before && before.end >= word.start) trusted[trusted.length - 1] = { start: before.start, end };
    else trusted.push({ start: word.start, end });
  });
  return { segments, trusted };
}

function addPhone(segments: Segment[], phone: string, start: number, end: number): void {
  if (end <= start) return;
  let at = start;
  for (const target of phoneTargets(phone)) {
    const until = at + (end - start) * target.share;
    segments.push({
      ...target,
      start: at,
      end: until,
      viseme: visemeAt(phone, (at + until) / 2, start, end),
    });
    at = until;
  }
}

/** The viseme of a phone's part. */
function visemeAt(phone: string, time: number, start: number, end: number): number {
  const share = (time - start) / (end - start);
  let passed = 0;
  const parts = phoneParts(phone);
  for (const part of parts) {
    passed += part.share;
    if (share < passed) return part.viseme;
  }
  return parts.at(-1)?.viseme ?? 0;
}

/** Weight of the words in each frame, 1 or 0 with {@link crossFade} between. */
export function trustOf({ trusted }: SpokenPlan, from: number, to: number): Float32Array {
  const out = new Float32Array(to - from);
  let first = 0;
  for (let i = from; i < to; i++) {
    const time = i * frame;
    while (first < trusted.length && (trusted[first] as Stretch).end + crossFade < time) first++;
    for (let k = first; k < trusted.length; k++) {
      const { start, end } = trusted[k] as Stretch;
      if (start - crossFade > time) break;
      const inside = Math.min(time - start, end - time) / crossFade + 0.5;
      out[i - from] = Math.max(out[i - from] as number, Math.min(1, Math.max(0, inside)));
    }
  }
  return out;
}

/**
 * Returns the mouth shape from the words, between two frames. Every phone pulls with its dominance, which
 * decreases with the distance in time: phones without dominance take the shape of their neighbours. Contacts
 * are separate.
 */
export function spokenMouth(
  { segments }: SpokenPlan,
  { loudness, frames }: TakeVoice,
  { jaw, lips }: MouthDials,
  from: number,
  to: number,
): MouthTrack {
  const weights = new Float32Array((to - from) * channelCount);
  const visemes = new Float32Array((to - from) * visemeCount);
  const reach = (loudnessKernel.length - 1) / 2;
  const begin = Math.max(0, from - reach);
  const loud = smoothed(
    loudness.subarray(begin, Math.min(frames, to + reach)),
    loudnessKernel,
    from - begin,
    to - from,
  );
  let first = firstAfter(segments, from * frame - farthest);
  for (let i = 0; i < to - from; i++) {
    const time = (from + i) * frame;
    while (first < segments.length && (segments[first] as Segment).end + farthest < time) first++;
    const sums = { jaw: 1e-6, round: 1e-6, lip: 1e-6 };
    const row = weights.subarray(i * channelCount, (i + 1) * channelCount);
    for (let k = first; k < segments.length; k++) {
      const segment = segments[k] as Segment;
      if (segment.start - farthest > time) break;
      pull(row, sums, segment, time);
      const share = visemeShare(segment, time);
      const at = i * visemeCount + segment.viseme;
      visemes[at] = Math.max(visemes[at] as number, share);
    }
    mouthChannels.forEach(({ kind }, c) => {
      const gain = mouthGain(kind, loud[i] as number, jaw, lips);
      row[c] = ((row[c] as number) / sums[kind]) * gain;
    });
    toSumOfOne(visemes.subarray(i * visemeCount, (i + 1) * visemeCount));
  }
  return { weights, visemes };
}

type Sums = Record<keyof typeof reaches, number>;

function pull(row: Float32Array, sums: Sums, segment: Segment, time: number): void {
  const pulls = {
    jaw: pullOf(segment, time, 'jaw'),
    round: pullOf(segment, time, 'round'),
    lip: pullOf(segment, time, 'lip'),
  };
  sums.jaw += pulls.jaw;
  sums.round += pulls.round;
  sums.lip += pulls.lip;
  for (let c = 0; c < channelCount; c++) {
    const { kind } = mouthChannels[c] as (typeof mouthChannels)[number];
    row[c] = (row[c] as number) + pulls[kind] * (segment.weights[c] as number);
  }
}

/** Dominance at a time: full in the middle of the phone, falling to both sides. */
function pullOf({ start, end, dominance }: Segment, time: number, kind: keyof typeof reaches): number {
  const edge = (end - start) * edgeShare;
  const { before, after } = reaches[kind];
  const away = time < start + edge ? (start + edge - time) / before : Math.max(0, time - end + edge) / after;
  return dominance[kind] * Math.exp(-away);
}

/** 1 within the phone, falling over 20 ms to each side of its ends. */
function visemeShare({ start, end }: Segment, time: number): number {
  return Math.min(1, Math.max(0, 0.5 + Math.min(time - start, end - time) / (2 * 0.02)));
}

function toSumOfOne(visemes: Float32Array): void {
  const sum = visemes.reduce((total, share) => total + share, 0);
  if (sum > 0) for (let v = 0; v < visemes.length; v++) visemes[v] = (visemes[v] as number) / sum;
  else visemes[0] = 1;
}

/** The first segment that ends after a time. */
function firstAfter(segments: readonly Segment[], time: number): number {
  return 1 + lastThat(segments.length, (at) => (segments[at] as Segment).end < time);
}
