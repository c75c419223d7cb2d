import { percentile } from '@likeness/proto/percentile.ts';
import { curveRate } from '@likeness/proto/takes/curve_lag.ts';

/** Speech threshold below the loudest level of the take, decibels; quieter is silence. */
const silentBelow = -35;
/** Minimum silence, and margin of speech at both of its ends, seconds. */
const minSilence = 0.3;
const margin = 0.12;

/** RMS of the audio around each 1 / {@link curveRate} s, over 50 ms, which is about as slow as a jaw. */
export class EnergyMeter {
  /** Mean square of each hop. */
  readonly #squares: Float64Array;
  readonly #hop: number;
  /** The current hop, its samples so far, and its sum of squares. */
  #index = 0;
  #at = 0;
  #from = 0;
  #sum = 0;

  /** @param samples total number */
  constructor({ samples, sampleRate }: { samples: number; sampleRate: number }) {
    this.#squares = new Float64Array(Math.round((samples / sampleRate) * curveRate));
    this.#hop = sampleRate / curveRate;
  }

  push(block: Float32Array): void {
    let end = this.#end();
    for (const sample of block) {
      while (this.#at >= end) {
        this.#close();
        end = this.#end();
      }
      this.#sum += sample ** 2;
      this.#at += 1;
    }
  }

  /** After the last block. */
  energy(): Float32Array<ArrayBuffer> {
    this.#close();
    return smoothed(this.#squares);
  }

  #end(): number {
    return Math.round((this.#index + 0.5) * this.#hop);
  }

  #close(): void {
    const length = this.#at - this.#from;
    if (this.#index < this.#squares.length) this.#squares[this.#index] = length > 0 ? this.#sum / length : 0;
    this.#index += 1;
    this.#from = this.#at;
    this.#sum = 0;
  }
}

/** RMS over five hops. */
function smoothed(squares: Float64Array): Float32Array<ArrayBuffer> {
  const half = 2;
  return Float32Array.from(squares, (_, index) => {
    let sum = 0;
    for (let step = -half; step <= half; step++) sum += squares[index + step] ?? 0;
    return Math.sqrt(sum / (2 * half + 1));
  });
}

/** Returns which values of {@link EnergyMeter.energy} are in silence; none if all is silent. */
export function silenceIn(energy: Float32Array): Uint8Array {
  const silent = new Uint8Array(energy.length);
  const loud = percentile(energy, 0.95);
  if (!(loud > 1e-4)) return silent;
  const limit = loud * 10 ** (silentBelow / 20);
  const min = Math.round(minSilence * curveRate);
  const aside = Math.round(margin * curveRate);
  let from = 0;
  for (let at = 0; at <= energy.length; at++) {
    if (at < energy.length && energy[at]! < limit) continue;
    if (at - from >= min) {
      silent.fill(1, from === 0 ? 0 : from + aside, at === energy.length ? at : at - aside);
    }
    from = at + 1;
  }
  return silent;
}
