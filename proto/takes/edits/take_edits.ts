/**
 * A user's edits of a take. Audio and face stay as recorded; the edits apply on top. All times are seconds of
 * the recording, before cuts and retiming.
 */
import { z } from 'zod';
import { editLimits, faceRegions, interpolations, movementSources } from './edit_limits.ts';

const time = z.number().min(0).max(editLimits.seconds);
const weight = z.number().min(-1).max(1);
const channel = z.string().min(1).max(200);
const label = z.string().min(1).max(editLimits.name);
const attempt = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

const CurveKey = z.object({ time, value: weight, to: z.enum(interpolations) });
export type CurveKey = z.output<typeof CurveKey>;

/** Within it the curve follows its keys: held before the first and after the last, 0 without any. Sorted. */
const DrawnStretch = z.object({ from: time, to: time, keys: z.array(CurveKey).max(editLimits.keys) });
export type DrawnStretch = z.output<typeof DrawnStretch>;

const RegionEdit = z.object({
  gain: z.number().min(0).max(editLimits.gain),
  offset: weight,
  /** Clamp, after gain and offset. */
  least: weight,
  most: weight,
  /** Width of a smoothing without delay, ms; closures of the lips stay shut. */
  smoothing: z.number().min(0).max(editLimits.smoothingMs),
  /** Later by so many seconds; negative: earlier. */
  shift: z.number().min(-editLimits.shiftSeconds).max(editLimits.shiftSeconds),
  muted: z.boolean(),
  solo: z.boolean(),
  source: z.enum(movementSources),
  /** Seed of generated movement. */
  seed: z.number().int().min(0).max(0xffff_ffff),
});
export type RegionEdit = z.output<typeof RegionEdit>;

/** A stretch of a region that is taken from another try, by the try's id; `recording`: the first one. */
const TakenStretch = z.object({ from: time, to: time, attempt });
export type TakenStretch = z.output<typeof TakenStretch>;

/** A played stretch of the recording with its speed; 2 is twice as fast. Pieces play one after another. */
const Piece = z.object({
  from: time,
  to: time,
  speed: z.number().min(editLimits.speed.least).max(editLimits.speed.most),
});
export type Piece = z.output<typeof Piece>;

const Marker = z.object({ id: z.string().min(1).max(64), time, note: z.string().max(editLimits.note) });
export type Marker = z.output<typeof Marker>;

/** Weights by channel name. */
export const PresetWeights = z
  .record(channel, weight)
  .refine((weights) => Object.keys(weights).length <= editLimits.channels, 'too many channels')
  .meta({ maxProperties: editLimits.channels });

const ExpressionKey = z.object({
  time,
  /** Name of a custom preset or a built-in expression. */
  preset: label,
  weight: z.number().min(0).max(1),
  to: z.enum(interpolations),
});
export type ExpressionKey = z.output<typeof ExpressionKey>;

/** Where the eyes look instead, degrees, right and up from the face's own view positive. */
const GazeStretch = z.object({
  from: time,
  to: time,
  yaw: z.number().min(-45).max(45),
  pitch: z.number().min(-45).max(45),
});
export type GazeStretch = z.output<typeof GazeStretch>;

const Blinks = z.object({
  /** Those of the recording are kept. */
  recorded: z.boolean(),
  /** Set by hand: when each is shut. */
  added: z.array(time).max(editLimits.blinks),
});

export const TakeEdits = z.object({
  regions: z.record(z.enum(faceRegions), RegionEdit),
  /** By channel name. */
  drawn: z.record(channel, z.array(DrawnStretch).max(editLimits.stretches)),
  taken: z.record(z.enum(faceRegions), z.array(TakenStretch).max(editLimits.pieces)),
  /** The person's own, by name. */
  presets: z.record(label, PresetWeights),
  /** Rising by time. Before the first key and after the last one it is held. */
  expressions: z.array(ExpressionKey).max(editLimits.expressions),
  gaze: z.array(GazeStretch).max(editLimits.gazes),
  blinks: Blinks,
  /** Rising, never overlapping. Empty: the whole recording at its own speed. */
  pieces: z.array(Piece).max(editLimits.pieces),
  markers: z.array(Marker).max(editLimits.markers),
});
export type TakeEdits = z.output<typeof TakeEdits>;

/** One change. Its value replaces the previous one; the previous change undoes it. */
export const EditOperation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('region'), region: z.enum(faceRegions), changes: RegionEdit.partial() }),
  /** Replaces what was drawn between `from` and `to`. */
  z.object({ kind: z.literal('draw'), channel, from: time, to: time, keys: DrawnStretch.shape.keys }),
  /** Back to the recording between `from` and `to`. */
  z.object({
    kind: z.literal('reset'),
    channels: z.array(channel).max(editLimits.channels),
    from: time,
    to: time,
  }),
  z.object({
    kind: z.literal('take'),
    region: z.enum(faceRegions),
    from: time,
    to: time,
    attempt,
  }),
  z.object({
    kind: z.literal('preset'),
    name: label,
    /** Null: there is no such preset any more. */
    weights: PresetWeights.nullable(),
  }),
  z.object({ kind: z.literal('expressions'), keys: TakeEdits.shape.expressions }),
  z.object({ kind: z.literal('gaze'), stretches: TakeEdits.shape.gaze }),
  z.object({ kind: z.literal('blinks'), blinks: Blinks }),
  z.object({ kind: z.literal('pieces'), pieces: TakeEdits.shape.pieces }),
  z.object({ kind: z.literal('marker'), id: Marker.shape.id, marker: Marker.omit({ id: true }).nullable() }),
]);
export type EditOperation = z.output<typeof EditOperation>;
