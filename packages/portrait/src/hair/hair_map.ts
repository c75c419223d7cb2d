import type { Sex } from '../contract/head_request.ts';
import { median } from '../math/median.ts';
import { smoothstep } from '../math/vector.ts';
import type { Silhouette } from '../matte/silhouette.ts';
import { labBin, labBins, spreadHistogram, toLab } from '../photo/lab_colour.ts';
import { blur } from '../photo/pixel_filters.ts';
import type { Colour } from '../texture/skin_texture.ts';
import { findBareScalp, mostlyBare, roughShare } from './bare_scalp.ts';
import { skinTint, type UsualColours } from './colour/hair_tint.ts';

/** Hair and skin in the crop; one value per crop pixel, 0..1. */
export interface HairMap {
  readonly hair: Float32Array;
  readonly skin: Float32Array;
  /** Hair by its colour alone: what may be shown as hair elsewhere. */
  readonly strands: Float32Array;
  /** How rough from pixel to pixel: strands are, skin isn't. */
  readonly rough: Float32Array;
  /** Whether there is any hair worth a surface. */
  readonly any: boolean;
  /** Whether it shows skin where hair would be: not merely no hair that was found. */
  readonly bare: boolean;
  /** Means, sRGB 0..255. */
  readonly skinColour: readonly [number, number, number];
  readonly hairColour: readonly [number, number, number];
}

/** Tells hair from skin inside a silhouette by two colour histograms and where each is to be expected. */
export function mapHair(cut: Silhouette, sex: Sex): HairMap {
  const { width, height, lab, inFace, mask, crop } = cut;
  const n = width * height;
  const [a, b] = facePlaces(cut);
  const samples = skinSamples(cut, a, b);
  const unlike = unlikeSkin(lab, samples);
  const scalp = lookAtScalp(cut, a, b, unlike);
  // A bald crown is skin: then only pixels unlike skin count as hair. Women's crowns hardly ever are; blonde
  // hair can be as light as skin.
  const seen = findBareScalp(cut, a, b);
  const bareTop = seen.top > mostlyBare.top;
  const bare = bareTop && seen.sides > mostlyBare.sides;
  const bald = bareTop || scalp.aboveUnlike < (sex === 'male' ? 0.3 : 0.04) * scalp.above;
  const fullHair = sex === 'female' && !bald ? 0.9 : 0;
  const colours = learnColours(cut, b, unlike, bald);
  const hair = new Float32Array(n);
  const skin = new Float32Array(n);
  const strands = new Float32Array(n);
  /** Sure hair, for its mean. */
  const clear = new Float32Array(n);
  for (let i = 0; i < n; i++) {
    const cell = labBin(lab, i);
    let evidence = Math.max(-2.5, Math.min(2.5, Math.log(colours.hair[cell] / colours.skin[cell])));
    if (bald) evidence = Math.min(evidence, (unlike(i) - 2.2) * 2);
    const prior = hairPrior(inFace[i] === 1, a[i], b[i], bald, fullHair);
    strands[i] = 1 / (1 + Math.exp(-2 * evidence - (b[i] > 1.08 ? 1.6 * fullHair : 0)));
    clear[i] = mask[i] > 250 && !inFace[i] ? Math.max(0, 1 / (1 + Math.exp(-evidence)) - 0.55) : 0;
    hair[i] = bare && b[i] > 0.5 ? 0 : mask[i] / 255 / (1 + Math.exp(-(evidence + prior)));
    skin[i] = bare && b[i] > 0.6 ? mask[i] / 255 : 1 / (1 + Math.exp((unlike(i) - 2.6) * 2.5));
  }
  const skinColour = meanColour(crop, skin, (i) => samples.length < 20 || inFace[i] === 1);
  // Above the forehead and beside the temples: nearer to the face lie gloss, ears and beard.
  const aboveOrBeside = (i: number): boolean => b[i] > 1.08 || (b[i] > 0.6 && Math.abs(a[i]) > 0.95);
  const gloss = glossFrom(middleColour(crop, clear, aboveOrBeside), skinColour);
  const hairColour = middleColour(
    crop,
    clear,
    (i) => aboveOrBeside(i) && crop[3 * i] + crop[3 * i + 1] + crop[3 * i + 2] < gloss,
  );
  dropStrangers(cut, b, hairColour, [hair, strands]);
  if (sex === 'male') dropForehead(cut, b, skin, { hairColour, skinColour }, [hair, strands]);
  return {
    hair: blur(hair, width, height, 1),
    skin: blur(skin, width, height, 1),
    strands: blur(strands, width, height, 1),
    rough: roughShare(cut),
    any:
      !bare &&
      colours.hairCount > 0.02 * colours.skinCount &&
      !(bald && scalp.besideUnlike < 0.45 * scalp.beside),
    bare,
    skinColour,
    hairColour,
  };
}

