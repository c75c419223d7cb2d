import type { Sex } from '../contract/head_request.ts';
import { smoothstep } from '../math/vector.ts';
import type { Silhouette } from '../matte/silhouette.ts';
import { labBin, labBins, spreadHistogram } from '../photo/lab_colour.ts';
import { blur } from '../photo/pixel_filters.ts';
import type { Colour } from '../texture/skin_texture.ts';

/** What of the head in the crop is hair, and what is skin; one value a crop pixel, 0..1. */
export interface HairMap {
  readonly hair: Float32Array;
  readonly skin: Float32Array;
  /** Hair by its colour alone: what may be shown as hair elsewhere. */
  readonly strands: Float32Array;
  /** Whether there is any hair worth a surface. */
  readonly any: boolean;
  /** Means, sRGB 0..255. */
  readonly skinColour: readonly [number, number, number];
  readonly hairColour: readonly [number, number, number];
}

/** Tells hair from skin inside a silhouette by two colour histograms and where each is to be expected. */
export function mapHair(cut: Silhouette, sex: Sex): HairMap {
  const { width, height, lab, inFace, mask, crop } = cut;
  const n = width * height;
  const a = new Float32Array(n);
  const b = new Float32Array(n);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      [a[i], b[i]] = cut.faceFrame(x + 0.5, y + 0.5) as [number, number];
    }
  }
  // Skin: the middle of the face without eyes, brows and mouth; its medians are robust against the rest.
  const samples: number[] = [];
  for (let i = 0; i < n; i++) {
    if (
      inFace[i] &&
      Math.abs(a[i]) < 0.7 &&
      ((b[i] > 0.34 && b[i] < 0.52) || (b[i] > 0.76 && b[i] < 0.9 && Math.abs(a[i]) < 0.4))
    ) {
      samples.push(i);
    }
  }
  const median = (channel: number): number => {
    const values = samples.map((i) => lab[3 * i + channel]).sort((p, q) => p - q);
    return values[values.length >> 1] ?? 128;
  };
  const middle = [median(0), median(1), median(2)] as const;
  const spreadOf = (channel: number, least: number): number => {
    const values = samples.map((i) => Math.abs(lab[3 * i + channel] - middle[channel])).sort((p, q) => p - q);
    return Math.max(least, 1.48 * (values[values.length >> 1] ?? 0));
  };
  const sigma = [spreadOf(0, 22), spreadOf(1, 4.5), spreadOf(2, 5)] as const;
  const unlike = (i: number): number => {
    const dl = (lab[3 * i] - middle[0]) / sigma[0];
    // Shade darkens skin, and gloss lightens it, a good way before it stops being skin.
    const l = dl < 0 ? dl * 0.75 : dl * 0.45;
    return Math.hypot(l, (lab[3 * i + 1] - middle[1]) / sigma[1], (lab[3 * i + 2] - middle[2]) / sigma[2]);
  };
  const skinCounts = new Float32Array(labBins);
  const hairCounts = new Float32Array(labBins);
  let skinCount = 0;
  let hairCount = 0;
  let above = 0;
  let beside = 0;
  let besideUnlike = 0;
  let aboveUnlike = 0;
  for (let i = 0; i < n; i++) {
    if (mask[i] < 128) continue;
    if (inFace[i] && unlike(i) < 2.2) {
      skinCounts[labBin(lab, i)] += 1;
      skinCount++;
    }
    if (inFace[i] || b[i] < 0.35) continue;
    if (b[i] > 0.55 && b[i] < 0.9 && Math.abs(a[i]) > 0.85) {
      beside++;
      if (unlike(i) > 2) besideUnlike++;
    }
    if (b[i] > 0.9) {
      above++;
      if (unlike(i) > 2) aboveUnlike++;
    }
  }
  // A bald crown is skin: then only what is unlike skin tells of hair.
  // Women's crowns hardly ever are; blonde hair can be as light as skin.
  const bald = aboveUnlike < (sex === 'male' ? 0.3 : 0.04) * above;
  const fullHair = sex === 'female' && !bald ? 0.9 : 0;
  for (let i = 0; i < n; i++) {
    if (mask[i] < 128 || inFace[i] || b[i] < 0.35 || (b[i] < 0.8 && unlike(i) < 1.6)) continue;
    if (bald && unlike(i) < 2) continue;
    // What is just like skin counts little: a high forehead lies among the hair.
    const w = 0.15 + 0.85 * smoothstep(0.8, 2, unlike(i));
    hairCounts[labBin(lab, i)] += w;
    hairCount += w;
  }

  const skinShare = spreadHistogram(skinCounts, skinCount);
  const hairShare = spreadHistogram(hairCounts, hairCount);
  const hair = new Float32Array(n);
  const skin = new Float32Array(n);
  const strands = new Float32Array(n);
  /** Sure hair, for its mean. */
  const clear = new Float32Array(n);
  for (let i = 0; i < n; i++) {
    const cell = labBin(lab, i);
    let evidence = Math.max(-2.5, Math.min(2.5, Math.log(hairShare[cell] / skinShare[cell])));
    if (bald) evidence = Math.min(evidence, (unlike(i) - 2.2) * 2);
    strands[i] = 1 / (1 + Math.exp(-2 * evidence - (b[i] > 1.08 ? 1.6 * fullHair : 0)));
    clear[i] = mask[i] > 250 && !inFace[i] ? Math.max(0, 1 / (1 + Math.exp(-evidence)) - 0.55) : 0;
    let prior = 0;
    if (inFace[i]) prior = -1.2;
    else if (b[i] > 0.95) {
      // Just above the outline's top a high forehead is as likely as hair.
      prior = bald ? -0.2 : (0.6 + fullHair) * smoothstep(0.98, 1.14, b[i] + 0.1 * Math.abs(a[i])) - 0.2;
    }
    if (!inFace[i] && b[i] <= 0.95 && b[i] > 0.6) prior = bald ? 0 : 0.5;
    else if (!inFace[i] && b[i] < 0.12 && Math.abs(a[i]) < 0.75) prior = -1.6;
    hair[i] = mask[i] / 255 / (1 + Math.exp(-(evidence + prior)));
    skin[i] = 1 / (1 + Math.exp((unlike(i) - 2.6) * 2.5));
  }
  const mean = (weights: Float32Array, where: (i: number) => boolean): [number, number, number] => {
    const sum = [0, 0, 0];
    let w = 1e-6;
    for (let i = 0; i < n; i++) {
      if (!where(i)) continue;
      w += weights[i];
      for (let c = 0; c < 3; c++) sum[c] += weights[i] * crop[3 * i + c];
    }
    return [sum[0] / w, sum[1] / w, sum[2] / w];
  };
  const skinColour = mean(skin, (i) => samples.length < 20 || inFace[i] === 1);
  // Above the forehead and beside the temples: nearer to the face lie gloss, ears and beard.
  const aboveOrBeside = (i: number): boolean => b[i] > 1.08 || (b[i] > 0.6 && Math.abs(a[i]) > 0.95);
  const gloss = glossFrom(middleColour(crop, clear, aboveOrBeside), skinColour);
  const hairColour = middleColour(
    crop,
    clear,
    (i) => aboveOrBeside(i) && crop[3 * i] + crop[3 * i + 1] + crop[3 * i + 2] < gloss,
  );
  return {
    hair: blur(hair, width, height, 1),
    skin: blur(skin, width, height, 1),
    strands: blur(strands, width, height, 1),
    any: hairCount > 0.02 * skinCount && !(bald && besideUnlike < 0.45 * beside),
    skinColour,
    hairColour,
  };
}

/**
 * The sum of red, green and blue from which on nothing is hair: among dark hair what is as light as skin is gloss on a
 * high forehead or a bald crown. Beyond white for hair that is grey or fair itself: some of it is that light.
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
