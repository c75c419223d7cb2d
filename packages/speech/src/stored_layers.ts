import { readFileSync } from 'node:fs';

/** One convolution over frames, batch norm folded in. */
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

/** A convolution's shape, as the header stores it. */
export type ConvolutionShape = Omit<Convolution, 'weights' | 'bias'>;

/** A file of weights with its header parsed; read its layers in the order in which they were written. */
export interface StoredLayers<Header> {
  readonly header: Header;
  take(shape: ConvolutionShape): Convolution;
  /** @throws Error if bytes are left over or missing */
  end(): void;
}

/**
 * Opens a file of weights: four letters, u32 length of a JSON header, the header. Then for every layer its
 * outputs' scales (f32), biases (f32) and int8 weights, little endian; packages/speech/training/export.py
 * writes it.
 *
 * @param magic the four letters
 * @throws Error if it is another kind of file, or damaged
 */
export function openStoredLayers<Header>(
  source: string | URL | Uint8Array,
  magic: string,
): StoredLayers<Header> {
  const bytes = source instanceof Uint8Array ? source : readFileSync(source);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 8 || String.fromCharCode(...bytes.subarray(0, 4)) !== magic) {
    throw new Error(`Not a speech model: the file does not begin with ${magic}`);
  }
  let at = 8 + view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, at))) as Header;
  const floats = (count: number): Float32Array => {
    const out = Float32Array.from({ length: count }, (_, i) => view.getFloat32(at + 4 * i, true));
    at += 4 * count;
    return out;
  };
  return {
    header,
    take(shape) {
      const scale = floats(shape.outputs);
      const bias = floats(shape.outputs);
      const row = shape.taps * shape.inputs;
      const weights = Float32Array.from(
        { length: shape.outputs * row },
        (_, i) => view.getInt8(at + i) * (scale[Math.floor(i / row)] as number),
      );
      at += shape.outputs * row;
      return { ...shape, weights, bias };
    },
    end() {
      if (at !== bytes.byteLength) {
        throw new Error('The speech model is damaged: its size does not fit its header');
      }
    },
  };
}
