/** sRGB 0..255 to linear 0..1. */
export const toLinear = (v: number): number => (v <= 10.3 ? v / 3295 : ((v / 255 + 0.055) / 1.055) ** 2.4);

/** Linear 0..1 of each sRGB byte. */
export const linearBytes = Float32Array.from({ length: 256 }, (_, i) => {
  const x = i / 255;
  return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
});

/** Linear 0..1 to sRGB 0..255. */
export const toSrgb = (linear: number): number =>
  255 * (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055);
