import { clamp, smoothstep } from '@likeness/geometry/vector.ts';
import { type CellIndices, cellIndices, lerpAt, readRows } from '../../photo/picture_sampling.ts';
import { type Canvas, mirrored, sumCells } from '../../texture/texture_fill.ts';
import { softened } from '../../texture/tone_grid.ts';
import type { HairMap } from '../hair_map.ts';
import { toneCells } from './hair_tone.ts';

/** Added to colours before their logarithm, 8 bits: what is nearly black is noise. */
const cellBlack = 14;
/** Differences of the sides' brightness, ln, from which on they are light's, and from which on wholly. */
const sides = { alike: 0.15, apart: 0.4 } as const;
/** The same of their tint. */
const tints = { alike: 0.06, apart: 0.18 } as const;
/** Brightness, ln, from which on one side's is glare: above skin's for grey hair and for brown, and above the hair's own. */
const glare = { grey: 0.15, brown: -0.2, hair: 0.4 } as const;
/** Warmth, parts of brightness, up to which hair is grey, and from which on brown. */
const [grey, brown] = [0.1, 0.2] as const;
/** Rounds over which the light of a side is led on to where the other isn't seen. */
const ledOn = 6;
/** How far, ln, a side may lie from the hair's tone before the other one is believed. */
const plausible = 0.3;
/** Most by which hair may be darker and lighter than its tone, and warmer and of another hue than usual, ln: one head's hair has one colour. */
const max = { darker: 0.45, lighter: 0.3, warmth: 0.06, hue: 0.02 } as const;
/** Warmth, ln, up to which hair is grey, and from which on it isn't; and hue, ln, from which down grey hair is dyed, and wholly. */
const greyHair = { wholly: 0.2, not: 0.3, dyed: -0.05, surely: -0.1 } as const;
/**
 * Differences from hair's tone, ln, from which on it is deep shade, background or glare, and wholly. `blown`: brightness,
 * ln of 8 bits, of hair that is blown out.
 */
const unlike = {
  shade: [0.6, 1.1],
  background: [0.05, 0.12],
  glare: [0.35, 0.7],
  blown: [5.45, 5.56],
} as const;
/** Most that hair is lightened or darkened, ln. */
const farthest = 1.1;

/**
 * Takes out of photographed hair, in place, light that falls on one side of it alone, shade and glare. Hair is much
 * alike on both sides; as with skin the side is believed that is nearer to the hair's tone. Only tones over centimetres
 * change: strands, roots and ends stay. Deep shade, the background and glare lose their weight.
 *
 * @param seen - All that the photo shows, in the hair's layout; `sure`: what of that surely is hair.
 * @param taken - How much of the light is taken out, 0..1.
 */
export function evenHairLight(
  seen: Canvas,
  sure: Canvas,
  colours: Pick<HairMap, 'hairColour' | 'skinColour'>,
  taken: number,
): void {
  if (taken <= 0) return;
  const { size } = seen;
  const factors = lightOfHair(readCells(sure), lightest(colours)).map((field) =>
    field.map((log) => Math.exp(taken * log)),
  );
  const line = new Float32Array(factors.length * toneCells);
  const columns = cellIndices(size, toneCells);
  for (let y = 0; y < size; y++) {
    readRows(factors, toneCells, toneCells, ((y + 0.5) * toneCells) / size, line);
    multiplyRow(seen, sure, line, columns, y);
  }
}

/** Brightness, ln, up to which the lighter side is believed: brown hair is never as light as skin. */
function lightest({ hairColour, skinColour }: Pick<HairMap, 'hairColour' | 'skinColour'>): number {
  const [hair, skin] = [hairColour, skinColour].map(([r, g, b]) => (r + g + b) / 3 + cellBlack);
  const isBrown = smoothstep(grey, brown, (hairColour[0] - hairColour[2]) / (3 * hair));
  const overSkin = glare.grey + isBrown * (glare.brown - glare.grey);
  return Math.min(Math.log(skin) + overSkin, Math.log(hair) + glare.hair);
}

