/** CIE Lab (D65) of a linear RGB colour, 0..1. */
export type Lab = readonly [lightness: number, red: number, yellow: number];

export function labOf([r, g, b]: readonly [number, number, number]): Lab {
  const root = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116);
  const x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const y = root(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
