import { melBands } from './mel.ts';
import { type Convolution, type ConvolutionShape, openStoredLayers } from './stored_layers.ts';

/**
 * Visemes in the order of proto/blendshapes.ts, without the prefix: `sil PP FF TH DD kk CH SS nn RR aa E I O
 * U`.
 */
export const visemeCount = 15;

/** Trained weights with their parameters. Immutable, so one instance serves every stream. */
export interface SpeechModel {
  /** First the input layer, then the residual blocks. */
  readonly convolutions: readonly Convolution[];
  /** One output layer for each of `lookaheads`. */
  readonly heads: readonly Convolution[];
  /** The lookahead of each output head, in frames of 10 ms. */
  readonly lookaheads: readonly number[];
  /** Initial value of the running mean of log-mel frames, [40]. */
  readonly startMean: Float32Array;
  /**
   * Smoothed PP posterior above which the lips are closed, and FF posterior above which the teeth touch the
   * lip.
   */
  readonly closureThreshold: number;
  readonly lipTeethThreshold: number;
}

interface StoredHeader {
  convolutions: ConvolutionShape[];
  heads: ConvolutionShape[];
  lookaheads: number[];
  startMean: number[];
  closureThreshold: number;
  lipTeethThreshold: number;
}

/**
 * Reads the live network's weights (stored_layers.ts has the format).
 *
 * @param source Path or bytes; by default the file beside this module.
 */
export function loadSpeechModel(
  source: string | URL | Uint8Array = new URL('./weights.bin', import.meta.url),
): SpeechModel {
  const { header, take, end } = openStoredLayers<StoredHeader>(source, 'LSV1');
  const convolutions = header.convolutions.map(take);
  const heads = header.heads.map(take);
  end();
  if (header.startMean.length !== melBands) {
    throw new Error('The speech model is damaged: its start mean does not fit');
  }
  return {
    convolutions,
    heads,
    lookaheads: header.lookaheads,
    startMean: Float32Array.from(header.startMean),
    closureThreshold: header.closureThreshold,
    lipTeethThreshold: header.lipTeethThreshold,
  };
}
