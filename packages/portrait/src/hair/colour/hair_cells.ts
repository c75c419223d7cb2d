import { type Canvas, sumCells } from '../../texture/texture_fill.ts';
import { softened } from '../../texture/tone_grid.ts';
import { toneCells } from './hair_tone.ts';

/** Added to colours before their logarithm, 8 bits: what is nearly black is noise. */
export const cellBlack = 14;

/** Mean colours about each of {@link toneCells}² cells of the hair's layout, ln (× 3), and how much of it is known, 0..1. */
export interface Cells {
  readonly logs: Float32Array;
  readonly known: Float32Array;
}

/** A field over the cells for every channel. */
export const blankFields = (): [Float32Array, Float32Array, Float32Array] => [
  new Float32Array(toneCells ** 2),
  new Float32Array(toneCells ** 2),
  new Float32Array(toneCells ** 2),
];

/** Averages over some centimetres. */
const soften = (values: Float32Array): Float32Array => softened(values, toneCells, 2);

/** Mean colours of hair about each cell. */
export function readCells(hair: Canvas): Cells {
  const { known, sums } = sumCells(hair, toneCells);
  const full = (hair.size / toneCells) ** 2;
  const weight = soften(known);
  const logs = new Float32Array(sums.length);
  for (let c = 0; c < 3; c++) {
    const sum = soften(known.map((_, i) => sums[3 * i + c]));
    for (let i = 0; i < weight.length; i++) logs[3 * i + c] = Math.log(cellBlack + sum[i] / (weight[i] || 1));
  }
  return { logs, known: weight.map((value) => value / full) };
}

/** The weighted middle of a value by cell. */
export function middleOf(values: Float32Array, weight: Float32Array): number {
  const order = [...weight.keys()].filter((i) => weight[i] > 0.1).sort((p, q) => values[p] - values[q]);
  let left = order.reduce((sum, i) => sum + weight[i], 0) / 2;
  for (const i of order) {
    left -= weight[i];
    if (left <= 0) return values[i];
  }
  return 0;
}

/** Extrapolates fields (premultiplied by `told`) to cells that show too little hair, in so many rounds. */
export function spreadOut(
  fields: readonly Float32Array[],
  known: Float32Array,
  rounds: number,
): Float32Array[] {
  const wide = (field: Float32Array): Float32Array => {
    let around = field;
    for (let round = 0; round < rounds; round++) around = soften(around);
    return around;
  };
  const near = wide(known);
  return fields.map((field) => {
    const around = wide(field);
    return field.map((value, i) => value + ((1 - known[i]) * around[i]) / Math.max(0.02, near[i]));
  });
}
