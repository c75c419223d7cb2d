import { ConvolutionStage, RowQueue, type Rows } from './convolution_stage.ts';
import { melBands, silentMel } from './mel.ts';
import type { LessMean } from './recording_mean.ts';
import type { SecondHearingModel } from './second_hearing_model.ts';
import { SimdKernel } from './simd_kernel.ts';
import { visemeCount } from './speech_model.ts';
import { softmax } from './viseme_stream.ts';

/** Frames of silence that are heard before and after a recording; an even number. */
const silentEdge = 100;
/**
 * How a frame's posteriors are smoothed with those around it: single frames that stand out are seldom right, and lips
 * are made of several. Chosen on voices that no training has heard (docs/quality/notes-second-hearing.md).
 */
const smoothing = [1 / 9, 2 / 9, 3 / 9, 2 / 9, 1 / 9];
/** Frames that the end of a recording is computed by. */
const lastBlock = 100;

/** Made once for all recordings of a model. */
const kernels = new WeakMap<SecondHearingModel, SimdKernel>();

function kernelOf(model: SecondHearingModel): SimdKernel {
  const { trunk, head, down, blocks, up, join, last } = model;
  const kernel = kernels.get(model) ?? new SimdKernel([...trunk, head, down, ...blocks, up, join, last]);
  kernels.set(model, kernel);
  return kernel;
}

/**
 * The network over a whole recording, block by block: log-mel frames in, viseme posteriors out as soon as what
 * comes after them has been heard. What it keeps does not grow with the recording.
 *
 * Twin of training/speech/hearing.py.
 */
export class SecondHearingStream {
  readonly #model: SecondHearingModel;
  readonly #lessMean: LessMean;
  readonly #trunk: readonly ConvolutionStage[];
  readonly #head: ConvolutionStage;
  readonly #down: ConvolutionStage;
  readonly #blocks: readonly ConvolutionStage[];
  readonly #up: ConvolutionStage;
  readonly #join: ConvolutionStage;
  readonly #last: ConvolutionStage;
  /** What the trunk heard and its head says, until the blocks have said what surrounds it. */
  readonly #heard: RowQueue;
  readonly #said: RowQueue;
  /** Posteriors that are smoothed with the next ones. */
  readonly #sharp: RowQueue;
  /** Of the trunk's outputs, that many more are of before the first frame. */
  #trunkEarly: number;
  /** Frames of the recording, and how many of them were answered; the silence before it counts from below 0. */
  #frames = 0;
  #answered = -silentEdge;

  constructor(model: SecondHearingModel, lessMean: LessMean) {
    const kernel = kernelOf(model);
    this.#model = model;
    this.#lessMean = lessMean;
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
    this.#said = new RowQueue(visemeCount);
    this.#sharp = new RowQueue(visemeCount);
    this.#sharp.pushZeros((smoothing.length - 1) / 2);
    this.#trunkEarly = model.ahead;
  }

  /** Memory that it holds, the model's weights aside. */
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
    const parts = [...stages, this.#lessMean, this.#heard, this.#said, this.#sharp];
    return parts.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** @param mels frames of 40 @returns posteriors of as many further frames as can be said, [frames · 15] */
  push(mels: readonly Float32Array[]): Float32Array {
    return this.#hear(mels.flatMap((mel) => this.#withEdge(this.#lessMean.push(mel))));
  }

  /** Posteriors of the frames that are left, a block at a time. */
  *end(): Generator<Float32Array> {
    let ready: Rows[] = [];
    for (let frame = this.#lessMean.end(); frame; frame = this.#lessMean.end()) {
      ready.push(...this.#withEdge(frame));
      if (ready.length < lastBlock) continue;
      yield this.#hear(ready);
      ready = [];
    }
    if (this.#frames === 0) return;
    // an even number of frames, and then what the trunk hears last
    const after = Array.from({ length: silentEdge + (this.#frames % 2) }, () => this.#silence());
    const nothing = Array.from({ length: this.#model.ahead }, () => new Float32Array(melBands));
    yield this.#hear([...ready, ...after, ...nothing], true);
  }

  /** The frame, and before the first one silence. */
  #withEdge(frame: Rows | undefined): Rows[] {
    if (!frame) return [];
    if (this.#frames++ > 0) return [frame];
    return [...Array.from({ length: silentEdge }, () => this.#silence()), frame];
  }

  #silence(): Rows {
    return Float32Array.from(this.#lessMean.mean, (mean) => silentMel - mean);
  }

  /** @param isLast nothing comes after these frames */
  #hear(frames: readonly Rows[], isLast = false): Float32Array {
    let x = joined(frames, melBands);
    for (const stage of this.#trunk) x = stage.push(x, isLast);
    x = this.#lessEarly(x);
    this.#said.push(this.#head.push(x));
    this.#heard.push(x);
    x = this.#down.push(x);
    for (const stage of this.#blocks) x = stage.push(x, isLast);
    // a row for two frames is two rows
    const around = this.#up.push(x);
    const count = around.length / this.#heard.width;
    const heard = this.#heard.rows(0, count);
    for (let i = 0; i < around.length; i++) around[i] = (around[i] as number) + (heard[i] as number);
    this.#heard.drop(count);
    this.#sayTogether(this.#last.push(this.#join.push(around, isLast)));
    return this.#answers();
  }

  #lessEarly(x: Rows): Rows {
    const width = this.#heard.width;
    const early = Math.min(this.#trunkEarly, x.length / width);
    this.#trunkEarly -= early;
    return x.subarray(early * width);
  }

  /** @param added what the blocks add to the head's answers, [frames · 15] */
  #sayTogether(added: Rows): void {
    const count = added.length / visemeCount;
    const logits = this.#said.rows(0, count);
    for (let i = 0; i < added.length; i++) logits[i] = (logits[i] as number) + (added[i] as number);
    for (let n = 0; n < count; n++) {
      this.#sharp.push(softmax(logits.subarray(n * visemeCount, (n + 1) * visemeCount)));
    }
    this.#said.drop(count);
  }

  /** Smoothed posteriors, as many as can be said, of the recording's frames alone. */
  #answers(): Float32Array {
    const count = Math.max(0, this.#sharp.count - smoothing.length + 1);
    const out = new Float32Array(count * visemeCount);
    smoothing.forEach((share, k) => {
      const rows = this.#sharp.rows(k, count);
      for (let i = 0; i < out.length; i++) out[i] = (out[i] as number) + share * (rows[i] as number);
    });
    this.#sharp.drop(count);
    const first = Math.min(count, Math.max(0, -this.#answered));
    const end = Math.max(first, Math.min(count, this.#frames - this.#answered));
    this.#answered += count;
    return out.subarray(first * visemeCount, end * visemeCount);
  }
}

function joined(rows: readonly Rows[], width: number): Rows {
  const out = new Float32Array(rows.length * width);
  rows.forEach((row, n) => {
    out.set(row, n * width);
  });
  return out;
}
