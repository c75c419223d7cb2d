import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mergedFace, type PlayableFace } from '#proto/take_stream.ts';
import { encodeWav } from '#proto/wav.ts';
import { inEnglish } from '#sentences';
import { Failure } from '../../../main/failure.ts';
import type { FinishedTake } from '../../../main/takes/finished_take.ts';
import { joinTakes } from '../../../main/takes/list/join_takes.ts';
import { readWavSound } from '../../../main/takes/wav_file.ts';
import { openTakes, recordTake } from '../../support/recorded_takes.ts';

const rate = 48_000;

/** A face of one channel at one weight. */
const faceOf = (channel: string, weight: number, seconds: number): PlayableFace => ({
  channelNames: [channel],
  frameRate: 60,
  frames: Array.from({ length: Math.round(seconds * 60) + 3 }, (_, index) => ({
    timeCode: index / 60,
    weights: Float32Array.of(weight),
    headPose: undefined,
    eyeGaze: undefined,
  })),
  serverShare: new Float32Array(0),
});

async function twoTakes(sampleRates: readonly [number, number] = [rate, rate]) {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-joined-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const heard: string[] = [];
  const takes = await openTakes(folder, { onRecorded: (id) => heard.push(id) });
  const ids: string[] = [];
  for (const [at, sampleRate] of sampleRates.entries())
    ids.push(await recordTake(takes, { name: `take ${at}`, sampleRate }, new Float32Array(sampleRate)));
  await expect.poll(() => heard).toEqual(ids);
  const made: Record<string, { face: PlayableFace; level: number; seconds: number }> = {
    [ids[0]!]: { face: faceOf('jawOpen', 0.25, 1), level: 0.5, seconds: 1 },
    [ids[1]!]: { face: faceOf('mouthPucker', 0.75, 0.5), level: -0.5, seconds: 0.5 },
  };
  const finished = async (id: string): Promise<FinishedTake> => {
    const { face, level, seconds } = made[id]!;
    const samples = new Float32Array(seconds * rate).fill(level);
    return {
      record: takes.record(id),
      face,
      audio: encodeWav({ sampleRate: rate, samples }, 'f32le'),
      seconds,
      words: null,
    };
  };
  return { takes, ids, finished, heard };
}

test('a joined take sounds and moves as its takes do, one after the other, to the sample and the frame', async () => {
  const { takes, ids, finished, heard } = await twoTakes();
  const id = await joinTakes(ids, 'Both', { takes, finished });
  expect(takes.listed(id)).toMatchObject({ name: 'Both', seconds: 1.5, secondHearing: 'none' });
  const { samples } = readWavSound(await takes.audio(id));
  expect([samples.length, samples[47_999], samples[48_000]]).toEqual([72_000, 0.5, -0.5]);
  const { channelNames, frames } = mergedFace(await takes.faces(id));
  expect(channelNames).toEqual(['jawOpen', 'mouthPucker']);
  // What a face has beyond the end of its sound makes way for the next one.
  expect(frames).toHaveLength(90);
  expect(frames.map(({ timeCode }) => Math.round(timeCode * 60))).toEqual(frames.map((_, at) => at));
  expect(Array.from(frames[59]!.weights)).toEqual([0.25, 0]);
  expect(Array.from(frames[60]!.weights)).toEqual([0, 0.75]);
  // Heard anew, the face that was edited would be covered by another.
  expect(heard).toEqual(ids);
});

test('sounds of different rates are not joined, and nothing is left of the attempt', async () => {
  const { takes, ids, finished } = await twoTakes([rate, 44_100]);
  const refused = await joinTakes(ids, 'Both', { takes, finished }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Failure);
  expect(inEnglish((refused as Failure).said)).toContain('different sample rates');
  expect(takes.list()).toHaveLength(2);
});

test('where one of them can’t be read, nothing is left of the new take', async () => {
  const { takes, ids } = await twoTakes();
  const finished = (): Promise<FinishedTake> => Promise.reject(new Failure('storage', 'gone'));
  await expect(joinTakes(ids, 'Both', { takes, finished })).rejects.toThrow('gone');
  expect(takes.list()).toHaveLength(2);
});
