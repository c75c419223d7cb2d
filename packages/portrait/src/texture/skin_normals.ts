import { hash } from '@likeness/geometry/noise.ts';
import { smoothstep } from '@likeness/geometry/vector.ts';
import type { Raster } from '../contract/head_model.ts';
import { blur } from '../photo/pixel_filters.ts';
import {
  brows,
  eyeRim,
  eyes,
  lips as lipPoints,
  lowerLip,
  mouthRim,
  noseBridge,
  noseTip,
  noseWings,
  oval,
  upperLip,
} from '../topology/face_topology.ts';
import { fineFace } from '../topology/fine_face.ts';
import { type LayoutMetric, layoutMetric } from './layout_metric.ts';
import { planeByRegion } from './plane_by_region.ts';
import { type SkinLight, side } from './skin_light.ts';
import { interpolate, type PixelVisitor, walkTriangles } from './texture_fill.ts';
import { softened } from './tone_grid.ts';

/** The skin's surface in its layout: metres × 3, 0..1 × 2. */
interface LaidSkin {
  readonly points: Float32Array;
  readonly uv: Float32Array;
  readonly triangles: Uint32Array;
  /** How well the photo shows each vertex's relief, 0..1; wholly where absent. */
  readonly shown?: Float32Array;
}

/** Radius of the two box blurs around a pore or wrinkle, pixels: wider shading isn't relief. */
const reach = 2;
/** Millimetres that skin lies deeper for each unit of ln brightness that it is darker. */
const depth = 2.2;
/** Change of ln brightness below which there is only a camera's noise, and from which on a line is paint. */
const [noise, paint] = [0.012, 0.2];
/** Change of ln brightness within which a brow's edge or a frame begins: all relief about it goes. */
const edge = [0.16, 0.32] as const;

/**
 * Cells of the grown relief, millimetres, and their slopes: pores, and lines between them. More of the larger is orange
 * peel.
 */
const octaves = [
  { cell: 0.9, slope: 0.11 },
  { cell: 1.8, slope: 0.03 },
] as const;
/** Texels so much longer than a cell show it no longer as it is. */
const coarse = [0.85, 1.25] as const;
/** Pores are deeper than what stands up between them: noise of ±127 is cut off above. */
const plateau = 45;
/** A lip's grooves: millimetres from one to the next, length and height. */
const groove = { apart: 0.95, long: 7, height: 0.2 } as const;

/** Weights by region, 0..1 a pixel: the photo's relief, pores, a lip's grooves. */
interface Regions {
  readonly shown: Float32Array;
  readonly pores: Float32Array;
  readonly lips: Float32Array;
}

/** The same for every head, so it is made once. */
let regions: Regions | undefined;

function facesRegions(uv: Float32Array): Regions {
  const rims = [...eyes.flatMap(eyeRim), ...mouthRim()];
  const lids = eyes.flatMap(({ upper, lower }) => [...upper.slice(0, 2), ...lower.slice(0, 2)].flat());
  const innerLips = [...upperLip.slice(1), ...lowerLip.slice(1)].flat();
  const shown = planeByRegion(uv, 1, 0, [
    [0.3, brows],
    [0.5, lipPoints],
    // Hair and what lies behind the face begin at its outline.
    [0, [...rims, ...oval]],
  ]);
  const pores = planeByRegion(uv, 1, 1, [
    [1.25, [...noseBridge, ...noseTip, ...noseWings]],
    [0.5, brows],
    [0.4, lids],
    [0.4, lipPoints],
    [0, [...innerLips, ...rims]],
  ]);
  const lips = planeByRegion(uv, 0, 0, [
    [0.45, lipPoints],
    [1, innerLips],
    [0, mouthRim()],
  ]);
  return { shown, pores, lips };
}

