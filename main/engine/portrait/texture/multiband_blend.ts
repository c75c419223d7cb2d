import { clamp, smoothstep } from '../math/vector.ts';
import { readGrid } from '../photo/picture_sampling.ts';
import { blur } from '../photo/pixel_filters.ts';
import type { OwnSkin } from './own_skin.ts';
import { type Canvas, walkTriangles } from './texture_fill.ts';

/** Cells a side of the grid of spots and streaks, some 1.2 mm each on the face; and of the skin's broad tone, 5 mm. */
const [fine, broad] = [256, 64];
/** Radii of the two, cells of theirs: box blurs, twice. What is narrower than the first stays as it was photographed. */
const [fineRadius, broadRadius] = [2, 3];
/** How much of a spot goes. */
const most = 0.95;
/** Most that a place is lightened or darkened, ln. */
const furthest = 0.9;
/** By how much, ln, pores and wrinkles stray from what lies about them; what strays further is brought back. */
const usual = 0.06;
/** How far, ln, skin strays from its tone in light and shade; what strays further tells less of it. */
const doubtful = 0.25;
/** Factors from which on shade that is lifted shows noise in its tint, and wholly. */
const lifted = [1.05, 1.3] as const;
/** How well a place is known up to which its finest detail is noise, and from which on it is skin's. */
const [hardlySeen, surelySeen] = [0.05, 0.5];
/** What a colour counts that is none of the skin's: a beard all over a jaw is its tone there. */
const least = 0.03;

/**
 * Brings spots and streaks to the skin's broad tone where the photo goes over to skin that is made, and leaves pores
 * and wrinkles: bands that are wider blend over a wider way, so that no edge shows (Burt and Adelson 1983).
 *
 * @param canvas - Filled; changed in place.
 * @param zone - By vertex, 0..1: how far to; and how far at most.
 * @returns ln of what the colours of spots and streaks were multiplied by, by vertex and channel.
 */
export function blendBands(
  canvas: Canvas,
  { uv, triangles }: { readonly uv: Float32Array; readonly triangles: Uint32Array },
  zone: Float32Array,
  strength: number,
  own: OwnSkin,
): (vertex: number, channel: number) => number {
  const share = new Float32Array(fine * fine);
  walkTriangles(fine, uv, triangles, (i, a, b, c, shares) => {
    share[i] = most * strength * (shares[0] * zone[a] + shares[1] * zone[b] + shares[2] * zone[c]);
  });
  const logs = logarithms(canvas);
  const tones = broadTone(logs, own);
  const middle = logs.map((log) => softened(log, fine, fineRadius));
  const gains = middle.map((soft, c) => {
    const out = new Float32Array(fine * fine);
    for (let i = 0; i < out.length; i++) {
      if (!share[i]) continue;
      const x = ((i % fine) + 0.5) * (broad / fine);
      const y = (Math.floor(i / fine) + 0.5) * (broad / fine);
      out[i] = share[i] * clamp(readGrid(tones[c], broad, broad, x, y) - soft[i], -furthest, furthest);
    }
    return out;
  });
  const levels = middle.map((log) => log.map((value) => Math.exp(value) - 1));
  const fields = [
    ...gains.map((gain) => gain.map(Math.exp)),
    levels[0].map((red, i) => red + levels[1][i] + levels[2][i] + 1),
    ...levels,
  ];
  const line = new Float32Array(fields.length * fine);
  for (let y = 0; y < canvas.size; y++) applyRow(canvas, fields, share, line, y);
  return (i, c) => (zone[i] ? readGrid(gains[c], fine, fine, uv[2 * i] * fine, uv[2 * i + 1] * fine) : 0);
}

const softened = (values: Float32Array, side: number, radius: number): Float32Array =>
  blur(blur(values, side, side, radius), side, side, radius);

/** ln of a canvas's colours on the fine grid, by channel. */
function logarithms({ size, colour }: Canvas): Float32Array[] {
  const step = size / fine;
  const logs = [0, 1, 2].map(() => new Float32Array(fine * fine));
  for (let i = 0; i < fine * fine; i++) {
    const left = Math.floor((i % fine) * step);
    const top = Math.floor(Math.floor(i / fine) * step);
    for (let c = 0; c < 3; c++) {
      let sum = 0;
      for (let y = top; y < top + step; y++)
        for (let x = left; x < left + step; x++) sum += Math.max(0, colour[3 * (y * size + x) + c]);
      logs[c][i] = Math.log(1 + sum / (step * step));
    }
  }
  return logs;
}

/** ln of the skin's tone over some 3 cm, by channel; what isn't of the skin's colours hardly counts. */
function broadTone(logs: readonly Float32Array[], own: OwnSkin): Float32Array[] {
  const cells = fine / broad;
  const weight = new Float32Array(broad * broad);
  const sums = logs.map(() => new Float32Array(broad * broad));
  for (let i = 0; i < fine * fine; i++) {
    const [r, g, b] = [Math.exp(logs[0][i]) - 1, Math.exp(logs[1][i]) - 1, Math.exp(logs[2][i]) - 1];
    const off = Math.log((r + g + b + 1) / (own.tone[0] + own.tone[1] + own.tone[2] + 1)) / doubtful;
    const w = least + own.like(r, g, b) * Math.exp(-off * off);
    const cell = Math.floor(Math.floor(i / fine) / cells) * broad + Math.floor((i % fine) / cells);
    weight[cell] += w;
    for (let c = 0; c < 3; c++) sums[c][cell] += w * logs[c][i];
  }
  const known = softened(weight, broad, broadRadius);
  return sums.map((sum) => softened(sum, broad, broadRadius).map((value, i) => value / known[i]));
}

/** A row of it, in a function that V8 keeps optimised; `fields` are the channels' gains and their middle band. */
function applyRow(
  { size, colour, weight }: Canvas,
  fields: readonly Float32Array[],
  share: Float32Array,
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
    const part = share[cell + Math.floor((px + 0.5) * scale)];
    if (!part) continue;
    const across = clamp((px + 0.5) * scale - 0.5, 0, fine - 1.001);
    const x = Math.floor(across);
    const right = across - x;
    const i = 3 * (row * size + px);
    const red = line[x] + (line[x + 1] - line[x]) * right;
    const green = line[fine + x] + (line[fine + x + 1] - line[fine + x]) * right;
    const blue = line[2 * fine + x] + (line[2 * fine + x + 1] - line[2 * fine + x]) * right;
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
