/**
 * What a person changed of a take. Sound and face stay as they were recorded; this lies over them. All times are
 * seconds of the recording, before anything is cut or retimed.
 */
import { z } from 'zod';

/** Parts of the face that are edited as one. Each of the 52 channels belongs to one; `head` has pose alone. */
export const faceRegions = ['mouth', 'jaw', 'brows', 'eyes', 'head'] as const;
export type FaceRegion = (typeof faceRegions)[number];

/**
 * Where a region's movement comes from: seen in the recording (sound or another tracker), made by the studio of it,
 * generated from a seed (blinks, gaze, head), or drawn by hand alone.
 */
export const movementSources = ['measured', 'inferred', 'generated', 'drawn'] as const;

export const editLimits = {
  /** Of a recording, seconds. */
  seconds: 86_400,
  keys: 50_000,
  pieces: 10_000,
  markers: 10_000,
  presets: 200,
  gain: 4,
  shiftSeconds: 2,
  smoothingMs: 500,
  speed: { least: 0.25, most: 4 },
} as const;

const time = z.number().min(0).max(editLimits.seconds);
const weight = z.number().min(-1).max(1);
const channel = z.string().min(1).max(200);
const label = z.string().max(200);

/** How a value goes to the next key's. */
export const interpolations = ['step', 'linear', 'smooth'] as const;

const CurveKey = z.object({ time, value: weight, to: z.enum(interpolations) });
export type CurveKey = z.output<typeof CurveKey>;

/** Within it the curve follows its keys (held before the first and after the last). Sorted, never overlapping. */
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
  /** Of what is generated. */
  seed: z.number().int().min(0).max(0xffff_ffff),
});
export type RegionEdit = z.output<typeof RegionEdit>;

/** A stretch of a region that is taken from another try, by the try's id; `recording`: the first one. */
const TakenStretch = z.object({ from: time, to: time, attempt: z.string().min(1).max(64) });

/** What plays: stretches of the recording one after the other, each at its speed; 2 is twice as fast. */
const Piece = z.object({
  from: time,
  to: time,
  speed: z.number().min(editLimits.speed.least).max(editLimits.speed.most),
});
export type Piece = z.output<typeof Piece>;

const Marker = z.object({ id: z.string().min(1).max(64), time, note: z.string().max(2000) });
export type Marker = z.output<typeof Marker>;

const ExpressionKey = z.object({
  time,
  /** Of the own presets or one of the built-in expressions. */
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

const Blinks = z.object({
  /** Those of the recording are kept. */
  recorded: z.boolean(),
  /** Set by hand: when each is shut. */
  added: z.array(time).max(editLimits.keys),
});

export const TakeEdits = z.object({
  regions: z.record(z.enum(faceRegions), RegionEdit),
  /** By channel name. */
  drawn: z.record(channel, z.array(DrawnStretch).max(editLimits.keys)),
  taken: z.record(z.enum(faceRegions), z.array(TakenStretch).max(editLimits.pieces)),
  presets: z.record(label, z.record(channel, weight)),
  expressions: z.array(ExpressionKey).max(editLimits.keys),
  gaze: z.array(GazeStretch).max(editLimits.keys),
  blinks: Blinks,
  /** Empty: the whole recording at its own speed. */
  pieces: z.array(Piece).max(editLimits.pieces),
  markers: z.array(Marker).max(editLimits.markers),
});
export type TakeEdits = z.output<typeof TakeEdits>;

/** One change. What it holds replaces what was there; it can be undone by the change before it. */
export const EditOperation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('region'), region: z.enum(faceRegions), changes: RegionEdit.partial() }),
  /** Replaces what was drawn between `from` and `to`. */
  z.object({ kind: z.literal('draw'), channel, from: time, to: time, keys: DrawnStretch.shape.keys }),
  /** Back to the recording between `from` and `to`. */
  z.object({ kind: z.literal('reset'), channels: z.array(channel).max(200), from: time, to: time }),
  z.object({
    kind: z.literal('take'),
    region: z.enum(faceRegions),
    from: time,
    to: time,
    attempt: z.string().min(1).max(64),
  }),
  z.object({
    kind: z.literal('preset'),
    name: label.min(1),
    weights: z.record(channel, weight).nullable(),
  }),
  z.object({ kind: z.literal('expressions'), keys: TakeEdits.shape.expressions }),
  z.object({ kind: z.literal('gaze'), stretches: TakeEdits.shape.gaze }),
  z.object({ kind: z.literal('blinks'), blinks: Blinks }),
  z.object({ kind: z.literal('pieces'), pieces: TakeEdits.shape.pieces }),
  z.object({ kind: z.literal('marker'), id: Marker.shape.id, marker: Marker.omit({ id: true }).nullable() }),
]);
export type EditOperation = z.output<typeof EditOperation>;