/** Chroma by which a colour below the ears may differ from the hair's, and from which on it is cloth; Lab. */
const [dyed, cloth] = [38, 54] as const;
/** Height of the face above which nothing but hair is on the head. */
const earTop = 0.5;
/** Height of the face from which on it is forehead. */
const browHeight = 0.7;

/** Takes collars and flags out of the hair beside neck and cheeks: their colours are none of the hair's. */
function dropStrangers(
  { lab }: Silhouette,
  b: Float32Array,
  hairColour: Colour,
  shares: readonly Float32Array[],
): void {
  const [, red, yellow] = toLab(Float32Array.from(hairColour));
  for (let i = 0; i < b.length; i++) {
    if (b[i] > earTop) continue;
    const strange = Math.hypot(lab[3 * i + 1] - red, lab[3 * i + 2] - yellow);
    const share = 1 - smoothstep(dyed, cloth, strange);
    if (share < 1) for (const values of shares) values[i] *= share;
  }
}

/** Parts of skin's brightness below which skin in shade is unlike it by brightness alone, and wholly. */
const inShade = { from: 0.8, wholly: 0.65 } as const;

/** Takes a forehead in hard light out of the hair: as light, as dark or as rough as hair, it has skin's tint. */
function dropForehead(
  { crop }: Silhouette,
  b: Float32Array,
  skin: Float32Array,
  colours: UsualColours,
  shares: readonly Float32Array[],
): void {
  const hasSkinTint = skinTint(colours);
  const [r, g, blue] = colours.skinColour;
  const light = r + g + blue;
  for (let i = 0; i < b.length; i++) {
    if (b[i] < browHeight || shares[0][i] < 0.01) continue;
    const level = (crop[3 * i] + crop[3 * i + 1] + crop[3 * i + 2]) / light;
    const mayBeSkin = Math.max(
      smoothstep(0.3, 0.6, skin[i]),
      smoothstep(inShade.from, inShade.wholly, level),
    );
    if (mayBeSkin === 0) continue;
    const share = 1 - mayBeSkin * hasSkinTint(crop.subarray(3 * i, 3 * i + 3));
    for (const values of shares) values[i] *= share;
  }
}

/** The face's own coordinates of every pixel: a = ±1 at the ears, b = 0 at the chin and 1 at the forehead. */
function facePlaces({ width, height, faceFrame }: Silhouette): [a: Float32Array, b: Float32Array] {
  const a = new Float32Array(width * height);
  const b = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      [a[i], b[i]] = faceFrame(x + 0.5, y + 0.5);
    }
  }
  return [a, b];
}

/** Pixels of skin: the face's middle without eyes, brows and mouth. */
function skinSamples({ inFace }: Silhouette, a: Float32Array, b: Float32Array): number[] {
  const samples: number[] = [];
  for (let i = 0; i < a.length; i++) {
    const isCheek = b[i] > 0.34 && b[i] < 0.52;
    const isForehead = b[i] > 0.76 && b[i] < 0.9 && Math.abs(a[i]) < 0.4;
    if (inFace[i] && Math.abs(a[i]) < 0.7 && (isCheek || isForehead)) samples.push(i);
  }
  return samples;
}

/** How unlike the face's skin a pixel's colour is, in standard deviations. */
function unlikeSkin(lab: Uint8Array, samples: readonly number[]): (i: number) => number {
  const middleOf = (channel: number): number =>
    median(
      samples.map((i) => lab[3 * i + channel]),
      128,
    );
  const middle = [middleOf(0), middleOf(1), middleOf(2)] as const;
  // 1.48 times the median deviation is a standard deviation, where colours are spread as usual.
  const spread = (channel: number, least: number): number => {
    const deviations = samples.map((i) => Math.abs(lab[3 * i + channel] - middle[channel]));
    return Math.max(least, 1.48 * median(deviations));
  };
  const sigma = [spread(0, 22), spread(1, 4.5), spread(2, 5)] as const;
  return (i) => {
    const dl = (lab[3 * i] - middle[0]) / sigma[0];
    // Shade darkens skin, and gloss lightens it, a good way before it stops being skin.
    const l = dl < 0 ? dl * 0.75 : dl * 0.45;
    return Math.hypot(l, (lab[3 * i + 1] - middle[1]) / sigma[1], (lab[3 * i + 2] - middle[2]) / sigma[2]);
  };
}

