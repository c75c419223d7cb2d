import type { StateCarrier } from '@likeness/proto/speech/carried_state.ts';
import { joinedFloats } from '../joined_floats.ts';
import { Rnnoise, rnnoiseDelay, rnnoiseFrame } from './rnnoise.ts';

/** Share of RNNoise's output in the result; the rest is the original audio. Chosen on development voices. */
const wetShare = 0.6;

/** RNNoise runs at 48 kHz, the network at 16. */
const ratio = 3;
/** Samples at 16 kHz in a frame of RNNoise. */
const block = rnnoiseFrame / ratio;
/** Samples at 48 kHz on either side of a tap's middle: 1 ms. */
const reach = 48;
/** A windowed sinc low-pass with a cutoff of 8 kHz, at 48 kHz; sums to 3. */
const lowPass = Float64Array.from({ length: 2 * reach + 1 }, (_, i) => {
  const t = i - reach;
  const x = (Math.PI * t) / ratio;
  return (t === 0 ? 1 : Math.sin(x) / x) * (0.5 + 0.5 * Math.cos((Math.PI * t) / (reach + 1)));
});
/** Delay of the output, samples at 16 kHz: RNNoise, and resampling to its rate and back. */
const suppressionDelay = (rnnoiseDelay + 2 * reach) / ratio;

/**
 * Suppresses steady noise, hum and clicks in 16 kHz audio, as a stream. Output keeps its position in the
 * input; it is only delayed, by {@link suppressionDelay} and by the rest of a block of 10 ms.
 */
export class NoiseSuppression {
  readonly #rnnoise = new Rnnoise();
  readonly #wet: number;
  /** Audio at 16 kHz, from the start of the next block's filter. */
  #input = new Float32Array(2 * (reach / ratio));
  /** The last 2 · reach of RNNoise's samples, and those of the newest block. */
  readonly #cleaned = new Float32Array(2 * reach + rnnoiseFrame);
  readonly #frame = new Float32Array(rnnoiseFrame);
  /** The original audio, from the next output sample. */
  #dry = new Float32Array(0);
  /** Samples of the first blocks that precede the audio's beginning. */
  #early = suppressionDelay;

  constructor(wet = wetShare) {
    this.#wet = wet;
  }

  /** @param sound mono at 16 kHz, any length @returns the finished samples; the caller owns the array */
  push(sound: Float32Array): Float32Array {
    this.#input = joinedFloats(this.#input, sound);
    this.#dry = joinedFloats(this.#dry, sound);
    const past = (2 * reach) / ratio;
    const blocks = Math.floor((this.#input.length - past) / block);
    const cleaned = new Float32Array(blocks * block);
    for (let k = 0; k < blocks; k++) this.#block(k * block, cleaned.subarray(k * block, (k + 1) * block));
    this.#input = this.#input.slice(blocks * block);
    const dropped = Math.min(this.#early, cleaned.length);
    this.#early -= dropped;
    return this.#mix(cleaned.subarray(dropped));
  }

  /** @returns the rest: in all as many samples as were pushed. Nothing may be pushed afterwards. */
  end(): Float32Array {
    const left = this.#dry.length;
    const dry = this.#dry;
    const out = this.push(new Float32Array(suppressionDelay + block));
    return out.length >= left ? out.slice(0, left) : joinedFloats(out, dry.subarray(out.length));
  }

  carry(state: StateCarrier): void {
    this.#rnnoise.carry(state);
    this.#input = state.floats(this.#input);
    state.fill(this.#cleaned);
    this.#dry = state.floats(this.#dry);
    this.#early = state.number(this.#early);
  }

  #mix(cleaned: Float32Array): Float32Array {
    const out = new Float32Array(cleaned.length);
    for (let i = 0; i < out.length; i++) {
      const dry = this.#dry[i] as number;
      out[i] = dry + this.#wet * ((cleaned[i] as number) - dry);
    }
    this.#dry = this.#dry.slice(out.length);
    return out;
  }

  /**
   * Reads a block of `#input` (with the samples before it that its filter needs) and writes the cleaned one.
   */
  #block(from: number, out: Float32Array): void {
    const taps = lowPass.length;
    for (let i = 0; i < rnnoiseFrame; i++) {
      // sample i of this block is the filter's middle moved back by its reach
      let sum = 0;
      for (let tap = i % ratio; tap < taps; tap += ratio) {
        sum += (this.#input[from + (2 * reach + i - tap) / ratio] as number) * (lowPass[tap] as number);
      }
      this.#frame[i] = sum;
    }
    this.#rnnoise.process(this.#frame);
    const cleaned = this.#cleaned;
    cleaned.copyWithin(0, rnnoiseFrame);
    cleaned.set(this.#frame, 2 * reach);
    for (let i = 0; i < block; i++) {
      let sum = 0;
      for (let tap = 0; tap < taps; tap++) {
        sum += (cleaned[2 * reach + ratio * i - tap] as number) * (lowPass[tap] as number);
      }
      out[i] = sum / ratio;
    }
  }
}
