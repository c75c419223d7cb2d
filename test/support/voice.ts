/** Sounds made here, so that tests need no recordings: vowels of pulses through resonators, hiss, silence. */

import { joinedFloats } from '@likeness/speech/joined_floats.ts';

/** Formants, Hz. */
export const vowels = {
  aa: [730, 1090, 2440],
  I: [270, 2290, 3010],
  U: [300, 870, 2240],
} as const;

/** A pulse train at a pitch through three resonators (10 % bandwidth), level −20 dBFS rms. */
export function vowel(
  formants: readonly number[],
  seconds: number,
  { rate = 16000, pitch = 120 } = {},
): Float32Array {
  let sound = Float64Array.from({ length: Math.round(seconds * rate) }, (_, i) => {
    const phase = (i * pitch) / rate;
    return Math.floor(phase) !== Math.floor(((i - 1) * pitch) / rate) ? 1 : 0;
  });
  for (const formant of formants) {
    const r = Math.exp((-Math.PI * Math.max(60, formant * 0.1)) / rate);
    const b = 2 * r * Math.cos((2 * Math.PI * formant) / rate);
    let [y1, y2] = [0, 0];
    sound = sound.map((x) => {
      const y = (1 - r) * x + b * y1 - r * r * y2;
      [y2, y1] = [y1, y];
      return y;
    });
  }
  return level(Float32Array.from(sound), 0.1);
}

/** Repeatable white noise, raised towards high frequencies: an s. */
export function hiss(seconds: number, rate = 16000): Float32Array {
  let state = 99;
  let last = 0;
  const sound = Float32Array.from({ length: Math.round(seconds * rate) }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const x = state / 2147483648 - 1;
    const y = x - last;
    last = x;
    return y;
  });
  return level(sound, 0.05);
}

export function silence(seconds: number, rate = 16000): Float32Array {
  return new Float32Array(Math.round(seconds * rate));
}

/** Syllables with pauses, about five seconds: what chunking and rate tests run on. */
export function babble(rate = 16000): Float32Array {
  return joinedFloats(
    silence(0.3, rate),
    vowel(vowels.aa, 0.25, { rate }),
    silence(0.08, rate),
    vowel(vowels.I, 0.2, { rate, pitch: 150 }),
    vowel(vowels.U, 0.3, { rate, pitch: 110 }),
    silence(0.6, rate),
    vowel(vowels.U, 0.2, { rate }),
    vowel(vowels.aa, 0.5, { rate, pitch: 170 }),
    silence(0.9, rate),
    vowel(vowels.I, 0.3, { rate, pitch: 100 }),
    silence(0.5, rate),
  );
}

function level(sound: Float32Array, rms: number): Float32Array {
  const own = Math.sqrt(sound.reduce((sum, x) => sum + x * x, 0) / sound.length);
  return sound.map((x) => (x * rms) / own);
}
