/** sRGB to CIE Lab (D65), 8 bits a channel: L · 255/100, a + 128, b + 128. */
export function toLab(rgb: Float32Array): Uint8Array {
  const out = new Uint8Array(rgb.length);
  const table = labTable;
  for (let i = 0; i < rgb.length; i += 3) {
    const r = table[rgb[i] | 0];
    const g = table[rgb[i + 1] | 0];
    const b = table[rgb[i + 2] | 0];
    const x = labRoot((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
    const y = labRoot(0.2126 * r + 0.7152 * g + 0.0722 * b);
    const z = labRoot((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
    out[i] = Math.max(0, Math.min(255, Math.round((116 * y - 16) * 2.55)));
    out[i + 1] = Math.max(0, Math.min(255, Math.round(500 * (x - y) + 128)));
    out[i + 2] = Math.max(0, Math.min(255, Math.round(200 * (y - z) + 128)));
  }
  return out;
}

const labRoot = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
const labTable = Float32Array.from({ length: 256 }, (_, i) => {
  const x = i / 255;
  return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
});

/** Cells of a coarse Lab histogram: 16 × 16 × 16. */
export const labBins = 4096;

/** The cell of the i-th pixel. */
export function labBin(lab: Uint8Array, i: number): number {
  const a = Math.min(15, Math.max(0, (lab[3 * i + 1] - 96) >> 2));
  const b = Math.min(15, Math.max(0, (lab[3 * i + 2] - 96) >> 2));
  return ((lab[3 * i] >> 4) << 8) | (a << 4) | b;
}

/** A histogram as probabilities, spread over neighbouring cells so that unseen shades are not impossible. */
export function spreadHistogram(counts: Float32Array, count: number): Float32Array {
  const total = Math.max(1, count);
  const out = new Float32Array(labBins).fill(0.02 / labBins);
  for (let l = 0; l < 16; l++) {
    for (let a = 0; a < 16; a++) {
      for (let b = 0; b < 16; b++) {
        const n = counts[(l << 8) | (a << 4) | b];
        if (!n) continue;
        for (let dl = -2; dl <= 2; dl++) {
          for (let da = -1; da <= 1; da++) {
            for (let db = -1; db <= 1; db++) {
              const [ll, aa, bb] = [l + dl, a + da, b + db];
              if (ll < 0 || aa < 0 || bb < 0 || ll > 15 || aa > 15 || bb > 15) continue;
              const share = ((3 - Math.abs(dl)) * (2 - Math.abs(da)) * (2 - Math.abs(db))) / (9 * 16);
              out[(ll << 8) | (aa << 4) | bb] += (n / total) * share;
            }
          }
        }
      }
    }
  }
  return out;
}
