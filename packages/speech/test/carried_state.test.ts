import { describe, expect, it } from 'vitest';
import { loadSpeechModel, SpeechFace, type SpeechFaceOptions } from '../src/index.ts';

const stateMismatch = expect.objectContaining({ name: 'StateMismatch' });

const model = loadSpeechModel();

/** Something like a voice: syllables of a gliding hum, pauses and a little noise. A second channel is inverted. */
function babble(seconds: number, rate: number, channels: number): Float32Array {
  const out = new Float32Array(seconds * rate * channels);
  let noise = 1;
  for (let i = 0; i < out.length; i++) {
    const t = Math.floor(i / channels) / rate;
    noise = (noise * 48271) % 2147483647;
    const syllable = Math.max(0, Math.sin(2 * Math.PI * 3.1 * t)) * (t % 2 < 1.4 ? 1 : 0);
    const pitch = 2 * Math.PI * (140 + 30 * Math.sin(t)) * t;
    const hum = Math.sin(pitch) + 0.6 * Math.sin(2 * pitch) + 0.4 * Math.sin(5 * pitch);
    const sign = i % channels === 0 ? 1 : -1;
    out[i] = sign * (0.2 * syllable * hum + 0.01 * (noise / 2147483647 - 0.5));
  }
  return out;
}

const cases: SpeechFaceOptions[] = [
  { sampleRate: 16_000, channels: 1 },
  { sampleRate: 44_100, channels: 2, frameRate: 30, lookahead: 0.06 },
  { sampleRate: 48_000, channels: 1, suppressNoise: true },
  { sampleRate: 16_000, channels: 1, suppressNoise: true, lookahead: 0 },
];

describe.each(cases)('a face of %o', (options) => {
  it('goes on elsewhere as it would have here, to the last bit, wherever it is cut', () => {
    const sound = babble(4, options.sampleRate, options.channels);
    for (const share of [0, 0.0003, 0.011, 0.31, 0.777]) {
      const cut = Math.floor(sound.length * share);
      const stays = new SpeechFace(model, options);
      stays.push(sound.subarray(0, cut));
      const state = stays.state();
      const goes = new SpeechFace(model, options);
      goes.resume(state);
      expect(goes.push(sound.subarray(cut))).toEqual(stays.push(sound.subarray(cut)));
      expect(goes.end()).toEqual(stays.end());
      expect(state.length).toBeLessThan(100_000);
    }
  });
});

it('a state of other options or other code is refused', () => {
  const face = new SpeechFace(model, { sampleRate: 16_000, channels: 1 });
  face.push(babble(1, 16_000, 1));
  const state = face.state();
  const other = () => new SpeechFace(model, { sampleRate: 16_000, channels: 1, suppressNoise: true });
  expect(() => other().resume(state)).toThrow(stateMismatch);
  expect(() => new SpeechFace(model, { sampleRate: 16_000, channels: 1 }).resume(state.subarray(8))).toThrow(
    stateMismatch,
  );
});
