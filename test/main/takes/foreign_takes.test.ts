/** Takes from somebody else whose files are far larger than they say: one sentence each, and little memory. */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyTake } from '../../../main/takes/edits/verify_take.ts';
import { finishedTake } from '../../../main/takes/finished_take.ts';
import { scoreCalls } from '../../../main/takes/scorecard/score_calls.ts';
import { TakeAnalysis } from '../../../main/takes/take_analysis.ts';
import type { Takes } from '../../../main/takes/takes.ts';
import { defaultHeadGlb } from '../../support/heads/default_head_glb.ts';
import { openTakes, recordTake } from '../../support/recorded_takes.ts';

let folder: string;
let takes: Takes;
let analysis: TakeAnalysis;
let id: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'likeness-foreign-takes-'));
  takes = await openTakes(folder);
  analysis = new TakeAnalysis({
    takes,
    speech: {
      hear: () => Promise.reject(new Error('nothing is sent to the engine')),
      align: () => Promise.reject(new Error('nothing is sent to the engine')),
      face: () => Promise.reject(new Error('nothing is sent to the engine')),
      streamedFace: () => Promise.reject(new Error('nothing is sent to the engine')),
      forget: async () => {},
    },
    pronunciations: () => ({}),
    onProgress: () => {},
    warn: () => {},
  });
  id = await recordTake(takes, {}, new Float32Array(4 * 48_000));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const audio = (): string => join(folder, id, 'audio.wav');
const score = async (): Promise<unknown> =>
  scoreCalls({ takes, analysis, head: defaultHeadGlb }).score({ id, modelId: null });
/** What is wrong with one of the take's files. */
const problemOf = async (file: string): Promise<unknown> =>
  (await verifyTake(join(folder, id))).problems.find((problem) => problem.file === file)?.problem;
/** Bytes of memory outside V8's heap that the work takes at most, looked at on the way. */
async function memoryOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const look = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  try {
    await work();
  } finally {
    clearInterval(look);
  }
  return Math.max(peak, process.memoryUsage.rss()) - before;
}

test('a sound of two gigabytes that are not there is refused before it is read', async () => {
  truncateSync(audio(), 2 ** 31 - 2);
  const refused = { code: 'storage', message: expect.stringContaining('2148 MB') };
  const used = await memoryOf(async () => {
    expect(await problemOf('audio.wav')).toMatchObject({ values: { megabytes: 2148, seconds: '4.0' } });
    await expect(finishedTake(takes, analysis, id)).rejects.toMatchObject(refused);
    await expect(score()).rejects.toMatchObject(refused);
    await expect(takes.audio(id)).rejects.toMatchObject({ code: 'storage' });
    await analysis.want(id);
    await expect.poll(() => takes.record(id).secondHearing).toBe('failed');
  });
  expect(used).toBeLessThan(300e6);
});

test('words of 100 MB are refused before they are read', async () => {
  writeFileSync(join(folder, id, 'words.json'), `[${'1,'.repeat(50e6)}1]`);
  const used = await memoryOf(async () => {
    expect(await problemOf('words.json')).toMatchObject({ key: 'storage.too_large' });
    await expect(analysis.words(id)).rejects.toMatchObject({ code: 'storage' });
  });
  expect(used).toBeLessThan(300e6);
});

test('a WAV file whose parts claim four gigabytes is told in one sentence', async () => {
  const wav = Buffer.alloc(60);
  wav.write('RIFF\xff\xff\xff\xffWAVEfmt \xff\xff\xff\xff', 'latin1');
  writeFileSync(audio(), wav);
  expect(await problemOf('audio.wav')).toContain("can't be read");
  const refused = { code: 'unsupported', message: expect.stringContaining('audio.wav') };
  await expect(score()).rejects.toMatchObject(refused);
  await expect(finishedTake(takes, analysis, id)).rejects.toMatchObject(refused);
});
