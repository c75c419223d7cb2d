import type { StateCarrier } from '@likeness/proto/speech/carried_state.ts';
import { melBands, silentMel } from './mel.ts';
import { RunningMean } from './running_mean.ts';
import { SimdKernel } from './simd_kernel.ts';
import { type SpeechModel, visemeCount } from './speech_model.ts';
import type { Convolution } from './stored_layers.ts';

type Floats = Float32Array<ArrayBuffer>;

/** Built once for all streams of a model. */
const kernels = new WeakMap<SpeechModel, SimdKernel>();

function kernelOf(model: SpeechModel): SimdKernel {
  const kernel = kernels.get(model) ?? new SimdKernel([...model.convolutions, ...model.heads]);
  kernels.set(model, kernel);
  return kernel;
}

/** Viseme posteriors of one frame, as estimated now. */
export interface VisemeEstimate {
  /** Age in frames of 10 ms relative to the newest estimated frame. */
  readonly age: number;
  /** [15], sums to 1. */
  readonly posterior: Float32Array;
}

/**
 * The network as a stream: one log-mel frame in, viseme posteriors out, for one lookahead. Its heads for
 * longer lookaheads re-estimate older frames, more reliably because they use later sound.
 *
 * Twin of packages/speech/training/network.py and of `stream` in train.py.
 */
export class VisemeStream {
  readonly #mean: RunningMean;
  readonly #kernel: SimdKernel;
  readonly #layers: Layer[];
  readonly #heads: readonly { readonly age: number; readonly head: Convolution }[];
  readonly #input = new Float32Array(melBands);

  /** @param lookahead frames of 10 ms; one of the model's */
  constructor(model: SpeechModel, lookahead: number) {
    if (!model.lookaheads.includes(lookahead)) {
      throw new RangeError(`The model has no lookahead of ${lookahead * 10} ms`);
    }
    this.#mean = new RunningMean(model.startMean);
    this.#kernel = kernelOf(model);
    this.#layers = model.convolutions.map((convolution) => new Layer(convolution, this.#kernel));
    this.#heads = model.heads
      .map((head, k) => ({ age: (model.lookaheads[k] as number) - lookahead, head }))
      .filter(({ age }) => age >= 0)
      .toSorted((a, b) => a.age - b.age);
    this.#beginInSilence();
  }

  /**
   * Starts as if digital silence had preceded the first frame. Zeros would mean average speech, whose sudden
   * end looks like a p.
   */
  #beginInSilence(): void {
    for (let b = 0; b < melBands; b++) this.#input[b] = silentMel - (this.#mean.mean[b] as number);
    let x = this.#input;
    for (const layer of this.#layers) {
      layer.fill(x);
      x = this.#through(layer, x);
    }
  }

  /** @returns first the frame that lies `lookahead` before this one, then older ones again */
  step(mel: Float32Array): VisemeEstimate[] {
    this.#mean.step(mel, this.#input);
    let x = this.#input;
    for (const layer of this.#layers) x = this.#through(layer, x);
    const kernel = this.#kernel;
    kernel.input.set(x);
    return this.#heads.map(({ age, head }) => {
      kernel.apply(head);
      return { age, posterior: softmax(kernel.output.subarray(0, visemeCount)) };
    });
  }

  carry(state: StateCarrier): void {
    this.#mean.carry(state);
    for (const layer of this.#layers) layer.carry(state);
  }

  /** The first layer reads the audio; each of the others adds to its input. */
  #through(layer: Layer, x: Floats): Floats {
    const y = layer.step(x);
    if (x !== this.#input) for (let i = 0; i < y.length; i++) y[i] = (y[i] as number) + (x[i] as number);
    return y;
  }
}

/** @returns a fresh array */
export function softmax(logits: Float32Array): Float32Array {
  let top = Number.NEGATIVE_INFINITY;
  for (const value of logits) if (value > top) top = value;
  const out = new Float32Array(logits.length);
  let sum = 0;
  for (let i = 0; i < logits.length; i++) {
    const value = Math.exp((logits[i] as number) - top);
    out[i] = value;
    sum += value;
  }
  for (let i = 0; i < out.length; i++) out[i] = (out[i] as number) / sum;
  return out;
}

/** A causal convolution with its past, then ReLU. */
class Layer {
  readonly #convolution: Convolution;
  readonly #kernel: SimdKernel;
  /** The last (taps − 1) · dilation + 1 inputs, a ring of rows. */
  readonly #past: Floats;
  readonly #rows: number;
  #row = 0;
  readonly #output: Floats;

  constructor(convolution: Convolution, kernel: SimdKernel) {
    this.#convolution = convolution;
    this.#kernel = kernel;
    this.#rows = (convolution.taps - 1) * convolution.dilation + 1;
    this.#past = new Float32Array(this.#rows * convolution.inputs);
    this.#output = new Float32Array(convolution.outputs);
  }

  /** Sets the past to one constant input. */
  fill(input: Floats): void {
    for (let row = 0; row < this.#rows; row++) this.#past.set(input, row * input.length);
  }

  carry(state: StateCarrier): void {
    state.fill(this.#past);
    this.#row = state.number(this.#row);
  }

  /** @returns the layer's own array, overwritten by the next step */
  step(input: Floats): Floats {
    const { inputs, taps, dilation } = this.#convolution;
    this.#past.set(input, this.#row * inputs);
    for (let tap = 0; tap < taps; tap++) {
      const back = (taps - 1 - tap) * dilation;
      const row = (this.#row - back + this.#rows) % this.#rows;
      this.#kernel.input.set(this.#past.subarray(row * inputs, (row + 1) * inputs), tap * inputs);
    }
    this.#row = (this.#row + 1) % this.#rows;
    this.#kernel.apply(this.#convolution);
    const output = this.#output;
    for (let i = 0; i < output.length; i++) output[i] = Math.max(0, this.#kernel.output[i] as number);
    return output;
  }
}
