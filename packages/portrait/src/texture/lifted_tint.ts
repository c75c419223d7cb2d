import { clamp, smoothstep } from '../math/vector.ts';
import { lerpAt, type PlacesAcross, placesAcross, readGrid, readRows } from '../photo/picture_sampling.ts';
import type { BlendedBands } from './multiband_blend.ts';
import { type Canvas, trianglesWith, walkTriangles } from './texture_fill.ts';
import { broadAt, fine, softened } from './tone_grid.ts';

/** Radius over which a lifted place's tint is told, cells: a camera's noise and a file's blocks are smaller. */
const radius = 2;
/** ln of the gain from which on shade that is lifted shows noise in its tint, and wholly. */
const [from, wholly] = [0, 0.2];
/** How far, ln, a tint may stray from the skin's about it. */
const usual = 0.015;

export interface LiftedSkin {
  readonly uv: Float32Array;
  readonly triangles: Uint32Array;
  /** × 3: what the photo's colours were multiplied by, by vertex. */
  readonly gain: Float32Array;
  /** 0..1: what is skin, and has its tint, by vertex. */
  readonly plain: Float32Array;
}

/**
 * Gives shade that was lifted the tint of the skin about it: deep in shade a camera tells brightness well and tint badly,
 * and lifted its noise and casts show as blue, purple or orange patches.
 *
 * @param canvas - Filled; changed in place.
 * @param strength - How far at most, 0..1.
 * @param bands - ln of the canvas's colours, and of the skin's tone.
 * @returns ln of what the colours were multiplied by, by vertex and channel.
 */
export function settleLiftedTint(
  canvas: Canvas,
  skin: LiftedSkin,
  strength: number,
  { logs, tones }: Pick<BlendedBands, 'logs' | 'tones'>,
): (vertex: number, channel: number) => number {
  const share = liftedShare(skin, strength);
  if (!share.some((value) => value > 0)) return () => 0;
  const light = logs[0].map((red, i) => (red + logs[1][i] + logs[2][i]) / 3);
  const tints = logs.map((log) =>
    softened(
      log.map((value, i) => value - light[i]),
      fine,
      radius,
    ),
  );
  const settled = settledTints(tints, tones, share);
  const fields = [share, ...settled.map((tint) => tint.map(Math.exp))];
  const line = new Float32Array(fields.length * fine);
  const places = placesAcross(canvas.size, fine);
  for (let y = 0; y < canvas.size; y++) {
    readRows(fields, fine, fine, ((y + 0.5) * fine) / canvas.size, line);
    settleRow(canvas, y, line, places);
  }
  const { uv } = skin;
  return (i, c) => {
    const [x, y] = [uv[2 * i] * fine, uv[2 * i + 1] * fine];
    const part = readGrid(share, fine, fine, x, y);
    return part ? part * (readGrid(settled[c], fine, fine, x, y) - readGrid(tints[c], fine, fine, x, y)) : 0;
  };
}

/** How far each cell shows skin that was lifted. */
function liftedShare({ uv, triangles, gain, plain }: LiftedSkin, strength: number): Float32Array {
  const lifted = plain.map((share, i) =>
    share
      ? strength *
        share *
        smoothstep(from, wholly, Math.log(gain[3 * i] * gain[3 * i + 1] * gain[3 * i + 2]) / 3)
      : 0,
  );
  const share = new Float32Array(fine * fine);
  walkTriangles(fine, uv, trianglesWith(triangles, lifted), (i, a, b, c, shares) => {
    share[i] = shares[0] * lifted[a] + shares[1] * lifted[b] + shares[2] * lifted[c];
  });
  return share;
}

/** The tints with what strays from the skin's about them beyond what is usual taken out. */
function settledTints(
  tints: readonly Float32Array[],
  tones: readonly Float32Array[],
  share: Float32Array,
): Float32Array[] {
  const mean = tones[0].map((red, i) => (red + tones[1][i] + tones[2][i]) / 3);
  const toneTints = tones.map((tone) => tone.map((value, i) => value - mean[i]));
  return tints.map((tint, c) =>
    tint.map((value, i) => {
      if (!share[i]) return value;
      const usualTint = broadAt(toneTints[c], i);
      return usualTint + clamp(value - usualTint, -usual, usual);
    }),
  );
}

/** A row of it, in a function that V8 keeps optimised; `line` holds the fields between two rows of cells. */
function settleRow(
  { size, colour }: Canvas,
  y: number,
  line: Float32Array,
  { left, share }: PlacesAcross,
): void {
  for (let px = 0; px < size; px++) {
    const x = left[px];
    const right = share[px];
    const part = lerpAt(line, x, right);
    if (part === 0) continue;
    const r = lerpAt(line, fine + x, right);
    const g = lerpAt(line, 2 * fine + x, right);
    const b = lerpAt(line, 3 * fine + x, right);
    const i = 3 * (y * size + px);
    const light = (part * (colour[i] + colour[i + 1] + colour[i + 2])) / (r + g + b);
    colour[i] += light * r - part * colour[i];
    colour[i + 1] += light * g - part * colour[i + 1];
    colour[i + 2] += light * b - part * colour[i + 2];
  }
}