/**
 * Brightness by cell, ln; warmth, from blue through grey to red; and hue, from purple to green, which hair hardly has.
 */
type HairTone = readonly [level: Float32Array, warmth: Float32Array, hue: Float32Array];

function toneOf(logs: Float32Array): HairTone {
  const [level, warmth, hue] = blankFields();
  for (let i = 0; i < level.length; i++) {
    const [r, g, b] = [logs[3 * i], logs[3 * i + 1], logs[3 * i + 2]];
    level[i] = (r + g + b) / 3;
    warmth[i] = r - b;
    hue[i] = g - (r + b) / 2;
  }
  return [level, warmth, hue];
}

/** ln of what each channel of the hair and its weight are multiplied by, by cell. */
function lightOfHair({ logs, known }: Cells, glareFrom: number): Float32Array[] {
  const seen = toneOf(logs);
  const weights = known.map((k) => smoothstep(0.02, 0.2, k));
  const [level, warmth, hue] = balanceSides(seen, weights, glareFrom);
  const [tone, medianWarmth, seenHue] = [level, warmth, hue].map((field) => middleOf(field, weights));
  const medianHue = withoutSkin(medianWarmth, seenHue);
  const gains = blankFields();
  const trust = new Float32Array(toneCells ** 2);
  for (let i = 0; i < weights.length; i++) {
    if (!weights[i]) continue;
    const isShade = smoothstep(...unlike.shade, tone - seen[0][i]);
    const isBackground = smoothstep(...unlike.background, seenHue - seen[2][i]);
    const isGlare = Math.max(
      smoothstep(...unlike.glare, seen[0][i] - tone),
      smoothstep(...unlike.blown, seen[0][i]),
    );
    trust[i] = Math.log(Math.max(0.001, (1 - isShade) * (1 - isBackground) * (1 - isGlare)));
    const off = level[i] - tone;
    const even = tone + drawnIn(off, off > 0 ? max.lighter : max.darker);
    const lift = clamp(even - seen[0][i], -farthest, farthest);
    const warmer = medianWarmth + drawnIn(warmth[i] - medianWarmth, max.warmth) - seen[1][i];
    const greener = medianHue + drawnIn(hue[i] - medianHue, max.hue) - seen[2][i];
    // Back to three channels, whose mean is the brightness.
    gains[0][i] = weights[i] * (lift + warmer / 2 - greener / 3);
    gains[1][i] = weights[i] * (lift + (2 * greener) / 3);
    gains[2][i] = weights[i] * (lift - warmer / 2 - greener / 3);
  }
  return [...spreadOut(gains, weights, 1), trust];
}

/** A difference drawn in to less than `limit` either way: small ones stay, large ones come near it. */
const drawnIn = (off: number, limit: number): number => limit * Math.tanh(off / limit);

/** The hue of hair without the skin that shines through it: grey hair is yellowish at most, never pink unless it is dyed. */
function withoutSkin(warmth: number, hue: number): number {
  const isGrey = smoothstep(greyHair.not, greyHair.wholly, warmth);
  return hue - isGrey * smoothstep(greyHair.surely, greyHair.dyed, hue) * Math.min(0, hue);
}

/** The look of hair without what one of its sides has for itself. */
function balanceSides([level, warmth, hue]: HairTone, weights: Float32Array, glareFrom: number): HairTone {
  const both = weights.map((t, i) => Math.min(t, weights[mirrored(i, toneCells)]));
  const lighter = level.map((l, i) => Math.max(l, level[mirrored(i, toneCells)]));
  const darker = level.map((l, i) => Math.min(l, level[mirrored(i, toneCells)]));
  // What lies in the light tells more than what lies in shade, up to glare.
  const tone = clamp(glareFrom, middleOf(darker, both), middleOf(lighter, both));
  const changes = blankFields();
  for (let i = 0; i < weights.length; i++) {
    const m = mirrored(i, toneCells);
    if (!both[i]) continue;
    const [own, other] = [i, m].map((k) => Math.exp(-Math.abs(level[k] - tone) / plausible));
    const toOther = (both[i] * other) / (own + other);
    const byLight = smoothstep(sides.alike, sides.apart, Math.abs(level[i] - level[m]));
    const tint = Math.hypot(warmth[i] - warmth[m], hue[i] - hue[m]);
    const byTint = Math.max(byLight, smoothstep(tints.alike, tints.apart, tint));
    changes[0][i] = toOther * byLight * (level[m] - level[i]);
    changes[1][i] = toOther * byTint * (warmth[m] - warmth[i]);
    changes[2][i] = toOther * byTint * (hue[m] - hue[i]);
  }
  // Where the other side isn't seen, light falls as it does nearby.
  const [lifts, warmer, greener] = spreadOut(changes, both, ledOn);
  return [
    level.map((value, i) => value + lifts[i]),
    warmth.map((value, i) => value + warmer[i]),
    hue.map((value, i) => value + greener[i]),
  ];
}

