import type { PlayableFace } from '@likeness/proto/take_stream.ts';

/** A face whose channels are functions of time, seconds. */
export function madeFace(
  channels: Readonly<Record<string, (time: number) => number>>,
  { seconds = 10, frameRate = 60 } = {},
): PlayableFace {
  const frames = Array.from({ length: Math.round(seconds * frameRate) }, (_, index) => ({
    timeCode: index / frameRate,
    weights: Float32Array.from(Object.values(channels), (weight) => weight(index / frameRate)),
    headPose: undefined,
    eyeGaze: undefined,
  }));
  return {
    channelNames: Object.keys(channels),
    frameRate,
    frames,
    serverShare: new Float32Array(frames.length),
  };
}

/** Syllables of different length and height, as no other moment of them has. */
export const syllables = (time: number): number => {
  const phase = 7 * time + 1.3 * Math.sin(1.7 * time) + 0.9 * Math.sin(2.9 * time);
  return time < 0 ? 0 : Math.max(0, Math.sin(phase)) * (0.35 + 0.25 * Math.sin(0.9 * time));
};
