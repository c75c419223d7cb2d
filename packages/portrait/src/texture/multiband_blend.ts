import { clamp, smoothstep } from '@likeness/geometry/vector.ts';
import { type CellIndices, cellIndices, lerpAt, readRows } from '../photo/picture_sampling.ts';
import type { Colour } from './skin_texture.ts';
import { type Canvas, interpolate, mirrored, type PixelVisitor, walkTriangles } from './texture_fill.ts';
import { broadAt, broadTone, fine, logarithms, softened } from './tone_grid.ts';

/** Radius of what is a spot or a streak, cells: what is narrower stays as it was photographed. */
const fineRadius = 2;
/** How much of a spot goes. */
const max = 0.95;
/** Most that a place is lightened or darkened, ln. */
const furthest = 0.9;
/** Deviation, ln, of pores and wrinkles from what lies about them: stronger detail is made as faint as that. */
const skinDetail = 0.045;
/** How much of it goes besides where it is noise. */
const noiseTaken = 0.6;
/** Radius over which the deviation of detail is measured, cells. */
const detailRadius = 3;
/** Shade or light, ln, that one side of a nose or mouth alone may have, and how much of what is beyond goes. */
const [unevenShade, onesTaken] = [0.04, 0.9];
/** Tint, ln, that both sides may have: a blush. How much goes of what is beyond, and of what one side alone has. */
const [maxBlush, tintTaken] = [0.06, 0.9];
/** Darkness against the tone, ln, from which on shade is a nostril's: evened out, its edge would turn green. */
const deepShade = [0.25, 0.55] as const;
/** Factors from which on shade that is lifted shows noise in its tint, and wholly. */
const lifted = [1.05, 1.3] as const;
/** How well a place is known up to which its finest detail is noise, and from which on it is skin's. */
const [hardlySeen, surelySeen] = [0.05, 0.5];

/** Where on a skin the photo gives way to the skin's tone, by vertex, 0..1. */
export interface BlendZones {
  /** Spots and streaks: where the photo goes over to skin that is made. */
  readonly edge: Float32Array;
  /** Detail that one side alone shows: skin, without eyes, brows, lips and a beard. */
  readonly alike: Float32Array;
  /** Detail: skin that the photo sees so much askance that its pixels are drawn out. */
  readonly smeared: Float32Array;
}

/**
 * Fades spots and streaks to the skin's broad tone where the photo ends, and leaves pores and wrinkles. Wider bands
 * blend over a longer distance, so that the seam stays invisible (Burt and Adelson 1983). Further in, what one side
 * alone shows goes.
 *
 * @param canvas - Filled; changed in place.
 * @param strength - How far at most, 0..1.
 * @param tone - The skin's usual colour.
 */
export function blendBands(
  canvas: Canvas,
  { uv, triangles }: { readonly uv: Float32Array; readonly triangles: Uint32Array },
  zones: BlendZones,
  strength: number,
  tone: Colour,
): void {
  const cells: ZoneCells = {
    zones,
    strength,
    share: new Float32Array(fine * fine),
    onBoth: new Float32Array(fine * fine),
    askance: new Float32Array(fine * fine),
  };
  walkTriangles(fine, uv, triangles, layZones, cells);
  const logs = logarithms(canvas);
  const middle = logs.map((log) => softened(log, fine, fineRadius));
  const gains = toneGains(middle, broadTone(logs, tone), cells);
  const bands = bandsOf(middle, gains);
  const fields = [...bands, faintness(logs[1], middle[1]), cells.askance];
  const line = new Float32Array(fields.length * fine);
  const indices = cellIndices(canvas.size, fine);
  for (let y = 0; y < canvas.size; y++) applyRow(canvas, cells, fields, indices, line, y);
}

/** The zones by cell of the fine grid. */
interface ZoneCells {
  readonly zones: BlendZones;
  readonly strength: number;
  readonly share: Float32Array;
  /** Where the middle band alone is changed. */
  readonly onBoth: Float32Array;
  readonly askance: Float32Array;
}

const layZones: PixelVisitor<ZoneCells> = (i, a, b, c, shares, cells) => {
  const { edge, alike, smeared } = cells.zones;
  cells.share[i] = max * cells.strength * interpolate(edge, a, b, c, shares);
  cells.onBoth[i] = cells.strength * interpolate(alike, a, b, c, shares);
  cells.askance[i] = interpolate(smeared, a, b, c, shares);
};

/** The channels' gains, the sum of their middle band, and that of each. */
function bandsOf(middle: readonly Float32Array[], gains: readonly Float32Array[]): Float32Array[] {
  const bands = Array.from({ length: 7 }, () => new Float32Array(fine * fine));
  for (let row = 0; row < fine; row++) bandsInRow(bands, middle, gains, row * fine);
  return bands;
}

function bandsInRow(
  bands: readonly Float32Array[],
  middle: readonly Float32Array[],
  gains: readonly Float32Array[],
  from: number,
): void {
  for (let i = from; i < from + fine; i++) {
    let sum = 1;
    for (let c = 0; c < 3; c++) {
      const level = Math.exp(middle[c][i]) - 1;
      bands[c][i] = Math.exp(gains[c][i]);
      bands[4 + c][i] = level;
      sum += level;
    }
    bands[3][i] = sum;
  }
}

/**
 * ln of what brings the middle band to the tone, by channel: wholly at the photo's edge, and what one side alone
 * shows.
 */
