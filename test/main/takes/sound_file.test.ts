/** Sound files as recorders and editors leave them. ffmpeg makes and reads some, where it is installed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Failure } from '@likeness/node-kit/failure.ts';
import { encodeWav } from '@likeness/proto/wav.ts';
import { expect, onTestFinished, test } from 'vitest';
import { monoSoundFile, readSoundFile, soundSeconds } from '../../../main/takes/sound/sound_file.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

function written(name: string, bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-sound-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}
/** A second of a tone, whole frames of interleaved samples. */
const tone = (rate: number, gains = [0.5]): Float32Array =>
  Float32Array.from(
    { length: rate * gains.length },
    (_, at) =>
      gains[at % gains.length]! * Math.sin(Math.floor(at / gains.length) * ((2 * Math.PI * 220) / rate)),
  );
function wav(samples: Float32Array, sampleRate: number, channels = 1): Buffer {
  const bytes = Buffer.from(encodeWav({ sampleRate, samples }));
  bytes.writeUInt16LE(channels, 22);
  bytes.writeUInt32LE(sampleRate * channels * 4, 28);
  bytes.writeUInt16LE(channels * 4, 32);
  return bytes;
}
const peak = (samples: Float32Array): number => samples.reduce((max, one) => Math.max(max, Math.abs(one)), 0);
const byFfmpeg = (source: string, name: string, ...options: string[]): string => {
  const made = join(source, '..', name);
  const run = spawnSync('ffmpeg', ['-v', 'error', '-i', source, ...options, made]);
  expect(run.stderr.toString()).toBe('');
  return made;
};

test('a file whose sizes were never written is read to its end, in a dry run too', async () => {
  const bytes = wav(tone(8000), 8000);
  bytes.writeUInt32LE(0, 4);
  bytes.writeUInt32LE(0, 54);
  const path = written('a.wav', bytes);
  expect(await soundSeconds(path)).toBe(1);
  expect((await readSoundFile(path)).samples.length).toBe(8000);
});

test('a file without a sample is refused, in a dry run too', async () => {
  const path = written('a.wav', wav(new Float32Array(0), 8000));
  await expect(soundSeconds(path)).rejects.toThrow('no sound');
  await expect(readSoundFile(path)).rejects.toThrow('no sound');
});

test.each([192_000, 4000])('sound of %i Hz comes at a rate that the engine takes', async (rate) => {
  const path = written('a.wav', wav(tone(rate), rate));
  const { sampleRate, samples } = await readSoundFile(path);
  expect([sampleRate, samples.length, await soundSeconds(path)]).toEqual([48_000, 48_000, 1]);
  expect(peak(samples)).toBeCloseTo(0.5, 1);
});

test('channels that cancel each other leave the voice', async () => {
  const { samples } = await readSoundFile(written('a.wav', wav(tone(48_000, [0.5, -0.5]), 48_000, 2)));
  expect(samples.length).toBe(48_000);
  expect(peak(samples)).toBeCloseTo(0.5, 2);
});

test.each([32_767, 8_388_607, 2 ** 31])('floats of whole numbers up to %i become −1..1', async (range) => {
  const path = written(
    'a.wav',
    wav(
      tone(8000).map((sample) => sample * range),
      8000,
    ),
  );
  expect(peak((await readSoundFile(path)).samples)).toBeCloseTo(0.5, 3);
});

test('floats that are too loud, as recorders make them, stay as they are', async () => {
  expect(peak((await readSoundFile(written('a.wav', wav(tone(8000, [4]), 8000)))).samples)).toBeCloseTo(4, 2);
});

test('a WAV file in an encoding of its own names ffmpeg where it is not installed', async () => {
  const bytes = wav(tone(8000), 8000);
  bytes.writeUInt16LE(7, 20);
  bytes.writeUInt16LE(8, 34);
  const path = written('a.wav', bytes);
  const before = process.env.PATH;
  process.env.PATH = '';
  const refused = await readSoundFile(path).catch((error: Failure) => error);
  process.env.PATH = before;
  expect(refused).toMatchObject({
    code: 'unsupported',
    message: '“a.wav” is a WAV file in an encoding that needs ffmpeg, and ffmpeg is not installed.',
  });
});

test.runIf(hasFfmpeg).each(['pcm_mulaw', 'pcm_alaw', 'adpcm_ima_wav', 'adpcm_ms'])(
  'WAV of %s is read by ffmpeg',
  async (codec) => {
    const made = byFfmpeg(written('a.wav', wav(tone(8000), 8000)), 'made.wav', '-c:a', codec);
    const { sampleRate, samples } = await readSoundFile(made);
    expect(samples.length / sampleRate).toBeCloseTo(1, 1);
    expect(peak(samples)).toBeCloseTo(0.5, 1);
  },
);

