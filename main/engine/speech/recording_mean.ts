import { RowQueue, type Rows } from './convolution_stage.ts';
import { melBands } from './mel.ts';

/** Frames of 10 ms on both sides that are summed for a frame's mean. */
const meanReach = 500;
/** How many frames more the recording as a whole counts for. */
const wholeFrames = 300;
/** The mean of all that was trained on counts for so many frames, of so much lower a level (nepers of power). */
const priorFrames = 100;
const priorBelow = 6;

/** How much a frame counts: by its loudness, so that pauses hardly do. */
function weightOf(mel: Float32Array): number {
  let sum = 0;
  for (const band of mel) sum += band;
  return Math.exp(sum / melBands / 2);
}

/** Sums of weights and of weighted frames. */
class WeightedSum {
  weight = 0;
  readonly bands = new Float64Array(melBands);

  add(mel: Float32Array, times: number): void {
    const weight = weightOf(mel) * times;
    this.weight += weight;
    for (let b = 0; b < melBands; b++)
      this.bands[b] = (this.bands[b] as number) + weight * (mel[b] as number);
  }
}

/** What a recording sounds like as a whole. */
export class RecordingMean {
  readonly #sum = new WeightedSum();
  #frames = 0;

  add(mel: Float32Array): void {
    this.#sum.add(mel, 1);
    this.#frames++;
  }

  /** What every frame's mean begins with: weight, and weighted bands. */
  start(startMean: Float32Array): { weight: number; bands: Float64Array } {
    const level = startMean.reduce((sum, band) => sum + band, 0) / melBands;
    const prior = priorFrames * Math.exp((level - priorBelow) / 2);
    const share = wholeFrames / this.#frames;
    return {
      weight: prior + this.#sum.weight * share,
      bands: this.#sum.bands.map((band, b) => prior * (startMean[b] as number) + band * share),
    };
  }
}

/**
 * Takes from every frame of a recording the mean of what is around it. Frames come out {@link meanReach} later
 * than they go in.
 *
 * Twin of `less_mean` in training/speech/hearing.py.
 */
export class LessMean {
  readonly #start: { weight: number; bands: Float64Array };
  readonly #local = new WeightedSum();
  /** From `meanReach` before the frame that is said next. */
  readonly #frames = new RowQueue(melBands);
  /** Frames before the next one that `#frames` holds. */
  #past = 0;
  readonly #mean = new Float32Array(melBands);

  constructor(whole: RecordingMean, startMean: Float32Array) {
    this.#start = whole.start(startMean);
  }

  get bytes(): number {
    return this.#frames.bytes;
  }

  /** The mean that was taken from the last frame, [40]. */
  get mean(): Float32Array {
    return this.#mean;
  }

  /** @returns a frame less its mean, where one is ready */
  push(mel: Float32Array): Rows | undefined {
    this.#frames.push(mel);
    this.#local.add(mel, 1);
    return this.#frames.count > this.#past + meanReach ? this.#next() : undefined;
  }

  /** @returns one of the frames that waited, until there is none */
  end(): Rows | undefined {
    return this.#frames.count > this.#past ? this.#next() : undefined;
  }

  #next(): Rows {
    const frame = this.#frames.rows(this.#past, 1);
    const weight = this.#start.weight + this.#local.weight;
    const out = new Float32Array(melBands);
    for (let b = 0; b < melBands; b++) {
      const mean = ((this.#start.bands[b] as number) + (this.#local.bands[b] as number)) / weight;
      this.#mean[b] = mean;
      out[b] = (frame[b] as number) - mean;
    }
    if (this.#past < meanReach) this.#past++;
    else {
      this.#local.add(this.#frames.rows(0, 1), -1);
      this.#frames.drop(1);
    }
    return out;
  }
}
