import { ConvolutionStage, RowQueue, type Rows } from './convolution_stage.ts';
import type { FullPassModel } from './full_pass_model.ts';
import { melBands, silentMel } from './mel.ts';
import { ffViseme, ppViseme } from './mouth_shapes.ts';
import { RunningMean } from './running_mean.ts';
import { SimdKernel } from './simd_kernel.ts';
import { visemeCount } from './speech_model.ts';
import { softmax } from './viseme_stream.ts';

/** Frames of silence added before and after a recording; an even number. */
const silentEdge = 100;
/**
 * Smoothing of a frame's posteriors with its neighbours: single outliers are seldom right, and lip shapes
 * last several frames. Chosen on voices outside the training data (research/speech.md).
 */
const smoothing = [1 / 9, 2 / 9, 3 / 9, 2 / 9, 1 / 9];
/** Smoothing of contacts, which may be short. */
const contactSmoothing = [0, 1 / 4, 2 / 4, 1 / 4, 0];

/** Columns of {@link HeardRows.contacts}: the lips meet; the teeth are on the lip. */
export const contactColumns = ['lips', 'teeth'] as const;
/** Their visemes. */
const contactVisemes = [ppViseme, ffViseme] as const;
/** A frame's posteriors, and the confidence in each contact. */
const rowWidth = visemeCount + contactVisemes.length;

/** The analysis of some frames of a recording. */
export interface HeardRows {
  /** [frames × 15], each frame's sum to 1 */
  readonly posteriors: Float32Array;
  /**
   * [frames × 2] by {@link contactColumns}, 0..1: the higher confidence of the whole network and of its
   * causal layers alone, because either misses contacts that the other detects.
   */
  readonly contacts: Float32Array;
}

/** Built once for all recordings of a model. */
const kernels = new WeakMap<FullPassModel, SimdKernel>();

function kernelOf(model: FullPassModel): SimdKernel {
  const { trunk, head, down, blocks, up, join, last } = model;
  const kernel = kernels.get(model) ?? new SimdKernel([...trunk, head, down, ...blocks, up, join, last]);
  kernels.set(model, kernel);
  return kernel;
}

/**
 * Runs the network over a whole recording, block by block. Takes log-mel frames and returns viseme posteriors
 * as soon as it has the frames after them. Memory doesn't grow with the recording.
 *
 * Twin of packages/speech/training/hearing.py.
 */
export class FullPassStream {
  readonly #model: FullPassModel;
  readonly #mean: RunningMean;
  readonly #trunk: readonly ConvolutionStage[];
  readonly #head: ConvolutionStage;
  readonly #down: ConvolutionStage;
  readonly #blocks: readonly ConvolutionStage[];
  readonly #up: ConvolutionStage;
  readonly #join: ConvolutionStage;
  readonly #last: ConvolutionStage;
  /** The trunk's features and the head's outputs, waiting for the blocks' context. */
  readonly #heard: RowQueue;
  readonly #logits: RowQueue;
  /** Rows of {@link rowWidth}, waiting for smoothing with the next ones. */
  readonly #sharp: RowQueue;
  /** Number of the trunk's outputs that still precede the first frame. */
  #trunkEarly: number;
  /** Frames of the recording, and the number of answered ones; the silence before it counts from below 0. */
  #frames = 0;
  #answered = -silentEdge;

