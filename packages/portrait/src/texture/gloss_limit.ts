import type { Canvas } from './texture_fill.ts';
import { broadAt, fine } from './tone_grid.ts';

/** How much of the rest goes. */
const most = 0.8;

/** How far gloss may go somewhere. */
export interface GlossLimit {
  /** How far skin lies there, 0..1, on the fine grid. */
  readonly share: Float32Array;
  /** How much lighter than its tone about it, ln, a channel may be. */
  readonly free: number;
}

/**
 * Brings gloss that a photo shows on skin near to the skin's tone: a head that turns carries it along as white
 * paint, and the file's roughness makes gloss of its own. Channel by channel, for a lamp's mirror image is pale.
 *
 * @param canvas - Filled; changed in place.
 * @param limits - One after the other.
 * @param logs - ln of the canvas's colours on the fine grid, by channel; changed in place.
 * @param tones - ln of the skin's tone on the broad grid, by channel.
 * @returns ln of what the colours were multiplied by, on the fine grid, by channel.
 */
export function limitGloss(
  canvas: Canvas,
  limits: readonly GlossLimit[],
  logs: readonly Float32Array[],
  tones: readonly Float32Array[],
): Float32Array[] {
  const gains = logs.map(() => new Float32Array(fine * fine));
  const lightest = limits.map(({ share, free }) => tones.map((tone) => lightestOf(tone, share, free)));
  for (const [l, { share }] of limits.entries())
    for (const [c, log] of logs.entries()) limitLogs(log, share, lightest[l][c], gains[c]);
  for (let y = 0; y < canvas.size; y++)
    for (let l = 0; l < limits.length; l++) limitRow(canvas, y, limits[l].share, lightest[l]);
  return gains;
}

/** The lightest that skin may be, by cell of the fine grid. */
function lightestOf(tone: Float32Array, share: Float32Array, free: number): Float32Array {
  const limit = tone.map((value) => Math.exp(value + free));
  const out = new Float32Array(share.length);
  for (let i = 0; i < out.length; i++) if (share[i]) out[i] = broadAt(limit, i);
  return out;
}

function limitLogs(log: Float32Array, share: Float32Array, lightest: Float32Array, gain: Float32Array): void {
  for (let i = 0; i < log.length; i++) {
    if (!share[i]) continue;
    const value = Math.exp(log[i]);
    const over = value - lightest[i];
    if (over <= 0) continue;
    const taken = Math.log(1 - (most * share[i] * over) / value);
    gain[i] += taken;
    log[i] += taken;
  }
}

/** A function of its own, so that V8 keeps its code from head to head. */
function limitRow(
  { size, colour }: Canvas,
  y: number,
  share: Float32Array,
  [red, green, blue]: readonly Float32Array[],
): void {
  const step = size / fine;
  const row = Math.floor(y / step) * fine;
  let i = 3 * y * size;
  for (let cell = row; cell < row + fine; cell++) {
    const part = most * share[cell];
    const end = i + 3 * step;
    if (!part) i = end;
    for (; i < end; i += 3) {
      const r = colour[i] + 1 - red[cell];
      const g = colour[i + 1] + 1 - green[cell];
      const b = colour[i + 2] + 1 - blue[cell];
      if (r > 0) colour[i] -= part * r;
      if (g > 0) colour[i + 1] -= part * g;
      if (b > 0) colour[i + 2] -= part * b;
    }
  }
}
