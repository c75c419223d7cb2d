import type { Similarity } from '@likeness/portrait/photo/picture_sampling.ts';

type Point2 = readonly [x: number, y: number];

/** The similarity transform from the first points of the pairs to the second, by least squares. */
export function fitSimilarity(pairs: readonly (readonly [from: Point2, onto: Point2])[]): Similarity {
  const mean = (side: 0 | 1, c: 0 | 1): number =>
    pairs.reduce((sum, pair) => sum + pair[side][c] / pairs.length, 0);
  const [fx, fy, ox, oy] = [mean(0, 0), mean(0, 1), mean(1, 0), mean(1, 1)];
  let [along, across, size] = [0, 0, 0];
  for (const [from, onto] of pairs) {
    const [u, v] = [from[0] - fx, from[1] - fy];
    const [x, y] = [onto[0] - ox, onto[1] - oy];
    along += u * x + v * y;
    across += u * y - v * x;
    size += u * u + v * v;
  }
  const [a, b] = [along / size, across / size];
  return { a, b, tx: ox - a * fx + b * fy, ty: oy - b * fx - a * fy };
}
