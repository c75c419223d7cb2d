import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Tensor4D } from '@tensorflow/tfjs-core';
import { tensorflow } from './tensorflow.ts';

/** Pixels of the network's input and output. */
export const inputWidth = 192;
export const inputHeight = 224;
/** Channels of the input: red, green, blue, and the face's outline filled; of the output: hair, skin, person. */
export const inputChannels = 4;
export const outputChannels = 3;

/** Channels from the shallow to the deep end of the U-net, and how many more layers each depth has. */
const widths = [24, 48, 96, 144, 192] as const;
const depths = [1, 3, 3, 2] as const;
/** Sides of the kernels by depth. */
const kernels = [3, 3, 5, 5] as const;
/** Weights and biases of all layers. */
const parameterCount = 366_732;

export interface SegmentationNetwork {
  /** @returns probabilities, pixel by pixel @param input - Of 0..1, pixel by pixel. */
  run(input: Float32Array): Float32Array;
}

/** In the sources, or beside the built program or the chunks of it that this file became part of. */
const weightFiles = [
  '../segment/segmentation_weights.bin',
  'segmentation_weights.bin',
  '../segmentation_weights.bin',
];
const weightsFile = (): URL => {
  const urls = weightFiles.map((file) => new URL(file, import.meta.url));
  return urls.find((url) => existsSync(url)) ?? urls[0]!;
};

/**
 * Loads the network of segment/MODEL_CARD.md: a depthwise-separable U-net, batch norms folded into its convolutions.
 *
 * @throws Error that names the file, where it is missing or not of this network's size
 */
export async function loadSegmentationNetwork(file: URL = weightsFile()): Promise<SegmentationNetwork> {
  const [tf, bytes] = await Promise.all([tensorflow(), readFile(file)]);
  if (bytes.byteLength !== 2 * parameterCount)
    throw new Error(
      `The segmentation network ${file} has ${bytes.byteLength} bytes, not ${2 * parameterCount}.`,
    );
  const half = new Float16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  let at = 0;
  const take = (count: number): Float32Array => {
    at += count;
    return Float32Array.from(half.subarray(at - count, at));
  };

  type Layer = (x: Tensor4D) => Tensor4D;
  const convolution = (
    [size, inputs, outputs]: readonly [number, number, number],
    activation: 'linear' | 'relu' = 'linear',
    strides = 1,
  ): Layer => {
    const filter = tf.tensor4d(take(size * size * inputs * outputs), [size, size, inputs, outputs]);
    const bias = tf.tensor1d(take(outputs));
    const pad = (size - 1) / 2;
    return (x) => tf.fused.conv2d({ x, filter, bias, strides, pad, activation }) as Tensor4D;
  };
  const depthwise = (size: number, channels: number, strides: number): Layer => {
    const filter = tf.tensor4d(take(size * size * channels), [size, size, channels, 1]);
    const bias = tf.tensor1d(take(channels));
    const pad = (size - 1) / 2;
    return (x) => tf.fused.depthwiseConv2d({ x, filter, bias, strides, pad }) as Tensor4D;
  };
  const separable = (size: number, inputs: number, outputs: number, strides = 1): Layer => {
    const isResidual = inputs === outputs && strides === 1;
    const across = depthwise(size, inputs, strides);
    const through = convolution([1, inputs, outputs], isResidual ? 'linear' : 'relu');
    return (x) => {
      const y = through(across(x));
      return isResidual ? tf.relu(tf.add(y, x)) : y;
    };
  };
  const deepen = (depth: 0 | 1 | 2 | 3): Layer => {
    const [from, to, size] = [widths[depth], widths[depth + 1]!, kernels[depth]];
    const first = separable(size, from, to, 2);
    const rest = Array.from({ length: depths[depth] }, () => separable(size, to, to));
    return (x) => rest.reduce((y, layer) => layer(y), first(x));
  };
  const enlarge = (depth: 0 | 1 | 2 | 3): ((deep: Tensor4D, shallow: Tensor4D) => Tensor4D) => {
    const channels = widths[depth];
    const fromDeep = convolution([1, widths[depth + 1]!, channels]);
    const fromShallow = convolution([1, channels, channels]);
    const last = separable(depth === 3 ? 5 : 3, channels, channels);
    return (deep, shallow) => {
      const [, height, width] = shallow.shape;
      const y = tf.image.resizeBilinear(fromDeep(deep), [height, width], false, true);
      return last(tf.relu(tf.add(y, fromShallow(shallow))));
    };
  };

  const stem = convolution([3, inputChannels, widths[0]], 'relu', 2);
  const down = ([0, 1, 2, 3] as const).map(deepen);
  const up = ([3, 2, 1, 0] as const).map(enlarge);
  const out = convolution([1, widths[0], 4 * outputChannels]);

  return {
    run: (input) => {
      let blocks = new Float32Array();
      tf.tidy(() => {
        const seen = [stem(tf.tensor4d(input, [1, inputHeight, inputWidth, inputChannels]))];
        for (const layer of down) seen.push(layer(seen.at(-1)!));
        const y = up.reduce((deep, layer, k) => layer(deep, seen[3 - k]!), seen[4]!);
        // Not handed out of tidy, which would search all its elements for tensors.
        blocks = Float32Array.from(tf.sigmoid(out(y)).dataSync<'float32'>());
      });
      return unfolded(blocks);
    },
  };
}

/** Blocks of 2 × 2 pixels, pixel by pixel: TensorFlow's depthToSpace takes longer. */
function unfolded(blocks: Float32Array): Float32Array {
  const values = new Float32Array(blocks.length);
  const half = inputWidth / 2;
  for (let i = 0; i < blocks.length; i++) {
    const channel = i % outputChannels;
    const position = Math.floor(i / outputChannels) & 3;
    const block = Math.floor(i / (4 * outputChannels));
    const x = 2 * (block % half) + (position & 1);
    const y = 2 * Math.floor(block / half) + (position >> 1);
    values[outputChannels * (y * inputWidth + x) + channel] = blocks[i]!;
  }
  return values;
}
