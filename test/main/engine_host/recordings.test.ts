import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FaceStreamDecoder } from '@likeness/proto/face_stream.ts';
import type { FaceStreamFrame, FaceStreamMessage } from '@likeness/proto/face_stream_protocol.ts';
import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import { encodeWav } from '@likeness/proto/wav.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  entries,
  form,
  startTestEngine,
  type TestEngine,
  temporaryFolder,
} from '../../support/service/engine_harness.ts';
import { babble, silence } from '../../support/voice.ts';

let engine: TestEngine;
const folder = temporaryFolder();
beforeAll(async () => {
  engine = await startTestEngine({
    entry: entries.real,
    folder: folder.path,
    limits: { traceSeconds: 60, keptRecordingBytes: 60_000, recordingBytes: 30_000_000 },
  });
});
afterAll(async () => {
  await engine.kill('SIGTERM');
  folder.remove();
});

const key = (): Record<string, string> => ({ authorization: `Bearer ${engine.accessToken}` });
const send = (file: Uint8Array, fields: Record<string, string> = {}, more: RequestInit = {}) =>
  fetch(`${engine.url}/v1/speech/recordings`, {
    method: 'POST',
    headers: key(),
    body: form({ file: new Blob([new Uint8Array(file)]), ...fields }),
    ...more,
  });
