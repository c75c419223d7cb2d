import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { glbJson } from '@likeness/gltf/glb_json.ts';
import { readHead, writeHead } from '@likeness/gltf/head_file.ts';
import { setTargetNames, targetNames } from '@likeness/gltf/morph_targets.ts';
import { addTake } from '@likeness/gltf/take_animation.ts';
import { inEnglish } from '@likeness/messages';
import { arkitBlendshapeNames, oculusVisemeNames } from '@likeness/proto/blendshapes.ts';
import { ownFrame } from '@likeness/proto/face/own_frame.ts';
import { encodeBareMessage } from '@likeness/proto/face_stream.ts';
import {
  facesOf,
  mergedFace,
  type PlayableFace,
  readArrivals,
  type TakeFace,
} from '@likeness/proto/take_stream.ts';
import { encodeWav, type Sound } from '@likeness/proto/wav.ts';
import { validateBytes } from 'gltf-validator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '#contract';
import { liveLinkCsv } from '../../../main/takes/formats/live_link_csv.ts';
import { timecode } from '../../../main/takes/formats/timecode.ts';
import { readWavSound } from '../../../main/takes/sound/wav_file.ts';
import { startRecording } from '../../../main/takes/take_recorder.ts';
import type { Takes } from '../../../main/takes/takes.ts';
import type { TakesOptions } from '../../../main/takes/takes_options.ts';
import { openTakes, takeBeginning } from '../../support/recorded_takes.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'likeness-takes-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
const openIn = (path: string, more: Partial<TakesOptions> = {}): Promise<Takes> =>
  openTakes(path, { randomId: () => 'abcd', ...more });
const beginning = takeBeginning;

const header = encodeBareMessage({
  kind: 'header',
  traceId: 't',
  frameRate: 60,
  channelNames: ['jawOpen', 'mouthPucker'],
  mesh: undefined,
});
const frame = (timeCode: number, weights = [0.5, 0.1]): Uint8Array =>
  encodeBareMessage({
    kind: 'frame',
    index: 0,
    timeCode,
    weights: Float32Array.from(weights),
    headPose: { translation: [0, 0, 0], rotation: [0, 0, 0, 1] },
    eyeGaze: undefined,
    vertices: undefined,
  });

test('a take is written as it comes, and read as it was', async () => {
  const takes = await openIn(folder());
  const recorder = await takes.start(beginning);
  expect(takes.list()).toEqual([]);
  const sound = Float32Array.from({ length: 48_000 }, (_, at) => Math.sin(at / 20) * 0.5);
  recorder.sound(sound);
  recorder.face({ arrivedAt: 0.05, tier: 'local', message: header });
  recorder.face({ arrivedAt: 0.05, tier: 'local', message: frame(0) });
  recorder.face({ arrivedAt: 0.07, tier: 'local', message: frame(1 / 60) });
  await recorder.finish({ latency: { p50: 40, p95: 80 } });
  const [take] = takes.list();
  expect(take).toMatchObject({ name: 'Hello', seconds: 1, recovered: false, latency: { p50: 40, p95: 80 } });
  expect(readWavSound(await takes.audio(take!.id))).toEqual({ sampleRate: 48_000, samples: sound });
  const [face] = await takes.faces(take!.id);
  expect(face!.frames.map(({ timeCode }) => timeCode)).toEqual([0, 1 / 60]);
  const packed = await takes.playedFace(take!.id);
  const seen = ({ frames }: Pick<PlayableFace, 'frames'>) =>
    frames.map(({ timeCode, weights, headPose, eyeGaze }) => ({ timeCode, weights, headPose, eyeGaze }));
  expect(seen(packed)).toEqual(seen(mergedFace([face!])));
  expect(packed).toMatchObject({ channelNames: face!.channelNames, frameRate: face!.frameRate });
  const { arrivals } = readArrivals(readFileSync((await takes.file(take!.id, 'face'))!));
  expect(arrivals.map(({ arrivedAt }) => arrivedAt)).toEqual([0.05, 0.05, 0.07]);
});

