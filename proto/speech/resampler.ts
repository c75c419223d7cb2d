import type { StateCarrier } from './carried_state.ts';

/**
 * Resamples one channel from any sample rate to another as a stream: polyphase windowed sinc.
 *
 * Output sample n is exactly the sound at n/rate s (no delay in time codes) for any input rate. The result
 * does not depend on the chunks of the input. The same rate passes through unchanged.
 */

/** Rate of everything the engine computes, Hz. */
export const engineRate = 16000;

/** Zero crossings of the sinc on each side: stop band below −80 dB with the window below. */
const zeroCrossings = 24;
/** Kaiser window's shape parameter. */
const kaiserBeta = 8;
/**
 * Kernel phases between two input samples; values between phases are interpolated linearly (error ≈ −110 dB).
 */
const phaseCount = 512;
/** Pass band as a share of the lower Nyquist frequency. */
const passShare = 0.95;

export class Resampler {
  readonly sampleRate: number;
  readonly #outputRate: number;
  /** Taps on each side of the kernel's centre. */
  readonly #reach: number;
  /** [phaseCount + 1][2·reach] flattened, or empty when nothing needs filtering. */
  readonly #kernel: Float64Array;
  /** Input that is still needed; `#input[0]` is input sample `#inputStart`. */
  #input: Float64Array;
  #inputLength = 0;
  #inputStart: number;
  #outputCount = 0;

  /**
   * @param sampleRate Hz
   * @param outputRate Hz; default: the engine's
   */
  constructor(sampleRate: number, outputRate: number = engineRate) {
    this.#outputRate = outputRate;
    this.sampleRate = sampleRate;
    if (sampleRate === this.#outputRate) {
      this.#reach = 0;
      this.#kernel = new Float64Array(0);
    } else {
      const cutoff = (passShare * Math.min(sampleRate, this.#outputRate)) / 2 / sampleRate;
      this.#reach = Math.ceil(zeroCrossings / (2 * cutoff));
      this.#kernel = sincKernel(cutoff, this.#reach);
    }
    this.#inputStart = -this.#reach;
    this.#input = new Float64Array(4 * this.#reach + 4096);
    this.#inputLength = this.#reach; // silence before the first sample
  }

  /** Takes samples and gives the samples that they complete. */
  push(samples: Float32Array): Float32Array {
    this.#append(samples);
    const last = this.#inputStart + this.#inputLength - 1;
    return this.#drain(
      Math.floor(((last - this.#reach) * this.#outputRate) / this.sampleRate) + 1 - this.#outputCount,
    );
  }

  /** The rest, silence assumed after the end. The stream's length is then exactly its duration. */
  end(): Float32Array {
    const samples = this.#inputStart + this.#inputLength;
    const total = Math.ceil((samples * this.#outputRate) / this.sampleRate);
    this.#append(new Float32Array(this.#reach + 1));
    return this.#drain(total - this.#outputCount);
  }

  /** The state comes from a resampler of the same rates. */
  carry(state: StateCarrier): void {
    this.#forget();
    const carried = state.doubles(this.#input.subarray(0, this.#inputLength));
    if (carried.length > this.#input.length) this.#input = new Float64Array(2 * carried.length);
    this.#input.set(carried);
    this.#inputLength = carried.length;
    this.#inputStart = state.number(this.#inputStart);
    this.#outputCount = state.number(this.#outputCount);
  }

  #append(samples: Float32Array): void {
    if (this.#inputLength + samples.length > this.#input.length) {
      const grown = new Float64Array(2 * (this.#inputLength + samples.length));
      grown.set(this.#input.subarray(0, this.#inputLength));
      this.#input = grown;
    }
    for (let i = 0; i < samples.length; i++) {
      const sample = samples[i] as number;
      this.#input[this.#inputLength++] = Number.isFinite(sample) ? sample : 0; // NaN and ∞ are silence
    }
  }

  #drain(count: number): Float32Array {
    if (count <= 0) return new Float32Array(0);
    const out = new Float32Array(count);
    const taps = 2 * this.#reach;
    const input = this.#input;
    const kernel = this.#kernel;
    for (let k = 0; k < count; k++) {
      const n = this.#outputCount + k;
      if (taps === 0) {
        out[k] = input[n - this.#inputStart] as number;
        continue;
      }
      // position = n · rate / output rate in input samples, split exactly with integers
      const scaled = n * this.sampleRate;
      const whole = Math.floor(scaled / this.#outputRate);
      const phase = ((scaled - whole * this.#outputRate) / this.#outputRate) * phaseCount;
      const low = Math.floor(phase);
      const part = phase - low;
      const from = whole - this.#reach + 1 - this.#inputStart;
      const a = low * taps;
      const b = a + taps;
      let sumA = 0;
      let sumB = 0;
      // Exactly on a phase, as with 48 kHz, nothing is interpolated; two independent sums run in parallel.
      if (part === 0) {
        for (let i = 0; i < taps; i += 2) {
          sumA += (input[from + i] as number) * (kernel[a + i] as number);
          sumB += (input[from + i + 1] as number) * (kernel[a + i + 1] as number);
        }
        out[k] = sumA + sumB;
        continue;
      }
      for (let i = 0; i < taps; i++) {
        const x = input[from + i] as number;
        sumA += x * (kernel[a + i] as number);
        sumB += x * (kernel[b + i] as number);
      }
      out[k] = sumA + (sumB - sumA) * part;
    }
    this.#outputCount += count;
    this.#forget(2048);
    return out;
  }

  /** @param max samples that may stay though they aren't needed any more */
  #forget(max = 0): void {
    const keepFrom =
      Math.floor((this.#outputCount * this.sampleRate) / this.#outputRate) - this.#reach - this.#inputStart;
    if (keepFrom <= max) return;
    const from = Math.min(keepFrom, this.#inputLength);
    this.#input.copyWithin(0, from, this.#inputLength);
    this.#inputLength -= from;
    this.#inputStart += from;
  }
}

/** Row p holds the taps for an output that lies p/phaseCount of a sample after an input sample. */
function sincKernel(cutoff: number, reach: number): Float64Array {
  const taps = 2 * reach;
  const kernel = new Float64Array((phaseCount + 1) * taps);
  for (let p = 0; p <= phaseCount; p++) {
    let sum = 0;
    for (let i = 0; i < taps; i++) {
      const x = i - (reach - 1) - p / phaseCount;
      const sinc = x === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * x) / (Math.PI * x);
      const edge = x / reach;
      const window =
        Math.abs(edge) >= 1 ? 0 : besselI0(kaiserBeta * Math.sqrt(1 - edge * edge)) / besselI0(kaiserBeta);
      const tap = sinc * window;
      kernel[p * taps + i] = tap;
      sum += tap;
    }
    for (let i = 0; i < taps; i++) kernel[p * taps + i] = (kernel[p * taps + i] as number) / sum;
  }
  return kernel;
}

/** Modified Bessel function of the first kind, order 0, by its series. */
function besselI0(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; k < 50; k++) {
    term *= (x / 2 / k) ** 2;
    sum += term;
  }
  return sum;
}