function toneGains(
  middle: readonly Float32Array[],
  tones: readonly Float32Array[],
  cells: ZoneCells,
): Float32Array[] {
  const strays = middle.map(() => new Float32Array(fine * fine));
  const gains = middle.map(() => new Float32Array(fine * fine));
  for (let row = 0; row < fine; row++) straysInRow(strays, middle, tones, cells, row * fine);
  for (let row = 0; row < fine; row++) gainsInRow(gains, strays, cells, row * fine);
  return gains;
}

/** How far each channel is from the tone, ln, in a row of cells. */
function straysInRow(
  strays: readonly Float32Array[],
  middle: readonly Float32Array[],
  tones: readonly Float32Array[],
  { share, onBoth }: ZoneCells,
  from: number,
): void {
  for (let i = from; i < from + fine; i++)
    if (share[i] || onBoth[i]) for (let c = 0; c < 3; c++) strays[c][i] = broadAt(tones[c], i) - middle[c][i];
}

function gainsInRow(
  gains: readonly Float32Array[],
  [red, green, blue]: readonly Float32Array[],
  { share, onBoth }: ZoneCells,
  from: number,
): void {
  for (let i = from; i < from + fine; i++) {
    if (!share[i] && !onBoth[i]) continue;
    const other = mirrored(i, fine);
    const lift = (red[i] + green[i] + blue[i]) / 3;
    const otherLift = (red[other] + green[other] + blue[other]) / 3;
    const evened = onBoth[i] * (1 - smoothstep(...deepShade, lift));
    const light = evened * onesTaken * beyond(lift - shared(lift, otherLift), unevenShade);
    for (let c = 0; c < 3; c++) {
      const stray = c === 0 ? red : c === 1 ? green : blue;
      const own = stray[i] - lift;
      const both = shared(own, stray[other] - otherLift);
      const inner = evened * tintTaken * (own - both + beyond(both, maxBlush)) + light;
      gains[c][i] = inner + share[i] * (clamp(stray[i], -furthest, furthest) - inner);
    }
  }
}

/** The smaller of two values of the same sign, else 0. */
const shared = (a: number, b: number): number => (a * b <= 0 ? 0 : Math.abs(a) < Math.abs(b) ? a : b);

/** The part of a value beyond ±limit. */
const beyond = (value: number, limit: number): number =>
  Math.sign(value) * Math.max(0, Math.abs(value) - limit);

/**
 * Factor that brings detail down to pores and wrinkles, by cell. Cutting off what strays further instead would draw
 * the outlines of whiskers and stretched pixels as fine lines.
 */
function faintness(log: Float32Array, middle: Float32Array): Float32Array {
  const out = new Float32Array(log.length);
  for (let i = 0; i < log.length; i++) out[i] = (log[i] - middle[i]) ** 2;
  const squares = softened(out, fine, detailRadius);
  for (let i = 0; i < out.length; i++) out[i] = Math.min(1, skinDetail / Math.sqrt(squares[i] + 1e-6));
  return out;
}

/**
 * A row of the blend, in a function that V8 keeps optimised.
 *
 * @param fields - The channels' gains, the sum of their middle band, that of each, what makes detail fainter, and where
 *   it is drawn out.
 */
function applyRow(
  { size, colour, weight }: Canvas,
  { share, onBoth }: ZoneCells,
  fields: readonly Float32Array[],
  indices: CellIndices,
  line: Float32Array,
  row: number,
): void {
  const scale = fine / size;
  const cell = Math.floor((row + 0.5) * scale) * fine;
  readRows(fields, fine, fine, (row + 0.5) * scale, line);
  for (let px = 0; px < size; px++) {
    const at = cell + Math.floor((px + 0.5) * scale);
    const part = share[at];
    if (!part && !onBoth[at]) continue;
    const x = indices.left[px];
    const right = indices.share[px];
    const i = 3 * (row * size + px);
    const red = lerpAt(line, x, right);
    const green = lerpAt(line, fine + x, right);
    const blue = lerpAt(line, 2 * fine + x, right);
    if (!part) {
      colour[i] *= red;
      colour[i + 1] *= green;
      colour[i + 2] *= blue;
      continue;
    }
    const level = lerpAt(line, 3 * fine + x, right);
    const light = (colour[i] + colour[i + 1] + colour[i + 2] + 1) / level;
    // What is lifted out of shade, or hardly seen, shows a camera's noise: little of it stays in brightness, and none in tint.
    const lift = green > lifted[0] ? smoothstep(lifted[0], lifted[1], green) : 0;
    const drawnOut = lerpAt(line, 8 * fine + x, right);
    const noise = Math.max(lift, drawnOut, 1 - smoothstep(hardlySeen, surelySeen, weight[row * size + px]));
    if (noise)
      for (let c = 0; c < 3; c++) {
        const from = (4 + c) * fine + x;
        const even = light * lerpAt(line, from, right);
        colour[i + c] += part * noise * (even - colour[i + c]);
      }
    const faint = lerpAt(line, 7 * fine + x, right);
    const kept = 1 - part * (1 - faint * (1 - noiseTaken * noise));
    const factor = (1 + (light - 1) * kept) / light;
    colour[i] *= factor * red;
    colour[i + 1] *= factor * green;
    colour[i + 2] *= factor * blue;
  }
}
