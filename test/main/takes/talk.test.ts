/** `likeness talk` on real sound files. Those that are no WAV are made by ffmpeg, where it is installed. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { inEnglish } from '@likeness/messages';
import type { Failure } from '@likeness/node-kit/failure.ts';
import type { SpeechAlignment } from '@likeness/proto/speech/speech_alignment.ts';
import type { PlayableFace } from '@likeness/proto/take_stream.ts';
import { encodeWav, type Sound } from '@likeness/proto/wav.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readSoundFile } from '../../../main/takes/sound/sound_file.ts';
import { readWavSound } from '../../../main/takes/sound/wav_file.ts';
import { spokenSounds } from '../../../main/takes/spoken_sounds.ts';
import { type Talked, type TalkOptions, talk } from '../../../main/takes/talk.ts';

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
const still: PlayableFace = {
  channelNames: ['jawOpen'],
  frameRate: 60,
  frames: [],
  serverShare: new Float32Array(0),
};
const talkInto = async (out: string, audio: string[]): Promise<string[][]> => {
  const written: string[][] = [];
  await talk({
    sounds: audio.map((file) => ({ file, script: null, isNamed: false })),
    head: async () => Buffer.alloc(0),
    out,
    formats: ['jsonl'],
    makeFace: async () => ({ face: still, alignment: null, problem: '' }),
    convertTake: () => Promise.reject(new Error('JSON lines need no head')),
    scratch: folder(),
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

test('the sound beside the formats is a take’s: one channel of floats, whatever it came as', async () => {
  const [here, out, scratch] = [folder(), folder(), folder()];
  // Longer than a block in which it is read; two channels of 16 bits.
  const mono = encodeWav(
    { ...tone(16_000), samples: Float32Array.from({ length: 200_001 }, (_, at) => Math.sin(at / 9)) },
    's16le',
  );
  const stereo = Buffer.from(mono);
  stereo.writeUInt16LE(2, 22);
  stereo.writeUInt16LE(4, 32);
  writeFileSync(join(here, 'voice.wav'), stereo);
  let heard: Buffer | undefined;
  await talk({
    sounds: [{ file: join(here, 'voice.wav'), script: null, isNamed: false }],
    head: async () => Buffer.alloc(0),
    out,
    scratch,
    formats: ['jsonl'],
    makeFace: async (_file, { path, sampleRate, samples }) => {
      expect([sampleRate, samples]).toEqual([16_000, 100_000]);
      heard = readFileSync(path);
      return { face: still, alignment: null, problem: '' };
    },
    convertTake: () => Promise.reject(new Error('JSON lines need no head')),
    clock: () => 0,
    onDone: ({ seconds }) => expect(seconds).toBe(6.25),
  });
  const whole = Buffer.from(encodeWav(readWavSound(stereo)));
  expect(heard?.equals(whole)).toBe(true);
  expect(readFileSync(join(out, 'voice.wav')).equals(whole)).toBe(true);
  expect(readdirSync(scratch)).toEqual([]);
});

test('two files of one name from two folders both get their results', async () => {
  const [one, other, out] = [folder(), folder(), folder()];
  for (const place of [one, other]) writeFileSync(join(place, 'voice.wav'), encodeWav(tone(16_000)));
  await talkInto(out, [join(one, 'voice.wav'), join(other, 'voice.wav')]);
  expect(readdirSync(out).sort()).toEqual(['voice-2.jsonl', 'voice-2.wav', 'voice.jsonl', 'voice.wav']);
});

test.each<[kind: string, inputs: string[], made: string[]]>([
  [
    'a number is never the name of another sound',
    ['a/voice.wav', 'b/voice.wav', 'c/voice-2.wav'],
    ['voice', 'voice-3', 'voice-2'],
  ],
  [
    'names that become one when they are made safe',
    ['a.b.wav', 'a_b.wav', 'a:b.wav'],
    ['a_b', 'a_b-2', 'a_b-3'],
  ],
  [
    'names that some disks take for one',
    ['x/Voice.wav', 'y/voice.WAV', 'z/VOICE-2.wav'],
    ['Voice', 'voice-3', 'VOICE-2'],
  ],
  [
    'names that are cut to one length',
    [`a/${'long '.repeat(30)}one.wav`, `a/${'long '.repeat(30)}two.wav`],
    ['long '.repeat(20).trim(), `${'long '.repeat(20).trim()}-2`],
  ],
])('results of one call never meet: %s', async (_, inputs, made) => {
  const [here, out] = [folder(), folder()];
  const paths = inputs.map((input) => join(here, input));
  for (const [at, path] of paths.entries()) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, encodeWav({ ...tone(8000), samples: new Float32Array(8000).fill((at + 1) / 10) }));
  }
  expect(await talkInto(out, paths)).toEqual(made.map((name) => [`${name}.jsonl`, `${name}.wav`]));
  for (const [at, name] of made.entries()) {
    const { samples } = readWavSound(readFileSync(join(out, `${name}.wav`)));
    expect(samples[0]).toBeCloseTo((at + 1) / 10, 6);
  }
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

test('a recording that is too long is told to be cut', async () => {
  const file = join(folder(), 'long.wav');
  writeFileSync(file, encodeWav({ sampleRate: 1000, samples: new Float32Array(10_801_000) }));
  await expect(readSoundFile(file)).rejects.toMatchObject({
    code: 'unsupported',
    message: '“long.wav” is longer than three hours.',
    hint: 'Split it into parts.',
  });
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

describe('words', () => {
  const aligned: SpeechAlignment = {
    verdict: 'aligned',
    words: [
      {
        text: 'Hello',
        from: 0,
        to: 5,
        language: 'en',
        start: 0.1,
        end: 0.5,
        confidence: 1,
        flag: null,
        pinned: false,
        phones: [{ phone: 'AH', start: 0.1, end: 0.5, confidence: 1 }],
      },
    ],
    unknown: [],
  };
  /** An engine that finds what it is told to find. */
  async function talkWith(out: string, more: Partial<TalkOptions> & Pick<TalkOptions, 'sounds'>) {
    const asked: (string | null)[] = [];
    const talked: Talked[] = [];
    await talk({
      head: async () => Buffer.alloc(0),
      out,
      formats: ['srt'],
      makeFace: async (_file, _sound, script) => {
        asked.push(script);
        return { face: still, alignment: script === null ? null : aligned, problem: '' };
      },
      convertTake: () => Promise.reject(new Error('subtitles need no head')),
      scratch: folder(),
      clock: () => 0,
      onDone: (one) => talked.push(one),
      ...more,
    });
    return { asked, talked };
  }
  function recordings(...names: string[]): string {
    const path = folder();
    for (const name of names) {
      writeFileSync(join(path, name), name.endsWith('.wav') ? encodeWav(tone(16_000)) : 'Hello');
    }
    return path;
  }

  test('a folder’s sounds come in their order, each with the words beside it', async () => {
    const here = recordings('b10.wav', 'b2.wav', 'b2.txt', 'notes.txt', 'b10.srt');
    expect(await spokenSounds([here], 'beside')).toEqual([
      { file: join(here, 'b2.wav'), script: join(here, 'b2.txt'), isNamed: false },
      { file: join(here, 'b10.wav'), script: join(here, 'b10.srt'), isNamed: false },
    ]);
    expect((await spokenSounds([here], 'nowhere')).map(({ script }) => script)).toEqual([null, null]);
    await expect(spokenSounds([folder()], 'beside')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('what a person takes for the same name is found, and told where several could be meant', async () => {
    const here = recordings('M\u00fcller.wav', 'talk.wav', 'two.wav', 'Mu\u0308ller.txt', 'talk.en.vtt');
    for (const name of ['two.en.srt', 'two.zh.srt']) writeFileSync(join(here, name), 'Hello');
    const found = await spokenSounds([here], 'beside');
    expect(found.map(({ script }) => script)).toEqual([
      join(here, 'Mu\u0308ller.txt'),
      join(here, 'talk.en.vtt'),
      null,
    ]);
    expect(found.map(({ remark = '' }) => inEnglish(remark))).toEqual([
      '',
      '',
      '“two.wav” has several transcripts, so none was used: two.en.srt, two.zh.srt. Choose one with --words.',
    ]);
  });

  test('what of a script is not read is told', async () => {
    const here = recordings('a.wav');
    writeFileSync(join(here, 'a.lab'), '0.0 0.5 {SL}\n0.5 1.0 Hello');
    const { asked, talked } = await talkWith(folder(), { sounds: await spokenSounds([here], 'beside') });
    expect(asked).toEqual(['Hello']);
    expect(inEnglish(talked[0]!.words!.leftOut)).toBe('“a.lab”: skipped noise marks: {SL}.');
  });

  test('scripts in a folder of their own are found by name; one file is for one sound only', async () => {
    const [sounds, scripts] = [recordings('a.wav', 'b.wav'), recordings('b.txt')];
    const found = await spokenSounds([sounds], { path: scripts });
    expect(found.map(({ script }) => script)).toEqual([null, join(scripts, 'b.txt')]);
    await expect(spokenSounds([sounds], { path: join(scripts, 'b.txt') })).rejects.toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining('folder'),
    });
    await expect(
      spokenSounds([join(sounds, 'a.wav')], { path: join(scripts, 'none.txt') }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  test('the face is made by them, and they are what subtitles hold', async () => {
    const [here, out] = [recordings('a.wav', 'a.txt'), folder()];
    const { asked, talked } = await talkWith(out, { sounds: await spokenSounds([here], 'beside') });
    expect(asked).toEqual(['Hello']);
    expect(talked[0]).toMatchObject({ words: { script: join(here, 'a.txt'), problem: '' } });
    expect(readFileSync(join(out, 'a.srt'), 'utf8')).toContain('Hello');
  });

  test('without them subtitles are refused before anything is heard', async () => {
    const [here, out] = [recordings('a.wav'), folder()];
    const faults: Failure[] = [];
    const { asked } = await talkWith(out, {
      sounds: await spokenSounds([here], 'beside'),
      onFault: (_file, failure) => faults.push(failure),
    });
    expect([asked, faults]).toEqual([[], [expect.objectContaining({ code: 'unsupported' })]]);
    expect(faults[0]?.hint).toContain('--words');
  });

  test('words of another recording: the face is made without, and told; subtitles are not made', async () => {
    const [here, out] = [recordings('a.wav', 'a.txt'), folder()];
    const sounds = await spokenSounds([here], 'beside');
    const makeFace = async () => ({
      face: still,
      alignment: { ...aligned, verdict: 'other_words' as const, words: [] },
      problem: 'Not what is said.',
    });
    const { talked } = await talkWith(out, { sounds, makeFace, formats: ['jsonl'] });
    expect(talked[0]?.words?.problem).toBe('Not what is said.');
    // Nothing is made then: not a word of a face.
    await expect(talkWith(folder(), { sounds, makeFace })).rejects.toMatchObject({
      code: 'unsupported',
      message: '“a.wav”: The transcript does not match the audio.',
    });
    const unknown = { alignment: null, problem: 'No dictionary of this language.' };
    await expect(
      talkWith(folder(), { sounds, makeFace: async () => ({ face: still, ...unknown }) }),
    ).rejects.toMatchObject({ message: '“a.wav”: No dictionary of this language.' });
  });

  test('a disk that is full is no fault of the head', async () => {
    const sounds = await spokenSounds([recordings('a.wav')], 'beside');
    const full = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    await expect(talkWith(folder(), { sounds, formats: ['glb'], convertTake: full })).rejects.toMatchObject({
      code: 'storage',
      hint: expect.not.stringContaining('--head'),
    });
  });

  test('a script is never written over, whatever is allowed', async () => {
    const here = recordings('a.wav', 'a.srt');
    const sounds = [{ file: join(here, 'a.wav'), script: join(here, 'a.srt'), isNamed: true }];
    writeFileSync(join(here, 'a.srt'), '1\n00:00:00,000 --> 00:00:01,000\nHello\n');
    await expect(talkWith(here, { sounds, overwrite: true })).rejects.toMatchObject({ code: 'conflict' });
    expect(readFileSync(join(here, 'a.srt'), 'utf8')).toMatch(/^1\n/);
  });

  test('a script that can’t be read is a fault where it was named, and told where it was found', async () => {
    const here = recordings('a.wav');
    writeFileSync(join(here, 'a.txt'), '...');
    const [found] = await spokenSounds([here], 'beside');
    const { asked, talked } = await talkWith(folder(), { sounds: [found!], formats: ['jsonl'] });
    expect(asked).toEqual([null]);
    expect(inEnglish(talked[0]!.words!.problem)).toContain('no words');
    await expect(
      talkWith(folder(), { sounds: [{ ...found!, isNamed: true }], formats: ['jsonl'] }),
    ).rejects.toMatchObject({ code: 'unsupported' });
  });
});

test('of a folder all files with an ending of sounds or films are read, in their natural order', async () => {
  const here = folder();
  const names = ['a.caf', 'b2.MOV', 'b10.webm', 'c.au', 'd.wma', 'e.aiff', 'notes.txt', 'photo.jpg'];
  for (const name of names) writeFileSync(join(here, name), '');
  const sounds = await spokenSounds([here], 'nowhere');
  expect(sounds.map(({ file }) => basename(file))).toEqual(names.slice(0, 6));
});
