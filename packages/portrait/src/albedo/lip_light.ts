import { solve } from '@likeness/geometry/cholesky.ts';
import { onFace, side } from './face_cells.ts';

const area = side * side;
/** The middle of the mouth, and how far skin about it tells of the light on lips; cells of the network. */
const mouth = { x: 32, y: 44.4, reach: 14 } as const;
/** Keeps a light steep in its direction from being read out of noise. */
const steadiness = 0.01;
/** Cells of skin that tell enough of the light. */
const minSkin = 20;

/** The way of a cell from the middle of the mouth, in parts of two radii. */
const wayFromMouth = (i: number, wide: number, high: number): number =>
  Math.hypot(((i % side) / 2 + 0.25 - mouth.x) / wide, (Math.floor(i / side) / 2 + 0.25 - mouth.y) / high);

/** 1 on the lips, by cell. */
const lips: Float32Array = Float32Array.from(
  { length: area },
  (_, i) => 1 / (1 + Math.exp((-4 * (1.45 - wayFromMouth(i, 7.6, 2.4))) / 0.45)),
);
/** How much skin tells of the light on lips, by cell. */
const about: Float32Array = Float32Array.from({ length: area }, (_, i) =>
  onFace[i] ? Math.exp(-(wayFromMouth(i, mouth.reach, mouth.reach) ** 2)) : 0,
);

/**
 * Replaces the gains of the lips, because the network takes lipstick for shade. A lip gets the gain of skin about the
 * mouth that faces the same way. The skin right below the lower lip faces down, and lies in the shade.
 *
 * @param gains - ln, × 3 a cell.
 * @param skin - How much each cell tells of bare skin, 0..1.
 */
export function lightLips(gains: Float32Array, normals: Float32Array, skin: Float32Array): void {
  const products = new Float64Array(16);
  const sums = [new Float64Array(4), new Float64Array(4), new Float64Array(4)];
  let total = 0;
  const terms = new Float64Array(4);
  const termsAt = (i: number): void => {
    terms[0] = 1;
    for (let k = 0; k < 3; k++) terms[k + 1] = normals[3 * i + k];
  };
  for (let i = 0; i < area; i++) {
    const weight = about[i] * skin[i] * (1 - lips[i]);
    if (weight < 1e-4) continue;
    total += weight;
    termsAt(i);
    for (let j = 0; j < 4; j++) {
      for (let k = 0; k < 4; k++) products[4 * j + k] += weight * terms[j] * terms[k];
      for (let c = 0; c < 3; c++) sums[c][j] += weight * terms[j] * gains[3 * i + c];
    }
  }
  if (total < minSkin) return;
  for (let k = 1; k < 4; k++) products[5 * k] += steadiness * total;
  const shares = sums.map((sum) => solve(products.slice(), sum));
  for (let i = 0; i < area; i++) {
    if (lips[i] < 1e-3) continue;
    termsAt(i);
    for (let c = 0; c < 3; c++) {
      const gain = terms.reduce((sum, term, k) => sum + term * shares[c][k], 0);
      gains[3 * i + c] += lips[i] * (gain - gains[3 * i + c]);
    }
  }
}
