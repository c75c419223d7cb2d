import { percentile } from '#proto/percentile.ts';
import { curveRate } from '#proto/takes/curve_lag.ts';
import type { Sound } from '#proto/wav.ts';

/** Speech is at most this far below the loudest of its take, decibels; below is silence. */
const silentBelow = -35;
/** A silence is at least so long, and its first and last part still belong to the speech around it: seconds. */
const leastSilence = 0.3;
const margin = 0.12;

/** Root mean square of the sound around each 1 / {@link curveRate} s, over 50 ms: as slow as a jaw follows it. */
export function soundEnergy({ samples, sampleRate }: Sound): Float32Array<ArrayBuffer> {
  const count = Math.round((samples.length / sampleRate) * curveRate);
  const hop = sampleRate / curveRate;
  const squares = new Float64Array(count);
  for (let index = 0; index < count; index++) {
    const from = Math.max(0, Math.round((index - 0.5) * hop));
    const end = Math.min(samples.length, Math.round((index + 0.5) * hop));
    let sum = 0;
    for (let at = from; at < end; at++) sum += samples[at]! ** 2;
    squares[index] = end > from ? sum / (end - from) : 0;
  }
  const half = 2;
  return Float32Array.from(squares, (_, index) => {
    let sum = 0;
    for (let step = -half; step <= half; step++) sum += squares[index + step] ?? 0;
    return Math.sqrt(sum / (2 * half + 1));
  });
}

/** Which values of {@link soundEnergy} lie in silence; none where all is silent. */
export function silenceIn(energy: Float32Array): Uint8Array {
  const silent = new Uint8Array(energy.length);
  const loud = percentile(energy, 0.95);
  if (!(loud > 1e-4)) return silent;
  const limit = loud * 10 ** (silentBelow / 20);
  const least = Math.round(leastSilence * curveRate);
  const aside = Math.round(margin * curveRate);
  let from = 0;
  for (let at = 0; at <= energy.length; at++) {
    if (at < energy.length && energy[at]! < limit) continue;
    if (at - from >= least) {
      silent.fill(1, from === 0 ? 0 : from + aside, at === energy.length ? at : at - aside);
    }
    from = at + 1;
  }
  return silent;
}
