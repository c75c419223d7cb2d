import { clamp, smoothstep } from '../math/vector.ts';
import { lerpAt, type PlacesAcross, placesAcross, readGrid, readRows } from '../photo/picture_sampling.ts';
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
/** Deviation, ln, of pores and wrinkles from what lies about them: stronger detail is made as faint as that. */
const usual = 0.045;
/** How much of it goes besides where it is noise. */
const noiseTaken = 0.6;
/** Radius over which detail's deviation is told, cells. */
const detailRadius = 3;
/** How much lighter than its tone about it, ln, skin may be: beyond is gloss, and surely a lamp's mirror image. */
const [usualGloss, mostGloss] = [0.18, 0.24];
/** Shade of a cheek, ln, that tells of its shape, and how much of what is deeper goes. */
const [usualShade, shadeTaken] = [0.18, 0.8];
/** How much paler, ln red over blue, a cheek may be than the skin about it: what is beyond is a lamp's, or a shadow's. */
const usualPale = 0.04;
/** Shade or light, ln, that one side of a nose or mouth alone may have, and how much of what is beyond goes. */
const [unevenShade, onesTaken] = [0.04, 0.9];
/** Tint, ln, that both sides may have: a blush. How much goes of what is beyond, and of what one side alone has. */
const [usualBlush, tintTaken] = [0.06, 0.9];
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
  /** Glare, which tells nothing of a face's shape: the same, also amid the face. */
  readonly glaring: Float32Array;
  /** What one side alone shows: skin, but for eyes, brows, lips and a beard. */
  readonly alike: Float32Array;
  /** Detail: skin that the photo sees so much askance that its pixels are drawn out. */
  readonly smeared: Float32Array;
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
  zones: BlendZones,
  strength: number,
  own: OwnSkin,
): (vertex: number, channel: number) => number {
  const { edge, cheek, shiny, glaring, alike, smeared } = zones;
  const [share, onCheek, onSkin, inGlare, onBoth, askance] = Array.from(
    { length: 6 },
    () => new Float32Array(fine * fine),
  );
  walkTriangles(fine, uv, triangles, (i, a, b, c, shares) => {
    const wa = shares[0];
    const wb = shares[1];
    const wc = shares[2];
    share[i] = most * strength * (wa * edge[a] + wb * edge[b] + wc * edge[c]);
    onCheek[i] = strength * (wa * cheek[a] + wb * cheek[b] + wc * cheek[c]);
    onSkin[i] = strength * (wa * shiny[a] + wb * shiny[b] + wc * shiny[c]);
    inGlare[i] = strength * (wa * glaring[a] + wb * glaring[b] + wc * glaring[c]);
    onBoth[i] = strength * (wa * alike[a] + wb * alike[b] + wc * alike[c]);
    askance[i] = wa * smeared[a] + wb * smeared[b] + wc * smeared[c];
  });
  const logs = logarithms(canvas);
  const tones = broadTone(logs, own);
  const dulled = limitGloss(
    canvas,
    [
      { share: onSkin, free: usualGloss },
      { share: inGlare, free: mostGloss },
    ],
    logs,
    tones,
  );
  const middle = logs.map((log) => softened(log, fine, fineRadius));
  const inside = onCheek.map((part, i) => Math.max(part, onBoth[i]));
  const gains = toneGains(middle, tones, { share, onCheek, onBoth });
  const levels = middle.map((log) => log.map((value) => Math.exp(value) - 1));
  const fields = [
    ...gains.map((gain) => gain.map(Math.exp)),
    levels[0].map((red, i) => red + levels[1][i] + levels[2][i] + 1),
    ...levels,
    faintness(logs[1], middle[1]),
    askance,
  ];
  const line = new Float32Array(fields.length * fine);
  const places = placesAcross(canvas.size, fine);
  for (let y = 0; y < canvas.size; y++) applyRow(canvas, { fields, share, inside, places }, line, y);
  return (i, c) => {
    if (!edge[i] && !glaring[i] && !cheek[i] && !alike[i]) return 0;
    const [x, y] = [uv[2 * i] * fine, uv[2 * i + 1] * fine];
    return readGrid(gains[c], fine, fine, x, y) + readGrid(dulled[c], fine, fine, x, y);
  };
}

interface Shares {
  readonly share: Float32Array;
  readonly onCheek: Float32Array;
  readonly onBoth: Float32Array;
}

/**
 * ln of what brings the middle band to the tone, by channel: wholly at the photo's edge, on cheeks what strays further
 * than skin, and what one side alone shows.
 */
