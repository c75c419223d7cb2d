/** Folders that a crash left without a record: what was recorded becomes a take, what holds nothing goes. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeBareMessage } from '@likeness/proto/face_stream.ts';
import { wavHead } from '@likeness/proto/wav.ts';
import { expect, onTestFinished, test } from 'vitest';
import { readWavSound } from '../../../main/takes/sound/wav_file.ts';
import { openTakes, takeBeginning } from '../../support/recorded_takes.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'likeness-no-record-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

const id = '2026-11-23T21-43-25-120Z-r7';
const half = '.likeness-0123456789abcdef.part';
const head = wavHead(48_000, 0, 'f32le');

const leftovers: readonly (readonly [string, Readonly<Record<string, string | Uint8Array>>])[] = [
  ['nothing at all', {}],
  ['half a record', { [half]: '{"schemaVersion": 1, "id"' }],
  ['sound and face that had not begun', { 'audio.wav': '', 'face.pb': '' }],
  ['the head of a sound', { 'audio.wav': head, 'face.pb': '', [half]: '' }],
];

test.each(leftovers)('a recording that left %s is cleared away without a word', async (_what, files) => {
  const path = folder();
  mkdirSync(join(path, id));
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(path, id, name), bytes);
  const warnings: string[] = [];
  const takes = await openTakes(path, { warn: (text) => warnings.push(text) });
  expect([takes.list(), warnings, readdirSync(path)]).toEqual([[], [], []]);
});

const kept: readonly (readonly [string, string, (at: string) => void])[] = [
  ['of a person’s own', 'holiday-pictures', (at) => mkdirSync(at)],
  ['with another’s file', id, (at) => mkdirSync(at) ?? writeFileSync(join(at, 'notes.txt'), 'mine')],
  ['with a folder in it', id, (at) => mkdirSync(join(at, 'attempts'), { recursive: true })],
  ['with words', id, (at) => mkdirSync(at) ?? writeFileSync(join(at, 'words.json'), '{}')],
  [
    'with a sound of another kind',
    id,
    (at) => mkdirSync(at) ?? writeFileSync(join(at, 'audio.wav'), 'x'.repeat(99)),
  ],
];

test.each(kept)('a folder %s stays as it is', async (_what, name, make) => {
  const path = folder();
  make(join(path, name));
  const before = readdirSync(join(path, name));
  const warnings: string[] = [];
  await openTakes(path, { warn: (text) => warnings.push(text) });
  expect(readdirSync(join(path, name))).toEqual(before);
  expect(warnings).toHaveLength(1);
});

test('a link in the place of a recording is not followed', async () => {
  const path = folder();
  const elsewhere = folder();
  writeFileSync(join(elsewhere, 'face.pb'), '');
  symlinkSync(elsewhere, join(path, id));
  await openTakes(path);
  expect(readdirSync(elsewhere)).toEqual(['face.pb']);
  expect(readdirSync(path)).toEqual([id]);
});

test('sound without its record becomes a take again, with its face, its time and its rates', async () => {
  const path = folder();
  const first = await openTakes(path);
  const recorder = await first.start({ ...takeBeginning, frameRate: 30, sampleRate: 44_100 });
  recorder.sound(new Float32Array(22_050).fill(0.25));
  const say = (message: Parameters<typeof encodeBareMessage>[0]): void =>
    recorder.face({ arrivedAt: 0, tier: 'local', message: encodeBareMessage(message) });
  say({ kind: 'header', traceId: 't', frameRate: 30, channelNames: ['jawOpen'], mesh: undefined });
  const rest = { headPose: undefined, eyeGaze: undefined, vertices: undefined };
  say({ kind: 'frame', index: 0, timeCode: 0, weights: Float32Array.of(0.5), ...rest });
  const { id: lost, createdAt } = await recorder.finish({ latency: null });
  rmSync(join(path, lost, 'take.json'));

  const warnings: string[] = [];
  const takes = await openTakes(path, { warn: (text) => warnings.push(text) });
  const record = { id: lost, createdAt, seconds: 0.5, frameRate: 30, recovered: true, damaged: '' };
  expect(takes.list()).toMatchObject([record]);
  expect(warnings).toEqual([]);
  const { sampleRate, samples } = readWavSound(await takes.audio(lost));
  expect([sampleRate, samples.length, samples[9]]).toEqual([44_100, 22_050, 0.25]);
  expect((await takes.faces(lost))[0]?.frames[0]?.weights).toEqual(Float32Array.of(0.5));
  // It is one for good.
  expect(JSON.parse(readFileSync(join(path, lost, 'take.json'), 'utf8'))).toMatchObject({
    state: 'recovered',
  });
});
