/** The least and the greatest of a sound, peak by peak, as a timeline draws it. */

/** Samples under one peak: at 48 kHz 5 ms, a pixel until a window is some seconds narrow. */
export const peakSamples = 256;
/** Of samples as whole numbers. */
export const fullPeak = 32_767;

/** Before the peaks in a file of their own: "LKPK", and four bytes that are 0. They follow as little-endian int16. */
export const peaksFileHead: Uint8Array<ArrayBuffer> = Uint8Array.of(0x4c, 0x4b, 0x50, 0x4b, 0, 0, 0, 0);

export const isPeaksFile = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 && [0, 1, 2, 3].every((at) => bytes[at] === peaksFileHead[at]);

/** Room for the least and the greatest of each peak of so many samples, one after the other. */
export const emptyPeaks = (samples: number): Int16Array<ArrayBuffer> =>
  new Int16Array(Math.ceil(samples / peakSamples) * 2);

/**
 * Writes the peaks of samples, −1..1, into `peaks`, the first of them as peak number `at`.
 *
 * @param samples a whole number of peaks, but at the sound's end
 * @returns the number of the peak that comes next
 */
export function writePeaks(peaks: Int16Array, at: number, samples: Float32Array): number {
  let peak = at;
  for (let from = 0; from < samples.length && 2 * peak < peaks.length; from += peakSamples) {
    const [low, high] = extent(samples, from, Math.min(samples.length, from + peakSamples));
    peaks[2 * peak] = inWhole(low);
    peaks[2 * peak + 1] = inWhole(high);
    peak += 1;
  }
  return peak;
}

/** The least and the greatest of samples `from` … `to` − 1. */
export function extent(samples: Float32Array, from: number, to: number): [low: number, high: number] {
  let low = samples[from] ?? 0;
  let high = low;
  for (let at = from + 1; at < to; at++) {
    const sample = samples[at]!;
    if (sample < low) low = sample;
    else if (sample > high) high = sample;
  }
  return [low, high];
}

const inWhole = (sample: number): number => Math.round(Math.max(-1, Math.min(1, sample)) * fullPeak);
