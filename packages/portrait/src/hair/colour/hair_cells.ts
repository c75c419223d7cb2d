import type { Canvas } from '../../texture/texture_fill.ts';

/** Cells of the hair's layout, round the head and from the face backwards: some 10 mm each way. */
export const [cellsAcross, cellsDown] = [48, 24] as const;
const count = cellsAcross * cellsDown;
/** Added to colours before their logarithm, 8 bits: what is nearly black is noise. */
export const cellBlack = 14;

/** Mean colours about each cell, ln (× 3), and how much of it is known, 0..1. */
export interface Cells {
  readonly logs: Float32Array;
  readonly known: Float32Array;
}

/** A field over the cells for every channel. */
export const blankFields = (): [Float32Array, Float32Array, Float32Array] => [
  new Float32Array(count),
  new Float32Array(count),
  new Float32Array(count),
];

/** A cell's mirror image on the other side of the head. */
export function mirrored(i: number): number {
  const x = i % cellsAcross;
  return i - x + (cellsAcross - 1 - x);
}

/** Mean colours of hair about each cell. */
export function readCells(hair: Canvas): Cells {
  const sums = new Float32Array(4 * count);
  // Row by row in a function: V8 optimises what is called often.
  for (let y = 0; y < hair.size; y += 2) addRow(hair, y, sums);
  return meansOf(sums, (hair.size * hair.size) / count / 4);
}

/** Adds every other pixel of a row to the cells' sums of premultiplied colours and of weights, × 4. */
function addRow({ size, colour, weight }: Canvas, y: number, sums: Float32Array): void {
  const perColumn = cellsAcross / size;
  const row = Math.floor(((y + 0.5) * cellsDown) / size) * cellsAcross;
  for (let x = 0; x < size; x += 2) {
    const i = y * size + x;
    if (weight[i] < 0.02) continue;
    const cell = 4 * (row + Math.floor((x + 0.5) * perColumn));
    for (let c = 0; c < 3; c++) sums[cell + c] += colour[3 * i + c];
    sums[cell + 3] += weight[i];
  }
}

/** Means from cells' sums, of whose weights `full` fill a cell. */
function meansOf(sums: Float32Array, full: number): Cells {
  const [r, g, b, known] = [0, 1, 2, 3].map((c) => soften(sums.filter((_, k) => k % 4 === c)));
  const logs = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) {
    const w = known[i] || 1;
    logs[3 * i] = Math.log(cellBlack + r[i] / w);
    logs[3 * i + 1] = Math.log(cellBlack + g[i] / w);
    logs[3 * i + 2] = Math.log(cellBlack + b[i] / w);
    known[i] /= full;
  }
  return { logs, known };
}

const kernel = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16];

/** Averages over neighbouring cells each way. */
function soften(values: Float32Array): Float32Array {
  return softenAlong(softenAlong(values, cellsAcross, 1), cellsDown, cellsAcross);
}

function softenAlong(values: Float32Array, places: number, step: number): Float32Array {
  const out = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const value = values[i];
    if (value === 0) continue;
    const place = Math.floor(i / step) % places;
    for (let k = Math.max(-2, -place); k <= 2 && place + k < places; k++)
      out[i + k * step] += kernel[k + 2] * value;
  }
  return out;
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

/** Leads fields (premultiplied by how far they are told) on to cells that tell too little, in so many rounds of 10 mm. */
export function spreadOut(
  fields: readonly Float32Array[],
  told: Float32Array,
  rounds: number,
): Float32Array[] {
  const wide = (field: Float32Array): Float32Array => {
    let around = field;
    for (let round = 0; round < rounds; round++) around = soften(around);
    return around;
  };
  const near = wide(told);
  return fields.map((field) => {
    const around = wide(field);
    return field.map((value, i) => value + ((1 - told[i]) * around[i]) / Math.max(0.02, near[i]));
  });
}
