import { readGrid } from '../photo/picture_sampling.ts';
import { blur } from '../photo/pixel_filters.ts';

/** Pixels of the crop about each over which one linear model of the colours holds. */
const radius = 3;
/** Variance of a colour, 0..1, below which its changes say nothing. */
const flat = 1e-3;

/** Shares of a crop that follow the photo's own edges: at a colour of the photo (0..255) and its place in the crop, 0..1. */
type RefinedShares = (rgb: ArrayLike<number>, o: number, cx: number, cy: number) => number;

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
  const soft = (at: (i: number) => number): Float32Array =>
    blur(
      Float32Array.from(shares, (_, i) => at(i)),
      width,
      height,
      radius,
    );
  const colour = (c: number, i: number): number => rgb[3 * i + c] / 255;
  const mean = [0, 1, 2].map((c) => soft((i) => colour(c, i)));
  const meanShare = soft((i) => shares[i]);
  const withShare = [0, 1, 2].map((c) => soft((i) => colour(c, i) * shares[i]));
  const pairs = [
    [0, 0],
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
    [2, 2],
  ] as const;
  const products = pairs.map(([c, d]) => soft((i) => colour(c, i) * colour(d, i)));
  const model = Array.from({ length: 4 }, () => new Float32Array(shares.length));
  for (let i = 0; i < shares.length; i++) {
    const [m0, m1, m2] = [mean[0][i], mean[1][i], mean[2][i]];
    // Symmetric: r r, r g, r b, g g, g b, b b.
    const rr = products[0][i] - m0 * m0 + flat;
    const rg = products[1][i] - m0 * m1;
    const rb = products[2][i] - m0 * m2;
    const gg = products[3][i] - m1 * m1 + flat;
    const gb = products[4][i] - m1 * m2;
    const bb = products[5][i] - m2 * m2 + flat;
    const [cr, cg, cb] = [0, 1, 2].map((c) => withShare[c][i] - mean[c][i] * meanShare[i]);
    const [i0, i1, i2] = [gg * bb - gb * gb, rb * gb - rg * bb, rg * gb - rb * gg];
    const determinant = rr * i0 + rg * i1 + rb * i2;
    const ar = (i0 * cr + i1 * cg + i2 * cb) / determinant;
    const ag = (i1 * cr + (rr * bb - rb * rb) * cg + (rg * rb - rr * gb) * cb) / determinant;
    const ab = (i2 * cr + (rg * rb - rr * gb) * cg + (rr * gg - rg * rg) * cb) / determinant;
    model[0][i] = ar;
    model[1][i] = ag;
    model[2][i] = ab;
    model[3][i] = meanShare[i] - ar * m0 - ag * m1 - ab * m2;
  }
  const [a, b, c, d] = model.map((values) => blur(values, width, height, radius));
  return (from, o, cx, cy) => {
    const at = (values: Float32Array): number => readGrid(values, width, height, cx, cy);
    const share = (at(a) * from[o] + at(b) * from[o + 1] + at(c) * from[o + 2]) / 255 + at(d);
    return Math.max(0, Math.min(1, share));
  };
}
