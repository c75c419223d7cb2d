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
