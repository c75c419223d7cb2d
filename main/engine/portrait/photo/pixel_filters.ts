/** A box blur, `radius` pixels, edges repeated. */
export function blur(values: Float32Array, width: number, height: number, radius: number): Float32Array {
  const across = new Float32Array(values.length);
  const out = new Float32Array(values.length);
  const n = 2 * radius + 1;
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let x = 0; x < width; x++) {
      let sum = 0;
      if (x >= radius && x < width - radius)
        for (let i = row + x - radius; i <= row + x + radius; i++) sum += values[i];
      else
        for (let d = -radius; d <= radius; d++) sum += values[row + Math.max(0, Math.min(width - 1, x + d))];
      across[row + x] = sum / n;
    }
  }
  // Row by row: columns would be read across memory.
  const sums = new Float64Array(width);
  for (let y = 0; y < height; y++) {
    sums.fill(0);
    for (let d = -radius; d <= radius; d++) {
      const row = Math.max(0, Math.min(height - 1, y + d)) * width;
      for (let x = 0; x < width; x++) sums[x] += across[row + x];
    }
    for (let x = 0; x < width; x++) out[y * width + x] = sums[x] / n;
  }
  return out;
}

/** 1 inside a polygon that is shrunk about a middle. */
export function polygonMask(
  points: [number, number][],
  cx: number,
  cy: number,
  shrink: number,
  width: number,
  height: number,
): Uint8Array {
  const polygon = points.map(([x, y]) => [cx + (x - cx) * shrink, cy + (y - cy) * shrink] as const);
  const mask = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const crossings: number[] = [];
    for (let i = 0; i < polygon.length; i++) {
      const [x0, y0] = polygon[i];
      const [x1, y1] = polygon[(i + 1) % polygon.length];
      const level = y + 0.5;
      if (y0 <= level !== y1 <= level) crossings.push(x0 + ((level - y0) / (y1 - y0)) * (x1 - x0));
    }
    crossings.sort((p, q) => p - q);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      for (
        let x = Math.max(0, Math.ceil(crossings[i] - 0.5));
        x <= Math.min(width - 1, crossings[i + 1] - 0.5);
        x++
      )
        mask[y * width + x] = 1;
    }
  }
  return mask;
}