test('a take that can’t be read is listed with its reason, and hides no other', async () => {
  const path = folder();
  const takes = await openIn(path);
  const ids: string[] = [];
  for (const randomId of ['one', 'two', 'three', 'four', 'five']) {
    const opened = await openIn(path, { randomId: () => randomId });
    const recorder = await opened.start(beginning);
    await recorder.finish({ latency: null });
    ids.push(recorder.id);
  }
  const spoil = (id: string, change: (record: Record<string, unknown>) => unknown): void => {
    const file = join(path, id, 'take.json');
    const changed = change(JSON.parse(readFileSync(file, 'utf8')));
    writeFileSync(file, typeof changed === 'string' ? changed : JSON.stringify(changed));
  };
  spoil(ids[0]!, (record) => ({ ...record, latency: { p50: 'a', p95: {} } }));
  spoil(ids[1]!, () => '{"schemaVersion": 1,');
  spoil(ids[2]!, (record) => ({ ...record, seconds: -1 }));
  rmSync(join(path, ids[3]!, 'take.json'));
  // Somebody's work is in it, which only a person may throw away.
  writeFileSync(join(path, ids[3]!, 'edits.jsonl'), '{"schemaVersion":1}\n');
  mkdirSync(join(path, 'holiday-pictures'));
  const again = await openIn(path);
  const listed = contract.takes.calls.list.out.parse(again.list());
  expect(listed.length).toBe(5);
  const reasonOf = (id: string): string => inEnglish(listed.find((take) => take.id === id)!.damaged);
  expect(reasonOf(ids[0]!)).toMatch(/“latency.p50” in take.json/);
  expect(reasonOf(ids[1]!)).toBe('take.json is not JSON.');
  expect(reasonOf(ids[2]!)).toMatch(/“seconds”/);
  expect(reasonOf(ids[3]!)).toMatch(/missing/);
  expect(reasonOf(ids[4]!)).toBe('');
  expect(() => again.record(ids[0]!)).toThrow(/can't be read/);
  // It can be put away and brought back, as any other.
  await again.trash(ids[0]!);
  expect(again.list().length).toBe(4);
  expect(await again.restore(ids[0]!)).toMatchObject({ damaged: expect.stringMatching(/latency/) });
  expect(takes.list()).toEqual([]);
});

test('nothing outside of a take’s folder is read or written through a link in it', async () => {
  const path = folder();
  const elsewhere = folder();
  const takes = await openIn(path);
  const recorder = await takes.start(beginning);
  recorder.sound(new Float32Array(480));
  const { id } = await recorder.finish({ latency: null });
  const record = readFileSync(join(path, id, 'take.json'), 'utf8');
  const secret = 'SECRET '.repeat(100);
  for (const name of ['audio.wav', 'face.pb', 'take.json']) {
    const target = join(elsewhere, name);
    writeFileSync(target, name === 'take.json' ? record.replace('Hello', 'SECRET') : secret);
    cpSync(join(path, id), join(path, `linked-${name.replace('.', '-')}`), { recursive: true });
    rmSync(join(path, `linked-${name.replace('.', '-')}`, name));
    symlinkSync(target, join(path, `linked-${name.replace('.', '-')}`, name));
  }
  // One that says it was cut off is mended at the start: its files are written into.
  writeFileSync(join(path, 'linked-audio-wav', 'take.json'), record.replace('"whole"', '"recording"'));
  writeFileSync(join(path, 'linked-face-pb', 'take.json'), record.replace('"whole"', '"recording"'));
  cpSync(join(path, id), join(elsewhere, 'folder'), { recursive: true });
  symlinkSync(join(elsewhere, 'folder'), join(path, 'linked-folder'));
  const again = await openIn(path);
  const listed = again.list();
  expect(JSON.stringify(listed)).not.toContain('SECRET');
  expect(listed.filter(({ damaged }) => damaged === '').map((take) => take.id)).toEqual([id]);
  expect(listed.filter(({ damaged }) => /link/.test(inEnglish(damaged))).length).toBe(4);
  for (const name of ['audio.wav', 'face.pb'])
    expect(readFileSync(join(elsewhere, name), 'utf8')).toBe(secret);
  // A link that takes the place of a file later is not followed either.
  rmSync(join(path, id, 'audio.wav'));
  symlinkSync(join(elsewhere, 'audio.wav'), join(path, id, 'audio.wav'));
  expect(await again.file(id, 'audio')).toBeNull();
  await expect(again.audio(id)).rejects.toMatchObject({ code: 'storage' });
});

test('a recording that is ended twice at once is whole', async () => {
  const takes = await openIn(folder());
  const recorder = await takes.start(beginning);
  recorder.sound(new Float32Array(4800));
  const ends = await Promise.all([
    recorder.finish({ latency: { p50: 1, p95: 2 } }),
    recorder.finish({ latency: null }),
  ]);
  expect(ends.map(({ state, seconds }) => [state, seconds])).toEqual([
    ['whole', 0.1],
    ['whole', 0.1],
  ]);
  expect(takes.list()).toMatchObject([{ recovered: false, latency: { p50: 1, p95: 2 } }]);
});

test('a recording that a crash cut off is whole again at the next start', async () => {
  const path = folder();
  const takes = await openIn(path);
  const recorder = await takes.start(beginning);
  recorder.sound(new Float32Array(24_000).fill(0.25));
  recorder.face({ arrivedAt: 0, tier: 'local', message: header });
  recorder.face({ arrivedAt: 0, tier: 'local', message: frame(0) });
  await expect.poll(() => readFileSync(join(path, recorder.id, 'face.pb')).length).toBeGreaterThan(60);
  await expect.poll(() => readFileSync(join(path, recorder.id, 'audio.wav')).length).toBe(58 + 96_000);
  // Half a sample, half a message: where the power went.
  appendFileSync(join(path, recorder.id, 'audio.wav'), Buffer.alloc(3));
  appendFileSync(join(path, recorder.id, 'face.pb'), Buffer.from([200, 1, 9, 9]));
  const again = await openIn(path);
  expect(again.list()[0]).toMatchObject({ id: recorder.id, recovered: true, seconds: 0.5, tiers: ['local'] });
  const { samples } = readWavSound(await again.audio(recorder.id));
  expect(samples).toHaveLength(24_000);
  expect((await again.faces(recorder.id))[0]!.frames).toHaveLength(1);
  await recorder.finish({ latency: null });
});

describe('what of a face did not come while it was recorded', () => {
  /** A second of sound, with a face (jaw .5) up to .3 s and from .8 s on. */
  const record = async (takes: Takes): Promise<string> => {
    const recorder = await takes.start(beginning);
    recorder.sound(new Float32Array(48_000).fill(0.1));
    recorder.face({ arrivedAt: 0, tier: 'local', message: header });
    for (let index = 0; index < 60; index++) {
      if (index > 18 && index < 48) continue;
      recorder.face({ arrivedAt: 1, tier: 'local', message: frame(index / 60) });
    }
    await recorder.finish({ latency: null });
    return recorder.id;
  };
  /** Of a sound of one second: jaw 1, head turned. */
  const speak = async ({ samples, sampleRate }: Sound): Promise<TakeFace> => {
    expect(samples.length / sampleRate).toBe(1);
    return {
      tier: 'local',
      channelNames: ['jawOpen', 'mouthPucker'],
      frameRate: 60,
      frames: Array.from({ length: 60 }, (_, index) => ({
        kind: 'frame',
        index,
        timeCode: index / 60,
        weights: Float32Array.of(1, 0),
        headPose: { translation: [0, 0, 0], rotation: [0, Math.sin(0.1), 0, Math.cos(0.1)] },
        eyeGaze: undefined,
        vertices: undefined,
      })),
    };
  };

  test('is made from the sound afterwards, and cross-faded', async () => {
    const takes = await openIn(folder(), { speak });
    const id = await record(takes);
    await expect.poll(() => takes.list()[0]!.addedSeconds).toBeCloseTo(0.5, 1);
    expect(takes.list()).toMatchObject([{ missingSeconds: 0, tiers: ['local'] }]);
    const faces = await takes.faces(id);
    expect(faces.map(({ tier, frames }) => [tier, frames.length])).toEqual([
      ['local', 31],
      ['afterwards', 60],
    ]);
    const { frames } = mergedFace(faces);
    expect(frames).toHaveLength(60);
    const jaw = frames.map(({ weights }) => weights[0]!);
    expect(jaw[10]).toBeCloseTo(0.5, 5);
    expect(jaw[40]).toBeCloseTo(1, 5);
    const turn = frames.map(({ headPose }) => 2 * Math.asin(headPose!.rotation[1]));
    expect(turn[10]).toBeCloseTo(0, 5);
    expect(turn[40]).toBeCloseTo(0.2, 5);
    // A quarter of a second each way, without a jump.
    for (let index = 1; index < 60; index++) {
      expect(Math.abs(jaw[index]! - jaw[index - 1]!)).toBeLessThan(0.04);
      expect(Math.abs(turn[index]! - turn[index - 1]!)).toBeLessThan(0.02);
    }
  });

  /** Times of frames, sixty a second. */
  const every = (from: number, to: number): number[] =>
    Array.from({ length: Math.round((to - from) * 60) }, (_, index) => from + index / 60);
  test.each<[string, { local: number[]; server?: number[] }, number]>([
    ['nothing, where all came', { local: every(0, 1) }, 0],
    [
      'nothing, where a few frames were late by less than a tenth',
      { local: [...every(0, 0.5), ...every(0.58, 1)] },
      0,
    ],
    ['what lacks before the first frame', { local: every(0.25, 1) }, 0.25],
    ['what lacks after the last', { local: every(0, 0.75) }, 0.25 + 1 / 60],
    ['two gaps', { local: [...every(0, 0.2), ...every(0.4, 0.6), ...every(0.9, 1)] }, 0.5 + 2 / 60],
    ['all, where no face came', { local: [] }, 1],
    ['a gap of the built-in face under the server’s', { local: every(0.5, 1), server: every(0, 1) }, 0.5],
    ['nothing of the server’s own gaps', { local: every(0, 1), server: every(0.5, 0.6) }, 0],
    [
      'a gap that frames for times gone by come after',
      { local: [...every(0, 0.4), 0.9, 0.5, 0.7, 0.95] },
      0.5 + 1 / 60,
    ],
  ])('is counted as it is written: %s', async (_, { local, server = [] }, missing) => {
    const path = folder();
    const takes = await openIn(path);
    const recorder = await takes.start(beginning);
    recorder.sound(new Float32Array(48_000).fill(0.1));
    for (const [tier, times] of [
      ['local', local],
      ['server', server],
    ] as const) {
      if (times.length > 0) recorder.face({ arrivedAt: 0, tier, message: header });
      for (const time of times) recorder.face({ arrivedAt: 1, tier, message: frame(time) });
    }
    const file = join(path, recorder.id, 'face.pb');
    await expect
      .poll(() => readArrivals(readFileSync(file)).arrivals.length)
      .toBeGreaterThanOrEqual(local.length);
    // The sound too: a crash before it was on the disk leaves no second of which a face could be missing.
    const sound = join(path, recorder.id, 'audio.wav');
    await expect.poll(() => statSync(sound).size).toBeGreaterThanOrEqual(48_000 * 2);
    // As a crash would leave it: the next start reads it, and finds the same.
    cpSync(path, `${path}-cut`, { recursive: true });
    onTestFinished(() => rmSync(`${path}-cut`, { recursive: true, force: true }));
    const [cut] = (await openIn(`${path}-cut`)).list();
    expect(cut!.missingSeconds).toBeCloseTo(missing, 6);
    // Nothing is read for it: the file is not there any more.
    rmSync(file);
    expect((await recorder.finish({ latency: null })).missingSeconds).toBe(cut!.missingSeconds);
  });

  test('that was added, but not noted down, is not added twice', async () => {
    const path = folder();
    const takes = await openIn(path, { speak });
    const id = await record(takes);
    await expect.poll(() => takes.list()[0]!.addedSeconds).toBeGreaterThan(0);
    const size = readFileSync(join(path, id, 'face.pb')).length;
    const file = join(path, id, 'take.json');
    const noted = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...noted, missingSeconds: noted.addedSeconds, addedSeconds: 0 }));
    const again = await openIn(path, { speak });
    await again.fillAllGaps();
    expect(again.list()).toMatchObject([{ missingSeconds: 0, addedSeconds: noted.addedSeconds }]);
    expect(readFileSync(join(path, id, 'face.pb')).length).toBe(size);
  });

  test('is asked for again at the next start where it could not be made', async () => {
    const path = folder();
    const warnings: string[] = [];
    const takes = await openIn(path, { warn: (text) => warnings.push(text) });
    const id = await record(takes);
    await expect.poll(() => warnings).toHaveLength(1);
    expect(takes.list()).toMatchObject([{ addedSeconds: 0 }]);
    expect(takes.list()[0]!.missingSeconds).toBeCloseTo(0.5, 1);
    const again = await openIn(path, { speak });
    await again.fillAllGaps();
    expect(again.list()).toMatchObject([{ missingSeconds: 0 }]);
    expect(mergedFace(await again.faces(id)).frames).toHaveLength(60);
    // Nothing is missing any more, so nothing is asked for.
    await (await openIn(path)).fillAllGaps();
    expect(warnings).toHaveLength(1);
  });

  test('leaves alone what the person does meanwhile', async () => {
    const said = Promise.withResolvers<void>();
    const warnings: string[] = [];
    const ids = ['kept', 'gone'];
    const takes = await openIn(folder(), {
      randomId: () => ids.shift()!,
      speak: async (sound) => {
        await said.promise;
        return speak(sound);
      },
      warn: (text) => warnings.push(text),
    });
    const [id, other] = [await record(takes), await record(takes)];
    await expect
      .poll(() => takes.list().map(({ missingSeconds }) => missingSeconds > 0))
      .toEqual([true, true]);
    await Promise.all([
      takes.edit(id, { name: 'Better' }),
      takes.edit(id, { notes: 'loud' }),
      takes.trash(other),
    ]);
    said.resolve();
    await expect.poll(() => takes.list()[0]!.addedSeconds).toBeGreaterThan(0);
    expect(takes.list()).toMatchObject([{ id, name: 'Better', notes: 'loud' }]);
    // What is thrown away is no reason for an alarm; brought back, it is as it was.
    expect(warnings).toEqual([]);
    expect(await takes.restore(other)).toMatchObject({ addedSeconds: 0 });
  });

  test('is nothing in a take of before', async () => {
    const path = folder();
    const takes = await openIn(path);
    const recorder = await takes.start(beginning);
    recorder.sound(new Float32Array(480));
    await recorder.finish({ latency: null });
    const file = join(path, recorder.id, 'take.json');
    const { missingSeconds, addedSeconds, ...before } = JSON.parse(readFileSync(file, 'utf8'));
    expect([missingSeconds, addedSeconds]).toEqual([0, 0]);
    writeFileSync(file, JSON.stringify(before));
    expect((await openIn(path)).list()).toMatchObject([{ missingSeconds: 0, addedSeconds: 0 }]);
  });
});

