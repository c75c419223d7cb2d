/** A box blur, `radius` pixels, edges repeated. */
export function blur(values: Float32Array, width: number, height: number, radius: number): Float32Array {
  const across = new Float32Array(values.length);
  for (let y = 0; y < height; y++) blurRow(values, across, y * width, width, radius);
  const out = new Float32Array(values.length);
  const n = 2 * radius + 1;
  // Row by row: columns would be read across memory.
  const sums = new Float64Array(width);
  for (let y = 0; y < height; y++) {
    if (y === 0) for (let d = -radius; d <= radius; d++) addRow(sums, across, rowAt(d, width, height), 1);
    else {
      addRow(sums, across, rowAt(y + radius, width, height), 1);
      addRow(sums, across, rowAt(y - radius - 1, width, height), -1);
    }
    for (let x = 0; x < width; x++) out[y * width + x] = sums[x] / n;
  }
  return out;
}

/** Where a row begins; beyond the edges the last one comes again. */
const rowAt = (y: number, width: number, height: number): number =>
  Math.max(0, Math.min(height - 1, y)) * width;

function addRow(sums: Float64Array, values: Float32Array, from: number, sign: 1 | -1): void {
  for (let x = 0; x < sums.length; x++) sums[x] += sign * values[from + x];
}

/** A row blurred along itself by a sum that goes with it. */
function blurRow(values: Float32Array, out: Float32Array, row: number, width: number, radius: number): void {
  const n = 2 * radius + 1;
  const last = row + width - 1;
  let sum = (radius + 1) * values[row];
  for (let d = 1; d <= radius; d++) sum += values[Math.min(last, row + d)];
  for (let x = 0; x < width; x++) {
    out[row + x] = sum / n;
    sum += values[Math.min(last, row + x + radius + 1)] - values[Math.max(row, row + x - radius)];
  }
}

type Point = readonly [x: number, y: number];

/** A polygon drawn out or in about its `middle` by a factor. */
export const scaledAbout = ([cx, cy]: Point, factor: number, points: readonly Point[]): Point[] =>
  points.map(([x, y]) => [cx + (x - cx) * factor, cy + (y - cy) * factor]);

/** 1 inside a polygon. */
export function polygonMask(polygon: readonly Point[], width: number, height: number): Uint8Array {
  const mask = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) fillRow(mask, polygon, width, y);
  return mask;
}

function fillRow(mask: Uint8Array, polygon: readonly Point[], width: number, y: number): void {
  const level = y + 0.5;
  const crossings: number[] = [];
  let last = polygon[polygon.length - 1];
  for (const next of polygon) {
    const [x0, y0] = last;
    const [x1, y1] = next;
    last = next;
    if (y0 <= level !== y1 <= level) crossings.push(x0 + ((level - y0) / (y1 - y0)) * (x1 - x0));
  }
  crossings.sort((p, q) => p - q);
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const to = Math.min(width - 1, crossings[i + 1] - 0.5);
    for (let x = Math.max(0, Math.ceil(crossings[i] - 0.5)); x <= to; x++) mask[y * width + x] = 1;
  }
}
