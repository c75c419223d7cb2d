/**
 * Log-mel power of 16 kHz sound, as a stream; training/speech/features.py is its twin.
 *
 * Frame i is centred on sample 160·i: periodic Hann window of 400 samples from 160·i − 200, FFT of 512,
 * power, 40 triangular mel filters (HTK's scale) of unit peak from 60 to 7600 Hz, natural log of (power +
 * 1e-7).
 */

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

const hann = Float64Array.from(
  { length: windowSamples },
  (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / windowSamples),
);
const filters = melFilters();
/** Real sound of 512 goes through an FFT of 256: even samples as its real part, odd ones as its imaginary. */
const halfSize = fftSize / 2;
const twiddles = fftTwiddles(halfSize);
const splitCos = Float64Array.from({ length: halfSize }, (_, k) => Math.cos((2 * Math.PI * k) / fftSize));
const splitSin = Float64Array.from({ length: halfSize }, (_, k) => -Math.sin((2 * Math.PI * k) / fftSize));

export class MelStream {
  /** The newest samples; index 0 is sample `#start` of the stream. */
  #samples = new Float32Array(8192);
  #length = windowSamples / 2;
  #start = -windowSamples / 2;
  #frame = 0;
  readonly #real = new Float64Array(halfSize);
  readonly #imaginary = new Float64Array(halfSize);
  readonly #power = new Float64Array(halfSize);

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

  #append(sound: Float32Array): void {
    if (this.#length + sound.length > this.#samples.length) {
      const keepFrom = this.#frame * hopSamples - windowSamples / 2 - this.#start;
      if (keepFrom > 0) {
        this.#samples.copyWithin(0, keepFrom, this.#length);
        this.#length -= keepFrom;
        this.#start += keepFrom;
      }
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
    const real = this.#real;
    const imaginary = this.#imaginary;
    for (let i = 0; i < windowSamples; i += 2) {
      real[i / 2] = (this.#samples[from + i] as number) * (hann[i] as number);
      imaginary[i / 2] = (this.#samples[from + i + 1] as number) * (hann[i + 1] as number);
    }
    real.fill(0, windowSamples / 2);
    imaginary.fill(0, windowSamples / 2);
    fft(real, imaginary);
    splitPower(real, imaginary, this.#power);
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
  const toMel = (hz: number): number => 2595 * Math.log10(1 + hz / 700);
  const toHz = (mel: number): number => 700 * (10 ** (mel / 2595) - 1);
  const step = (toMel(highHz) - toMel(lowHz)) / (melBands + 1);
  const edges = Array.from({ length: melBands + 2 }, (_, i) => toHz(toMel(lowHz) + i * step));
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

interface Twiddles {
  readonly cos: Float64Array;
  readonly sin: Float64Array;
  readonly reversed: Uint16Array;
}

function fftTwiddles(size: number): Twiddles {
  const bits = Math.log2(size);
  return {
    cos: Float64Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size)),
    sin: Float64Array.from({ length: size / 2 }, (_, i) => -Math.sin((2 * Math.PI * i) / size)),
    reversed: Uint16Array.from({ length: size }, (_, i) => {
      let out = 0;
      for (let b = 0; b < bits; b++) if (i & (1 << b)) out |= 1 << (bits - 1 - b);
      return out;
    }),
  };
}

/** Power of the real sound's bins 0..255 from the spectrum of its even and odd samples. */
function splitPower(real: Float64Array, imaginary: Float64Array, power: Float64Array): void {
  for (let k = 0; k < halfSize; k++) {
    const mirror = (halfSize - k) % halfSize;
    const evenRe = ((real[k] as number) + (real[mirror] as number)) / 2;
    const evenIm = ((imaginary[k] as number) - (imaginary[mirror] as number)) / 2;
    const oddRe = ((imaginary[k] as number) + (imaginary[mirror] as number)) / 2;
    const oddIm = ((real[mirror] as number) - (real[k] as number)) / 2;
    const c = splitCos[k] as number;
    const s = splitSin[k] as number;
    const re = evenRe + oddRe * c - oddIm * s;
    const im = evenIm + oddRe * s + oddIm * c;
    power[k] = re * re + im * im;
  }
}

/** In-place radix-2 FFT of `halfSize` points. */
function fft(real: Float64Array, imaginary: Float64Array): void {
  const { cos, sin, reversed } = twiddles;
  for (let i = 0; i < halfSize; i++) {
    const j = reversed[i] as number;
    if (j > i) {
      const re = real[i] as number;
      real[i] = real[j] as number;
      real[j] = re;
      const im = imaginary[i] as number;
      imaginary[i] = imaginary[j] as number;
      imaginary[j] = im;
    }
  }
  for (let half = 1; half < halfSize; half *= 2) {
    const stride = halfSize / (2 * half);
    for (let start = 0; start < halfSize; start += 2 * half) {
      for (let k = 0; k < half; k++) {
        const a = start + k;
        const b = a + half;
        const c = cos[k * stride] as number;
        const s = sin[k * stride] as number;
        const re = (real[b] as number) * c - (imaginary[b] as number) * s;
        const im = (real[b] as number) * s + (imaginary[b] as number) * c;
        real[b] = (real[a] as number) - re;
        imaginary[b] = (imaginary[a] as number) - im;
        real[a] = (real[a] as number) + re;
        imaginary[a] = (imaginary[a] as number) + im;
      }
    }
  }
}