test('a take is renamed, trashed and brought back', async () => {
  const path = folder();
  const takes = await openIn(path);
  const recorder = await takes.start(beginning);
  await recorder.finish({ latency: null });
  await takes.edit(recorder.id, { name: '../../etc' });
  expect((await openIn(path)).list()[0]!.name).toBe('../../etc');
  await takes.trash(recorder.id);
  expect(takes.list()).toEqual([]);
  expect((await openIn(path)).list()).toEqual([]);
  await takes.restore(recorder.id);
  expect(takes.list()).toHaveLength(1);
  await expect(takes.trash('nothing')).rejects.toMatchObject({ code: 'not_found' });
});

test('a recording that ended before its first sample is an empty take', async () => {
  const path = folder();
  for (const missing of [['audio.wav', 'face.pb'], ['face.pb'], []]) {
    const takes = await openIn(path);
    const recorder = await takes.start(beginning);
    for (const file of missing) rmSync(join(path, recorder.id, file));
    const again = await openIn(path);
    expect(again.list()).toMatchObject([{ recovered: true, seconds: 0, damaged: '' }]);
    await again.erase([recorder.id]);
  }
});

test('a damaged take is left alone and does not hide the others', async () => {
  const path = folder();
  const takes = await openIn(path);
  const recorder = await takes.start(beginning);
  await recorder.finish({ latency: null });
  const bad = await startRecording(join(path, 'bad'), {
    ...beginning,
    attempt: null,
    schemaVersion: 1,
    id: 'bad',
    rating: 0,
    tags: [],
    createdAt: 0,
    state: 'whole',
    seconds: 0,
    tiers: [],
    tracker: '',
    missingSeconds: 0,
    addedSeconds: 0,
    latency: null,
    script: null,
    secondHearing: 'none',
    shownFace: 'live',
    jaw: 1,
    lips: 1,
    noise: 'auto',
  });
  await bad.finish({ latency: null });
  writeFileSync(join(path, 'bad', 'take.json'), '{"schemaVersion": 1');
  expect(
    (await openIn(path))
      .list()
      .filter(({ damaged }) => !damaged)
      .map(({ id }) => id),
  ).toEqual([recorder.id]);
});