/** Counts pixels above the forehead and beside the temples, and how many of them are unlike skin. */
function lookAtScalp(
  { inFace, mask }: Silhouette,
  a: Float32Array,
  b: Float32Array,
  unlike: (i: number) => number,
) {
  const counts = { above: 0, aboveUnlike: 0, beside: 0, besideUnlike: 0 };
  for (let i = 0; i < a.length; i++) {
    if (mask[i] < 128 || inFace[i]) continue;
    if (b[i] > 0.55 && b[i] < 0.9 && Math.abs(a[i]) > 0.85) {
      counts.beside++;
      if (unlike(i) > 2) counts.besideUnlike++;
    }
    if (b[i] > 0.9) {
      counts.above++;
      if (unlike(i) > 2) counts.aboveUnlike++;
    }
  }
  return counts;
}

/** How likely each colour is on the skin and in the hair, by Lab bin, and how many pixels tell of each. */
function learnColours(
  { lab, inFace, mask }: Silhouette,
  b: Float32Array,
  unlike: (i: number) => number,
  bald: boolean,
) {
  const skinCounts = new Float32Array(labBins);
  const hairCounts = new Float32Array(labBins);
  let skinCount = 0;
  let hairCount = 0;
  for (let i = 0; i < b.length; i++) {
    if (mask[i] < 128) continue;
    if (inFace[i]) {
      if (unlike(i) >= 2.2) continue;
      skinCounts[labBin(lab, i)] += 1;
      skinCount++;
      continue;
    }
    if (b[i] < 0.35 || (b[i] < 0.8 && unlike(i) < 1.6)) continue;
    if (bald && unlike(i) < 2) continue;
    // Pixels that look like skin count little, because a high forehead reaches into the hair.
    const w = 0.15 + 0.85 * smoothstep(0.8, 2, unlike(i));
    hairCounts[labBin(lab, i)] += w;
    hairCount += w;
  }
  return {
    skin: spreadHistogram(skinCounts, skinCount),
    hair: spreadHistogram(hairCounts, hairCount),
    skinCount,
    hairCount,
  };
}

/** Log odds of hair by the place alone. */
function hairPrior(inFace: boolean, a: number, b: number, bald: boolean, fullHair: number): number {
  if (inFace) return -1.2;
  // Just above the outline's top a high forehead is as likely as hair.
  if (b > 0.95) return bald ? -0.2 : (0.6 + fullHair) * smoothstep(0.98, 1.14, b + 0.1 * Math.abs(a)) - 0.2;
  if (b > 0.6) return bald ? 0 : 0.5;
  if (b < 0.12 && Math.abs(a) < 0.75) return -1.6;
  return 0;
}

/** The weighted mean of each channel. */
function meanColour(
  crop: Float32Array,
  weights: Float32Array,
  where: (i: number) => boolean,
): [number, number, number] {
  const sum = [0, 0, 0];
  let w = 1e-6;
  for (let i = 0; i < weights.length; i++) {
    if (!where(i)) continue;
    w += weights[i];
    for (let c = 0; c < 3; c++) sum[c] += weights[i] * crop[3 * i + c];
  }
  return [sum[0] / w, sum[1] / w, sum[2] / w];
}

/**
 * The sum of red, green and blue from which on nothing is hair: among dark hair what is as light as skin is
 * gloss on a high forehead or a bald crown. Beyond white for hair that is grey or fair itself: some of it is
 * that light.
 */
export function glossFrom(hair: Colour, skin: Colour): number {
  const light = skin[0] + skin[1] + skin[2];
  const from = 0.85 * light;
  return from + (1000 - from) * smoothstep(0.52, 0.58, (hair[0] + hair[1] + hair[2]) / light);
}

/** The weighted median of each channel: highlights and a few wrong pixels don't count. */
function middleColour(
  crop: Float32Array,
  weights: Float32Array,
  where: (i: number) => boolean,
): [number, number, number] {
  return [0, 1, 2].map((c) => {
    const histogram = new Float32Array(256);
    let total = 0;
    for (let i = 0; i < weights.length; i++) {
      if (weights[i] <= 0 || !where(i)) continue;
      histogram[Math.min(255, crop[3 * i + c] | 0)] += weights[i];
      total += weights[i];
    }
    let sum = 0;
    for (let v = 0; v < 256; v++) {
      sum += histogram[v];
      if (sum * 2 >= total && total > 0) return v;
    }
    return 90;
  }) as [number, number, number];
}

/** How sure a pixel of the crop is hair where the head has skin: at a hairline, over a temple, a beard; 0..1. */
export const hairOnSkin = (map: Pick<HairMap, 'strands' | 'skin'>, k: number): number =>
  smoothstep(0.45, 0.75, map.strands[k]) * (1 - smoothstep(0.25, 0.6, map.skin[k]));
