/**
 * Log-mel power of 16 kHz audio, as a stream; packages/speech/training/features.py is its twin.
 *
 * Frame i is centred on sample 160·i: periodic Hann window of 400 samples from 160·i − 200, FFT of 512,
 * power. Then 40 triangular mel filters (HTK's scale) of unit peak from 60 to 7600 Hz, natural log of (power
 * + 1e-7).
 */
import { hannWindow, hertzOf, melOf, RealSpectrum } from '@likeness/proto/real_spectrum.ts';
import type { StateCarrier } from '@likeness/proto/speech/carried_state.ts';

/** Frame step, samples at 16 kHz: 10 ms. */
export const hopSamples = 160;
/** Bands of a frame. */
export const melBands = 40;

const windowSamples = 400;
const fftSize = 512;
const lowHz = 60;
const highHz = 7600;
const powerFloor = 1e-7;
/** The value of every band in digital silence. */
export const silentMel = Math.log(powerFloor);

/** Samples after a frame's centre that it needs before it can be computed. */
export const melReachSamples = windowSamples / 2;

const hann = hannWindow(windowSamples);
const filters = melFilters();
const spectrum = new RealSpectrum(fftSize);

export class MelStream {
  /** The newest samples; index 0 is sample `#start` of the stream. */
  #samples = new Float32Array(8192);
  #length = windowSamples / 2;
  #start = -windowSamples / 2;
  #frame = 0;
  /** Silent after the window. */
  readonly #windowed = new Float64Array(fftSize);
  readonly #power = new Float64Array(fftSize / 2);

  /** Takes 16 kHz samples; gives each frame they complete, as a fresh array of 40. */
  push(sound: Float32Array): Float32Array[] {
    this.#append(sound);
    const frames: Float32Array[] = [];
    while (this.#frame * hopSamples + windowSamples / 2 <= this.#start + this.#length) {
      frames.push(this.#compute());
    }
    return frames;
  }

  /** Frames up to ⌈samples/160⌉ + `extra`, with silence after the end. */
  end(extra: number): Float32Array[] {
    const total = Math.ceil((this.#start + this.#length) / hopSamples) + extra;
    const frames: Float32Array[] = [];
    this.#append(
      new Float32Array(
        Math.max(0, (total - 1) * hopSamples + windowSamples / 2 - this.#start - this.#length),
      ),
    );
    while (this.#frame < total) frames.push(this.#compute());
    return frames;
  }

  carry(state: StateCarrier): void {
    this.#forget();
    const carried = state.floats(this.#samples.subarray(0, this.#length));
    if (carried.length > this.#samples.length) this.#samples = new Float32Array(2 * carried.length);
    this.#samples.set(carried);
    this.#length = carried.length;
    this.#start = state.number(this.#start);
    this.#frame = state.number(this.#frame);
  }

  #forget(): void {
    const keepFrom = this.#frame * hopSamples - windowSamples / 2 - this.#start;
    if (keepFrom <= 0) return;
    this.#samples.copyWithin(0, keepFrom, this.#length);
    this.#length -= keepFrom;
    this.#start += keepFrom;
  }

  #append(sound: Float32Array): void {
    if (this.#length + sound.length > this.#samples.length) {
      this.#forget();
      if (this.#length + sound.length > this.#samples.length) {
        const grown = new Float32Array(2 * (this.#length + sound.length));
        grown.set(this.#samples.subarray(0, this.#length));
        this.#samples = grown;
      }
    }
    this.#samples.set(sound, this.#length);
    this.#length += sound.length;
  }

  #compute(): Float32Array {
    const from = this.#frame * hopSamples - windowSamples / 2 - this.#start;
    this.#frame++;
    for (let i = 0; i < windowSamples; i++)
      this.#windowed[i] = (this.#samples[from + i] as number) * (hann[i] as number);
    spectrum.power(this.#windowed, this.#power);
    const bands = new Float32Array(melBands);
    for (let b = 0; b < melBands; b++) {
      const filter = filters[b] as MelFilter;
      let sum = 0;
      for (let i = 0; i < filter.weights.length; i++) {
        sum += (this.#power[filter.first + i] as number) * (filter.weights[i] as number);
      }
      bands[b] = Math.log(sum + powerFloor);
    }
    return bands;
  }
}

interface MelFilter {
  readonly first: number;
  readonly weights: Float64Array;
}

function melFilters(): MelFilter[] {
  const step = (melOf(highHz) - melOf(lowHz)) / (melBands + 1);
  const edges = Array.from({ length: melBands + 2 }, (_, i) => hertzOf(melOf(lowHz) + i * step));
  return Array.from({ length: melBands }, (_, b) => {
    const [left, centre, right] = edges.slice(b, b + 3) as [number, number, number];
    const weight = (k: number): number => {
      const hz = (k * 16000) / fftSize;
      return Math.max(0, Math.min((hz - left) / (centre - left), (right - hz) / (right - centre)));
    };
    let first = 0;
    while (weight(first) === 0) first++;
    let last = first;
    while (weight(last + 1) > 0) last++;
    return { first, weights: Float64Array.from({ length: last - first + 1 }, (_, i) => weight(first + i)) };
  });
}
