/** What a page shows of a take: made of its files on a thread, kept beside them, made anew when they are others. */
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PackedFaceFileReader } from '@likeness/proto/face/packed_face_file.ts';
import { encodeBareMessage } from '@likeness/proto/face_stream.ts';
import { isPeaksFile, peaksFileHead } from '@likeness/proto/sound_peaks.ts';
import { expect, onTestFinished, test } from 'vitest';
import { createViewThread, TakeViews } from '../../../main/takes/views/take_views.ts';
import { openTakes, takeBeginning } from '../../support/recorded_takes.ts';

async function recorded() {
  const path = mkdtempSync(join(tmpdir(), 'likeness-views-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const takes = await openTakes(path);
  const recorder = await takes.start(takeBeginning);
  recorder.sound(Float32Array.from({ length: 48_000 }, (_, at) => Math.sin(at / 9) * 0.5));
  const say = (message: Parameters<typeof encodeBareMessage>[0]): void =>
    recorder.face({ arrivedAt: 0, tier: 'local', message: encodeBareMessage(message) });
  say({ kind: 'header', traceId: 't', frameRate: 60, channelNames: ['jawOpen'], mesh: undefined });
  const rest = { headPose: undefined, eyeGaze: undefined, vertices: undefined };
  for (let index = 0; index < 60; index += 1)
    say({ kind: 'frame', index, timeCode: index / 60, weights: Float32Array.of(index / 60), ...rest });
  const { id } = await recorder.finish({ latency: null });
  return { takes, id, folder: join(path, id) };
}

const viewsIn = (folder: string): string[] => readdirSync(folder).filter((name) => name.startsWith('.view-'));

test('a page is given the file itself until its view is made, and then the view', async () => {
  const { takes, id, folder } = await recorded();
  const thread = createViewThread(new URL('../../../main/takes/views/view_thread.ts', import.meta.url));
  onTestFinished(() => thread.close());
  const warnings: string[] = [];
  const views = new TakeViews((text) => warnings.push(text), thread.make);
  const face = await takes.file(id, 'face');
  expect(await views.path(face, 'face')).toBe(face);
  await views.want(folder);
  expect(viewsIn(folder)).toHaveLength(2);
  const reader = new PackedFaceFileReader();
  reader.push(readFileSync((await views.path(face, 'face'))!));
  expect(reader.finish().frames.map(({ weights }) => weights[0])).toEqual(
    Array.from({ length: 60 }, (_, index) => Math.fround(index / 60)),
  );
  const peaks = readFileSync((await views.path(await takes.file(id, 'audio'), 'audio'))!);
  expect(isPeaksFile(peaks)).toBe(true);
  const values = new Int16Array(new Uint8Array(peaks).slice(peaksFileHead.length).buffer);
  expect(values).toHaveLength(Math.ceil(48_000 / 256) * 2);
  expect([values[0]! / 32_767, values[1]! / 32_767].map((one) => one.toFixed(2))).toEqual(['-0.50', '0.50']);
  expect(warnings).toEqual([]);
});

test('another face has another view, and the one before goes; a view that was deleted is made again', async () => {
  const { takes, id, folder } = await recorded();
  const views = new TakeViews(() => undefined);
  await views.want(folder);
  const before = viewsIn(folder);
  const face = (await takes.file(id, 'face'))!;
  appendFileSync(face, Uint8Array.of(0));
  expect(await views.path(face, 'face')).toBe(face);
  await views.want(folder);
  const now = viewsIn(folder);
  expect(now).toHaveLength(2);
  expect(now.filter((name) => before.includes(name))).toHaveLength(1);
  for (const name of now) rmSync(join(folder, name));
  await views.want(folder);
  expect(viewsIn(folder)).toEqual(now);
});

test('what can’t be made is warned of, and the page has the file itself', async () => {
  const { takes, id, folder } = await recorded();
  const warnings: string[] = [];
  const views = new TakeViews(
    (text) => warnings.push(text),
    () => Promise.reject(new Error('disk full')),
  );
  await views.want(folder);
  expect(warnings).toHaveLength(2);
  expect(warnings[0]).toMatch(/disk full/);
  const audio = (await takes.file(id, 'audio'))!;
  expect(await views.path(audio, 'audio')).toBe(audio);
  expect(await views.path(null, 'second')).toBeNull();
  expect(existsSync(join(folder, '.view-audio'))).toBe(false);
});
