import { melBands } from '../mel.ts';

/**
 * Wet share of noise suppression in recordings. Chosen on development voices, as the share that harms none of
 * the kinds of noise: research/speech.md.
 */
export const recordingWetShare = 0.4;
/**
 * A recording below this ratio is noisy, dB. On development voices suppression helps up to 25 dB, and not in
 * a quiet room (32 dB and more).
 */
const noisyBelow = 28;

/** Step of the histogram, dB, from the lowest log-mel value. */
const step = 0.5;
const quietest = -80;
const steps = 240;

/** Measures how much louder a recording's speech is than its pauses, in constant memory. */
export class BackgroundNoise {
  readonly #counts = new Uint32Array(steps);
  #frames = 0;

  /** @param mels log-mel frames [40] */
  add(mels: readonly Float32Array[]): void {
    for (const mel of mels) {
      const level = ((10 / Math.LN10) * mel.reduce((sum, value) => sum + value, 0)) / melBands;
      const at = Math.round((level - quietest) / step);
      const bin = Math.min(steps - 1, Math.max(0, at));
      this.#counts[bin] = (this.#counts[bin] as number) + 1;
      this.#frames++;
    }
  }

  /** dB between the loud tenth of the frames and the quiet one. */
  get signalToNoise(): number {
    return this.#level(0.9) - this.#level(0.1);
  }

  get isNoisy(): boolean {
    return this.#frames > 0 && this.signalToNoise < noisyBelow;
  }

  #level(share: number): number {
    let left = share * this.#frames;
    let at = 0;
    while (at < steps - 1 && left >= (this.#counts[at] as number)) left -= this.#counts[at++] as number;
    return quietest + step * at;
  }
}
