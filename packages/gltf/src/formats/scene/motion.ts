import type { AnimationChannel, Document, Node } from '@gltf-transform/core';
import { t } from '@likeness/messages';
import { glbFailure } from '../../glb_bounds.ts';
import type { SceneNode } from './scene_node.ts';
import { valuesOf } from './vertices.ts';

/** A track: one animated property over time, linearly interpolated. */
export interface Track {
  /** Index of the place in the scene. */
  target: number;
  path: 'weights' | 'translation' | 'rotation' | 'scale';
  /** Seconds, ascending. */
  times: Float64Array;
  /** Times × width, row-major: weights 0..1, metres, quaternions x, y, z, w. */
  values: Float32Array;
  width: number;
}

/** A glTF animation. */
export interface Motion {
  name: string;
  /** Frames a second that its keys stand on. */
  rate: number;
  /** Seconds. */
  start: number;
  end: number;
  tracks: Track[];
}

/** Nine hours at 60 frames a second. */
const maxFrames = 2_000_000;

/** Frame rates of recorded takes. Keys that fit none of them get the rate 1/`step`. */
const commonFrameRates = [24_000 / 1001, 24, 25, 30_000 / 1001, 30, 48, 50, 60_000 / 1001, 60, 90, 100, 120];

/**
 * The animations of a document, with keys that lie on their frames: glTF's times are single floats, which are
 * up to 30 µs off after ten minutes. Curves and steps are drawn as straight lines between frames.
 */
export function motionsOf(
  document: Document,
  indexOf: ReadonlyMap<Node, number>,
  shapeOf: ReadonlyMap<Node, number>,
  nodes: readonly SceneNode[],
): Motion[] {
  return document
    .getRoot()
    .listAnimations()
    .map((animation, number) => {
      const channels = animation.listChannels();
      const clock = clockOf(channels);
      const tracks = channels.flatMap((channel) => {
        const node = channel.getTargetNode();
        const path = channel.getTargetPath();
        const target = node && (path === 'weights' ? shapeOf.get(node) : indexOf.get(node));
        if (target === undefined || target === null || !path) return [];
        const width =
          path === 'weights' ? (nodes[target]!.mesh?.targets.length ?? 0) : path === 'rotation' ? 4 : 3;
        const track = width > 0 ? trackOf(channel, clock, width) : null;
        return track && track.times.length > 0 ? [{ ...track, target, path, width }] : [];
      });
      const ends = tracks.flatMap(({ times }) => [times[0]!, times.at(-1)!]);
      return {
        name: animation.getName().replace(/\p{Cc}+/gu, ' ') || `Take ${number + 1}`,
        rate: clock.rate,
        start: ends.reduce((a, b) => Math.min(a, b), ends[0] ?? 0),
        end: ends.reduce((a, b) => Math.max(a, b), 0),
        tracks,
      };
    })
    .filter(({ tracks }) => tracks.length > 0);
}

interface Clock {
  rate: number;
  /** Whether every key lies on a frame. */
  isOnFrames: boolean;
}

function clockOf(channels: readonly AnimationChannel[]): Clock {
  const inputs = new Set(channels.map((channel) => channel.getSampler()?.getInput()));
  let longest: Float32Array = new Float32Array();
  for (const input of inputs) {
    const times = input ? valuesOf(input, 1) : longest;
    if (times.length > longest.length) longest = times;
  }
  if (longest.length < 2) return { rate: 30, isOnFrames: false };
  const steps = longest.slice(1).map((time, i) => time - longest[i]!);
  const step = steps.toSorted()[Math.floor(steps.length / 2)]!;
  const fits = (rate: number): boolean =>
    longest.every((time) => Math.abs(time * rate - Math.round(time * rate)) < 0.02);
  const measured = step > 0 ? 1 / step : 30;
  for (const rate of commonFrameRates.toSorted((a, b) => Math.abs(a - measured) - Math.abs(b - measured)))
    if (rate > measured * 0.98 && fits(rate)) return { rate, isOnFrames: true };
  const rate = Math.min(240, Math.max(1, Math.round(measured * 1000) / 1000));
  return { rate, isOnFrames: fits(rate) };
}

