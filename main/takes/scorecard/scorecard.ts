import { type Message, t } from '@likeness/messages';
import { requiredClosures } from '@likeness/proto/speech/required_closures.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { curveRate } from '@likeness/proto/takes/curve_lag.ts';
import type { TimeMap } from '@likeness/proto/takes/edits/time_map.ts';
import type { Scorecard } from '#contract';
import type { FinishedTake } from '../finished_take.ts';
import type { ArrivalFigures } from './arrival_figures.ts';
import { closuresOfFace, closuresShut, shutWithin } from './closures_shut.ts';
import { channelRanges, isUsed, jawAfterSound, jitter, missingFrames, mouthSpeed } from './face_figures.ts';
import { peaksKept } from './peaks_kept.ts';
import { silenceIn } from './sound_energy.ts';

/** Input of a scorecard. */
export interface Scored {
  /** The face after the edits. */
  finished: Omit<FinishedTake, 'audio'>;
  /** Energy of the audio, from `EnergyMeter`. */
  energy: Float32Array;
  /** The shown face as recorded. */
  recorded: PlayableFace;
  /** Maps recorded time to edited time. */
  map: TimeMap;
  isEdited: boolean;
  /** Latency of its frames during recording; null for a face that was made later. */
  arrivals: ArrivalFigures | null;
  /** Lip gap of the head, millimetres; null: not measurable. */
  lipGap: ((weights: ArrayLike<number>, channelNames: readonly string[]) => number) | null;
  modelId: string;
}

type Figure = Scorecard['figures'][number];

/** Rates a take by separate figures, without an overall score. */
export function scorecardOf(scored: Scored): Scorecard {
  const { finished, energy, modelId } = scored;
  const { record, face, seconds } = finished;
  return {
    id: record.id,
    name: record.name,
    face: record.shownFace,
    modelId,
    seconds,
    frames: face.frames.length,
    frameRate: face.frameRate,
    figures: [
      closuresFigure(scored),
      peaksFigure(scored),
      ...jawFigures(face, energy),
      silenceFigure(face, energy),
      jitterFigure(face),
      rangeFigure(face),
      lateFigure(scored),
      missingFigure(face, seconds),
      offsetFigure(record.latency),
    ],
    channels: channelRanges(face).map(({ name, least, most }) => ({
      name,
      least: rounded(least),
      most: rounded(most),
    })),
  };
}

