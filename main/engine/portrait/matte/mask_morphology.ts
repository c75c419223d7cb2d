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
  const cleaned = Uint8Array.from(mask, (value, i) => value & opened[i]);
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
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      if (mask[i] === value) continue;
      if (
        (x > 0 && mask[i - 1] === value) ||
        (x + 1 < width && mask[i + 1] === value) ||
        (y > 0 && mask[i - width] === value) ||
        (y + 1 < height && mask[i + width] === value)
      ) {
        out[i] = value;
      }
    }
  }
  return out;
}

/** 1 where a pixel of `value` can be reached from the seeds. */
export function flood(
  mask: Uint8Array,
  width: number,
  height: number,
  seeds: number[],
  value: number,
): Uint8Array {
  const out = new Uint8Array(mask.length);
  const stack = seeds.filter((i) => mask[i] === value);
  for (const i of stack) out[i] = 1;
  while (stack.length) {
    const i = stack.pop() as number;
    const x = i % width;
    for (const j of [
      x > 0 ? i - 1 : -1,
      x + 1 < width ? i + 1 : -1,
      i - width,
      i + width < width * height ? i + width : -1,
    ]) {
      if (j >= 0 && !out[j] && mask[j] === value) {
        out[j] = 1;
        stack.push(j);
      }
    }
  }
  return out;
}

/** The least or most of the values within `radius` pixels of each, in a square. */
export function spread(
  values: Float32Array,
  width: number,
  height: number,
  radius: number,
  of: (p: number, q: number) => number,
): Float32Array {
  const along = (from: Float32Array, step: number, length: number, across: number): Float32Array => {
    const out = from.slice();
    for (let line = 0; line < from.length / length; line++) {
      for (let k = 0; k < length; k++) {
        const i = line * across + k * step;
        for (let d = Math.max(-radius, -k); d <= Math.min(radius, length - 1 - k); d++)
          out[i] = of(out[i], from[i + d * step]);
      }
    }
    return out;
  };
  return along(along(values, 1, width, width), width, height, 1);
}
