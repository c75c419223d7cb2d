import { smoothstep } from '../../math/vector.ts';
import type { Colour } from '../../texture/skin_texture.ts';
import { type Canvas, release } from '../../texture/texture_fill.ts';

/** What is usual of a person's colours, sRGB 0..255. */
export interface UsualColours {
  readonly hairColour: Colour;
  readonly skinColour: Colour;
}

/** Added to a colour's sum, 8 bits: the tint of what is nearly black is noise. */
const black = 18;
/** Distance of hair's tint from skin's from which on the two are told apart by it, and from which on wholly. */
const apart = { from: 0.1, wholly: 0.15 } as const;
/** How warm hair and skin may be where they are dark, and how cold: a sky's gloss. */
const [warmest, coldest] = [0.5, -0.06] as const;
/** Least warmth that tells which hues warmer hair of a person would have. */
const leastWarmth = 0.08;
/** Distance from all tints of a person's hair and skin from which on a colour is neither, and from which on wholly. */
const foreign = { from: 0.1, wholly: 0.18 } as const;
/** Distance from its tints from which on hair is mixed with what stands behind it. */
const mixed = 0.03;
/** Share of foreign colours from which on they are dyed hair: what stands behind it shows at its outline alone. */
const dyed = { from: 0.05, wholly: 0.1 } as const;

/** Tint of a colour: from blue to red, and from purple to green, parts of its brightness. */
type Tint = readonly [warmth: number, hue: number];

const tintOf = (rgb: ArrayLike<number>): Tint => {
  const sum = rgb[0] + rgb[1] + rgb[2] + black;
  return [(rgb[0] - rgb[2]) / sum, (2 * rgb[1] - rgb[0] - rgb[2]) / sum];
};

/** Hue by warmth of a person's hair or skin: grey has none, and what is warmer has more. */
const slopeOf = ([warmth, hue]: Tint): number => hue / Math.max(leastWarmth, warmth);

/** How much colder or warmer a tint is than hair and skin can be. */
const coldBy = (warmth: number): number => warmth - Math.max(coldest, Math.min(warmest, warmth));

/**
 * How much nearer a colour's tint is to skin's than to hair's, 0..1; 0 where the two are much the same. A forehead in
 * the shade is as dark as hair.
 */
export function skinTint({ hairColour, skinColour }: UsualColours): (rgb: ArrayLike<number>) => number {
  const [hair, skin] = [tintOf(hairColour), tintOf(skinColour)];
  const [w, h] = [skin[0] - hair[0], skin[1] - hair[1]];
  const between = Math.hypot(w, h);
  const told = smoothstep(apart.from, apart.wholly, between);
  if (told === 0) return () => 0;
  return (rgb) => {
    const [warmth, hue] = tintOf(rgb);
    // Along the line from hair's tint to skin's; shade makes skin redder still.
    const share = ((warmth - hair[0]) * w + (hue - hair[1]) * h) / (between * between);
    return told * smoothstep(0.5, 0.9, share);
  };
}

/**
 * Takes out of what the photo shows of hair, in place, what its tint shows to be neither hair nor skin, a flag or
 * leaves behind it, and the tint of that out of hair that is mixed with it.
 *
 * @param seen - All that the photo shows, in the hair's layout; `sure`: what of that surely is hair.
 */
export function dropForeignTints(seen: Canvas, sure: Canvas, { hairColour, skinColour }: UsualColours): void {
  const hairSlope = slopeOf(tintOf(hairColour));
  const skinSlope = slopeOf(tintOf(skinColour));
  const { size } = seen;
  const far = new Float32Array(size * size);
  let [all, odd] = [1, 0];
  // Row by row in a function: V8 optimises what is called often.
  for (let y = 0; y < size; y++) {
    const row = findFar(seen, y, hairSlope, skinSlope, far);
    all += row.all;
    odd += row.odd;
  }
  const taken = 1 - smoothstep(dyed.from, dyed.wholly, odd / all);
  for (let y = 0; taken > 0 && y < size; y++) drawRowBack(seen, sure, y, hairSlope, taken, far);
  release(far);
}

/** How far the tints of a row lie from a person's; sums what is seen of it, and how much of that is foreign. */
function findFar(
  { size, colour, weight }: Canvas,
  y: number,
  hairSlope: number,
  skinSlope: number,
  far: Float32Array,
): { all: number; odd: number } {
  let [all, odd] = [0, 0];
  for (let i = y * size; i < (y + 1) * size; i++) {
    const w = weight[i];
    if (w < 0.01) continue;
    const r = colour[3 * i];
    const g = colour[3 * i + 1];
    const b = colour[3 * i + 2];
    const each = 1 / (r + g + b + black * w);
    const warmth = (r - b) * each;
    const hue = (2 * g - r - b) * each;
    const cold = coldBy(warmth);
    const ofHair = Math.abs(hue - hairSlope * (warmth - cold));
    const off = Math.min(ofHair, Math.abs(hue - skinSlope * (warmth - cold)));
    const way = Math.sqrt(off * off + cold * cold);
    far[i] = way;
    all += w;
    if (way > foreign.from) odd += w * smoothstep(foreign.from, foreign.wholly, way);
  }
  return { all, odd };
}

/** Takes a row's foreign tints out. */
function drawRowBack(
  seen: Canvas,
  sure: Canvas,
  y: number,
  slope: number,
  taken: number,
  far: Float32Array,
): void {
  for (let i = y * seen.size; i < (y + 1) * seen.size; i++) {
    if (far[i] < mixed) continue;
    const keep = 1 - taken * smoothstep(foreign.from, foreign.wholly, far[i]);
    const share = Math.min(1, sure.weight[i] / seen.weight[i]);
    drawBack(seen, i, slope, taken * share, keep);
    drawBack(sure, i, slope, taken, keep);
  }
}

/** Draws a pixel's tint back to hair's by a share, and lowers how well it is known. */
function drawBack({ colour, weight }: Canvas, i: number, slope: number, share: number, keep: number): void {
  const o = 3 * i;
  const sum = colour[o] + colour[o + 1] + colour[o + 2] + black * weight[i];
  if (weight[i] < 0.01) return;
  const warmth = (colour[o] - colour[o + 2]) / sum;
  const cold = coldBy(warmth);
  const hue = (2 * colour[o + 1] - colour[o] - colour[o + 2]) / sum - slope * (warmth - cold);
  const off = Math.sqrt(hue * hue + cold * cold);
  const back = off > mixed ? share * (1 - mixed / off) * sum : 0;
  weight[i] *= keep;
  // What is taken out leaves the brightness.
  colour[o] = keep * Math.max(0, colour[o] - back * (cold / 2 - hue / 6));
  colour[o + 1] = keep * Math.max(0, colour[o + 1] - (back * hue) / 3);
  colour[o + 2] = keep * Math.max(0, colour[o + 2] + back * (cold / 2 + hue / 6));
}