  constructor(model: FullPassModel) {
    const kernel = kernelOf(model);
    this.#model = model;
    this.#mean = new RunningMean(model.startMean);
    this.#trunk = model.trunk.map(
      (one, k) =>
        new ConvolutionStage(one, kernel, {
          before: (one.taps - 1) * one.dilation,
          output: k === 0 ? 'relu' : 'residual',
        }),
    );
    this.#head = new ConvolutionStage(model.head, kernel);
    this.#down = new ConvolutionStage(model.down, kernel, { stride: 2, output: 'relu' });
    this.#blocks = model.blocks.map(
      (one) =>
        new ConvolutionStage(one, kernel, { before: one.dilation, after: one.dilation, output: 'residual' }),
    );
    this.#up = new ConvolutionStage(model.up, kernel);
    this.#join = new ConvolutionStage(model.join, kernel, { before: 1, after: 1, output: 'relu' });
    this.#last = new ConvolutionStage(model.last, kernel);
    this.#heard = new RowQueue(model.head.inputs);
    this.#logits = new RowQueue(visemeCount);
    this.#sharp = new RowQueue(rowWidth);
    this.#sharp.pushZeros((smoothing.length - 1) / 2);
    this.#trunkEarly = model.ahead;
  }

  /** Memory in use without the model's weights, bytes. */
  get bytes(): number {
    const stages = [
      ...this.#trunk,
      this.#head,
      this.#down,
      ...this.#blocks,
      this.#up,
      this.#join,
      this.#last,
    ];
    const parts = [...stages, this.#heard, this.#logits, this.#sharp];
    return parts.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** @param mels frames of 40 @returns the further frames that are final */
  push(mels: readonly Float32Array[]): HeardRows {
    const before = this.#frames === 0 && mels.length > 0 ? silentEdge : 0;
    const rows = new Float32Array((before + mels.length) * melBands);
    const silence = before > 0 ? this.#silence() : undefined;
    for (let n = 0; silence && n < before; n++) rows.set(silence, n * melBands);
    mels.forEach((mel, n) => {
      const at = (before + n) * melBands;
      this.#mean.step(mel, rows.subarray(at, at + melBands));
    });
    this.#frames += mels.length;
    return this.#hear(rows);
  }

  /** Returns the remaining frames. */
  end(): HeardRows {
    if (this.#frames === 0) return { posteriors: new Float32Array(0), contacts: new Float32Array(0) };
    // an even number of frames, and then what the trunk hears last: nothing
    const after = silentEdge + (this.#frames % 2);
    const rows = new Float32Array((after + this.#model.ahead) * melBands);
    const silence = this.#silence();
    for (let n = 0; n < after; n++) rows.set(silence, n * melBands);
    return this.#hear(rows, true);
  }

  #silence(): Rows {
    return Float32Array.from(this.#mean.mean, (mean) => silentMel - mean);
  }

  /** @param isLast nothing comes after these frames */
  #hear(rows: Rows, isLast = false): HeardRows {
    let x = rows;
    for (const stage of this.#trunk) x = stage.push(x, isLast);
    x = this.#lessEarly(x);
    this.#logits.push(this.#head.push(x));
    this.#heard.push(x);
    x = this.#down.push(x);
    for (const stage of this.#blocks) x = stage.push(x, isLast);
    // a row for two frames is two rows
    const around = this.#up.push(x);
    const count = around.length / this.#heard.width;
    const heard = this.#heard.rows(0, count);
    for (let i = 0; i < around.length; i++) around[i] = (around[i] as number) + (heard[i] as number);
    this.#heard.drop(count);
    this.#emitLogits(this.#last.push(this.#join.push(around, isLast)));
    return this.#answers();
  }

  #lessEarly(x: Rows): Rows {
    const width = this.#heard.width;
    const early = Math.min(this.#trunkEarly, x.length / width);
    this.#trunkEarly -= early;
    return x.subarray(early * width);
  }

  /** @param added the blocks' corrections to the head's outputs, [frames · 15] */
  #emitLogits(added: Rows): void {
    const count = added.length / visemeCount;
    const logits = this.#logits.rows(0, count);
    const row = new Float32Array(rowWidth);
    for (let n = 0; n < count; n++) {
      const here = logits.subarray(n * visemeCount, (n + 1) * visemeCount);
      const alone = softmax(here);
      for (let v = 0; v < visemeCount; v++) {
        here[v] = (here[v] as number) + (added[n * visemeCount + v] as number);
      }
      const together = softmax(here);
      row.set(together);
      contactVisemes.forEach((viseme, k) => {
        row[visemeCount + k] = Math.max(alone[viseme] as number, together[viseme] as number);
      });
      this.#sharp.push(row);
    }
    this.#logits.drop(count);
  }

  /** Returns smoothed rows for the recording's own frames, as many as are final. */
  #answers(): HeardRows {
    const count = Math.max(0, this.#sharp.count - smoothing.length + 1);
    const smooth = new Float32Array(count * rowWidth);
    smoothing.forEach((share, k) => {
      const rows = this.#sharp.rows(k, count);
      for (let i = 0; i < smooth.length; i++) {
        const own = i % rowWidth < visemeCount ? share : (contactSmoothing[k] as number);
        smooth[i] = (smooth[i] as number) + own * (rows[i] as number);
      }
    });
    this.#sharp.drop(count);
    const first = Math.min(count, Math.max(0, -this.#answered));
    const end = Math.max(first, Math.min(count, this.#frames - this.#answered));
    this.#answered += count;
    const posteriors = new Float32Array((end - first) * visemeCount);
    const contacts = new Float32Array((end - first) * contactVisemes.length);
    for (let n = first; n < end; n++) {
      const row = smooth.subarray(n * rowWidth, (n + 1) * rowWidth);
      posteriors.set(row.subarray(0, visemeCount), (n - first) * visemeCount);
      contacts.set(row.subarray(visemeCount), (n - first) * contactVisemes.length);
    }
    return { posteriors, contacts };
  }
}