/** Multiplies a row's colours by the factors about them. */
function multiplyRow(
  seen: Canvas,
  sure: Canvas,
  line: Float32Array,
  { left, share: right }: CellIndices,
  y: number,
): void {
  for (let x = 0; x < seen.size; x++) {
    const i = y * seen.size + x;
    const all = seen.weight[i];
    const strands = sure.weight[i];
    if (all === 0 && strands === 0) continue;
    const share = strands < all ? strands / all : 1;
    const trust = lerpAt(line, 3 * toneCells + left[x], right[x]);
    for (let c = 0; c < 3; c++) {
      const hair = lerpAt(line, c * toneCells + left[x], right[x]);
      const o = 3 * i + c;
      sure.colour[o] = trust * Math.min(255 * strands, sure.colour[o] * hair);
      seen.colour[o] = trust * Math.min(255 * all, seen.colour[o] * (1 + share * (hair - 1)));
    }
    sure.weight[i] *= trust;
    seen.weight[i] *= trust;
  }
}

/** Mean colours about each of {@link toneCells}² cells of the hair's layout, ln (× 3), and how much of it is known, 0..1. */
interface Cells {
  readonly logs: Float32Array;
  readonly known: Float32Array;
}

/** A field over the cells for every channel. */
const blankFields = (): [Float32Array, Float32Array, Float32Array] => [
  new Float32Array(toneCells ** 2),
  new Float32Array(toneCells ** 2),
  new Float32Array(toneCells ** 2),
];

/** Averages over some centimetres. */
const soften = (values: Float32Array): Float32Array => softened(values, toneCells, 2);

/** Mean colours of hair about each cell. */
function readCells(hair: Canvas): Cells {
  const { known, sums } = sumCells(hair, toneCells);
  const full = (hair.size / toneCells) ** 2;
  const weight = soften(known);
  const logs = new Float32Array(sums.length);
  for (let c = 0; c < 3; c++) {
    const sum = soften(known.map((_, i) => sums[3 * i + c]));
    for (let i = 0; i < weight.length; i++) logs[3 * i + c] = Math.log(cellBlack + sum[i] / (weight[i] || 1));
  }
  return { logs, known: weight.map((value) => value / full) };
}

/** The weighted middle of a value by cell. */
function middleOf(values: Float32Array, weight: Float32Array): number {
  const order = [...weight.keys()].filter((i) => weight[i] > 0.1).sort((p, q) => values[p] - values[q]);
  let left = order.reduce((sum, i) => sum + weight[i], 0) / 2;
  for (const i of order) {
    left -= weight[i];
    if (left <= 0) return values[i];
  }
  return 0;
}

/** Extrapolates fields (premultiplied by `told`) to cells that show too little hair, in so many rounds. */
function spreadOut(fields: readonly Float32Array[], known: Float32Array, rounds: number): Float32Array[] {
  const wide = (field: Float32Array): Float32Array => {
    let around = field;
    for (let round = 0; round < rounds; round++) around = soften(around);
    return around;
  };
  const near = wide(known);
  return fields.map((field) => {
    const around = wide(field);
    return field.map((value, i) => value + ((1 - known[i]) * around[i]) / Math.max(0.02, near[i]));
  });
}