/** Heights that a face's picture tells, millimetres: what is darker than the skin right round it lies deeper. */
function shownRelief({ light, matt }: SkinLight, shown: Float32Array, seen: Float32Array): Float32Array {
  const around = softened(light, side, reach);
  const heights = new Float32Array(side * side);
  const painted = new Float32Array(side * side);
  for (let i = 0; i < heights.length; i++) {
    const off = light[i] - around[i];
    const size = Math.abs(off);
    painted[i] = Math.max(smoothstep(edge[0], edge[1], size), matt[i]);
    if (!shown[i] || !seen[i]) continue;
    const known = (off * size) / (size + noise) / (1 + (off / paint) ** 2);
    // What is lighter may be gloss as well as a height.
    heights[i] = depth * shown[i] * seen[i] * (off > 0 ? 0.6 * known : known);
  }
  const about = blur(painted, side, side, reach);
  for (let i = 0; i < heights.length; i++) heights[i] *= Math.max(0, 1 - 2 * about[i]);
  return heights;
}

/** Side of the block of random numbers, a power of two: 58 mm of pores until it comes again. */
const block = 64;
const last = block - 1;
let numbers: Int8Array | undefined;

/** Whole cells before any place of a head: places count from there, so that they can be cut off to cells. */
const ahead = 1024;

/** Smooth noise in space, −127..127, one cell a unit. */
function spaceNoise(values: Int8Array, px: number, py: number, pz: number): number {
  const x = px + ahead;
  const y = py + ahead;
  const z = pz + ahead;
  const ix = x | 0;
  const iy = y | 0;
  const iz = z | 0;
  const fx = x - ix;
  const fy = y - iy;
  const x0 = ix & last;
  const x1 = (ix + 1) & last;
  const y0 = (iy & last) * block;
  const y1 = ((iy + 1) & last) * block;
  const z0 = (iz & last) * block * block;
  const z1 = ((iz + 1) & last) * block * block;
  const a = values[z0 + y0 + x0] + (values[z0 + y0 + x1] - values[z0 + y0 + x0]) * fx;
  const b = values[z0 + y1 + x0] + (values[z0 + y1 + x1] - values[z0 + y1 + x0]) * fx;
  const c = values[z1 + y0 + x0] + (values[z1 + y0 + x1] - values[z1 + y0 + x0]) * fx;
  const d = values[z1 + y1 + x0] + (values[z1 + y1 + x1] - values[z1 + y1 + x0]) * fx;
  const near = a + (b - a) * fy;
  return near + (c + (d - c) * fy - near) * (z - iz);
}

/**
 * The relief of a skin as a picture of normals in tangent space (glTF 2.0: x along u, y up in the picture): the photo's
 * pores and wrinkles, generated pores where it shows none, and grooves in the lips. Slopes are measured on the surface,
 * so a stretched layout keeps them; where it stretches too far for pores, the skin is smooth.
 */
export function skinNormals(light: SkinLight, skin: LaidSkin): Raster {
  const { points, uv, triangles, shown } = skin;
  regions ??= facesRegions(uv);
  const seen = new Float32Array(side * side).fill(shown ? 0 : 1);
  if (shown) walkTriangles(side, uv, fineFace.triangles, laySeen, { seen, shown });
  const heights = shownRelief(light, regions.shown, seen);
  const { right, aside, down } = layoutMetric(points, uv, triangles, side);
  // Right, aside, down and place, by pixel.
  const laid = new Float32Array(6 * side * side);
  walkTriangles(side, uv, triangles, layPixel, { laid, right, aside, down, points });
  numbers ??= Int8Array.from({ length: block ** 3 }, (_, i) => 254 * hash(i & 4095, i >> 12) - 127);
  for (let y = 0; y < side; y++) addRelief(heights, y, laid, light.matt, regions, numbers);
  const data = new Uint8Array(3 * side * side);
  for (let i = 0; i < data.length; i += 3) {
    data[i] = 128;
    data[i + 1] = 128;
    data[i + 2] = 255;
  }
  for (let y = 1; y < side - 1; y++) normalsOf(data, y, heights, laid);
  return { name: 'SkinNormals', width: side, height: side, channels: 3, data, quality: 86, fullChroma: true };
}

