import { GaussianMixture } from './gaussian_mixture.ts';
import { gridCut } from './grid_cut.ts';

/** What is known of a pixel before the cut. */
export const trimapClasses = { background: 0, foreground: 1, probablyBackground: 2, probablyForeground: 3 };

export interface GrabCutInput {
  readonly width: number;
  readonly height: number;
  /** Channels of a pixel; the first three are Lab, 0..255 each. */
  readonly channels: number;
  readonly values: Float32Array;
  /** One of {@link trimapClasses} a pixel. */
  readonly trimap: Uint8Array;
  /** How much likelier foreground is for where a pixel lies, log odds. */
  readonly prior: Float32Array;
}

const rounds = 3;
/** Weight of the outline's length against colour, as in the paper. */
const smoothness = 50;

/**
 * Cuts a foreground out by its colours and by where it may lie (after Rother, Kolmogorov and Blake's GrabCut,
 * 2004): a mixture of Gaussians for foreground and background each and a minimum cut along edges, in turns.
 *
 * @returns 1 in the foreground.
 */
export function grabCut({ width, height, channels, values, trimap, prior }: GrabCutInput): Uint8Array {
  const n = width * height;
  const known = (i: number): boolean => trimap[i] < trimapClasses.probablyBackground;
  const links = contrastLinks(values, channels, width, height);
  // What is known needs no place in the graph: its links become its neighbours' leaning.
  const leaning = new Float32Array(n);
  for (let i = 0; i < n; i++) {
    const x = i % width;
    for (let d = 0; d < 4; d++) {
      const j = neighbour(i, x, d, width, n);
      if (j < 0 || !(known(i) || known(j))) continue;
      const weight = links[4 * i + d];
      links[4 * i + d] = 0;
      if (!known(i)) leaning[i] += trimap[j] ? weight : -weight;
      if (!known(j)) leaning[j] += trimap[i] ? weight : -weight;
    }
  }
  const mask = trimap.map((value) => value & 1);
  const inside = new GaussianMixture(values, channels, samplesOf(mask, 1));
  const outside = new GaussianMixture(values, channels, samplesOf(mask, 0));
  const terminals = new Float32Array(n);
  for (let round = 0; round < rounds; round++) {
    inside.learn(samplesOf(mask, 1));
    outside.learn(samplesOf(mask, 0));
    for (let i = 0; i < n; i++) {
      if (!known(i))
        terminals[i] = leaning[i] + prior[i] + inside.logLikelihood(i) - outside.logLikelihood(i);
    }
    const cut = gridCut(width, height, terminals, links);
    for (let i = 0; i < n; i++) if (!known(i)) mask[i] = cut[i];
  }
  return mask;
}

/** Every third pixel of a side: colours are as well known from them as from all. */
function samplesOf(mask: Uint8Array, side: number): Int32Array {
  const out = new Int32Array(Math.ceil(mask.length / 3));
  let seen = 0;
  let count = 0;
  for (let i = 0; i < mask.length; i++) if (mask[i] === side && seen++ % 3 === 0) out[count++] = i;
  return out.subarray(0, count);
}

/** The right, lower left, lower and lower right neighbour; −1 beyond the edge. */
function neighbour(i: number, x: number, d: number, width: number, n: number): number {
  if ((d === 0 || d === 3) && x === width - 1) return -1;
  if (d === 1 && x === 0) return -1;
  const j = i + (d === 0 ? 1 : width + d - 2);
  return j < n ? j : -1;
}

/** Strong between alike neighbours, weak across an edge, against the picture's mean contrast. */
function contrastLinks(values: Float32Array, channels: number, width: number, height: number): Float32Array {
  const n = width * height;
  const links = new Float32Array(4 * n);
  let sum = 0;
  let count = 0;
  for (let i = 0; i < n; i++) {
    const x = i % width;
    for (let d = 0; d < 4; d++) {
      const j = neighbour(i, x, d, width, n);
      if (j < 0) continue;
      let step = 0;
      for (let c = 0; c < 3; c++) step += (values[channels * i + c] - values[channels * j + c]) ** 2;
      links[4 * i + d] = step;
      sum += step;
      count++;
    }
  }
  const beta = sum > 0 ? count / (2 * sum) : 0;
  for (let i = 0; i < 4 * n; i++) {
    const diagonal = (i & 3) === 1 || (i & 3) === 3;
    links[i] = smoothness * Math.exp(-beta * links[i]) * (diagonal ? Math.SQRT1_2 : 1);
  }
  return links;
}