const face: PlayableFace = mergedFace([
  {
    tier: 'local',
    channelNames: arkitBlendshapeNames,
    frameRate: 60,
    frames: [0, 1, 2].map((index) => ({
      kind: 'frame',
      index,
      timeCode: index / 60,
      weights: Float32Array.from(arkitBlendshapeNames, (_, channel) => channel / 100),
      headPose: { translation: [0, 0, 0], rotation: [0, Math.sin(0.05), 0, Math.cos(0.05)] },
      eyeGaze: { leftYaw: 0.1, leftPitch: 0.2, rightYaw: 0.3, rightPitch: 0.4 },
      vertices: undefined,
    })),
  },
]);

test('Live Link Face CSV has the columns, order and time codes of the phone app', () => {
  const [head, ...rows] = [...liveLinkCsv(face, 10)].join('').trim().split('\n');
  const columns = head!.split(',');
  expect(columns).toHaveLength(63);
  expect(columns.slice(0, 3)).toEqual(['Timecode', 'BlendshapeCount', 'EyeBlinkLeft']);
  expect(columns.slice(16, 20)).toEqual(['JawForward', 'JawRight', 'JawLeft', 'JawOpen']);
  expect(columns.slice(23, 25)).toEqual(['MouthRight', 'MouthLeft']);
  expect(columns.slice(53, 57)).toEqual(['TongueOut', 'HeadYaw', 'HeadPitch', 'HeadRoll']);
  expect(timecode(3 * 3600 + 4 * 60 + 5 + 7 / 60, 60)).toBe('03:04:05:07.000');
  expect(timecode(59.99999999, 60)).toBe('00:01:00:00.000');
  expect(timecode(1 + 1 / 120, 60)).toBe('00:00:01:00.500');

  const values = rows[1]!.split(',');
  expect(rows).toHaveLength(3);
  expect(values).toHaveLength(63);
  expect(values.slice(0, 2)).toEqual(['00:00:10:01.000', '61']);
  const of = (name: string): number => Number(values[columns.indexOf(name)]);
  expect(of('JawRight')).toBeCloseTo(arkitBlendshapeNames.indexOf('jawRight') / 100, 6);
  expect(of('MouthLeft')).toBeCloseTo(arkitBlendshapeNames.indexOf('mouthLeft') / 100, 6);
  // Turned to the face's own left, eyes to the left and up: as in the app's recordings, all of it is
  // negative.
  expect(of('HeadYaw')).toBeCloseTo(-0.1, 6);
  expect(of('LeftEyeYaw')).toBeCloseTo(-0.1, 6);
  expect(of('RightEyePitch')).toBeCloseTo(-0.4, 6);
  expect(rows[1]).not.toContain('-0.0000000000');

  // 25 frames a second, in the app's time codes of 30: Unreal takes all that never passes 30 for it.
  const slow = {
    ...face,
    frameRate: 25,
    frames: face.frames.map((one, at) => ({ ...ownFrame(one), timeCode: at / 25 })),
  };
  const codes = [...liveLinkCsv(slow, 0)]
    .join('')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.split(',')[0]);
  expect(codes).toEqual(['00:00:00:00.000', '00:00:00:01.200', '00:00:00:02.400']);
});