test.runIf(hasFfmpeg)('channels that cancel each other leave the voice where ffmpeg reads them', async () => {
  const source = written('a.wav', wav(tone(48_000, [0.5, -0.5]), 48_000, 2));
  expect(peak((await readSoundFile(byFfmpeg(source, 'made.flac'))).samples)).toBeCloseTo(0.5, 1);
});

test.runIf(hasFfmpeg).each(['m4a', 'mp4', 'mkv', 'mov'])(
  'silence stands before sound that begins late in %s',
  async (kind) => {
    const source = written('a.wav', wav(tone(48_000), 48_000));
    const late = join(source, '..', `late.${kind}`);
    const run = spawnSync('ffmpeg', ['-v', 'error', '-itsoffset', '0.75', '-i', source, '-c:a', 'aac', late]);
    expect(run.stderr.toString()).toBe('');
    const { sampleRate, samples } = await readSoundFile(late);
    const first = samples.findIndex((sample) => Math.abs(sample) > 0.1) / sampleRate;
    expect(first).toBeGreaterThan(0.7);
    expect(first).toBeLessThan(0.8);
    const path = join(source, '..', 'mono.wav');
    expect((await monoSoundFile(late, path)).samples).toBe(samples.length);
  },
);

/** A tone after a quarter of a second of silence, of a second in all. */
const laterTone = (): string => written('a.wav', wav(tone(48_000).fill(0, 0, 12_000), 48_000));
const firstSound = (samples: Float32Array): number =>
  samples.findIndex((sample) => Math.abs(sample) > 0.1) / 48_000;

test.runIf(hasFfmpeg).each([
  ['mp3', 'libmp3lame'],
  ['m4a', 'aac'],
  ['mov', 'aac'],
  ['opus', 'libopus'],
  ['webm', 'libopus'],
  ['mp4', 'libopus'],
  ['ogg', 'libvorbis'],
  ['webm', 'libvorbis'],
  ['flac', 'flac'],
])('an encoder’s delay is no part of the sound: %s by %s', async (kind, codec) => {
  const { samples } = await readSoundFile(byFfmpeg(laterTone(), `made.${kind}`, '-c:a', codec));
  expect(firstSound(samples)).toBeGreaterThan(0.248);
  expect(firstSound(samples)).toBeLessThan(0.252);
  // MP4 ends with whole packets.
  expect(Math.abs(samples.length - 48_000)).toBeLessThanOrEqual(1024);
});

/** A box of an MP4 file. */
function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + Buffer.concat(parts).length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, ...parts]);
}

test.runIf(hasFfmpeg)('nor is it where iTunes has noted it', async () => {
  const made = byFfmpeg(laterTone(), 'made.m4a', '-c:a', 'aac', '-use_editlist', '0');
  const file = readFileSync(made);
  const before = await readSoundFile(made);
  const none = Buffer.alloc(4);
  const note = box(
    '----',
    box('mean', none, Buffer.from('com.apple.iTunes')),
    box('name', none, Buffer.from('iTunSMPB')),
    box('data', Buffer.of(0, 0, 0, 1), none, Buffer.from(' 00000000 00000400 00000000 000000000000BB80')),
  );
  const handler = box('hdlr', none, none, Buffer.from('mdirappl'), Buffer.alloc(9));
  const added = box('udta', box('meta', none, handler, box('ilst', note)));
  // The head lies at the end of the file.
  const head = file.lastIndexOf('moov') - 4;
  file.writeUInt32BE(file.readUInt32BE(head) + added.length, head);
  const { samples } = await readSoundFile(written('noted.m4a', Buffer.concat([file, added])));
  expect(before.samples.length - samples.length).toBe(1024);
  expect(firstSound(before.samples) - firstSound(samples)).toBeCloseTo(1024 / 48_000, 4);
  expect(firstSound(samples)).toBeCloseTo(0.25, 2);
});

test('a file that ffmpeg has to read names it where it is not installed', async () => {
  const fixture = join(import.meta.dirname, '../../fixtures/sounds/tone.m4a');
  const path = process.env.PATH;
  process.env.PATH = '';
  const refused = await readSoundFile(fixture).catch((error: Failure) => error);
  process.env.PATH = path;
  expect(refused).toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining('ffmpeg is not installed'),
  });
});
