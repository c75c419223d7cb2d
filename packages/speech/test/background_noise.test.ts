import { expect, test } from 'vitest';
import { backgroundOf, hearSound } from '../../../test/bench/hear_sound.ts';
import { withPinkNoise } from '../../../test/bench/speech_audio.ts';
import { babble, silence } from '../../../test/support/voice.ts';
import { loadFullPassModel } from '../src/full_pass_model.ts';

const voice = babble();
const inNoise = (snr: number): Float32Array =>
  withPinkNoise({ name: '', sound: voice, labels: new Uint8Array(1000).fill(10) }, snr).sound;

test('the less speech stands above its noise, the less is told of it', () => {
  const told = [40, 20, 10, 0].map((snr) => backgroundOf(inNoise(snr)).signalToNoise);
  expect(told).toEqual(told.toSorted((a, b) => b - a));
  expect(told[0]! - told[2]!).toBeGreaterThan(15);
});

test('a quiet room is not noisy, nor is silence or nothing; one at 10 dB is', () => {
  expect(backgroundOf(voice).isNoisy).toBe(false);
  expect(backgroundOf(inNoise(10)).isNoisy).toBe(true);
  expect(backgroundOf(new Float32Array(0)).isNoisy).toBe(false);
});

test('auto hears a quiet recording as it is, and a noisy one with its noise suppressed', async () => {
  const model = await loadFullPassModel();
  expect(hearSound(model, voice, 'auto')).toEqual(hearSound(model, voice, 'off'));
  const noisy = inNoise(10);
  expect(hearSound(model, noisy, 'auto')).toEqual(hearSound(model, noisy, 'on'));
  expect(hearSound(model, noisy, 'on').posteriors).not.toEqual(hearSound(model, noisy, 'off').posteriors);
  expect(hearSound(model, silence(1), 'auto').frames).toBe(100);
});
