import { melBands } from './mel.ts';
import { visemeCount } from './speech_model.ts';
import { type Convolution, type ConvolutionShape, openStoredLayers } from './stored_layers.ts';

/**
 * Trained weights of the network for complete recordings. Immutable, so one instance serves every recording.
 */
export interface FullPassModel {
  /** A causal network like the live one: first the input layer, then the residual blocks. */
  readonly trunk: readonly Convolution[];
  /** Output of the trunk alone, {@link ahead} frames later. */
  readonly head: Convolution;
  /** Two frames to one of 20 ms. */
  readonly down: Convolution;
  /** Symmetric residual blocks over frames of 20 ms. */
  readonly blocks: readonly Convolution[];
  /** One frame of 20 ms to two. */
  readonly up: Convolution;
  readonly join: Convolution;
  /** Correction added to the head's output. */
  readonly last: Convolution;
  readonly ahead: number;
  /** Mean log-mel frame of the training data, [40]. */
  readonly startMean: Float32Array;
  /** As in SpeechModel, for this network's posteriors. */
  readonly closureThreshold: number;
  readonly lipTeethThreshold: number;
}

interface StoredHeader {
  trunk: ConvolutionShape[];
  head: ConvolutionShape;
  down: ConvolutionShape;
  blocks: ConvolutionShape[];
  up: ConvolutionShape;
  join: ConvolutionShape;
  last: ConvolutionShape;
  ahead: number;
  startMean: number[];
  closureThreshold: number;
  lipTeethThreshold: number;
}

/**
 * Reads the full pass's weights.
 *
 * @param source Path or bytes; by default the file beside this module.
 */
export async function loadFullPassModel(
  source: string | URL | Uint8Array = new URL('./second_hearing.bin', import.meta.url),
): Promise<FullPassModel> {
  const { header, take, end } = openStoredLayers<StoredHeader>(source, 'LSH1');
  const model = {
    trunk: header.trunk.map(take),
    head: take(header.head),
    down: take(header.down),
    blocks: header.blocks.map(take),
    up: take(header.up),
    join: take(header.join),
    last: take(header.last),
  };
  end();
  if (header.startMean.length !== melBands || header.last.outputs !== visemeCount) {
    throw new Error('The speech model is damaged: its header does not fit');
  }
  return {
    ...model,
    ahead: header.ahead,
    startMean: Float32Array.from(header.startMean),
    closureThreshold: header.closureThreshold,
    lipTeethThreshold: header.lipTeethThreshold,
  };
}
