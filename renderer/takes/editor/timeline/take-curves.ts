/** A take's channels as curves that can be drawn at any zoom and changed in part. */

import type { PackedFace } from '@likeness/proto/face/packed_face.ts';
import type { FaceRegion } from '@likeness/proto/takes/edits/edit_limits.ts';
import { firstAtOrAfter } from './frame-columns.ts';
import { MinMaxPyramid, type Values } from './min-max-pyramid.ts';

export interface TakeCurve {
  readonly name: string;
  readonly region: FaceRegion;
  readonly pyramid: MinMaxPyramid;
  /** Of its lane. */
  readonly least: number;
  readonly most: number;
}

export interface TakeCurves {
  /** Times of the frames, seconds, increasing. */
  readonly times: Float64Array;
  readonly frameRate: number;
  readonly curves: readonly TakeCurve[];
}

/** The head's turn, degrees: the pose has no channels of its own. */
export const headTurns = ['headYaw', 'headPitch', 'headRoll'] as const;
/** Degrees to either side that a lane of the head shows. */
const maxTurn = 30;

/** Values under one leaf of a curve's tree: the tree would outweigh the curve otherwise. */
const block = 16;

/** Measurements of all frames of a face, needed before it is drawn. */
export interface FaceMeasures {
  /** The head's turns, one after the other, by frame. */
  readonly turns: readonly Float32Array<ArrayBuffer>[];
  /** How far apart the least and the greatest of each curve are: of channels, then of turns. */
  readonly ranges: readonly number[];
}

/** Measures a face part by part, as it comes. */
export class FaceMeasurer {
  readonly #turns: readonly Float32Array<ArrayBuffer>[];
  readonly #low: Float32Array;
  readonly #high: Float32Array;

  constructor(channels: number, frames: number) {
    this.#turns = headTurns.map(() => new Float32Array(frames));
    this.#low = new Float32Array(channels + headTurns.length).fill(Number.POSITIVE_INFINITY);
    this.#high = new Float32Array(channels + headTurns.length).fill(Number.NEGATIVE_INFINITY);
  }

  /** Takes in frames `from` … `to` − 1. @param offset of the first of them in the whole, where `face` is a part */
  take(face: PackedFace, from: number, to: number, offset = from): void {
    const turns = this.#turns.map((turn) => turn.subarray(offset - from));
    writeTurns(face, turns, from, to);
    const channels = face.channelNames.length;
    for (let curve = 0; curve < this.#low.length; curve++) {
      const values = curve < channels ? face.column(curve) : turns[curve - channels]!;
      let low = this.#low[curve]!;
      let high = this.#high[curve]!;
      for (let at = from; at < to; at++) {
        const value = values[at]!;
        if (value < low) low = value;
        if (value > high) high = value;
      }
      this.#low[curve] = low;
      this.#high[curve] = high;
    }
  }

  /** Returns the measurements so far. The arrays belong to the measurer. */
  measured(): FaceMeasures {
    const ranges = Array.from(this.#low, (low, curve) => Math.max(0, this.#high[curve]! - low));
    return { turns: this.#turns, ranges };
  }
}

function turnsOf(face: PackedFace): Float32Array<ArrayBuffer>[] {
  const turns = headTurns.map(() => new Float32Array(face.count));
  writeTurns(face, turns, 0, face.count);
  return turns;
}

/** Curves of a face: channels are drawn from its own columns. @param measured left as it is */
export function takeCurves(
  face: PackedFace,
  regionOf: (channel: string) => FaceRegion,
  measured?: FaceMeasures,
): TakeCurves {
  const { channelNames, frameRate, times } = face;
  const curves = channelNames.map(
    (name, channel): TakeCurve => ({
      name,
      region: regionOf(name),
      pyramid: MinMaxPyramid.of(face.column(channel), block, measured?.ranges[channel]),
      least: 0,
      most: 1,
    }),
  );
  const values = measured?.turns ?? turnsOf(face);
  const turns = headTurns.map(
    (name, axis): TakeCurve => ({
      name,
      region: 'head',
      pyramid: MinMaxPyramid.of(values[axis]!, block, measured?.ranges[channelNames.length + axis]),
      least: -maxTurn,
      most: maxTurn,
    }),
  );
  return { times, frameRate, curves: [...curves, ...turns] };
}

/** Follows a face that has columns of its own now; so are its turns. */
export function followColumns({ curves }: TakeCurves, face: PackedFace): void {
  const channels = face.channelNames.length;
  for (const [at, { pyramid }] of curves.entries())
    pyramid.values = at < channels ? face.column(at) : pyramid.values.slice();
}

/** Takes over frames `from` … `to` − 1 of a face that was edited there. */
export function takeOver({ curves }: TakeCurves, face: PackedFace, from: number, to: number): void {
  const turns = curves.slice(face.channelNames.length);
  writeTurns(
    face,
    turns.map(({ pyramid }) => pyramid.values),
    from,
    to,
  );
  for (const { pyramid } of curves) pyramid.update(from, to);
}

const degrees = 180 / Math.PI;

/** Yaw, pitch and roll of each pose, degrees, as yaw after pitch after roll. */
function writeTurns(
  face: PackedFace,
  [yaws, pitches, rolls]: readonly Values[],
  from: number,
  to: number,
): void {
  if (!face.hasPoses) return;
  const rotation = new Float64Array(4);
  for (let at = from; at < to; at++) {
    if (!face.rotation(at, rotation)) rotation.set([0, 0, 0, 1]);
    const [x = 0, y = 0, z = 0, w = 1] = rotation;
    yaws![at] = Math.atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y)) * degrees;
    pitches![at] = Math.asin(Math.max(-1, Math.min(1, 2 * (w * x - y * z)))) * degrees;
    rolls![at] = Math.atan2(2 * (x * y + w * z), 1 - 2 * (x * x + z * z)) * degrees;
  }
}

/** A curve at a time: between two frames on the way from one to the next. */
export function curveValue({ pyramid: { values } }: TakeCurve, times: Float64Array, at: number): number {
  const after = firstAtOrAfter(times, at);
  const next = values[Math.min(after, values.length - 1)] ?? 0;
  const before = values[after - 1];
  if (before === undefined || after >= values.length) return next;
  const share = (at - times[after - 1]!) / (times[after]! - times[after - 1]!);
  return before + (next - before) * share;
}
