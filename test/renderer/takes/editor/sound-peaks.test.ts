/** A take's sound as it is drawn: every peak is there, and narrow windows show the samples. */

import { emptyPeaks, peaksFileHead, writePeaks } from '@likeness/proto/sound_peaks.ts';
import { encodeWav, wavHead } from '@likeness/proto/wav.ts';
import { expect, onTestFinished, test } from 'vitest';
import { SoundPeaks } from '../../../../renderer/takes/editor/timeline/sound-peaks.ts';

const { signal } = new AbortController();

function address(bytes: Uint8Array<ArrayBuffer>): string {
  const url = URL.createObjectURL(new Blob([bytes]));
  onTestFinished(() => URL.revokeObjectURL(url));
  return url;
}

const noise = (length: number): Float32Array =>
  Float32Array.from({ length }, (_, at) => Math.sin(at * 12.9898 + (at % 7919)) * 0.8);

test.each(['s16le', 'f32le'] as const)('every stretch of peaks covers its samples: %s', async (encoding) => {
  const samples = noise(100_000);
  const url = address(encodeWav({ sampleRate: 8000, samples }, encoding));
  const peaks = (await SoundPeaks.open(url, signal))!;
  expect(peaks.rate).toBe(8000);
  await peaks.read(url, signal);
  for (const [from, to] of [
    [0, 100_000],
    [256 * 10, 256 * 30],
    [256 * 390, 100_000],
  ] as const) {
    expect(peaks.measure(from, to)).toBe(true);
    const part = samples.subarray(from, to);
    expect(peaks.low / peaks.full).toBeCloseTo(
      part.reduce((a, b) => Math.min(a, b)),
      3,
    );
    expect(peaks.high / peaks.full).toBeCloseTo(
      part.reduce((a, b) => Math.max(a, b)),
      3,
    );
  }
  expect(peaks.measure(100_000, 100_010)).toBe(false);
  expect(peaks.version.get()).toBeGreaterThan(0);
});

test('a window narrower than peaks shows the samples themselves, once they are read', async () => {
  const samples = noise(100_000);
  const url = address(encodeWav({ sampleRate: 8000, samples }));
  const peaks = (await SoundPeaks.open(url, signal))!;
  await peaks.read(url, signal);
  const exact = (at: number): boolean => {
    peaks.measure(at, at + 1);
    return Math.abs(peaks.high / peaks.full - samples[at]!) < 1e-4;
  };
  const at = 40_010;
  expect([at, at + 3, at + 7].every(exact)).toBe(false);
  await peaks.loadSamples({ from: 5, to: 5.1 }, 2000, signal);
  expect([at, at + 3, at + 7].every(exact)).toBe(true);
  // One that is wide needs none.
  const version = peaks.version.get();
  await peaks.loadSamples({ from: 0, to: 12 }, 20, signal);
  expect(peaks.version.get()).toBe(version);
  expect(await peaks.samples(99_990, 100_020, signal)).toHaveLength(10);
});

test('a file without a sample has no peaks, one that claims more than there is those that are there', async () => {
  expect(await SoundPeaks.open(address(wavHead(8000, 0, 'f32le')), signal)).toBeNull();
  const cut = encodeWav({ sampleRate: 8000, samples: noise(4000) }, 's16le').slice(0, 44 + 1000);
  const url = address(cut);
  const peaks = (await SoundPeaks.open(url, signal))!;
  await peaks.read(url, signal);
  expect(peaks.measure(0, 500)).toBe(true);
  expect(peaks.measure(500, 600)).toBe(false);
});

test('it is not read on when nobody wants it any more', async () => {
  const url = address(encodeWav({ sampleRate: 8000, samples: noise(9) }));
  const peaks = (await SoundPeaks.open(url, signal))!;
  await expect(peaks.read(url, AbortSignal.abort())).rejects.toThrow();
});

test('peaks that were made before are the same as those of the sound', async () => {
  const samples = noise(100_000);
  const url = address(encodeWav({ sampleRate: 8000, samples }, 'f32le'));
  const made = emptyPeaks(samples.length);
  writePeaks(made, 0, samples);
  const [read, kept] = [(await SoundPeaks.open(url, signal))!, (await SoundPeaks.open(url, signal))!];
  await read.read(url, signal);
  const file = new Uint8Array(peaksFileHead.length + made.byteLength);
  file.set(peaksFileHead);
  file.set(new Uint8Array(made.buffer), peaksFileHead.length);
  await kept.read(address(file), signal);
  for (const [from, to] of [
    [0, 100_000],
    [256 * 77, 256 * 79],
    [99_000, 100_000],
  ] as const) {
    expect([read.measure(from, to), kept.measure(from, to)]).toEqual([true, true]);
    expect([kept.low, kept.high]).toEqual([read.low, read.high]);
  }
});
