import { readFileSync } from 'node:fs';
import { melBands } from './mel.ts';

/**
 * Visemes in the order of proto/blendshapes.ts, without the prefix: `sil PP FF TH DD kk CH SS nn RR aa E I O
 * U`.
 */
export const visemeCount = 15;

/** One causal convolution, batch norm folded in. */
export interface Convolution {
  readonly inputs: number;
  readonly outputs: number;
  readonly taps: number;
  readonly dilation: number;
  /** [outputs][taps · inputs], oldest tap first. */
  readonly weights: Float32Array;
  /** [outputs] */
  readonly bias: Float32Array;
}

/** Trained weights and their parameters. Immutable, so all streams share one. */
export interface SpeechModel {
  /** First the input layer, then the residual blocks. */
  readonly convolutions: readonly Convolution[];
  /** One output layer for each of `lookaheads`. */
  readonly heads: readonly Convolution[];
  /** The lookahead of each output head, in frames of 10 ms. */
  readonly lookaheads: readonly number[];
  /** Where the running mean of log-mel frames starts, [40]. */
  readonly startMean: Float32Array;
  /**
   * Smoothed PP posterior from which the lips are closed, and FF posterior from which the teeth are on the
   * lip.
   */
  readonly closureThreshold: number;
  readonly lipTeethThreshold: number;
}

interface StoredConvolution {
  inputs: number;
  outputs: number;
  taps: number;
  dilation: number;
}

interface StoredHeader {
  convolutions: StoredConvolution[];
  heads: StoredConvolution[];
  lookaheads: number[];
  startMean: number[];
  closureThreshold: number;
  lipTeethThreshold: number;
}

const magic = 'LSV1';

/**
 * Reads the weights: 'LSV1', u32 length of a JSON header, the header, then for every layer its outputs'
 * scales (f32), biases (f32) and int8 weights, little endian; training/speech/export.py writes it.
 *
 * @param source Path or bytes; by default the file beside this module.
 */
export function loadSpeechModel(
  source: string | URL | Uint8Array = new URL('./weights.bin', import.meta.url),
): SpeechModel {
  const bytes = source instanceof Uint8Array ? source : readFileSync(source);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 8 || String.fromCharCode(...bytes.subarray(0, 4)) !== magic) {
    throw new Error('Not a speech model: the file does not begin with LSV1');
  }
  const headerLength = view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + headerLength))) as StoredHeader;
  let at = 8 + headerLength;
  const floats = (count: number): Float32Array => {
    const out = Float32Array.from({ length: count }, (_, i) => view.getFloat32(at + 4 * i, true));
    at += 4 * count;
    return out;
  };
  const layer = (shape: StoredConvolution): Convolution => {
    const scale = floats(shape.outputs);
    const bias = floats(shape.outputs);
    const row = shape.taps * shape.inputs;
    const weights = Float32Array.from(
      { length: shape.outputs * row },
      (_, i) => view.getInt8(at + i) * (scale[Math.floor(i / row)] as number),
    );
    at += shape.outputs * row;
    return { ...shape, weights, bias };
  };
  const convolutions = header.convolutions.map(layer);
  const heads = header.heads.map(layer);
  if (at !== bytes.byteLength || header.startMean.length !== melBands) {
    throw new Error('The speech model is damaged: its size does not fit its header');
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
