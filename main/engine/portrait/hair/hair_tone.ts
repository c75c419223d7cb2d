import { grain } from '../math/noise.ts';
import { at, clamp, dot, length, subtract } from '../math/vector.ts';
import { craniumColumns, craniumRows } from '../skull/skull.ts';
import type { Colour } from '../texture/skin_texture.ts';
import type { Canvas } from '../texture/texture_fill.ts';
import { type HairFlow, neighbours } from './hair_flow.ts';
import { craniumColumnOf, hairColumns } from './hair_sheet.ts';

/** The hair's colour where no photo shows it, on the cranium's grid, and how lively strands are. */
export interface HairTones {
  /** × 3, sRGB 0..255. */
  readonly colours: Float32Array;
  /** Deviation of lightness from strand to strand, parts of it. */
  readonly contrast: number;
}

const count = (craniumRows + 1) * craniumColumns;
const rounds = 50;
/** How fast a colour goes over to the mean away from where it is seen: to a third within some 90 mm. */
const pull = 0.008;

/**
 * Leads the colours of the seen hair on, further along the strands than across them.
 *
 * @param seen - What surely is hair, in the hair's layout.
 * @param points - Of the sheet, × 3 in its own columns; `before`: rows of the layout ahead of it.
 */
export function leadTonesOn(
  seen: Canvas,
  points: Float32Array,
  before: number,
  flow: HairFlow,
  mean: Colour,
): HairTones {
  const { colours: observed, weight, contrast } = readTones(seen, before);
  const colours = new Float32Array(3 * count);
  for (let i = 0; i < count; i++)
    for (let c = 0; c < 3; c++) colours[3 * i + c] = weight[i] > 0.2 ? observed[3 * i + c] : mean[c];
  const shares = shareAlong(points, flow);
  const [meanRed, meanGreen, meanBlue] = mean;
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < count; i++) {
      const own = 4 * weight[i];
      const o = 3 * i;
      let total = own + pull;
      let r = own * observed[o] + pull * meanRed;
      let g = own * observed[o + 1] + pull * meanGreen;
      let b = own * observed[o + 2] + pull * meanBlue;
      for (let e = 4 * i; e < 4 * i + 4; e++) {
        const w = shares[e];
        const j = 3 * neighbours[e];
        total += w;
        r += w * colours[j];
        g += w * colours[j + 1];
        b += w * colours[j + 2];
      }
      colours[o] += 1.5 * (r / total - colours[o]);
      colours[o + 1] += 1.5 * (g / total - colours[o + 1]);
      colours[o + 2] += 1.5 * (b / total - colours[o + 2]);
    }
  }
  return { colours, contrast };
}

/** How much a vertex takes of each neighbour's colour. */
function shareAlong(points: Float32Array, { along }: HairFlow): Float32Array {
  const shares = new Float32Array(4 * count);
  const place = (i: number): number =>
    ((i - (i % craniumColumns)) / craniumColumns) * hairColumns + craniumColumnOf(i % craniumColumns);
  for (let e = 0; e < 4 * count; e++) {
    const i = e >> 2;
    const j = neighbours[e];
    if (i === j) continue;
    const edge = subtract(at(points, place(j)), at(points, place(i)));
    shares[e] = 0.12 + (dot(edge, at(along, i)) / (length(edge) || 1)) ** 2;
  }
  return shares;
}

/** Mean colours about each vertex of the grid where hair is seen, and the usual contrast in there. */
function readTones({ size, colour, weight }: Canvas, before: number) {
  const colours = new Float32Array(3 * count);
  const known = new Float32Array(count);
  const contrasts: number[] = [];
  const rows = craniumRows + before;
  const [wide, high] = [Math.ceil(size / (hairColumns - 1) / 2), Math.ceil(size / rows / 2)];
  for (let i = 0; i < count; i++) {
    const j = craniumColumnOf(i % craniumColumns);
    const cx = Math.round((j / (hairColumns - 1)) * size);
    const cy = Math.round(((Math.floor(i / craniumColumns) + before) / rows) * size);
    let [r, g, b, w, n, squares, light] = [0, 0, 0, 0, 0, 0, 0];
    for (let y = Math.max(0, cy - high); y < Math.min(size, cy + high); y += 2) {
      for (let x = Math.max(0, cx - wide); x < Math.min(size, cx + wide); x++) {
        const o = y * size + x;
        n++;
        if (weight[o] < 0.05) continue;
        const sum = colour[3 * o] + colour[3 * o + 1] + colour[3 * o + 2];
        w += weight[o];
        r += colour[3 * o];
        g += colour[3 * o + 1];
        b += colour[3 * o + 2];
        light += sum;
        squares += (sum * sum) / weight[o];
      }
    }
    if (w < 0.05 * n || n === 0) continue;
    known[i] = Math.min(1, w / n);
    colours[3 * i] = r / w;
    colours[3 * i + 1] = g / w;
    colours[3 * i + 2] = b / w;
    const level = light / w;
    if (known[i] > 0.7)
      contrasts.push(Math.sqrt(Math.max(0, squares / w - level * level)) / Math.max(20, level));
  }
  contrasts.sort((p, q) => p - q);
  return { colours, weight: known, contrast: clamp(contrasts[contrasts.length >> 1] ?? 0.14, 0.07, 0.22) };
}

/** Metres across the strands after which the pattern repeats, and its samples. */
const period = 0.4096;
const samples = 1024;
/** Rows of the pattern, for as many of the cranium's. */
const patternRows = 64;
let pattern: Float32Array | undefined;

/** Lightness of strands, about −2 … 2 with a deviation of 1: across × along. */
function strands(): Float32Array {
  if (pattern) return pattern;
  pattern = new Float32Array(samples * patternRows);
  // Periods across, samples of 0.4 mm: strands, locks and a broad unevenness; along they change in some rows.
  const layers = [
    { across: 4, along: 5, weight: 1.5 },
    { across: 8, along: 8, weight: 0.9 },
    { across: 19, along: 10, weight: 0.55 },
    { across: 70, along: 14, weight: 0.4 },
  ];
  for (let y = 0; y < patternRows; y++) {
    for (let x = 0; x < samples; x++) {
      let sum = 0;
      for (const [l, { across, along, weight }] of layers.entries()) {
        // Each strand begins and ends at a height of its own.
        const offset = 31 * grain((x / across) * 0.5, 7, 60 + l);
        sum += weight * (grain(x / across, (y + offset) / along, 50 + l) - 0.5);
      }
      pattern[y * samples + x] = 2.6 * sum;
    }
  }
  return pattern;
}

/** How much lighter a strand is than its surroundings, about −2 … 2. */
export function strandAt(across: number, row: number): number {
  const x = (((across / period) % 1) + 1) * samples;
  const ix = Math.floor(x);
  const y = Math.min(patternRows - 1.001, Math.max(0, row * 1.5));
  const iy = Math.floor(y);
  const table = strands();
  const at0 = iy * samples + (ix % samples);
  const at1 = iy * samples + ((ix + 1) % samples);
  const upper = table[at0] + (table[at1] - table[at0]) * (x - ix);
  const lower = table[at0 + samples] + (table[at1 + samples] - table[at0 + samples]) * (x - ix);
  return upper + (lower - upper) * (y - iy);
}
