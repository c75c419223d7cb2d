/** Opens by about two pixels, keeps the piece that (sx, sy) lies in, fills its holes. */
export function tidyMask(
  mask: Uint8Array,
  width: number,
  height: number,
  sx: number,
  sy: number,
): Uint8Array {
  const eroded = grow(grow(mask, width, height, 0), width, height, 0);
  const opened = grow(grow(eroded, width, height, 1), width, height, 1);
  const cleaned = mask.map((value, i) => value & opened[i]);
  const kept = flood(cleaned, width, height, [sy * width + sx], 1);
  const border: number[] = [];
  for (let x = 0; x < width; x++) border.push(x, (height - 1) * width + x);
  for (let y = 0; y < height; y++) border.push(y * width, y * width + width - 1);
  const outside = flood(kept, width, height, border, 0);
  return outside.map((value) => 1 - value);
}

/** Grows the pixels of a value by one, four-connected. */
function grow(mask: Uint8Array, width: number, height: number, value: number): Uint8Array {
  const out = mask.slice();
  const paint = (j: number): void => {
    out[j] = value;
  };
  for (let i = 0; i < mask.length; i++) if (mask[i] === value) forNeighbours(i, width, height, paint);
  return out;
}

/** 1 where a pixel of `value` can be reached from the seeds. */
function flood(mask: Uint8Array, width: number, height: number, seeds: number[], value: number): Uint8Array {
  const out = new Uint8Array(mask.length);
  // Each pixel comes on the stack once.
  const stack = new Int32Array(mask.length);
  let count = 0;
  const reach = (j: number): void => {
    if (out[j] || mask[j] !== value) return;
    out[j] = 1;
    stack[count++] = j;
  };
  for (const i of seeds) reach(i);
  while (count > 0) forNeighbours(stack[--count], width, height, reach);
  return out;
}

/** Visits the pixels to the left and right, above and below. */
function forNeighbours(i: number, width: number, height: number, visit: (j: number) => void): void {
  const x = i % width;
  if (x > 0) visit(i - 1);
  if (x + 1 < width) visit(i + 1);
  if (i >= width) visit(i - width);
  if (i + width < width * height) visit(i + width);
}
