import type { StateCarrier } from '@likeness/proto/speech/carried_state.ts';
import { melBands } from './mel.ts';

/** Time constant of the running mean, which is subtracted from every frame, seconds. */
const meanSeconds = 3;
/** A frame this far below the mean (mean of the bands, nepers of power: 9.6 dB) is a pause … */
const pauseBelow = -2.2;
/** … in which the mean moves with 20 s only. */
const pauseRate = 1 / 2000;
/** Weight of the model's start mean, frames. */
const priorFrames = 50;

/**
 * Subtracts the running mean of log-mel frames from each of them.
 *
 * Twin of `stream` in packages/speech/training/train.py.
 */
export class RunningMean {
  readonly #mean: Float64Array;
  #frame = 0;

  /** @param startMean [40] */
  constructor(startMean: Float32Array) {
    this.#mean = Float64Array.from(startMean);
  }

  /** [40] */
  get mean(): Float64Array {
    return this.#mean;
  }

  carry(state: StateCarrier): void {
    state.fill(this.#mean);
    this.#frame = state.number(this.#frame);
  }

  /** Writes the frame minus the mean, which already includes it. @param mel [40] @param out [40] */
  step(mel: Float32Array, out: Float32Array): void {
    const rate = this.#rate(mel);
    for (let b = 0; b < melBands; b++) {
      const x = mel[b] as number;
      const mean = (this.#mean[b] as number) + (x - (this.#mean[b] as number)) * rate;
      this.#mean[b] = mean;
      out[b] = x - mean;
    }
  }

  /**
   * Returns the mean's step towards this frame. The mean almost stops in pauses: if it followed the room's
   * noise, the next words would be unlike the training data.
   */
  #rate(mel: Float32Array): number {
    let above = 0;
    for (let b = 0; b < melBands; b++) above += (mel[b] as number) - (this.#mean[b] as number);
    const early = 1 / (this.#frame++ + priorFrames + 1);
    if (above / melBands < pauseBelow) return pauseRate;
    return Math.max(early, 1 / (meanSeconds * 100));
  }
}
