/** Power spectrum of real sound: what is heard in it, and what is drawn of it. */

/**
 * An FFT of one size. Sound of n samples goes through an FFT of n / 2: even samples as its real part, odd ones as its
 * imaginary.
 */
export class RealSpectrum {
  readonly size: number;
  readonly #half: number;
  readonly #twiddles: Twiddles;
  readonly #splitCos: Float64Array;
  readonly #splitSin: Float64Array;
  readonly #real: Float64Array;
  readonly #imaginary: Float64Array;

  /** @param size samples, a power of two from 4 to 131 072 */
  constructor(size: number) {
    const half = size / 2;
    this.size = size;
    this.#half = half;
    this.#twiddles = fftTwiddles(half);
    this.#splitCos = Float64Array.from({ length: half }, (_, k) => Math.cos((2 * Math.PI * k) / size));
    this.#splitSin = Float64Array.from({ length: half }, (_, k) => -Math.sin((2 * Math.PI * k) / size));
    this.#real = new Float64Array(half);
    this.#imaginary = new Float64Array(half);
  }

  /** @param samples windowed, `size` of them @param power of bins 0 … size / 2 − 1 */
  power(samples: Float64Array, power: Float64Array): void {
    const real = this.#real;
    const imaginary = this.#imaginary;
    for (let i = 0; i < this.#half; i++) {
      real[i] = samples[2 * i] as number;
      imaginary[i] = samples[2 * i + 1] as number;
    }
    this.#fft(real, imaginary);
    this.#split(real, imaginary, power);
  }

  /** Power of the real sound's bins from the spectrum of its even and odd samples. */
  #split(real: Float64Array, imaginary: Float64Array, power: Float64Array): void {
    const halfSize = this.#half;
    for (let k = 0; k < halfSize; k++) {
      const mirror = (halfSize - k) % halfSize;
      const evenRe = ((real[k] as number) + (real[mirror] as number)) / 2;
      const evenIm = ((imaginary[k] as number) - (imaginary[mirror] as number)) / 2;
      const oddRe = ((imaginary[k] as number) + (imaginary[mirror] as number)) / 2;
      const oddIm = ((real[mirror] as number) - (real[k] as number)) / 2;
      const c = this.#splitCos[k] as number;
      const s = this.#splitSin[k] as number;
      const re = evenRe + oddRe * c - oddIm * s;
      const im = evenIm + oddRe * s + oddIm * c;
      power[k] = re * re + im * im;
    }
  }

  /** In-place radix-2 FFT of size / 2 points. */
  #fft(real: Float64Array, imaginary: Float64Array): void {
    const halfSize = this.#half;
    const { cos, sin, reversed } = this.#twiddles;
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
}

/** Periodic Hann window. */
export const hannWindow = (length: number): Float64Array =>
  Float64Array.from({ length }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / length));

/** Mel by HTK's scale. */
export const melOf = (hertz: number): number => 2595 * Math.log10(1 + hertz / 700);
export const hertzOf = (mel: number): number => 700 * (10 ** (mel / 2595) - 1);

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
