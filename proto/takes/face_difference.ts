import type { PlayableFace } from '../take_stream.ts';
import { contactChannels, lipOpening } from './closures.ts';
import { type CurveLag, channelCurve, curveOf, curveRate, lagBetween } from './curve_lag.ts';
import { drivingChannels } from './driving_channels.ts';
import type { FaceRegion } from './edits/edit_limits.ts';
import { regionOf } from './edits/face_regions.ts';

/** How two faces differ over the time that both have. */
export interface FaceDifference {
  /** Seconds that both have. */
  seconds: number;
  /** Channels that both faces have, most different first: root mean square of the difference. */
  channels: readonly { name: string; region: FaceRegion; rms: number }[];
  /** Channels that one of the two alone has. */
  alone: readonly string[];
  /**
   * By region, every 1 / {@link curveRate} seconds: root mean square of the differences of its channels at that
   * moment.
   */
  regions: ReadonlyMap<FaceRegion, Float32Array<ArrayBuffer>>;
  /** Lag of the second face's jaw, and of its lips' opening, behind the first; null if unknown. */
  jaw: CurveLag | null;
  lips: CurveLag | null;
}

const regionsCompared: readonly FaceRegion[] = ['mouth', 'jaw', 'brows', 'eyes'];

/** How `b` differs from `a`. */
export function faceDifference(a: PlayableFace, b: PlayableFace): FaceDifference {
  const seconds = Math.min(a.frames.at(-1)?.timeCode ?? 0, b.frames.at(-1)?.timeCode ?? 0);
  const count = Math.max(0, Math.round(seconds * curveRate));
  const squares = new Map(regionsCompared.map((region) => [region, new Float32Array(count)]));
  const sizes = new Map<FaceRegion, number>();
  const channels: { name: string; region: FaceRegion; rms: number }[] = [];
  for (const channel of drivingChannels(a.channelNames)) {
    const name = a.channelNames[channel]!;
    const other = b.channelNames.indexOf(name);
    if (other < 0) continue;
    const region = regionOf(name);
    const first = channelCurve(a, channel, seconds);
    const second = channelCurve(b, other, seconds);
    const sum = squares.get(region)!;
    let total = 0;
    for (let index = 0; index < count; index++) {
      const square = (second[index]! - first[index]!) ** 2;
      sum[index] = sum[index]! + square;
      total += square;
    }
    sizes.set(region, (sizes.get(region) ?? 0) + 1);
    channels.push({ name, region, rms: count > 0 ? Math.sqrt(total / count) : 0 });
  }
  const regions = new Map(
    [...squares].flatMap(([region, sum]) => {
      const size = sizes.get(region);
      return size ? [[region, sum.map((value) => Math.sqrt(value / size))] as const] : [];
    }),
  );
  const [namesOfA, namesOfB] = [new Set(a.channelNames), new Set(b.channelNames)];
  return {
    seconds,
    channels: channels.toSorted((one, other) => other.rms - one.rms),
    alone: [
      ...a.channelNames.filter((name) => !namesOfB.has(name)),
      ...b.channelNames.filter((name) => !namesOfA.has(name)),
    ],
    regions,
    jaw: lagBetween(jawCurve(a, seconds), jawCurve(b, seconds)),
    lips: lagBetween(lipsCurve(a, seconds), lipsCurve(b, seconds)),
  };
}

/** How far the jaw is down; all 0 where a face has no such channel. */
export function jawCurve(
  face: Pick<PlayableFace, 'channelNames' | 'frames'>,
  seconds: number,
): Float32Array<ArrayBuffer> {
  const channel = face.channelNames.indexOf('jawOpen');
  return channel < 0 ? curveOf([], () => 0, seconds) : channelCurve(face, channel, seconds);
}

/** How far the lips are apart, as a weight of `jawOpen`. */
function lipsCurve(
  { channelNames, frames }: Pick<PlayableFace, 'channelNames' | 'frames'>,
  seconds: number,
): Float32Array<ArrayBuffer> {
  const channels = contactChannels(channelNames);
  return curveOf(frames, (weights) => lipOpening(weights, channels), seconds);
}
