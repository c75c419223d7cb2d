import { clamp, smoothstep } from '../math/vector.ts';
import { readGrid } from '../photo/picture_sampling.ts';
import { limitGloss } from './gloss_limit.ts';
import type { OwnSkin } from './own_skin.ts';
import { type Canvas, walkTriangles } from './texture_fill.ts';
import { broadAt, broadTone, fine, logarithms, softened } from './tone_grid.ts';

/** Radius of what is a spot or a streak, cells: what is narrower stays as it was photographed. */
const fineRadius = 2;
/** How much of a spot goes. */
const most = 0.95;
/** Most that a place is lightened or darkened, ln. */
const furthest = 0.9;
/** By how much, ln, pores and wrinkles stray from what lies about them; what strays further is brought back. */
const usual = 0.06;
/** Shade of a cheek, ln, that tells of its shape, and how much of what is deeper goes. */
const [usualShade, shadeTaken] = [0.18, 0.8];
/** How much paler, ln red over blue, a cheek may be than the skin about it: what is beyond is a lamp's, or a shadow's. */
const usualPale = 0.04;
/** Factors from which on shade that is lifted shows noise in its tint, and wholly. */
const lifted = [1.05, 1.3] as const;
/** How well a place is known up to which its finest detail is noise, and from which on it is skin's. */
const [hardlySeen, surelySeen] = [0.05, 0.5];

/** Where on a skin the photo gives way to the skin's tone, by vertex, 0..1. */
export interface BlendZones {
  /** Spots and streaks: where the photo goes over to skin that is made. */
  readonly edge: Float32Array;
  /** Deep shade, and what is paler than skin: cheeks and jaw. */
  readonly cheek: Float32Array;
  /** Gloss: skin, but for what is moist, and for hair as light as gloss. */
  readonly shiny: Float32Array;
}

/**
 * Brings spots and streaks to the skin's broad tone where the photo goes over to skin that is made, and leaves pores
 * and wrinkles: bands that are wider blend over a wider way, so that no edge shows (Burt and Adelson 1983). Further
 * in gloss, deep shade and pale spots go by what they stray further than skin does.
 *
 * @param canvas - Filled; changed in place.
 * @param strength - How far at most, 0..1.
 * @returns ln of what the colours of spots, streaks and gloss were multiplied by, by vertex and channel.
 */
export function blendBands(
  canvas: Canvas,
  { uv, triangles }: { readonly uv: Float32Array; readonly triangles: Uint32Array },
  { edge, cheek, shiny }: BlendZones,
  strength: number,
  own: OwnSkin,
): (vertex: number, channel: number) => number {
  const [share, onCheek, onSkin] = [edge, cheek, shiny].map(() => new Float32Array(fine * fine));
  walkTriangles(fine, uv, triangles, (i, a, b, c, shares) => {
    const wa = shares[0];
    const wb = shares[1];
    const wc = shares[2];
    share[i] = most * strength * (wa * edge[a] + wb * edge[b] + wc * edge[c]);
    onCheek[i] = strength * (wa * cheek[a] + wb * cheek[b] + wc * cheek[c]);
    onSkin[i] = strength * (wa * shiny[a] + wb * shiny[b] + wc * shiny[c]);
  });
  const logs = logarithms(canvas);
  const tones = broadTone(logs, own);
  const dulled = limitGloss(canvas, onSkin, logs, tones);
  const middle = logs.map((log) => softened(log, fine, fineRadius));
  const gains = toneGains(middle, tones, share, onCheek);
  const levels = middle.map((log) => log.map((value) => Math.exp(value) - 1));
  const fields = [
    ...gains.map((gain) => gain.map(Math.exp)),
    levels[0].map((red, i) => red + levels[1][i] + levels[2][i] + 1),
    ...levels,
  ];
  const line = new Float32Array(fields.length * fine);
  for (let y = 0; y < canvas.size; y++) applyRow(canvas, { fields, share, onCheek }, line, y);
  return (i, c) => {
    if (!edge[i] && !shiny[i] && !cheek[i]) return 0;
    const [x, y] = [uv[2 * i] * fine, uv[2 * i + 1] * fine];
    return readGrid(gains[c], fine, fine, x, y) + readGrid(dulled[c], fine, fine, x, y);
  };
}

