import { Resampler } from '@likeness/proto/speech/resampler.ts';
import { describe, expect, it } from 'vitest';
import { joinedFloats } from '../src/joined_floats.ts';

const tone = (hertz: number, seconds: number, rate: number): Float32Array =>
  Float32Array.from(
    { length: Math.round(seconds * rate) },
    (_, i) => 0.5 * Math.sin((2 * Math.PI * hertz * i) / rate),
  );

function resample(sound: Float32Array, rate: number, chunk = sound.length): Float32Array {
  const resampler = new Resampler(rate);
  const parts: Float32Array[] = [];
  for (let i = 0; i < sound.length; i += chunk) parts.push(resampler.push(sound.subarray(i, i + chunk)));
  return joinedFloats(...parts, resampler.end());
}

const rates = [8000, 11025, 22050, 24000, 32000, 44100, 44056, 48000, 88200, 96000];

describe('Resampler', () => {
  it.each(rates)('keeps time, pitch and level from %i Hz', (rate) => {
    const out = resample(tone(1000, 1, rate), rate);
    const expected = tone(1000, 1, 16000);
    expect(out.length).toBe(16000);
    let worst = 0;
    for (let i = 200; i < 15800; i++)
      worst = Math.max(worst, Math.abs((out[i] as number) - (expected[i] as number)));
    expect(worst).toBeLessThan(0.001);
  });

  it('passes 16 kHz through untouched', () => {
    const sound = tone(440, 0.5, 16000);
    expect(resample(sound, 16000, 77)).toEqual(sound);
  });

  it('lets nothing above 8 kHz fold back', () => {
    const out = resample(tone(11000, 1, 48000), 48000);
    expect(Math.max(...out.subarray(200, 15800).map(Math.abs))).toBeLessThan(0.0002);
  });

  it.each([1, 2, 3, 160, 441, 999, 5000])('gives the same samples from chunks of %i', (chunk) => {
    const sound = tone(700, 0.3, 44100);
    expect(resample(sound, 44100, chunk)).toEqual(resample(sound, 44100));
  });

  it('hears what is not a number as silence', () => {
    const out = resample(Float32Array.of(0.5, Number.NaN, Number.POSITIVE_INFINITY, 0.25), 16000);
    expect([...out]).toEqual([0.5, 0, 0, 0.25]);
  });
});