async function animatedGlb(head: Uint8Array, name: string, spoken = face): Promise<Uint8Array> {
  const document = await readHead(head);
  addTake(document, spoken, name);
  return writeHead(document);
}

test('a head with a take in it passes the glTF validator and moves what it names', async () => {
  const glb = await animatedGlb(tinyHead(), 'Hello');
  const report = await validateBytes(glb);
  expect(report.issues.numErrors).toBe(0);
  expect(report.issues.numWarnings).toBe(0);
  const json = glbJson<{
    animations: { name: string; channels: { target: { node: number; path: string } }[] }[];
  }>(glb);
  expect(json.animations[0]!.name).toBe('Hello');
  expect(json.animations[0]!.channels.map(({ target }) => target.path)).toEqual([
    'weights',
    'rotation',
    'translation',
  ]);
});

test.each(['ARKit', 'Oculus'])(
  'the default head with %s names takes a take, and the validator passes it',
  async (names) => {
    const head = readFileSync(join(import.meta.dirname, '../../../out/main/default-head.glb'));
    const document = await readHead(head);
    if (names === 'Oculus')
      for (const mesh of document.getRoot().listMeshes())
        setTargetNames(
          mesh,
          targetNames(mesh).map((name) => (name.startsWith('viseme_') ? name : `x_${name}`)),
        );
    const spoken =
      names === 'ARKit' ? face : { ...face, channelNames: [...oculusVisemeNames, ...Array(37).fill('')] };
    addTake(document, spoken, 'Hello');
    const { issues } = await validateBytes(await writeHead(document));
    expect(issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
  },
);

test('a file that is no head, or has no face, is refused with a reason', async () => {
  await expect(animatedGlb(Buffer.from('not a head at all, really'), 'x')).rejects.toThrow(/GLB/);
  await expect(animatedGlb(tinyHead(['smile']), 'x')).rejects.toThrow(/no morph targets/);
  await expect(animatedGlb(tinyHead(), 'x', { ...face, frames: [] })).rejects.toThrow(/no face/);
});

test('the server’s face takes over where it came, and gives back where it did not', () => {
  const frames = (count: number, weight: number, from = 0): TakeFace['frames'] =>
    Array.from({ length: count }, (_, index) => ({
      kind: 'frame',
      index,
      timeCode: from + index / 60,
      weights: Float32Array.of(weight),
      headPose: undefined,
      eyeGaze: undefined,
      vertices: undefined,
    }));
  const merged = mergedFace([
    { tier: 'local', channelNames: ['jawOpen'], frameRate: 60, frames: frames(180, 0) },
    { tier: 'server', channelNames: ['jawOpen'], frameRate: 60, frames: frames(60, 1, 1) },
  ]);
  const at = (seconds: number): number => merged.frames[Math.round(seconds * 60)]!.weights[0]!;
  expect(at(0.5)).toBe(0);
  expect(at(1.6)).toBeCloseTo(1, 5);
  expect(at(2.9)).toBe(0);
  for (let index = 1; index < 180; index++) {
    expect(Math.abs(merged.frames[index]!.weights[0]! - merged.frames[index - 1]!.weights[0]!)).toBeLessThan(
      0.08,
    );
  }
});

test('a take stream that is damaged is read as far as it is whole', () => {
  expect(facesOf(readArrivals(Buffer.from([1, 2, 3])).arrivals)).toEqual([]);
  expect(readArrivals(new Uint8Array(0))).toEqual({ arrivals: [], wholeBytes: 0 });
});

test('WAV files of many kinds are read', () => {
  const sound = { sampleRate: 16_000, samples: Float32Array.of(0, 0.5, -0.5, 1) };
  expect(readWavSound(encodeWav(sound))).toEqual(sound);
  expect(() => readWavSound(Buffer.from('no'))).toThrow(/not a WAV/);
});

/** A triangle with two morph targets on a node, and a bone called Head. */
function tinyHead(targetNames = ['jawOpen', 'mouthPucker']): Buffer {
  const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
  const bin = Buffer.concat([Buffer.from(positions.buffer), Buffer.alloc(36)]);
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0, 1] }],
    nodes: [{ mesh: 0, name: 'Skin' }, { name: 'Head' }],
    meshes: [
      {
        primitives: [{ attributes: { POSITION: 0 }, targets: targetNames.map(() => ({ POSITION: 1 })) }],
        weights: targetNames.map(() => 0),
        extras: { targetNames },
      },
    ],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] },
      { bufferView: 1, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [0, 0, 0] },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 36 },
      { buffer: 0, byteOffset: 36, byteLength: 36 },
    ],
    buffers: [{ byteLength: bin.length }],
  };
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, 0x20)]);
  const head = Buffer.alloc(20);
  head.writeUInt32LE(0x46546c67, 0);
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(28 + padded.length + bin.length, 8);
  head.writeUInt32LE(padded.length, 12);
  head.write('JSON', 16);
  const binHead = Buffer.alloc(8);
  binHead.writeUInt32LE(bin.length, 0);
  binHead.write('BIN\0', 4, 'latin1');
  return Buffer.concat([head, padded, binHead, bin]);
}

