import type { SimdKernel } from './simd_kernel.ts';
import type { Convolution } from './stored_layers.ts';

export type Rows = Float32Array<ArrayBuffer>;

/** Rows of equal width, first in, first out. Never shrinks its buffer. */
export class RowQueue {
  readonly width: number;
  #rows: Rows;
  #first = 0;
  #end = 0;

  constructor(width: number) {
    this.width = width;
    this.#rows = new Float32Array(width * 16);
  }

  get count(): number {
    return (this.#end - this.#first) / this.width;
  }

  get bytes(): number {
    return this.#rows.byteLength;
  }

  push(rows: Float32Array): void {
    if (this.#end + rows.length > this.#rows.length) {
      const kept = this.#rows.subarray(this.#first, this.#end);
      const room = kept.length + rows.length;
      if (room > this.#rows.length) this.#rows = new Float32Array(2 * room);
      this.#rows.set(kept);
      this.#first = 0;
      this.#end = kept.length;
    }
    this.#rows.set(rows, this.#end);
    this.#end += rows.length;
  }

  pushZeros(count: number): void {
    this.push(new Float32Array(count * this.width));
  }

  /** @returns a view that is valid until the next push */
  rows(from: number, count: number): Rows {
    const start = this.#first + from * this.width;
    return this.#rows.subarray(start, start + count * this.width);
  }

  drop(count: number): void {
    this.#first += count * this.width;
  }
}

export interface StageOptions {
  /** Zero frames before the first and after the last. */
  before?: number;
  after?: number;
  /** Frames from one output to the next. */
  stride?: number;
  /** `relu`: negative outputs become 0. `residual`: the same, added to the input. */
  output?: 'plain' | 'relu' | 'residual';
}

/**
 * A convolution over a stream of frames. Takes blocks of any length and returns every frame that is final by
 * then. Keeps only the frames that it needs again.
 */
export class ConvolutionStage {
  readonly #convolution: Convolution;
  readonly #kernel: SimdKernel;
  readonly #options: Required<StageOptions>;
  readonly #input: RowQueue;
  #output: Rows = new Float32Array(0);

  constructor(convolution: Convolution, kernel: SimdKernel, options: StageOptions = {}) {
    this.#convolution = convolution;
    this.#kernel = kernel;
    this.#options = { before: 0, after: 0, stride: 1, output: 'plain', ...options };
    this.#input = new RowQueue(convolution.inputs);
    this.#input.pushZeros(this.#options.before);
  }

  get bytes(): number {
    return this.#input.bytes + this.#output.byteLength;
  }

  /** @param rows [frames · inputs] @param isLast no others follow @returns [frames · outputs], overwritten by the next push */
  push(rows: Float32Array, isLast = false): Rows {
    this.#input.push(rows);
    if (isLast) this.#input.pushZeros(this.#options.after);
    return this.#run();
  }

  #run(): Rows {
    const { inputs, outputs, taps, dilation } = this.#convolution;
    const { before, stride, output } = this.#options;
    const input = this.#input;
    const ready = Math.max(0, Math.floor((input.count - 1 - (taps - 1) * dilation) / stride) + 1);
    if (this.#output.length < ready * outputs) this.#output = new Float32Array(ready * outputs);
    const out = this.#output;
    const kernel = this.#kernel;
    const gather = (n: number, to: Float32Array): void => {
      for (let tap = 0; tap < taps; tap++) {
        to.set(input.rows(n * stride + tap * dilation, 1), tap * inputs);
      }
    };
    const keep = (n: number, made: Float32Array): void => {
      const at = n * outputs;
      if (output === 'plain') {
        out.set(made.subarray(0, outputs), at);
        return;
      }
      for (let i = 0; i < outputs; i++) out[at + i] = Math.max(0, made[i] as number);
      if (output === 'relu') return;
      const own = input.rows(n * stride + before, 1);
      for (let i = 0; i < outputs; i++) out[at + i] = (out[at + i] as number) + (own[i] as number);
    };
    for (let n = 0; n < ready; n += 2) {
      gather(n, kernel.input);
      if (n + 1 === ready) {
        kernel.apply(this.#convolution);
        keep(n, kernel.output);
        continue;
      }
      gather(n + 1, kernel.secondInput);
      kernel.applyToTwo(this.#convolution);
      keep(n, kernel.output);
      keep(n + 1, kernel.secondOutput);
    }
    input.drop(ready * stride);
    return out.subarray(0, ready * outputs);
  }
}
