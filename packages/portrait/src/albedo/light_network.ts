import type { Tensor1D, Tensor2D, Tensor4D } from '@tensorflow/tfjs-core';
import { type Tensorflow, tensorflow } from '../landmarks/tensorflow.ts';
import { lightWeights } from './light_weights.ts';

/** Cells a side of the face's layout that the network sees. */
export const cells = 64;
/** Fields a cell that the network reads; the last is whether the photo shows the cell. */
export const inputs = 13;

/**
 * A U-Net with one vector for the whole face. Input: two pictures of `cells`² × {@link inputs}, channel by channel. Output:
 * ln of the gain that removes the light, linear RGB, two pictures of `cells`² × 3, cell by cell.
 */
export type LightNetwork = (fields: Float32Array) => Float32Array;

/** Channels at the three scales, and of the vector. */
const [wide, middle, deep, whole] = [32, 40, 64, 64];
const slope = 0.1;

/** Layers in the order of the weights; of a convolution the kernel is 3 × 3. */
const layers = [
  ['e2a', 4 * inputs, wide],
  ['e2b', wide, wide],
  ['e3a', wide, middle],
  ['e3b', middle, middle],
  ['e4a', middle, deep],
  ['e4b', deep, deep],
  ['g1', deep + middle, whole, 'dense'],
  ['g2', whole, deep, 'dense'],
  ['u3a', deep + middle, middle],
  ['u3b', middle, middle],
  ['u2a', middle + wide, wide],
  ['u2b', wide, wide],
  ['out', wide, 12],
  ['tone', deep, 3, 'dense'],
] as const;
type LayerName = (typeof layers)[number][0];

/** Weights [out][in][y][x] of a file to [y][x][in][out]. */
function transposed(values: Float32Array, from: number, into: number, taps: number): Float32Array {
  const out = new Float32Array(values.length);
  for (let o = 0; o < into; o++)
    for (let i = 0; i < from; i++)
      for (let k = 0; k < taps; k++) out[(k * from + i) * into + o] = values[(o * from + i) * taps + k];
  return out;
}

interface Layer {
  readonly kernel: Tensor4D | Tensor2D;
  readonly bias: Tensor1D;
}

function readLayers(tf: Tensorflow): Record<LayerName, Layer> {
  const half = new Float16Array(Uint8Array.from(Buffer.from(lightWeights, 'base64')).buffer);
  let at = 0;
  const take = (count: number): Float32Array => {
    at += count;
    return Float32Array.from(half.subarray(at - count, at));
  };
  const entries = layers.map(([name, from, into, dense]) => {
    const taps = dense ? 1 : 9;
    const values = transposed(take(taps * from * into), from, into, taps);
    const kernel = dense ? tf.tensor2d(values, [from, into]) : tf.tensor4d(values, [3, 3, from, into]);
    return [name, { kernel, bias: tf.tensor1d(take(into)) }] as const;
  });
  if (at !== half.length) throw new Error('The weights of the light network are damaged.');
  return Object.fromEntries(entries) as unknown as Record<LayerName, Layer>;
}

let network: Promise<LightNetwork> | undefined;

/** The network, loaded once a thread; its weights stay in the backend. */
export function loadLightNetwork(): Promise<LightNetwork> {
  network ??= buildNetwork();
  return network;
}

async function buildNetwork(): Promise<LightNetwork> {
  const tf = await tensorflow();
  const layer = readLayers(tf);
  const conv = (x: Tensor4D, name: LayerName, linear = false): Tensor4D =>
    tf.fused.conv2d({
      x,
      filter: layer[name].kernel as Tensor4D,
      strides: 1,
      pad: 'same',
      bias: layer[name].bias,
      ...(linear ? {} : { activation: 'leakyrelu', leakyreluAlpha: slope }),
    });
  const block = (x: Tensor4D, name: 'e2' | 'e3' | 'e4' | 'u3' | 'u2'): Tensor4D =>
    conv(conv(x, `${name}a`), `${name}b`);
  const dense = (x: Tensor2D, name: LayerName): Tensor2D =>
    tf.add(tf.matMul(x, layer[name].kernel as Tensor2D), layer[name].bias);
  const halved = (x: Tensor4D): Tensor4D => tf.avgPool(x, 2, 2, 'valid');
  const doubled = (x: Tensor4D): Tensor4D =>
    tf.image.resizeBilinear(x, [2 * x.shape[1], 2 * x.shape[2]], false, true);
  return (fields) => {
    const [tone, local] = tf.tidy(() => {
      const mask = tf.tensor4d(masksOf(fields), [2, cells, cells, 1]);
      const fine = block(tf.tensor4d(packed(fields), [2, cells / 2, cells / 2, 4 * inputs]), 'e2');
      const coarse = block(halved(fine), 'e3');
      const deepest = block(halved(coarse), 'e4');
      const meanOf = (x: Tensor4D, over: number): Tensor2D => {
        const weight = tf.avgPool(mask, over, over, 'valid');
        const sum = tf.sum(tf.mul(x, weight), [1, 2]);
        return tf.div(sum, tf.add(tf.sum(weight, [1, 2]), 1e-3)) as Tensor2D;
      };
      const seen = tf.concat([meanOf(deepest, 8), meanOf(coarse, 4)], 1) as Tensor2D;
      const all = tf.leakyRelu(dense(tf.leakyRelu(dense(seen, 'g1'), slope), 'g2'), slope);
      const lit = tf.add(deepest, tf.reshape(all, [2, 1, 1, deep])) as Tensor4D;
      const up = block(tf.concat([doubled(lit), coarse], 3), 'u3');
      const out = block(tf.concat([doubled(up), fine], 3), 'u2');
      return [dense(all, 'tone'), conv(out, 'out', true)];
    });
    const [shift, values] = [tone.dataSync(), local.dataSync()] as [Float32Array, Float32Array];
    const gains = unpacked(values, shift);
    tone.dispose();
    local.dispose();
    return gains;
  };
}

function masksOf(fields: Float32Array): Float32Array {
  const area = cells * cells;
  const out = new Float32Array(2 * area);
  for (let n = 0; n < 2; n++)
    out.set(fields.subarray((n * inputs + inputs - 1) * area, (n + 1) * inputs * area), n * area);
  return out;
}

/** Cells of 2 × 2 as channels, which come last. */
function packed(fields: Float32Array): Float32Array {
  const out = new Float32Array(fields.length);
  const half = cells / 2;
  for (let n = 0; n < 2; n++)
    for (let c = 0; c < inputs; c++)
      for (let y = 0; y < cells; y++)
        for (let x = 0; x < cells; x++)
          out[(((n * half + (y >> 1)) * half + (x >> 1)) * inputs + c) * 4 + 2 * (y & 1) + (x & 1)] =
            fields[((n * inputs + c) * cells + y) * cells + x];
  return out;
}

/** The reverse, of three channels, with the tone of the whole face added. */
function unpacked(values: Float32Array, tone: Float32Array): Float32Array {
  const half = cells / 2;
  const out = new Float32Array(2 * cells * cells * 3);
  for (let n = 0; n < 2; n++)
    for (let y = 0; y < cells; y++)
      for (let x = 0; x < cells; x++)
        for (let c = 0; c < 3; c++)
          out[((n * cells + y) * cells + x) * 3 + c] =
            tone[3 * n + c] +
            values[((n * half + (y >> 1)) * half + (x >> 1)) * 12 + 4 * c + 2 * (y & 1) + (x & 1)];
  return out;
}
