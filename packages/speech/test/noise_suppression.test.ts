import { expect, test } from 'vitest';
import { babble, silence } from '../../../test/support/voice.ts';
import { NoiseSuppression } from '../src/noise/noise_suppression.ts';

/** Milliseconds by which a live face is later at the most: the delay, and a block that must be full. */
const maxCost = 22;

/** A whole sound without its noise. @param sound mono at 16 kHz */
function suppressed(sound: Float32Array, wet?: number): Float32Array {
  const stage = new NoiseSuppression(wet);
  return Float32Array.of(...stage.push(sound), ...stage.end());
}

const power = (sound: Float32Array): number =>
  sound.reduce((sum, value) => sum + value * value, 0) / sound.length;
/** Mains hum at −20 dBFS, with its harmonics. */
const hum = Float32Array.from({ length: 32_000 }, (_, i) =>
  [1, 2, 3, 4].reduce((sum, k) => sum + (0.05 / k) * Math.sin((2 * Math.PI * 50 * k * i) / 16_000), 0),
);

test('noise alone goes down to what the wet share leaves of it', () => {
  const db = (wet: number): number =>
    10 * Math.log10(power(suppressed(hum, wet).subarray(16_000)) / power(hum.subarray(16_000)));
  expect(db(1)).toBeLessThan(-12);
  expect(db(0.6)).toBeLessThan(-5);
  expect(db(0.6)).toBeGreaterThan(-9);
});

test('what comes out is as long as what went in, and lies where it lay', () => {
  const voice = babble();
  for (const length of [0, 1, 159, 160, 161, 4001, voice.length]) {
    expect(suppressed(voice.subarray(0, length))).toHaveLength(length);
  }
  const clean = suppressed(voice, 1);
  const match = (lag: number): number => {
    let sum = 0;
    for (let i = 1000; i < voice.length - 1000; i++) sum += (voice[i] as number) * (clean[i + lag] as number);
    return sum;
  };
  const matches = Array.from({ length: 401 }, (_, k) => match(k - 200));
  const best = matches.indexOf(Math.max(...matches)) - 200;
  expect(Math.abs(best)).toBeLessThanOrEqual(1);
});

test('it matters not how the sound was cut, and the delay is never more than is said', () => {
  const voice = babble();
  const whole = suppressed(voice);
  const stage = new NoiseSuppression();
  const parts: number[] = [];
  for (let at = 0, size = 1; at < voice.length; at += size, size = ((size * 7) % 977) + 1) {
    parts.push(...stage.push(voice.subarray(at, at + size)));
    const behind = Math.min(voice.length, at + size) - parts.length;
    expect(behind).toBeLessThanOrEqual(maxCost * 16);
  }
  parts.push(...stage.end());
  expect(Float32Array.from(parts)).toEqual(whole);
});

test('digital silence stays silent', () => {
  expect(Math.max(...suppressed(silence(0.5)).map(Math.abs))).toBeLessThan(1e-4);
});