const laySeen: PixelVisitor<{ readonly seen: Float32Array; readonly shown: Float32Array }> = (
  i,
  a,
  b,
  c,
  shares,
  { seen, shown },
) => {
  seen[i] = interpolate(shown, a, b, c, shares);
};

const layPixel: PixelVisitor<
  LayoutMetric & { readonly laid: Float32Array; readonly points: Float32Array }
> = (i, a, b, c, shares, { laid, right, aside, down, points }) => {
  const o = 6 * i;
  laid[o] = interpolate(right, a, b, c, shares);
  laid[o + 1] = interpolate(aside, a, b, c, shares);
  laid[o + 2] = interpolate(down, a, b, c, shares);
  for (let k = 0; k < 3; k++)
    laid[o + 3 + k] = 1000 * interpolate(points, 3 * a + k, 3 * b + k, 3 * c + k, shares);
};

/**
 * Adds pores and a lip's grooves to a row of a skin's heights, in place: V8 keeps the code of a function called often.
 */
function addRelief(
  heights: Float32Array,
  y: number,
  laid: Float32Array,
  matt: Float32Array,
  { pores, lips }: Regions,
  values: Int8Array,
): void {
  for (let i = y * side; i < (y + 1) * side; i++) {
    const o = 6 * i;
    const right = laid[o];
    if (right === 0) continue;
    const bare = (1 - matt[i]) * pores[i];
    const lip = lips[i];
    if (bare < 0.01 && lip < 0.01) continue;
    const px = laid[o + 3];
    const py = laid[o + 4];
    const pz = laid[o + 5];
    // The longest way over the surface in a pixel.
    const uu = right * right;
    const vv = laid[o + 1] * laid[o + 1] + laid[o + 2] * laid[o + 2];
    const skew = right * laid[o + 1];
    const long = Math.sqrt((uu + vv) / 2 + Math.sqrt(((uu - vv) * (uu - vv)) / 4 + skew * skew));
    // Turned, or the cells' sides were seen where the face is level.
    const p = 0.8 * px + 0.6 * py;
    const q = 0.48 * px - 0.64 * py + 0.6 * pz;
    const r = 0.36 * px - 0.48 * py - 0.8 * pz;
    let grown = 0;
    for (let n = 0; n < octaves.length; n++) {
      const { cell, slope } = octaves[n];
      const share = bare * smoothstep(coarse[1], coarse[0], long / cell);
      if (share < 0.01) continue;
      grown += share * slope * cell * Math.min(spaceNoise(values, p / cell, q / cell, r / cell), plateau);
    }
    grown /= 127;
    if (lip > 0.01)
      grown +=
        ((lip * groove.height) / 127) *
        Math.min(spaceNoise(values, px / groove.apart, py / groove.long, pz / groove.long), plateau);
    heights[i] += grown;
  }
}

/** A row of normals from the heights about it. */
function normalsOf(data: Uint8Array, y: number, heights: Float32Array, laid: Float32Array): void {
  for (let x = 1; x < side - 1; x++) {
    const i = y * side + x;
    const o = 6 * i;
    const right = laid[o];
    const down = laid[o + 2];
    if (right === 0 || down === 0) continue;
    // Beyond the skin's edge its height goes on.
    const own = heights[i];
    const before = laid[o - 6] === 0 ? own : heights[i - 1];
    const after = laid[o + 6] === 0 ? own : heights[i + 1];
    const above = laid[o - 6 * side] === 0 ? own : heights[i - side];
    const below = laid[o + 6 * side] === 0 ? own : heights[i + side];
    const alongV = (below - above) / 2;
    const slope = (after - before) / (2 * right);
    const upwards = (slope * laid[o + 1] - alongV) / down;
    const gain = 127.5 / Math.sqrt(1 + slope * slope + upwards * upwards);
    data[3 * i] = Math.round(127.5 - gain * slope);
    data[3 * i + 1] = Math.round(127.5 - gain * upwards);
    data[3 * i + 2] = Math.round(127.5 + gain);
  }
}
