import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { translate } from '@likeness/messages';
import type { Failure } from '@likeness/node-kit/failure.ts';
import { FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import { encodeWav } from '@likeness/proto/wav.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRecordingClient, type RecordingClient } from '../../../main/engine_host/recording_client.ts';
import { hasThreadPriorities, lowThreads } from '../../fixtures/thread_priorities.ts';
import {
  entries,
  startTestEngine,
  type TestEngine,
  temporaryFolder,
} from '../../support/service/engine_harness.ts';
import { babble, silence } from '../../support/voice.ts';

const folder = temporaryFolder();
let engine: TestEngine;
let client: RecordingClient;
const start = async (): Promise<void> => {
  engine = await startTestEngine({ entry: entries.real, folder: folder.path });
};

beforeAll(async () => {
  await start();
  client = createRecordingClient(async () => {
    if (engine.child.exitCode !== null || engine.child.signalCode !== null) await start();
    return engine;
  });
});
afterAll(async () => {
  await client.close();
  await engine.kill('SIGTERM');
  folder.remove();
});

const sound = { sampleRate: 16_000, samples: babble() };
const failureOf = (asked: Promise<unknown>): Promise<Failure> =>
  asked.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => error as Failure,
  );

it('hears a file and samples as the same recording, and tells how far it is', async () => {
  const path = join(folder.path, 'a.wav');
  await writeFile(path, encodeWav(sound));
  const told: number[] = [];
  const fromFile = await client.hear(path, { onProgress: (share) => told.push(share) });
  expect(told.length).toBeGreaterThan(0);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(await client.hear(sound)).toEqual(fromFile);
  expect(fromFile.seconds).toBeCloseTo(sound.samples.length / 16_000, 6);
});

it('brings the face of a take, whole, in part, and as messages to be written', async () => {
  const { recording } = await client.hear(sound);
  const order = { recording, alignment: null, frameRate: 60 };
  const face = await client.face(order);
  expect(face).toMatchObject({ tier: 'afterwards', frameRate: 60 });
  expect(face.channelNames).toHaveLength(67);
  const part = await client.face({ ...order, from: 0.5, to: 1 });
  expect(part.frames.map(({ timeCode }) => timeCode)).toEqual(
    face.frames.slice(30, 60).map(({ timeCode }) => timeCode),
  );
  const decoder = new FaceStreamDecoder();
  const kinds: string[] = [];
  for await (const message of client.faceMessages(order)) kinds.push(decoder.accept(message).kind);
  expect(kinds).toEqual(['header', ...face.frames.map(() => 'frame'), 'end']);
});

it('tells in both languages why words can’t be aligned', async () => {
  const { recording } = await client.hear(sound);
  const failure = await failureOf(client.align({ recording, script: ' ', language: 'auto' }));
  expect(failure.code).toBe('unsupported');
  expect([translate(failure.userMessage, 'en'), translate(failure.userMessage, 'zh-CN')]).toEqual([
    'The script has no words. Type the words of the recording.',
    '脚本中没有任何词。请输入所说的内容。',
  ]);
});

it('says that a recording has to be heard again, also by an engine that started again', async () => {
  const { recording } = await client.hear(sound);
  await engine.kill();
  const failure = await failureOf(client.face({ recording, alignment: null, frameRate: 30 }));
  expect(failure).toMatchObject({ code: 'not_found', retryable: true });
  expect(await client.hear(sound)).toMatchObject({ recording });
});

it('says what is wrong with a file', async () => {
  const none = join(folder.path, 'none.wav');
  expect(existsSync(none)).toBe(false);
  expect(await failureOf(client.hear(none))).toMatchObject({ code: 'storage' });
  const broken = join(folder.path, 'broken.wav');
  await writeFile(broken, 'RIFF but no more');
  expect(await failureOf(client.hear(broken))).toMatchObject({ code: 'unsupported' });
});

it('stops when nobody wants it, and what is heard meanwhile comes second', async () => {
  const stop = new AbortController();
  let low = 0;
  const asked = client.hear(
    { sampleRate: 16_000, samples: silence(600) },
    {
      signal: stop.signal,
      onProgress(share) {
        if (share === 0) return;
        low = lowThreads(engine.child.pid!).length;
        stop.abort(new Error('stopped'));
      },
    },
  );
  await expect(asked).rejects.toThrow('stopped');
  expect(low).toBe(hasThreadPriorities ? 1 : 0);
});

it('says that the engine ended within an answer', async () => {
  const dying = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.write('{"progress":0.5}\n', () => response.destroy());
  });
  await new Promise<void>((resolve) => dying.listen(0, '127.0.0.1', resolve));
  const { port } = dying.address() as { port: number };
  const alone = createRecordingClient(async () => ({
    url: `http://127.0.0.1:${port}`,
    accessToken: '',
    apiKey: '',
  }));
  expect(await failureOf(alone.align({ recording: 'a', script: 'b', language: 'en' }))).toMatchObject({
    code: 'unreachable',
    retryable: true,
  });
  await alone.close();
  dying.close();
});
