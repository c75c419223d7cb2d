import type { FaceNetwork } from '../landmarks/tensorflow.ts';
import type { Picture } from '../photo/photo.ts';
import { readGrid, sampleCrop } from '../photo/picture_sampling.ts';
import type { HeadCrop } from './head_crop.ts';

/** The network's view of a crop: a square about its middle. Further away it takes flags for persons. */
const viewPixels = 180;
const viewTop = 24;

/** Mean of the face below which the network doesn't take it for a person, as in drawings. */
const leastInFace = 0.9;
/** Mean beside and above any head from which on it takes everything for one. */
const mostBeside = 0.75;

/**
 * How surely each pixel of a crop is of a person, 0..1, clothes too: what MediaPipe's Selfie Segmentation sees.
 * Undefined where it doesn't see the face, or sees persons everywhere.
 */
export function findPerson(network: FaceNetwork, picture: Picture, crop: HeadCrop): Float32Array | undefined {
  const { width, height, map } = crop;
  const { side } = network;
  const step = viewPixels / side;
  const left = (width - viewPixels) / 2;
  const view = {
    a: map.a * step,
    b: map.b * step,
    tx: map.a * left - map.b * viewTop + map.tx,
    ty: map.b * left + map.a * viewTop + map.ty,
  };
  const seen = sampleCrop(picture, view, side, side, true).map((value) => value / 255);
  // It sees a little else in a mirror: the mean of both is wrong in fewer places.
  const [straight] = network.run(seen);
  const [mirrored] = network.run(mirror(seen, side, 3));
  const both = mirror(mirrored, side, 1).map((value, i) => (value + straight[i]) / 2);
  const person = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = [(x + 0.5 - left) / step, (y + 0.5 - viewTop) / step];
      person[y * width + x] = readGrid(both, side, side, u, v);
    }
  }
  return isPlausible(person, crop) ? person : undefined;
}

function isPlausible(
  person: Float32Array,
  { width, height, inFace, outside, across, up }: HeadCrop,
): boolean {
  let [face, faceCount, beside, besideCount] = [0, 0, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (inFace[i]) {
        face += person[i];
        faceCount++;
      } else if (!outside[i] && up(y) > 0.5 && (Math.abs(across(x)) > 2.2 || up(y) > 1.9)) {
        beside += person[i];
        besideCount++;
      }
    }
  }
  return face > leastInFace * faceCount && beside <= mostBeside * besideCount;
}

/** A square picture from right to left. */
function mirror(values: Float32Array, side: number, channels: number): Float32Array {
  const out = new Float32Array(values.length);
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      for (let c = 0; c < channels; c++)
        out[channels * (y * side + x) + c] = values[channels * (y * side + side - 1 - x) + c];
  return out;
}