const post = (route: string, body: object | string, headers: Record<string, string> = {}) =>
  fetch(`${engine.url}/v1/speech/${route}`, {
    method: 'POST',
    headers: { ...key(), 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const linesOf = async (response: Response): Promise<Record<string, unknown>[]> =>
  (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const wav = (samples: Float32Array, sampleRate = 16_000): Uint8Array => encodeWav({ sampleRate, samples });
async function heard(file: Uint8Array): Promise<{ recording: string; seconds: number; speech: number }> {
  return (await linesOf(await send(file))).at(-1) as never;
}
async function faceOf(order: object): Promise<FaceStreamMessage[]> {
  const response = await post('faces', order);
  expect(response.headers.get('content-type')).toMatch(/^application\/x-protobuf/);
  const decoder = new FaceStreamDecoder();
  return [...decoder.push(new Uint8Array(await response.arrayBuffer())), ...decoder.finish()];
}
const framesOf = (messages: FaceStreamMessage[]): FaceStreamFrame[] =>
  messages.filter((message) => message.kind === 'frame');
const keptFiles = (): string[] => {
  const path = join(folder.path, '1/incoming/recordings');
  return existsSync(path) ? readdirSync(path) : [];
};

describe('the recording routes', () => {
  it('hear a sound: how far it is, then its name, its length and how much of it is speech', async () => {
    const response = await send(wav(babble()));
    expect(response.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    const lines = await linesOf(response);
    expect(lines[0]).toEqual({ progress: 0 });
    const last = lines.at(-1) as { recording: string; seconds: number; speech: number };
    expect(last.recording).toMatch(/^[0-9a-f]{64}$/);
    expect(last.seconds).toBeCloseTo(babble().length / 16_000, 6);
    expect(last.speech).toBeGreaterThan(0.15);
    expect(last.speech).toBeLessThan(0.8);
    // Nothing of the sound is left, neither as it came nor as it was heard.
    await vi.waitFor(() => expect(readdirSync(join(folder.path, '1/incoming'))).toEqual(['recordings']));
    expect(keptFiles()).toHaveLength(1);
    expect((await linesOf(await send(wav(babble())))).at(-1)).toEqual(last);
  });

  it('hear raw samples and other rates as the same sound', async () => {
    const samples = babble(48_000);
    const pcm = Buffer.alloc(2 * samples.length);
    samples.forEach((sample, i) => {
      pcm.writeInt16LE(Math.round(32_767 * sample), 2 * i);
    });
    const raw = (await linesOf(await send(pcm, { sampleRate: '48000' }))).at(-1);
    const { seconds, speech } = await heard(wav(samples, 48_000));
    expect(raw).toMatchObject({ seconds });
    expect(Math.abs((raw as { speech: number }).speech - speech)).toBeLessThan(0.02);
  });

  it('hear a sound with and without its noise as two recordings', async () => {
    const one = (await linesOf(await send(wav(babble()), { noise: 'off' }))).at(-1) as { recording: string };
    const other = (await linesOf(await send(wav(babble()), { noise: 'on' }))).at(-1) as { recording: string };
    expect(one.recording).toMatch(/^[0-9a-f]{64}$/);
    expect(other.recording).not.toBe(one.recording);
    const wrong = await send(wav(babble()), { noise: 'some' });
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ code: 'field_wrong_value', field: 'noise' });
  });

  it('forget a recording: nothing of it is left in the engine’s folder', async () => {
    const { recording } = await heard(wav(babble().map((value) => 0.9 * value)));
    const contents = (): string[] =>
      keptFiles().map((name) => readFileSync(join(folder.path, '1/incoming/recordings', name), 'latin1'));
    const before = contents();
    await faceOf({ recording, alignment: null, frameRate: 30 });
    const remove = (): Promise<Response> =>
      fetch(`${engine.url}/v1/speech/recordings/${recording}`, { method: 'DELETE', headers: key() });
    expect((await remove()).status).toBe(200);
    const gone = before.filter((one) => !contents().includes(one));
    expect(gone).toHaveLength(1);
    expect(await (await post('faces', { recording, alignment: null, frameRate: 30 })).json()).toMatchObject({
      code: 'recording_not_kept',
    });
    expect((await remove()).status).toBe(200);
    const unasked = await fetch(`${engine.url}/v1/speech/recordings/${recording}`, { method: 'DELETE' });
    expect(unasked.status).toBe(401);
  });

  it('make the face of the whole, and of a part of it the same frames', async () => {
    const { recording, seconds } = await heard(wav(babble()));
    const order = { recording, alignment: null, frameRate: 30 };
    const whole = await faceOf(order);
    expect(whole[0]).toMatchObject({ kind: 'header', frameRate: 30 });
    expect(whole[0]?.kind === 'header' && whole[0].channelNames).toHaveLength(67);
    const frames = framesOf(whole);
    expect(frames).toHaveLength(Math.ceil(seconds * 30));
    expect(whole.at(-1)).toEqual({ kind: 'end', frameCount: frames.length, duration: seconds });
    expect(frames.map(({ timeCode }) => timeCode)).toEqual(frames.map((_, k) => k / 30));

    const part = framesOf(await faceOf({ ...order, from: 1, to: 2 }));
    expect(part.map(({ timeCode }) => timeCode)).toEqual(
      frames.slice(30, 60).map(({ timeCode }) => timeCode),
    );
    part.forEach(({ weights, headPose }, k) => {
      expect(weights).toEqual(frames[30 + k]?.weights);
      expect(headPose).toEqual(frames[30 + k]?.headPose);
    });
  });

  it('turn the jaw’s dial without touching the eyes', async () => {
    const { recording } = await heard(wav(babble()));
    const order = { recording, alignment: null, frameRate: 24 };
    const [plain, wide] = [framesOf(await faceOf(order)), framesOf(await faceOf({ ...order, jaw: 1.5 }))];
    const names = (await faceOf(order))[0];
    const index = (name: string): number =>
      names?.kind === 'header' ? names.channelNames.indexOf(name) : -1;
    const max = (frames: FaceStreamFrame[], name: string): number =>
      Math.max(...frames.map(({ weights }) => weights[index(name)] as number));
    expect(max(wide, 'jawOpen')).toBeGreaterThan(1.3 * max(plain, 'jawOpen'));
    expect(wide.map(({ weights }) => weights[index('eyeBlinkLeft')])).toEqual(
      plain.map(({ weights }) => weights[index('eyeBlinkLeft')]),
    );
  });

  it('keep so much and no more, the least recently used going first', async () => {
    const older = await heard(wav(silence(9)));
    await heard(wav(silence(9.5)));
    await heard(wav(silence(10)));
    expect(keptFiles().length).toBeLessThan(4);
    const response = await post('faces', { recording: older.recording, alignment: null, frameRate: 30 });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      code: 'recording_not_kept',
      messages: { en: expect.any(String), zh: expect.any(String) },
    });
  });

  it('hear silence, and find no words in it', async () => {
    const { recording, speech } = await heard(wav(silence(3)));
    expect(speech).toBe(0);
    const lines = await linesOf(
      await post('alignments', { recording, script: 'hello world', language: 'en' }),
    );
    expect(lines.at(-1)).toEqual({ verdict: 'no_speech', words: [], unknown: [] });
    const frames = framesOf(await faceOf({ recording, alignment: null, frameRate: 30 }));
    expect(Math.max(...frames.map(({ weights }) => weights[24] as number))).toBeLessThan(0.05);
  });

  it.each<[string, object, string]>([
    ['an empty script', { script: ' … ' }, 'script_empty'],
    ['a language without a dictionary', { script: 'Привет, как дела? Всё хорошо.' }, 'no_dictionary'],
    ['a phone that there is not', { script: 'hi', pronunciations: { hi: 'HH XX' } }, 'phone_unknown'],
    [
      'pins beyond the end',
      { script: 'hi', pinned: [{ index: 0, start: 90, end: 91 }] },
      'field_wrong_value',
    ],
    ['too many words', { script: 'a '.repeat(200_001) }, 'too_many_words'],
  ])('say what is wrong with %s', async (_, order, code) => {
    const { recording } = await heard(wav(babble()));
    const lines = await linesOf(
      await post('alignments', { recording, language: 'auto', ...order }, { 'accept-language': 'zh' }),
    );
    const error = lines.at(-1)?.error as {
      code: string;
      message: string;
      messages: { en: string; zh: string };
    };
    expect(error).toMatchObject({ code, messages: { en: expect.stringMatching(/[a-z]/) } });
    expect(error.message).toBe(error.messages.zh);
    expect(error.message).toMatch(/\p{Script=Han}/u);
  });

  it.each<[string, () => Promise<Response>, number, string]>([
    ['no WAV and no rate', () => send(Buffer.from('no sound at all')), 400, 'audio_unreadable'],
    ['an empty file', () => send(Buffer.alloc(0)), 400, 'audio_empty'],
    ['a WAV without samples', () => send(wav(new Float32Array(0))), 400, 'audio_empty'],
    ['a WAV that is cut off', () => send(wav(babble()).subarray(0, 14)), 400, 'audio_unreadable'],
    ['a rate beyond hearing', () => send(wav(silence(1), 192_000)), 400, 'audio_unsupported'],
    ['more than is taken', () => send(wav(silence(61))), 413, 'audio_too_long'],
    ['another field', () => send(wav(babble()), { sex: '1' }), 400, 'field_unknown'],
    ['no JSON', () => post('faces', '{'), 400, 'json_malformed'],
    ['another id', () => post('faces', { recording: '../../etc/passwd' }), 400, 'field_wrong_value'],
    [
      'a dial beyond its end',
      () => post('faces', { recording: 'a'.repeat(64), alignment: null, jaw: 3 }),
      400,
      'field_wrong_value',
    ],
    [
      'somebody else’s id',
      () => post('alignments', { recording: 'a'.repeat(64), script: 'hi' }),
      404,
      'recording_not_kept',
    ],
  ])('refuse %s', async (_, ask, status, code) => {
    const response = await ask();
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      code,
      messages: { en: expect.any(String), zh: expect.stringMatching(/\p{Script=Han}/u) },
    });
  });

  it('open to a key and to nobody else', async () => {
    for (const route of ['recordings', 'alignments', 'faces']) {
      const response = await fetch(`${engine.url}/v1/speech/${route}`, { method: 'POST' });
      await response.body?.cancel();
      expect(response.status).toBe(401);
    }
  });

  it('stop hearing for a caller who went away, and hear the next', async () => {
    const before = keptFiles().length;
    const gone = new AbortController();
    const asked = send(wav(silence(55)), {}, { signal: gone.signal });
    const reader = (await asked).body!.getReader();
    await reader.read();
    gone.abort();
    await reader.read().catch(() => undefined);
    expect(await heard(wav(silence(1)))).toMatchObject({ seconds: 1 });
    // What was given up has left nothing.
    await vi.waitFor(() => expect(keptFiles().length).toBeLessThanOrEqual(before + 1));
  });
});

const real = join(import.meta.dirname, '../../../../shared/speech/lj001_0002');
it.skipIf(!existsSync(`${real}.wav`))('align real words, and shut the lips where they say so', async () => {
  const { recording } = await heard(await readFile(`${real}.wav`));
  const script = await readFile(`${real}.txt`, 'utf8');
  const lines = await linesOf(await post('alignments', { recording, script, language: 'en' }));
  const alignment = lines.at(-1) as unknown as SpeechAlignment;
  expect(alignment.verdict).toBe('aligned');
  const phones = alignment.words.filter(({ flag }) => flag === null).flatMap((word) => word.phones);
  const closures = phones.filter(({ phone }) => ['P', 'B', 'M'].includes(phone));
  expect(closures.length).toBeGreaterThan(1);
  const frames = framesOf(await faceOf({ recording, alignment, frameRate: 30 }));
  for (const { start, end } of closures) {
    const within = frames.filter(({ timeCode }) => timeCode >= start - 0.02 && timeCode <= end + 0.02);
    expect(Math.max(...within.map(({ weights }) => weights[53] as number))).toBeGreaterThan(0.98);
  }
});
