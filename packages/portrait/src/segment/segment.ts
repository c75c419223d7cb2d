import {
  inputChannels,
  inputHeight,
  inputWidth,
  outputChannels,
  type SegmentationNetwork,
} from '../landmarks/segmentation_network.ts';
import { polygonMask, scaledAbout } from '../photo/pixel_filters.ts';
import type { HeadCrop } from './head_crop.ts';

/** The shares of hair, skin and person in each pixel of the head crop, 0..1. */
export interface Segmentation {
  /** Hair of the head; beards and brows are skin. */
  readonly hair: Float32Array;
  /** Bare skin: face, ears, neck, scalp. */
  readonly skin: Float32Array;
  /** The person with clothes and hat, without others. */
  readonly person: Float32Array;
  /** 0..1: how sure all this is about the head. */
  readonly confidence: number;
}

/** Samples along each side of a pixel, of the face's outline in the network's input. */
const samples = 4;
/** Undecided pixels in parts of the decided: edges alone leave as much; and by how much more lowers the confidence. */
const expectedUndecided = 0.15;
const uncertaintyWeight = 1.5;

/** A head with less hair than that, in parts of its face, may be shaved; and most undecided pixels in parts of hair and half the face. */
const [littleHair, maxUnclearHair] = [0.45, 0.125];

/** Whether it is unclear if there is hair: a shaved head and very short hair look alike. */
export function isHairUnclear(hair: Float32Array, { width, outside, inFace, up }: HeadCrop): boolean {
  let [found, undecided, face] = [0, 0, 0];
  for (let i = 0; i < hair.length; i++) {
    face += inFace[i];
    if (outside[i] || up(Math.floor(i / width)) < 0) continue;
    found += hair[i] > 0.5 ? 1 : 0;
    undecided += 1 - Math.abs(2 * hair[i] - 1);
  }
  return found < littleHair * face && undecided > maxUnclearHair * (found + face / 2);
}

export function segment(network: SegmentationNetwork, crop: HeadCrop): Segmentation {
  const { width, height, rgb } = crop;
  if (width !== inputWidth || height < inputHeight)
    throw new Error(`No network for ${width} × ${height} pixels.`);
  const input = new Float32Array(inputWidth * inputHeight * inputChannels);
  const oval = outlineShares(crop);
  for (let i = 0; i < inputWidth * inputHeight; i++) {
    for (let c = 0; c < 3; c++) input[inputChannels * i + c] = rgb[3 * i + c] / 255;
    input[inputChannels * i + 3] = oval[i];
  }
  // It sees a little else in a mirror: the mean of both is wrong in fewer places.
  const straight = network.run(input);
  const mirrored = mirror(network.run(mirror(input, inputChannels)), outputChannels);
  const found = straight.map((share, i) => (share + mirrored[i]) / 2);
  const channel = (c: number): Float32Array => {
    const values = new Float32Array(width * height);
    // The crop has some rows more than the network: they repeat its last one.
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        values[y * width + x] = found[outputChannels * (Math.min(y, inputHeight - 1) * width + x) + c];
    return values;
  };
  const [hair, skin, person] = [channel(0), channel(1), channel(2)];
  return Object.freeze({ hair, skin, person, confidence: confidenceOf(hair, person, crop) });
}

/** Pixels of the network from right to left. */
function mirror(values: Float32Array, channels: number): Float32Array {
  const out = new Float32Array(values.length);
  for (let i = 0; i < inputWidth * inputHeight; i++) {
    const from = i + inputWidth - 1 - 2 * (i % inputWidth);
    for (let c = 0; c < channels; c++) out[channels * i + c] = values[channels * from + c];
  }
  return out;
}

/** How much of each pixel lies within the face's outline, 0..1. */
function outlineShares({ outline, width, height }: HeadCrop): Float32Array {
  const fine = polygonMask(scaledAbout([0, 0], samples, outline), samples * width, samples * height);
  const shares = new Float32Array(width * height);
  for (let y = 0, i = 0; y < samples * height; y++)
    for (let x = 0; x < samples * width; x++, i++)
      if (fine[i]) shares[Math.floor(y / samples) * width + Math.floor(x / samples)] += 1 / samples ** 2;
  return shares;
}

/** Falls with the share of pixels above the chin where the network is unsure of hair or person. */
function confidenceOf(hair: Float32Array, person: Float32Array, { width, outside, up }: HeadCrop): number {
  let [decided, undecided] = [0, 0];
  for (let i = 0; i < hair.length; i++) {
    if (outside[i] || up(Math.floor(i / width)) < 0) continue;
    decided += Math.max(person[i], hair[i]) > 0.5 ? 1 : 0;
    undecided += Math.max(1 - Math.abs(2 * hair[i] - 1), 1 - Math.abs(2 * person[i] - 1));
  }
  const uncertainty = Math.max(0, undecided / Math.max(1, decided) - expectedUndecided);
  return Math.max(0, 1 - uncertaintyWeight * uncertainty);
}
