/** Sample rates that the engine takes, hertz: every other sound is resampled before it. */
export const heardRates = { min: 8000, max: 96_000 } as const;
/** Sample rates that the studio reads itself, hertz. */
export const readRates = { min: 1000, max: 384_000 } as const;

export const isHeardRate = (sampleRate: number): boolean =>
  sampleRate >= heardRates.min && sampleRate <= heardRates.max;

/** A peak beyond which samples are whole numbers that were written as floats: no sound is 24 dB too loud. */
const loudestPeak = 16;

/**
 * Divisor that brings samples to −1..1: 1, or the range of whole numbers that some programs write into float
 * files as they are.
 *
 * @param peak the largest of them
 */
export function sampleRange(peak: number): number {
  if (peak <= loudestPeak) return 1;
  return [2 ** 15, 2 ** 23].find((range) => peak <= range) ?? 2 ** 31;
}

export const peakOf = (samples: Float32Array): number => {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return peak;
};