test('an erased head is forgotten by its takes, also by those in the trash', async () => {
  const path = folder();
  const takes = await openIn(path);
  const kept = await takes.start({ ...beginning, model: 'erased-head' });
  kept.sound(new Float32Array(4800));
  await kept.finish({ latency: null });
  const [take] = takes.list();
  await takes.forgetModels(new Set(['another-head']));
  expect(takes.record(take?.id ?? '').model).toBe('erased-head');
  await takes.trash(take?.id ?? '');
  await takes.forgetModels(new Set(['erased-head']));
  const restored = await takes.restore(take?.id ?? '');
  expect(takes.record(restored.id).model).toBe('');
  await expect(openIn(path).then((again) => again.record(restored.id).model)).resolves.toBe('');
});

test('what is in the trash is listed, and erased for good', async () => {
  const path = folder();
  let number = 0;
  const takes = await openIn(path, { randomId: () => String(++number) });
  const record = async (): Promise<string> => {
    const recorder = await takes.start(beginning);
    recorder.sound(new Float32Array(4800));
    return (await recorder.finish({ latency: null })).id;
  };
  const ids = [await record(), await record(), await record()];
  for (const id of ids) await takes.trash(id);
  expect((await takes.trashed()).map(({ id }) => id).sort()).toEqual(ids.toSorted());
  expect(await takes.erase([ids[0] ?? '', 'unknown', '../..'])).toBe(1);
  await expect(takes.restore(ids[0] ?? '')).rejects.toMatchObject({ code: 'not_found' });
  await takes.restore(ids[1] ?? '');
  expect(await takes.emptyTrash()).toBe(1);
  expect(await takes.trashed()).toEqual([]);
  expect(takes.list().map(({ id }) => id)).toEqual([ids[1]]);
  expect(await takes.erase([ids[1] ?? ''])).toBe(1);
  expect(readdirSync(path)).toEqual([]);

  const recorder = await takes.start(beginning);
  await expect(takes.erase([recorder.id])).rejects.toMatchObject({ code: 'conflict' });
  await recorder.finish({ latency: null });
});
