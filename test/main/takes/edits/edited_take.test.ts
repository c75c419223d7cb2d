/** Takes in real folders, edited: what leaves the studio is face, sound, words and length that agree. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownFrame } from '@likeness/proto/face/own_frame.ts';
import { encodeBareMessage } from '@likeness/proto/face_stream.ts';
import type { EditOperation } from '@likeness/proto/takes/edits/take_edits.ts';
import { expect, it, onTestFinished } from 'vitest';
import { createSoundThread, type RenderSound } from '../../../../main/takes/edits/edited_sounds.ts';
import { editsCalls } from '../../../../main/takes/edits/edits_calls.ts';
import { overdubAsset } from '../../../../main/takes/edits/take_overdubs.ts';
import { finishedTake } from '../../../../main/takes/finished_take.ts';
import { readWavSound } from '../../../../main/takes/sound/wav_file.ts';
import type { TakeAnalysis } from '../../../../main/takes/take_analysis.ts';
import { Takes } from '../../../../main/takes/takes.ts';
import { speakingFace } from '../../../proto/takes/edited_faces.ts';

/** No words, nothing under way. */
const hearings = {
  wordsInScript: async () => null,
  stop: async () => undefined,
} as unknown as TakeAnalysis;

let ids = 0;

async function studio(renderSound?: RenderSound) {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-edited-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const options = {
    folder,
    clock: Date.now,
    randomId: () => `t${ids++}`,
    speak: () => Promise.reject(new Error('nothing speaks here')),
    warn: (text: string) => expect.fail(text),
    onChanged: () => {},
    ...(renderSound && { renderSound }),
  };
  const takes = await Takes.open(options);
  return { folder, takes, calls: editsCalls(takes, hearings), again: () => Takes.open(options) };
}

/** @param tone hertz */
async function record(
  takes: Takes,
  seconds: number,
  tone: number,
  sampleRate = 48_000,
  frameRate = 60,
): Promise<string> {
  const recorder = await takes.start({
    name: `Tone of ${tone} Hz`,
    notes: '',
    model: '',
    source: 'microphone',
    sampleRate,
    frameRate,
    profileId: 'built-in',
    profileName: 'Built-in engine',
  });
  recorder.sound(
    Float32Array.from(
      { length: seconds * sampleRate },
      (_, at) => 0.4 * Math.sin((2 * Math.PI * tone * at) / sampleRate),
    ),
  );
  const { channelNames, frames } = speakingFace(seconds, frameRate);
  const arrival = (message: Uint8Array) => recorder.face({ arrivedAt: 0, tier: 'local', message });
  arrival(encodeBareMessage({ kind: 'header', traceId: 't', frameRate, channelNames, mesh: undefined }));
  for (const [index, frame] of frames.entries())
    arrival(encodeBareMessage({ ...ownFrame(frame), kind: 'frame', index, vertices: undefined }));
  const { id } = await recorder.finish({ latency: null });
  return id;
}

/** Rises through zero a second, in the middle of a sound. */
function pitchOf(
  { samples, sampleRate }: { samples: Float32Array; sampleRate: number },
  from: number,
  to: number,
): number {
  const part = samples.subarray(Math.round(from * sampleRate), Math.round(to * sampleRate));
  let rises = 0;
  for (let at = 1; at < part.length; at++) if (part[at - 1]! < 0 && part[at]! >= 0) rises++;
  return rises / (to - from);
}

const piece = (from: number, to: number, speed = 1) => ({ from, to, speed });
const cuts = (...pieces: ReturnType<typeof piece>[]): EditOperation[] => [{ kind: 'pieces', pieces }];

it('plays what is left of a take, in face and sound, and keeps the recording as it is', async () => {
  const { takes, calls, folder } = await studio();
  const id = await record(takes, 4, 220);
  const recorded = readFileSync(join(folder, id, 'audio.wav'));
  const state = await calls.apply({ id, after: 0, operations: cuts(piece(0.5, 1.5), piece(3, 4)) });
  expect(state.seconds).toBe(2);
  const { face, audio, seconds } = await finishedTake(takes, hearings, id);
  const sound = readWavSound(readFileSync(audio.path));
  expect(seconds).toBe(2);
  expect(sound.samples).toHaveLength(2 * 48_000);
  // 220 Hz has whole waves in every half second: the cut is not heard, and nothing else has changed.
  const original = readWavSound(recorded).samples;
  for (const [at, from] of [
    [0.2, 0.7],
    [1.5, 3.5],
  ] as const)
    expect(sound.samples[at * 48_000 + 7]).toBeCloseTo(original[from * 48_000 + 7]!, 6);
  expect(Math.max(...sound.samples)).toBeLessThan(0.401);
  expect(face.frames.at(-1)!.timeCode).toBeCloseTo(2 - 1 / 60, 2);
  expect(readFileSync(join(folder, id, 'audio.wav'))).toEqual(recorded);

  // Undone, it is the recording again.
  await calls.undo({ id, after: 1 });
  const whole = await finishedTake(takes, hearings, id);
  expect(whole.seconds).toBe(4);
  expect(readFileSync(whole.audio.path)).toEqual(recorded);
});

