/** sRGB 0..255 to linear 0..1. */
export const toLinear = (v: number): number => (v <= 10.3 ? v / 3295 : ((v / 255 + 0.055) / 1.055) ** 2.4);
