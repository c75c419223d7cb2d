import { arkitBlendshapeIndex, arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import { ownFrame } from '@likeness/proto/face/own_frame.ts';
import { PackedFace } from '@likeness/proto/face/packed_face.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { contactChannels, lipOpening, shutOpening } from '@likeness/proto/takes/closures.ts';
import { exportRates, frameRateOf, hertz } from '@likeness/proto/takes/frame_rates.ts';
import { resampledFace } from '@likeness/proto/takes/resampled_face.ts';
import { describe, expect, test } from 'vitest';

const { jawOpen, mouthClose, mouthPucker, eyeBlinkLeft } = arkitBlendshapeIndex;

/** A face at 60 frames a second, whose weights are set by time. */
function faceOf(
  seconds: number,
  set: (weights: Float32Array, time: number) => void,
  rate = 60,
  turn: (time: number) => number = () => 0,
): PlayableFace {
  const count = Math.floor(seconds * rate) + 1;
  return {
    channelNames: arkitBlendshapeNames,
    frameRate: rate,
    serverShare: new Float32Array(count),
    frames: Array.from({ length: count }, (_, index) => {
      const weights = new Float32Array(arkitBlendshapeNames.length);
      const time = index / rate;
      set(weights, time);
      const half = turn(time) / 2;
      return {
        timeCode: time,
        weights,
        headPose: { translation: [0, 0, time], rotation: [0, Math.sin(half), 0, Math.cos(half)] },
        eyeGaze: { leftYaw: time, leftPitch: 0, rightYaw: 0, rightPitch: -time },
      };
    }),
  };
}

/** An open mouth that shuts for three frames of 60 every 190 ms: b after b. */
const babble = (seconds: number): { face: PlayableFace; closures: number[] } => {
  const closures: number[] = [];
  for (let at = 0.4; at < seconds - 0.3; at += 0.19) closures.push(at);
  const face = faceOf(seconds, (weights, time) => {
    const near = closures.reduce((min, at) => Math.min(min, Math.abs(at - time)), 1);
    weights[jawOpen] = near < 0.025 ? 0.1 : 0.55;
    weights[mouthClose] = near < 0.025 ? 0.1 : 0;
  });
  return { face, closures };
};

describe.each(exportRates)('at %s', (name) => {
  const rate = frameRateOf(name, 60);

  test('every closure of 50 ms is there, shut, within a frame of its time', () => {
    const { face, closures } = babble(30);
    const { frames, channelNames } = resampledFace(face, rate, 30);
    const channels = contactChannels(channelNames);
    for (const at of closures) {
      const around = frames.filter(({ timeCode }) => Math.abs(timeCode - at) < 0.025 + 1 / hertz(rate));
      const min = Math.min(...around.map(({ weights }) => lipOpening(weights, channels)));
      expect(min).toBeLessThanOrEqual(shutOpening);
    }
  });

  test('every peak is kept to .98, one recorded frame wide as it may be, lips and lids alike', () => {
    const peaks = Array.from({ length: 140 }, (_, index) => 0.3 + index * 0.2117);
    const spike = (time: number): number =>
      peaks.reduce((max, at) => Math.max(max, 1 - Math.abs(time - at) * 40), 0);
    const face = faceOf(30, (weights, time) => {
      weights[mouthPucker] = 0.9 * spike(time);
      weights[eyeBlinkLeft] = spike(time);
    });
    const { frames } = resampledFace(face, rate, 30);
    for (const channel of [mouthPucker, eyeBlinkLeft]) {
      for (const at of peaks) {
        const max = (those: PlayableFace['frames'], reach: number): number =>
          Math.max(
            ...those
              .filter(({ timeCode }) => Math.abs(timeCode - at) <= reach)
              .map(({ weights }) => weights[channel]!),
          );
        const recorded = max(face.frames, 0.03);
        expect(max(frames, 0.03 + 1 / hertz(rate))).toBeGreaterThanOrEqual(0.98 * recorded);
      }
    }
  });

  test('ten minutes end with the sound, and what happens at the end is within a frame', () => {
    const face = faceOf(600, (weights, time) => {
      weights[jawOpen] = time < 0.1 || time > 599.9 ? 0.6 : 0;
    });
    const { frames, frameRate } = resampledFace(face, rate, 600.01);
    expect(frameRate).toBeCloseTo(hertz(rate), 9);
    expect(Math.abs(frames.length / hertz(rate) - 600.01)).toBeLessThanOrEqual(1 / hertz(rate) + 1e-9);
    const open = frames.filter(({ weights }) => weights[jawOpen]! > 0.3).map(({ timeCode }) => timeCode);
    const lastOfStart = open.findLast((time) => time < 300)!;
    const firstOfEnd = open.find((time) => time > 300)!;
    expect(Math.abs(lastOfStart - 0.1)).toBeLessThanOrEqual(1 / hertz(rate) + 1e-9);
    expect(Math.abs(firstOfEnd - 599.9)).toBeLessThanOrEqual(1 / hertz(rate) + 1e-9);
    for (const [frame, { timeCode }] of frames.entries())
      expect(timeCode).toBe((frame * rate.denominator) / rate.numerator);
  });
});

test('head and eyes turn evenly between two recorded frames, by the nearer of two equal quaternions', () => {
  const face = faceOf(
    1,
    () => undefined,
    10,
    (time) => time,
  );
  // The same turn, written with the other sign.
  const { rotation, translation } = face.frames[5]!.headPose!;
  const [x, y, z, w] = rotation;
  face.frames[5] = { ...ownFrame(face.frames[5]!), headPose: { translation, rotation: [-x, -y, -z, -w] } };
  const { frames } = resampledFace(face, frameRateOf('24', 10), 1);
  for (const { timeCode, headPose, eyeGaze } of frames) {
    const [, sine, , cosine] = headPose!.rotation;
    expect(Math.abs(2 * Math.atan2(sine * Math.sign(cosine), Math.abs(cosine)))).toBeCloseTo(timeCode, 3);
    expect(headPose!.translation[2]).toBeCloseTo(timeCode, 6);
    expect(eyeGaze!.rightPitch).toBeCloseTo(-timeCode, 6);
  }
});

test('at its own rate a face stays as it was, and one that ends early is held', () => {
  const face = faceOf(1, (weights, time) => {
    weights[jawOpen] = time;
  });
  const { frames } = resampledFace(face, frameRateOf('own', 60), 1.5);
  expect(frames).toHaveLength(91);
  for (const [index, frame] of face.frames.entries())
    expect(frames[index]!.weights[jawOpen]).toBeCloseTo(frame.weights[jawOpen]!, 6);
  expect(frames.at(-1)!.weights[jawOpen]).toBeCloseTo(1, 6);
  expect(resampledFace({ ...face, frames: [] }, frameRateOf('24', 60), 1).frames).toEqual([]);
});

test.each(exportRates)('at %s a packed face gives the frames of the same one as objects', (rate) => {
  const { face } = babble(6);
  const at = frameRateOf(rate, 60);
  const seen = (given: PlayableFace) =>
    resampledFace(given, at, 6).frames.map(({ timeCode, weights }) => [timeCode, ...weights]);
  expect(seen(PackedFace.of(face))).toEqual(seen(face));
  // Read again, or out of order, a frame is the same.
  const made = resampledFace(face, at, 6).frames;
  const last = [...made.at(-1)!.weights];
  expect([[...made[0]!.weights], [...made.at(-1)!.weights]]).toEqual([[...made[0]!.weights], last]);
});