it.each([0.5, 1.25, 2])('keeps the pitch at %d times the speed', async (speed) => {
  const { takes, calls } = await studio();
  const id = await record(takes, 4, 220);
  await calls.apply({ id, after: 0, operations: cuts(piece(0, 4, speed)) });
  const { audio, face, seconds } = await finishedTake(takes, hearings, id);
  const sound = readWavSound(readFileSync(audio.path));
  expect(seconds).toBe(4 / speed);
  expect(sound.samples.length).toBe(Math.round(48_000 * seconds));
  expect(Math.abs(pitchOf(sound, 0.4, seconds - 0.4) - 220)).toBeLessThan(4);
  const rms = Math.sqrt(
    sound.samples.reduce((sum, sample) => sum + sample * sample, 0) / sound.samples.length,
  );
  expect(rms).toBeGreaterThan(0.25);
  expect(Math.abs(face.frames.length - seconds * 60)).toBeLessThanOrEqual(1);
});

it('makes the sound once for the same cuts, on a thread, and keeps one of them', async () => {
  const thread = createSoundThread(new URL('../../../../main/takes/edits/sound_thread.ts', import.meta.url));
  onTestFinished(() => thread.close());
  let made = 0;
  const { takes, calls, folder } = await studio((order, seconds) => {
    made++;
    return thread.render(order, seconds);
  });
  const id = await record(takes, 2, 220);
  await calls.apply({ id, after: 0, operations: cuts(piece(0, 1, 0.5)) });
  const paths = await Promise.all([takes.edits.sound(id), takes.edits.sound(id)]);
  expect(paths[0]).toBe(paths[1]);
  expect(readWavSound(readFileSync(paths[0]!)).samples).toHaveLength(96_000);
  expect(made).toBe(1);
  await calls.apply({ id, after: 1, operations: cuts(piece(0, 1)) });
  await takes.edits.sound(id);
  await takes.edits.sound(id);
  expect(made).toBe(2);
  expect(readdirSync(join(folder, id)).filter((name) => name.startsWith('edited-'))).toHaveLength(1);
  // It goes with the take.
  await takes.erase([id]);
  expect(existsSync(join(folder, id))).toBe(false);
});

it('splits a take into two that play one part each, and can play all of it', async () => {
  const { takes, calls, again } = await studio();
  const id = await record(takes, 4, 220);
  await calls.apply({ id, after: 0, operations: cuts(piece(0, 3)) });
  const { takes: made } = await calls.split({ id, at: 1 });
  expect(made.map(({ name }) => name)).toEqual(['Tone of 220 Hz (1)', 'Tone of 220 Hz (2)']);
  const parts = await Promise.all(made.map((take) => finishedTake(takes, hearings, take.id)));
  expect(parts.map(({ seconds }) => seconds)).toEqual([1, 2]);
  expect(readWavSound(readFileSync(parts[1]!.audio.path)).samples).toHaveLength(96_000);
  await calls.undo({ id: made[1]!.id, after: 2 });
  expect((await calls.open({ id: made[1]!.id })).seconds).toBe(3);
  expect((await calls.open({ id })).seconds).toBe(3);
  await expect(calls.split({ id, at: 3.5 })).rejects.toMatchObject({ code: 'invalid_input' });
  expect((await again()).list()).toHaveLength(3);
  // Erasing one leaves the others whole, although they share what was recorded.
  await takes.erase([id]);
  expect((await finishedTake(takes, hearings, made[0]!.id)).face.frames.length).toBe(60);
});

it('joins takes of different rates into one, as they play', async () => {
  const { takes, calls } = await studio();
  const first = await record(takes, 2, 220);
  const second = await record(takes, 2, 330, 44_100, 30);
  await calls.apply({ id: first, after: 0, operations: cuts(piece(0, 1)) });
  const { id, seconds, frameRate } = await calls.join({ ids: [first, second], name: 'Both' });
  expect([seconds, frameRate]).toEqual([3, 60]);
  const { audio, face } = await finishedTake(takes, hearings, id);
  const sound = readWavSound(readFileSync(audio.path));
  expect(sound.sampleRate).toBe(48_000);
  expect(pitchOf(sound, 0.1, 0.9)).toBeCloseTo(220, -1);
  expect(pitchOf(sound, 1.1, 2.9)).toBeCloseTo(330, -1);
  expect(Math.abs(face.frames.length - 180)).toBeLessThanOrEqual(1);
  for (const [at, { timeCode }] of face.frames.entries()) expect(timeCode).toBeCloseTo(at / 60, 5);
  expect(takes.list()).toHaveLength(3);
});