function trackOf(
  channel: AnimationChannel,
  clock: Clock,
  width: number,
): Pick<Track, 'times' | 'values'> | null {
  const sampler = channel.getSampler();
  const input = sampler?.getInput();
  const output = sampler?.getOutput();
  if (!sampler || !input || !output) return null;
  const given = valuesOf(input, 1);
  const size = output.getElementSize();
  const all = valuesOf(output, size);
  const isCurve = sampler.getInterpolation() === 'CUBICSPLINE';
  const rows = Math.min(given.length, Math.floor(all.length / (width * (isCurve ? 3 : 1))));
  if (rows === 0) return null;
  if (given.some((time) => Math.abs(time) * clock.rate > maxFrames))
    throw glbFailure(t('glb.long_animation', { most: maxFrames.toLocaleString('en') }));
  const at = Float64Array.from(given.subarray(0, rows), (time) =>
    clock.isOnFrames ? Math.round(time * clock.rate) / clock.rate : time,
  );
  const value = (row: number, part: number): Float32Array => {
    const first = isCurve ? (row * 3 + part) * width : row * width;
    return all.subarray(first, first + width);
  };
  const isTurn = channel.getTargetPath() === 'rotation';
  if (sampler.getInterpolation() === 'LINEAR' && !isTurn)
    return { times: at, values: all.slice(0, rows * width) };
  const times: number[] = [];
  const values: number[] = [];
  const push = (time: number, row: ArrayLike<number>): void => {
    times.push(time);
    for (let k = 0; k < width; k++) values.push(row[k]!);
  };
  for (let row = 0; row < rows; row++) {
    push(at[row]!, value(row, 1));
    if (row + 1 === rows) break;
    const span = at[row + 1]! - at[row]!;
    if (sampler.getInterpolation() === 'STEP') {
      // The last moment of a held value: importers treat steps differently.
      if (span > 2e-4) push(at[row + 1]! - 1e-4, value(row, 1));
      continue;
    }
    const between = Math.ceil(span * clock.rate - 0.5) - 1;
    for (let step = 1; step <= between; step++) {
      const t = step / (between + 1);
      const mix = isCurve
        ? splined(value(row, 1), value(row, 2), value(row + 1, 1), value(row + 1, 0), span, t)
        : turned(value(row, 1), value(row + 1, 1), t);
      push(at[row]! + span * t, isTurn ? unit(mix) : mix);
    }
  }
  return { times: Float64Array.from(times), values: Float32Array.from(values) };
}

/** Hermite spline of glTF 2.0, appendix C.5. */
function splined(
  from: Float32Array,
  out: Float32Array,
  to: Float32Array,
  into: Float32Array,
  span: number,
  t: number,
): number[] {
  const [t2, t3] = [t * t, t * t * t];
  return Array.from(
    from,
    (value, k) =>
      (2 * t3 - 3 * t2 + 1) * value +
      span * (t3 - 2 * t2 + t) * out[k]! +
      (3 * t2 - 2 * t3) * to[k]! +
      span * (t3 - t2) * into[k]!,
  );
}

/** Between two quaternions, at the same speed all the way (glTF 2.0, appendix C.4). */
function turned(a: Float32Array, b: Float32Array, t: number): number[] {
  let cosine = 0;
  for (let k = 0; k < 4; k++) cosine += a[k]! * b[k]!;
  const sign = cosine < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(cosine)));
  const near = angle < 1e-4;
  const from = near ? 1 - t : Math.sin((1 - t) * angle) / Math.sin(angle);
  const to = near ? t : Math.sin(t * angle) / Math.sin(angle);
  return Array.from(a, (value, k) => from * value + sign * to * b[k]!);
}

function unit(values: number[]): number[] {
  const length = Math.hypot(...values) || 1;
  return values.map((value) => value / length);
}

/** A track's value at a time, seconds; clamped to its first and last value. */
export function valuesAt({ times, values, width, path }: Track, seconds: number): number[] {
  let low = 0;
  let high = times.length - 1;
  const row = (index: number): Float32Array => values.subarray(index * width, (index + 1) * width);
  if (seconds <= times[low]!) return [...row(low)];
  if (seconds >= times[high]!) return [...row(high)];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= seconds) low = middle;
    else high = middle;
  }
  const t = (seconds - times[low]!) / (times[high]! - times[low]! || 1);
  if (path === 'rotation') return unit(turned(row(low), row(high), t));
  return Array.from(row(low), (value, k) => value + t * (row(high)[k]! - value));
}
