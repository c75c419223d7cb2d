/** `likeness talk` on real sound files. Those that are no WAV are made by ffmpeg, where it is installed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TakeFace } from '#proto/take_stream.ts';
import { encodeWav, type Sound } from '#proto/wav.ts';
import { readSoundFile } from '../../../main/takes/sound_file.ts';
import { talk } from '../../../main/takes/talk.ts';
import { readWavSound } from '../../../main/takes/wav_file.ts';

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
if (!hasFfmpeg)
  console.log('MP3, FLAC, OGG and M4A on the command line are not tried: ffmpeg is not installed.');

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'likeness-talk-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
/** A second of 440 Hz. */
const tone = (sampleRate: number): Sound => ({
  sampleRate,
  samples: Float32Array.from(
    { length: sampleRate },
    (_, at) => Math.sin((2 * Math.PI * 440 * at) / sampleRate) / 2,
  ),
});
const still: TakeFace = { tier: 'local', channelNames: ['jawOpen'], frameRate: 60, frames: [] };
const talkInto = async (out: string, audio: string[]): Promise<string[][]> => {
  const written: string[][] = [];
  await talk({
    sounds: audio.map((file) => ({ file, script: null, isNamed: false })),
    head: async () => Buffer.alloc(0),
    out,
    formats: ['jsonl'],
    makeFace: async () => ({ face: still, alignment: null, problem: '' }),
    convertTake: () => Promise.reject(new Error('JSON lines need no head')),
    clock: () => 0,
    onDone: ({ written: files }) => written.push([...files]),
  });
  return written;
};

test('a recording is never written over by what is made of it', async () => {
  const here = folder();
  const original = encodeWav(tone(16_000));
  writeFileSync(join(here, 'voice.wav'), original);
  expect(await talkInto(here, [join(here, 'voice.wav')])).toEqual([['voice.jsonl']]);
  expect(readFileSync(join(here, 'voice.wav')).equals(original)).toBe(true);
});

test('two files of one name from two folders both get their results', async () => {
  const [one, other, out] = [folder(), folder(), folder()];
  for (const place of [one, other]) writeFileSync(join(place, 'voice.wav'), encodeWav(tone(16_000)));
  await talkInto(out, [join(one, 'voice.wav'), join(other, 'voice.wav')]);
  expect(readdirSync(out).sort()).toEqual(['voice-2.jsonl', 'voice-2.wav', 'voice.jsonl', 'voice.wav']);
});

test.runIf(hasFfmpeg).each(['mp3', 'flac', 'ogg', 'opus', 'm4a'])(
  '%s is decoded at its own speed and pitch',
  async (kind) => {
    const here = folder();
    writeFileSync(join(here, 'tone.wav'), encodeWav(tone(44_100)));
    // A dash first, and a colon: a file's name is neither an option nor a protocol.
    const name = `-a: tone.${kind}`;
    const made = spawnSync('ffmpeg', ['-v', 'error', '-i', 'tone.wav', '-ac', '2', `file:${name}`], {
      cwd: here,
    });
    expect(made.stderr.toString()).toBe('');
    const { sampleRate, samples } = await readSoundFile(join(here, name));
    expect(samples.length / sampleRate).toBeGreaterThan(0.99);
    expect(samples.length / sampleRate).toBeLessThan(1.1);
    let crossings = 0;
    for (let at = sampleRate / 4; at < (sampleRate * 3) / 4; at++)
      if (samples[at]! < 0 && samples[at + 1]! >= 0) crossings += 1;
    expect(Math.abs(crossings - 220)).toBeLessThanOrEqual(1);
  },
);

test('what is no sound is refused with its name and what to do', async () => {
  const here = folder();
  writeFileSync(join(here, 'notes.mp3'), 'not a sound');
  writeFileSync(join(here, 'broken.wav'), 'RIFF....WAVE');
  await expect(readSoundFile(join(here, 'notes.mp3'))).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining('notes.mp3'),
  });
  await expect(readSoundFile(join(here, 'broken.wav'))).rejects.toMatchObject({ code: 'unsupported' });
  await expect(readSoundFile(join(here, 'nowhere.wav'))).rejects.toMatchObject({ code: 'not_found' });
});

test('without ffmpeg it is said what is missing', async () => {
  const here = folder();
  writeFileSync(join(here, 'voice.mp3'), 'ID3');
  const path = process.env.PATH;
  process.env.PATH = here;
  onTestFinished(() => {
    process.env.PATH = path;
  });
  await expect(readSoundFile(join(here, 'voice.mp3'))).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining('ffmpeg is not installed'),
    hint: expect.stringContaining('Takes'),
  });
});

test('a WAV file is read without ffmpeg', async () => {
  const here = folder();
  writeFileSync(join(here, 'voice.wav'), encodeWav(tone(8000)));
  expect(await readSoundFile(join(here, 'voice.wav'))).toEqual(readWavSound(encodeWav(tone(8000))));
});