it('takes a stretch from another try, which then belongs to the take', async () => {
  const { takes, calls, folder, again } = await studio();
  const id = await record(takes, 2, 220);
  const other = await record(takes, 2, 330);
  const [attempt] = await calls.addOverdub({ id, take: other, startsAt: 0.5, regions: ['jaw'] });
  expect(attempt).toMatchObject({ id: other, seconds: 2, startsAt: 0.5, regions: ['jaw'] });
  expect(takes.list().map((take) => take.id)).toEqual([id]);
  expect((await again()).list().map((take) => take.id)).toEqual([id]);
  expect(await overdubAsset(takes, other, 'face')).toBe(join(folder, id, 'attempts', other, 'face.pb'));
  expect(await overdubAsset(takes, 'nobody', 'audio')).toBe(null);

  const before = await finishedTake(takes, hearings, id);
  const operation = { kind: 'take', region: 'jaw', from: 1, to: 1.5, attempt: other } as const;
  await calls.apply({ id, after: 0, operations: [operation] });
  const { face } = await finishedTake(takes, hearings, id);
  const jaw = face.channelNames.indexOf('jawOpen');
  // Half a second later than in the try itself.
  expect(face.frames[72]!.weights[jaw]).toBeCloseTo(before.face.frames[42]!.weights[jaw]!, 5);
  expect(face.frames[30]!.weights[jaw]).toBe(before.face.frames[30]!.weights[jaw]);
  await expect(calls.trashOverdub({ id, attempt: other })).rejects.toMatchObject({ code: 'conflict' });
  await calls.apply({ id, after: 1, operations: [{ ...operation, attempt: 'recording' }] });
  expect(await calls.trashOverdub({ id, attempt: other })).toEqual([]);
  await expect(calls.addOverdub({ id, take: id, startsAt: 0, regions: ['jaw'] })).rejects.toMatchObject({
    code: 'invalid_input',
  });
});

it('refuses what the take does not have', async () => {
  const { takes, calls } = await studio();
  const id = await record(takes, 2, 220);
  const refused = { code: 'invalid_input', field: 'operations' };
  const operations: EditOperation[] = [{ kind: 'take', region: 'jaw', from: 0, to: 1, attempt: 'nobody' }];
  await expect(calls.apply({ id, after: 0, operations })).rejects.toMatchObject(refused);
  await expect(calls.apply({ id, after: 0, operations: cuts(piece(1, 3)) })).rejects.toMatchObject(refused);
  expect((await calls.open({ id })).revision).toBe(0);
});

it('verifies every file of a take, and says which is at fault', async () => {
  const { takes, calls, folder } = await studio();
  const id = await record(takes, 2, 220);
  const other = await record(takes, 1, 330);
  await calls.addOverdub({ id, take: other, startsAt: 0, regions: ['jaw'] });
  await calls.apply({ id, after: 0, operations: cuts(piece(0, 1)) });
  const all = ['take.json', 'audio.wav', 'face.pb', 'edits.jsonl'];
  const tries = ['take.json', 'audio.wav', 'face.pb'].map((name) => `attempts/${other}/${name}`);
  expect(await calls.verify({ id })).toEqual({ files: [...all, ...tries], problems: [] });

  const faults = async () => (await calls.verify({ id })).problems.map(({ file }) => file);
  const whole = (name: string) => readFileSync(join(folder, id, name));
  const damaged: readonly (readonly [string, (bytes: Buffer) => Buffer])[] = [
    ['take.json', () => Buffer.from('{}')],
    ['audio.wav', (bytes) => bytes.subarray(0, bytes.length - 48_000)],
    ['audio.wav', () => Buffer.from('no sound')],
    ['face.pb', (bytes) => bytes.subarray(0, bytes.length - 5)],
    ['face.pb', () => Buffer.alloc(0)],
    ['edits.jsonl', (bytes) => bytes.subarray(0, bytes.length - 5)],
    ['edits.jsonl', () => Buffer.from('{"schemaVersion":9}\n')],
    [`attempts/${other}/face.pb`, () => Buffer.alloc(3, 255)],
  ];
  for (const [name, damage] of damaged) {
    const bytes = whole(name);
    writeFileSync(join(folder, id, name), damage(bytes));
    expect(await faults(), name).toEqual([name]);
    writeFileSync(join(folder, id, name), bytes);
  }
  rmSync(join(folder, id, 'audio.wav'));
  expect(await faults()).toEqual(['audio.wav']);
});

it('trashed and brought back, a take has its edits still', async () => {
  const { takes, calls } = await studio();
  const id = await record(takes, 2, 220);
  const { edits } = await calls.apply({ id, after: 0, operations: cuts(piece(0, 1)) });
  await takes.trash(id);
  await takes.restore(id);
  expect((await calls.open({ id })).edits).toEqual(edits);
});