/** A figure, or why it is missing. */
function figure<T>(
  head: Pick<Figure, 'key' | 'unit' | 'name' | 'meaning'>,
  found: T | null,
  none: Message,
  format: (found: T) => Pick<Figure, 'value' | 'text'>,
): Figure {
  return { ...head, ...(found === null ? { value: null, text: none } : format(found)) };
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
const share = (value: number): string => `${(100 * value).toFixed(value < 0.1 ? 1 : 0)}%`;
const milliseconds = (seconds: number): number => Math.round(1000 * seconds);

function closuresFigure({ finished, recorded, map, lipGap }: Scored): Figure {
  const { face, words } = finished;
  const alignment = words?.alignment;
  const isByWords = alignment?.verdict === 'aligned' && alignment.words.length > 0;
  const closures = isByWords ? requiredClosures(alignment) : closuresOfFace(recorded, map);
  const found = lipGap && closuresShut(face, closures, (weights) => lipGap(weights, face.channelNames));
  const max = String(shutWithin);
  return figure(
    {
      key: 'closures',
      unit: 'share',
      name: t('score.closures'),
      meaning: isByWords ? t('score.closures_words', { most: max }) : t('score.closures_face', { most: max }),
    },
    found,
    lipGap ? t('score.no_closures') : t('score.no_lips'),
    ({ count, shut, widest }) => ({
      value: rounded(shut / count),
      text:
        shut === count
          ? t('score.closures_all_text', { shut, count })
          : t('score.closures_text', { shut, count, widest: widest.toFixed(1) }),
    }),
  );
}

function peaksFigure({ finished, recorded, map, isEdited }: Scored): Figure {
  const found = isEdited ? peaksKept(recorded, finished.face, map) : null;
  return figure(
    { key: 'peaks', unit: 'share', name: t('score.peaks'), meaning: t('score.peaks_meaning') },
    found,
    isEdited ? t('score.no_peaks') : t('score.no_edits'),
    ({ count, kept }) => ({ value: rounded(kept / count), text: t('score.peaks_text', { kept, count }) }),
  );
}

function jawFigures(face: PlayableFace, energy: Float32Array): Figure[] {
  const found = jawAfterSound(face, energy);
  const none = t('score.no_movement');
  return [
    figure(
      { key: 'jawLag', unit: 'ms', name: t('score.jaw_lag'), meaning: t('score.jaw_lag_meaning') },
      found,
      none,
      ({ lag }) => {
        const value = milliseconds(lag);
        return { value, text: lagText(value) };
      },
    ),
    figure(
      {
        key: 'jawFollows',
        unit: 'r',
        name: t('score.jaw_follows'),
        meaning: t('score.jaw_follows_meaning'),
      },
      found,
      none,
      ({ r }) => ({ value: rounded(r), text: t('score.r_text', { r: r.toFixed(2) }) }),
    ),
  ];
}

function lagText(ms: number): Message {
  if (ms === 0) return t('score.together_text');
  return ms < 0 ? t('score.before_text', { ms: -ms }) : t('score.after_text', { ms });
}

function silenceFigure(face: PlayableFace, energy: Float32Array): Figure {
  const silent = silenceIn(energy);
  const inSilence = silent.includes(1) ? mouthSpeed(face, silent) : null;
  const inSpeech = mouthSpeed(
    face,
    silent.map((is) => 1 - is),
  );
  return figure(
    { key: 'silence', unit: 'share', name: t('score.silence'), meaning: t('score.silence_meaning') },
    inSilence !== null && inSpeech ? inSilence / inSpeech : null,
    t('score.no_silence'),
    (value) => ({
      value: rounded(value),
      text: t('score.silence_text', {
        share: share(value),
        seconds: (silent.reduce((sum, is) => sum + is, 0) / curveRate).toFixed(1),
      }),
    }),
  );
}

const jitterFigure = (face: PlayableFace): Figure =>
  figure(
    { key: 'jitter', unit: 'weight', name: t('score.jitter'), meaning: t('score.jitter_meaning') },
    jitter(face),
    t('score.no_frames'),
    (value) => ({ value: rounded(value), text: t('score.weight_text', { weight: value.toFixed(4) }) }),
  );

function rangeFigure(face: PlayableFace): Figure {
  const ranges = channelRanges(face);
  const used = ranges.filter(isUsed);
  const [widest] = used.toSorted((a, b) => b.most - b.least - (a.most - a.least));
  return figure(
    { key: 'range', unit: 'count', name: t('score.range'), meaning: t('score.range_meaning') },
    widest ?? null,
    t('score.no_frames'),
    ({ name, least, most }) => ({
      value: used.length,
      text: t('score.range_text', {
        used: used.length,
        count: ranges.length,
        name,
        share: share(most - least),
      }),
    }),
  );
}

function lateFigure({ arrivals }: Scored): Figure {
  return figure(
    { key: 'late', unit: 'count', name: t('score.late'), meaning: t('score.late_meaning') },
    arrivals,
    t('score.not_live'),
    ({ late, frames, median, p95 }) => ({
      value: late,
      text: t('score.late_text', {
        late,
        count: frames,
        median: milliseconds(median),
        p95: milliseconds(p95),
      }),
    }),
  );
}

function missingFigure(face: PlayableFace, seconds: number): Figure {
  const missing = missingFrames(face, seconds);
  const count = Math.max(face.frames.length + missing, Math.round(seconds * face.frameRate));
  return figure(
    { key: 'missing', unit: 'count', name: t('score.missing'), meaning: t('score.missing_meaning') },
    missing,
    '',
    (value) => ({ value, text: t('score.missing_text', { missing: value, count }) }),
  );
}

const offsetFigure = (latency: FinishedTake['record']['latency']): Figure =>
  figure(
    { key: 'offset', unit: 'ms', name: t('score.offset'), meaning: t('score.offset_meaning') },
    latency,
    t('score.nobody_watched'),
    ({ p50, p95 }) => ({
      value: Math.round(p50),
      text: t('score.offset_text', { median: Math.round(p50), p95: Math.round(p95) }),
    }),
  );
