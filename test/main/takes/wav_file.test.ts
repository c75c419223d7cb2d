import { readWavRequest as readWavOfEngine } from '@likeness/engine/faces/audio_data.ts';
import { facesOf, readArrivals } from '@likeness/proto/take_stream.ts';
import { encodeWav } from '@likeness/proto/wav.ts';
import { expect, test } from 'vitest';
import { readWavSound } from '../../../main/takes/sound/wav_file.ts';

const sound = encodeWav({
  sampleRate: 48_000,
  samples: Float32Array.from({ length: 480 }, (_, at) => at / 480),
});
const changed = (at: number, value: number, bytes: 2 | 4): Buffer => {
  const wav = Buffer.from(sound);
  if (bytes === 2) wav.writeUInt16LE(value, at);
  else wav.writeUInt32LE(value, at);
  return wav;
};

test.each([
  ['no rate', changed(24, 0, 4), /0 Hz/],
  ['one sample a second', changed(24, 1, 4), /1 Hz/],
  ['four thousand million samples a second', changed(24, 0xffffffff, 4), /4294967295 Hz/],
  ['no channel', changed(22, 0, 2), /0 channels/],
  ['7 bits', changed(34, 7, 2), /7 bits/],
  ['an unknown code', changed(20, 85, 2), /code 85/],
  ['nothing after its head', sound.subarray(0, 36), /no sound/],
])('a WAV file with %s is refused with what is wrong', (_, wav, says) => {
  expect(() => readWavSound(wav)).toThrow(says);
});

test('a WAV file that claims more than there is, is read as far as it goes', () => {
  expect(readWavSound(changed(54, 0xffffffff, 4)).samples.length).toBe(480);
  // More channels than there are samples: none is whole.
  expect(readWavSound(changed(22, 65_535, 2)).samples.length).toBe(0);
});

test('a WAV file of nothing but empty parts is read no further than parts may be', () => {
  const flood = Buffer.concat([sound.subarray(0, 12), Buffer.alloc(40 * 1024 * 1024)]);
  for (const read of [readWavSound, readWavOfEngine])
    expect(() => read(flood)).toThrow(/too many (parts|chunks)/);
});

test('a WAV file of hours is refused before it is spread out in memory', () => {
  const long = Buffer.concat([changed(24, 1000, 4).subarray(0, 54), Buffer.alloc(4 + 4 * 11_000_000)]);
  long.writeUInt32LE(0xffffffff, 54);
  expect(() => readWavSound(long)).toThrow(/three hours/);
});

test('samples that are no numbers become silence', () => {
  const odd = Float32Array.from([0.5, Number.NaN, Number.POSITIVE_INFINITY, -0.25]);
  expect([...readWavSound(encodeWav({ sampleRate: 48_000, samples: odd })).samples]).toEqual([
    0.5, 0, 0, -0.25,
  ]);
});

test('whatever is changed in a file, reading it ends soon, with sound or a sentence', () => {
  let seed = 11;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const thrown: unknown[] = [];
  for (let round = 0; round < 3000; round++) {
    const bytes = Buffer.from(sound.subarray(0, 60 + random(200)));
    for (let at = 0; at < 1 + random(4); at++) bytes[random(60)] = random(256);
    for (const read of [readWavSound, readWavOfEngine]) {
      try {
        read(bytes);
      } catch (error) {
        thrown.push(error);
      }
    }
    // The same bytes as a take's face: what makes no sense ends what can be read.
    expect(facesOf(readArrivals(bytes).arrivals).length).toBeLessThan(10);
  }
  expect(thrown.length).toBeGreaterThan(0);
  for (const error of thrown) expect(error).toBeInstanceOf(Error);
});
