import { MonoMixer, StreamMixer } from '@likeness/proto/mono_mixer.ts';
import { expect, test } from 'vitest';

const voice = Float32Array.from({ length: 4000 }, (_, at) => Math.sin(at / 7) * Math.sin(at / 900));
const noise = Float32Array.from(voice, (_, at) => ((at * 7919) % 1000) / 1000 - 0.5);
const interleaved = (...channels: ((at: number) => number)[]): Float32Array =>
  Float32Array.from({ length: voice.length * channels.length }, (_, at) =>
    channels[at % channels.length]!(Math.floor(at / channels.length)),
  );
const mixed = (samples: Float32Array, channels: number): number[] => [
  ...new MonoMixer(channels).push(samples),
];
const near = (expected: (at: number) => number) => [...voice].map((_, at) => expect.closeTo(expected(at), 5));

test.each<[string, (at: number) => number, ((at: number) => number)[]]>([
  ['the mean of two', (at) => (voice[at]! + noise[at]!) / 2, [(at) => voice[at]!, (at) => noise[at]!]],
  ['the mean where one is silent', (at) => voice[at]! / 2, [(at) => voice[at]!, () => 0]],
  [
    'one of two where the other is it inverted',
    (at) => voice[at]!,
    [(at) => voice[at]!, (at) => -voice[at]!],
  ],
  [
    'the louder one where the other is it inverted, and quieter',
    (at) => -voice[at]!,
    [(at) => voice[at]! * 0.8, (at) => -voice[at]!],
  ],
  [
    'one of two where noise is all that their mean has',
    (at) => voice[at]! + noise[at]! / 10,
    [(at) => voice[at]! + noise[at]! / 10, (at) => -voice[at]! + noise[(at * 3) % 4000]! / 10],
  ],
  [
    'the only one of eight that has sound',
    (at) => voice[at]!,
    [...Array(7).fill(() => 0), (at: number) => voice[at]!],
  ],
  ['silence', () => 0, [() => 0, () => 0]],
])('channels become %s', (_, expected, channels) => {
  expect(mixed(interleaved(...channels), channels.length)).toEqual(near(expected));
});

test('of channels each by itself comes the same, and a value that is no number is silence', () => {
  const planar = [voice, voice.map((sample) => -sample)];
  expect([...new MonoMixer(2).pushPlanar(planar)]).toEqual([...voice]);
  expect(mixed(Float32Array.of(Number.NaN, 0.5, 0.5, 0.5), 2)).toEqual([0.25, 0.5]);
});

test('block by block the mix changes without a step', () => {
  const mixer = new MonoMixer(2);
  mixer.push(Float32Array.of(0.001, 0.001, 0.001, 0.001));
  const block = mixer.push(
    interleaved(
      (at) => voice[at]!,
      (at) => -voice[at]!,
    ),
  );
  expect(block[0]).toBeCloseTo(0, 5);
  expect([...block.subarray(256)]).toEqual(
    [...voice.subarray(256)].map((sample) => expect.closeTo(sample, 5)),
  );
});

test('a voice after silence is whole from its first sample on', () => {
  const mixer = new MonoMixer(2);
  mixer.push(new Float32Array(200));
  expect([...mixer.push(Float32Array.of(0.5, -0.5, 0.25, -0.25))]).toEqual([0.5, 0.25]);
});

test.each([1, 7, 480, 5000])('a stream becomes the same mix from pieces of %i samples', (piece) => {
  const inverted = interleaved(
    (at) => voice[at]!,
    (at) => -voice[at]!,
  );
  const mixer = new StreamMixer(2, 16_000);
  const parts: number[] = [];
  for (let at = 0; at < inverted.length; at += piece)
    parts.push(...mixer.push(inverted.subarray(at, at + piece)));
  // Blocks have 80 frames.
  expect(parts).toHaveLength(4000);
  parts.push(...mixer.push(Float32Array.of(0.5, -0.5, 0.25)), ...mixer.end());
  expect(parts).toEqual([...voice, 0.5]);
});