/** ln of what brings the middle band to the tone, by channel: wholly at the photo's edge, on cheeks what strays further than skin. */
function toneGains(
  middle: readonly Float32Array[],
  tones: readonly Float32Array[],
  share: Float32Array,
  onCheek: Float32Array,
): Float32Array[] {
  const gains = middle.map(() => new Float32Array(fine * fine));
  const off = [0, 0, 0];
  for (let i = 0; i < fine * fine; i++) {
    if (!share[i] && !onCheek[i]) continue;
    for (let c = 0; c < 3; c++) off[c] = broadAt(tones[c], i) - middle[c][i];
    const lift = (off[0] + off[1] + off[2]) / 3;
    const pale = off[0] - off[2];
    const tint = pale > usualPale ? onCheek[i] * (1 - usualPale / pale) : 0;
    const shade = onCheek[i] * shadeTaken * Math.max(0, lift - usualShade);
    for (let c = 0; c < 3; c++) {
      const inner = tint * (off[c] - lift) + shade;
      gains[c][i] = inner + share[i] * (clamp(off[c], -furthest, furthest) - inner);
    }
  }
  return gains;
}

interface Bands {
  /** The channels' gains, the sum of their middle band, and that of each. */
  readonly fields: readonly Float32Array[];
  readonly share: Float32Array;
  readonly onCheek: Float32Array;
}

/** A row of it, in a function that V8 keeps optimised. */
function applyRow(
  { size, colour, weight }: Canvas,
  { fields, share, onCheek }: Bands,
  line: Float32Array,
  row: number,
): void {
  const scale = fine / size;
  const cell = Math.floor((row + 0.5) * scale) * fine;
  const down = clamp((row + 0.5) * scale - 0.5, 0, fine - 1.001);
  const top = Math.floor(down);
  for (let f = 0; f < fields.length; f++) {
    const field = fields[f];
    for (let x = 0; x < fine; x++) {
      const i = top * fine + x;
      line[f * fine + x] = field[i] + (field[i + fine] - field[i]) * (down - top);
    }
  }
  for (let px = 0; px < size; px++) {
    const at = cell + Math.floor((px + 0.5) * scale);
    const part = share[at];
    if (!part && !onCheek[at]) continue;
    const across = clamp((px + 0.5) * scale - 0.5, 0, fine - 1.001);
    const x = Math.floor(across);
    const right = across - x;
    const i = 3 * (row * size + px);
    const red = line[x] + (line[x + 1] - line[x]) * right;
    const green = line[fine + x] + (line[fine + x + 1] - line[fine + x]) * right;
    const blue = line[2 * fine + x] + (line[2 * fine + x + 1] - line[2 * fine + x]) * right;
    if (!part) {
      colour[i] *= red;
      colour[i + 1] *= green;
      colour[i + 2] *= blue;
      continue;
    }
    const level = line[3 * fine + x] + (line[3 * fine + x + 1] - line[3 * fine + x]) * right;
    const light = (colour[i] + colour[i + 1] + colour[i + 2] + 1) / level;
    // What is lifted out of shade, or hardly seen, shows a camera's noise: little of it stays in brightness, and none in tint.
    const lift = green > lifted[0] ? smoothstep(lifted[0], lifted[1], green) : 0;
    const noise = Math.max(lift, 1 - smoothstep(hardlySeen, surelySeen, weight[row * size + px]));
    if (noise)
      for (let c = 0; c < 3; c++) {
        const from = (4 + c) * fine + x;
        const even = light * (line[from] + (line[from + 1] - line[from]) * right);
        colour[i + c] += part * noise * (even - colour[i + c]);
      }
    const allowed = usual * (1 - 0.6 * noise);
    const factor =
      Math.abs(light - 1) > allowed ? Math.exp(part * heldBack(Math.log(Math.max(0.05, light)), allowed)) : 1;
    colour[i] *= factor * red;
    colour[i + 1] *= factor * green;
    colour[i + 2] *= factor * blue;
  }
}

/** How far, ln, a detail that strays so far from what lies about it is brought back. */
const heldBack = (strays: number, allowed: number): number =>
  strays / (1 + Math.max(0, Math.abs(strays) - allowed) / allowed) - strays;