function toneGains(
  middle: readonly Float32Array[],
  tones: readonly Float32Array[],
  { share, onCheek, onBoth }: Shares,
): Float32Array[] {
  const strays = middle.map((band, c) =>
    band.map((value, i) => (share[i] || onCheek[i] || onBoth[i] ? broadAt(tones[c], i) - value : 0)),
  );
  const lifts = strays[0].map((red, i) => (red + strays[1][i] + strays[2][i]) / 3);
  const gains = middle.map(() => new Float32Array(fine * fine));
  for (let i = 0; i < fine * fine; i++) {
    if (!share[i] && !onCheek[i] && !onBoth[i]) continue;
    const mirrored = i + fine - 1 - 2 * (i % fine);
    const lift = lifts[i];
    const pale = strays[0][i] - strays[2][i];
    const tint = pale > usualPale ? onCheek[i] * (1 - usualPale / pale) : 0;
    const shade = onCheek[i] * shadeTaken * Math.max(0, lift - usualShade);
    const oneSided = onBoth[i] * onesTaken * beyond(lift - shared(lift, lifts[mirrored]), unevenShade);
    const light = larger(shade, oneSided);
    for (let c = 0; c < 3; c++) {
      const own = strays[c][i] - lift;
      const both = shared(own, strays[c][mirrored] - lifts[mirrored]);
      const strange = onBoth[i] * tintTaken * (own - both + beyond(both, usualBlush));
      const inner = larger(tint * own, strange) + light;
      gains[c][i] = inner + share[i] * (clamp(strays[c][i], -furthest, furthest) - inner);
    }
  }
  return gains;
}

const larger = (a: number, b: number): number => (Math.abs(a) > Math.abs(b) ? a : b);

/** What two values have in common: the smaller one where both have a sign, else nothing. */
const shared = (a: number, b: number): number => (a * b <= 0 ? 0 : Math.abs(a) < Math.abs(b) ? a : b);

/** What of a value lies beyond a limit on either side. */
const beyond = (value: number, limit: number): number =>
  Math.sign(value) * Math.max(0, Math.abs(value) - limit);

/**
 * What makes detail no stronger than pores and wrinkles, by cell. Cutting off what strays further instead would draw
 * the outlines of whiskers and stretched pixels as fine lines.
 */
function faintness(log: Float32Array, middle: Float32Array): Float32Array {
  const squares = log.map((value, i) => (value - middle[i]) ** 2);
  return softened(squares, fine, detailRadius).map((square) => Math.min(1, usual / Math.sqrt(square + 1e-6)));
}

interface Bands {
  /** The channels' gains, the sum of their middle band, that of each, what makes detail fainter, and where it is drawn out. */
  readonly fields: readonly Float32Array[];
  readonly share: Float32Array;
  /** Where the middle band alone is changed. */
  readonly inside: Float32Array;
  readonly places: PlacesAcross;
}

/** A row of it, in a function that V8 keeps optimised. */
function applyRow(
  { size, colour, weight }: Canvas,
  { fields, share, inside, places }: Bands,
  line: Float32Array,
  row: number,
): void {
  const scale = fine / size;
  const cell = Math.floor((row + 0.5) * scale) * fine;
  readRows(fields, fine, fine, (row + 0.5) * scale, line);
  for (let px = 0; px < size; px++) {
    const at = cell + Math.floor((px + 0.5) * scale);
    const part = share[at];
    if (!part && !inside[at]) continue;
    const x = places.left[px];
    const right = places.share[px];
    const i = 3 * (row * size + px);
    const red = lerpAt(line, x, right);
    const green = lerpAt(line, fine + x, right);
    const blue = lerpAt(line, 2 * fine + x, right);
    if (!part) {
      colour[i] *= red;
      colour[i + 1] *= green;
      colour[i + 2] *= blue;
      continue;
    }
    const level = lerpAt(line, 3 * fine + x, right);
    const light = (colour[i] + colour[i + 1] + colour[i + 2] + 1) / level;
    // What is lifted out of shade, or hardly seen, shows a camera's noise: little of it stays in brightness, and none in tint.
    const lift = green > lifted[0] ? smoothstep(lifted[0], lifted[1], green) : 0;
    const drawnOut = lerpAt(line, 8 * fine + x, right);
    const noise = Math.max(lift, drawnOut, 1 - smoothstep(hardlySeen, surelySeen, weight[row * size + px]));
    if (noise)
      for (let c = 0; c < 3; c++) {
        const from = (4 + c) * fine + x;
        const even = light * lerpAt(line, from, right);
        colour[i + c] += part * noise * (even - colour[i + c]);
      }
    const faint = lerpAt(line, 7 * fine + x, right);
    const kept = 1 - part * (1 - faint * (1 - noiseTaken * noise));
    const factor = (1 + (light - 1) * kept) / light;
    colour[i] *= factor * red;
    colour[i + 1] *= factor * green;
    colour[i + 2] *= factor * blue;
  }
}
