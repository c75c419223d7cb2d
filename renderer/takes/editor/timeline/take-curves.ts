/** A take's channels as curves that can be drawn at any zoom and changed in part. */
import type { PlayableFace } from '#proto/take_stream.ts';
import type { FaceRegion } from '#proto/takes/edits/edit_limits.ts';
import { firstAtOrAfter } from './frame-columns.ts';
import { MinMaxPyramid } from './min-max-pyramid.ts';

export interface TakeCurve {
  readonly name: string;
  readonly region: FaceRegion;
  readonly pyramid: MinMaxPyramid;
  /** Of its lane. */
  readonly least: number;
  readonly most: number;
}

export interface TakeCurves {
  /** Of each frame, seconds, increasing. */
  readonly times: Float64Array;
  readonly frameRate: number;
  readonly curves: readonly TakeCurve[];
}

/** The head's turn, degrees: the pose has no channels of its own. */
export const headTurns = ['headYaw', 'headPitch', 'headRoll'] as const;
/** Degrees to either side that a lane of the head shows. */
const mostTurn = 30;

export function takeCurves(face: PlayableFace, regionOf: (channel: string) => FaceRegion): TakeCurves {
  const { frames, channelNames, frameRate } = face;
  const times = Float64Array.from(frames, ({ timeCode }) => timeCode);
  const columns = channelNames.map(() => new Float32Array(frames.length));
  // Frame by frame, as they lie in memory.
  for (const [at, { weights }] of frames.entries())
    for (let place = 0; place < columns.length; place++) columns[place]![at] = weights[place] ?? 0;
  const curves = channelNames.map(
    (name, place): TakeCurve => ({
      name,
      region: regionOf(name),
      pyramid: MinMaxPyramid.of(columns[place]!),
      least: 0,
      most: 1,
    }),
  );
  const turns = headTurns.map((name, axis): TakeCurve => {
    const values = new Float32Array(frames.length);
    for (let at = 0; at < frames.length; at++) values[at] = turnOf(frames[at]!, axis);
    const pyramid = MinMaxPyramid.of(values);
    return { name, region: 'head', pyramid, least: -mostTurn, most: mostTurn };
  });
  return { times, frameRate, curves: [...curves, ...turns] };
}

/** Takes over frames `from` … `to` − 1 of a face that was edited there. */
export function takeOver({ curves }: TakeCurves, face: PlayableFace, from: number, to: number): void {
  const { frames, channelNames } = face;
  curves.forEach(({ name, pyramid }, index) => {
    const { values } = pyramid;
    const turn = (headTurns as readonly string[]).indexOf(name);
    const place = channelNames[index] === name ? index : channelNames.indexOf(name);
    for (let at = from; at < to; at++)
      values[at] = turn >= 0 ? turnOf(frames[at]!, turn) : (frames[at]!.weights[place] ?? 0);
    pyramid.update(from, to);
  });
}

const degrees = 180 / Math.PI;

/** Yaw, pitch or roll of a pose, degrees, as yaw after pitch after roll. */
function turnOf({ headPose }: PlayableFace['frames'][number], axis: number): number {
  if (!headPose) return 0;
  const [x, y, z, w] = headPose.rotation;
  if (axis === 0) return Math.atan2(2 * (x * z + w * y), 1 - 2 * (x * x + y * y)) * degrees;
  if (axis === 1) return Math.asin(Math.max(-1, Math.min(1, 2 * (w * x - y * z)))) * degrees;
  return Math.atan2(2 * (x * y + w * z), 1 - 2 * (x * x + z * z)) * degrees;
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
