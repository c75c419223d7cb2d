import { readGrid } from '@likeness/portrait/photo/picture_sampling.ts';
import { blur } from '@likeness/portrait/photo/pixel_filters.ts';

/** Pixels of the crop about each over which one linear model of the colours holds. */
const radius = 3;
/** Variance of a colour, 0..1, below which its changes say nothing. */
const flat = 1e-3;

/** Shares of a crop that follow the photo's own edges: linear in the colour about each pixel, by four numbers. */
export interface RefinedShares {
  readonly width: number;
  readonly height: number;
  readonly red: Float32Array;
  readonly green: Float32Array;
  readonly blue: Float32Array;
  readonly rest: Float32Array;
}

/** The share, 0..1, at a colour of the photo (0..255, at `o` in `rgb`) and its place in the crop. */
export function refinedShare(
  { width, height, red, green, blue, rest }: RefinedShares,
  rgb: ArrayLike<number>,
  o: number,
  cx: number,
  cy: number,
): number {
  const inColour =
    readGrid(red, width, height, cx, cy) * rgb[o]! +
    readGrid(green, width, height, cx, cy) * rgb[o + 1]! +
    readGrid(blue, width, height, cx, cy) * rgb[o + 2]!;
  const share = inColour / 255 + readGrid(rest, width, height, cx, cy);
  return Math.max(0, Math.min(1, share));
}

/** Means of products over which a model is found: colours, the share, colours with it, and colours with each other. */
const means = 13;

/**
 * Refines shares that are as coarse as the crop to the photo's pixels: the fast guided filter (He and Sun 2015). About
 * each place the share is linear in the colour; its four numbers are found at the crop's pixels and read between them.
 *
 * @param rgb - Colours of the crop, 0..255.
 */
export function refineShares(
  shares: Float32Array,
  rgb: Float32Array,
  width: number,
  height: number,
): RefinedShares {
  const products = Array.from({ length: means }, () => new Float32Array(shares.length));
  for (let y = 0; y < height; y++) multiplyRow(products, shares, rgb, y * width, width);
  const about = products.map((values) => blur(values, width, height, radius));
  const model = Array.from({ length: 4 }, () => new Float32Array(shares.length));
  for (let y = 0; y < height; y++) fitRow(model, about, y * width, width);
  const [red, green, blue, rest] = model.map((values) => blur(values, width, height, radius));
  return { width, height, red: red!, green: green!, blue: blue!, rest: rest! };
}

/** A row of the products. Rows are functions of their own, so that V8 keeps their code from head to head. */
function multiplyRow(
  products: readonly Float32Array[],
  shares: Float32Array,
  rgb: Float32Array,
  from: number,
  width: number,
): void {
  for (let i = from; i < from + width; i++) {
    const r = rgb[3 * i]! / 255;
    const g = rgb[3 * i + 1]! / 255;
    const b = rgb[3 * i + 2]! / 255;
    const share = shares[i]!;
    products[0]![i] = r;
    products[1]![i] = g;
    products[2]![i] = b;
    products[3]![i] = share;
    products[4]![i] = r * share;
    products[5]![i] = g * share;
    products[6]![i] = b * share;
    products[7]![i] = r * r;
    products[8]![i] = r * g;
    products[9]![i] = r * b;
    products[10]![i] = g * g;
    products[11]![i] = g * b;
    products[12]![i] = b * b;
  }
}

/** A row of the models: least squares of the share by the colour. */
function fitRow(
  model: readonly Float32Array[],
  about: readonly Float32Array[],
  from: number,
  width: number,
): void {
  for (let i = from; i < from + width; i++) {
    const m0 = about[0]![i]!;
    const m1 = about[1]![i]!;
    const m2 = about[2]![i]!;
    const mean = about[3]![i]!;
    const cr = about[4]![i]! - m0 * mean;
    const cg = about[5]![i]! - m1 * mean;
    const cb = about[6]![i]! - m2 * mean;
    // Symmetric: r r, r g, r b, g g, g b, b b.
    const rr = about[7]![i]! - m0 * m0 + flat;
    const rg = about[8]![i]! - m0 * m1;
    const rb = about[9]![i]! - m0 * m2;
    const gg = about[10]![i]! - m1 * m1 + flat;
    const gb = about[11]![i]! - m1 * m2;
    const bb = about[12]![i]! - m2 * m2 + flat;
    const i0 = gg * bb - gb * gb;
    const i1 = rb * gb - rg * bb;
    const i2 = rg * gb - rb * gg;
    const determinant = rr * i0 + rg * i1 + rb * i2;
    const ar = (i0 * cr + i1 * cg + i2 * cb) / determinant;
    const ag = (i1 * cr + (rr * bb - rb * rb) * cg + (rg * rb - rr * gb) * cb) / determinant;
    const ab = (i2 * cr + (rg * rb - rr * gb) * cg + (rr * gg - rg * rg) * cb) / determinant;
    model[0]![i] = ar;
    model[1]![i] = ag;
    model[2]![i] = ab;
    model[3]![i] = mean - ar * m0 - ag * m1 - ab * m2;
  }
}
