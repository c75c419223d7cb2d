import type { Canvas } from './texture_fill.ts';
import { broadAt, fine } from './tone_grid.ts';

/** How much of the rest goes. */
const most = 0.8;

/**
 * Brings gloss that a photo shows on skin near to the skin's tone: a head that turns carries it along as white
 * paint, and the file's roughness makes gloss of its own. Channel by channel, for a lamp's mirror image is pale.
 *
 * @param canvas - Filled; changed in place.
 * @param share - How far skin lies there, 0..1, on the fine grid.
 * @param logs - ln of the canvas's colours on the fine grid, by channel; changed in place.
 * @param tones - ln of the skin's tone on the broad grid, by channel.
 * @param free - How much lighter than its tone about it, ln, a channel may be.
 * @returns ln of what the colours were multiplied by, on the fine grid, by channel.
 */
export function limitGloss(
  { size, colour }: Canvas,
  share: Float32Array,
  logs: readonly Float32Array[],
  tones: readonly Float32Array[],
  free: number,
): Float32Array[] {
  const limits = tones.map((tone) => limitOf(tone, share, free));
  const gains = logs.map((log, c) => {
    const gain = new Float32Array(fine * fine);
    for (let i = 0; i < gain.length; i++) {
      if (!share[i]) continue;
      const value = Math.exp(log[i]);
      const over = value - limits[c][i];
      if (over <= 0) continue;
      gain[i] = Math.log(1 - (most * share[i] * over) / value);
      log[i] += gain[i];
    }
    return gain;
  });
  for (let y = 0; y < size; y++) limitRow(colour, size, y, share, limits);
  return gains;
}

/** The lightest that skin may be, by cell of the fine grid. */
function limitOf(tone: Float32Array, share: Float32Array, free: number): Float32Array {
  const limit = tone.map((value) => Math.exp(value + free));
  return share.map((part, i) => (part ? broadAt(limit, i) : 0));
}

/** A function of its own, so that V8 keeps its code from head to head. */
function limitRow(
  colour: Float32Array,
  size: number,
  y: number,
  share: Float32Array,
  [red, green, blue]: readonly Float32Array[],
): void {
  const scale = fine / size;
  const row = Math.floor((y + 0.5) * scale) * fine;
  for (let x = 0; x < size; x++) {
    const cell = row + Math.floor((x + 0.5) * scale);
    const part = most * share[cell];
    if (!part) continue;
    const i = 3 * (y * size + x);
    const r = colour[i] + 1 - red[cell];
    const g = colour[i + 1] + 1 - green[cell];
    const b = colour[i + 2] + 1 - blue[cell];
    if (r > 0) colour[i] -= part * r;
    if (g > 0) colour[i + 1] -= part * g;
    if (b > 0) colour[i + 2] -= part * b;
  }
}
