import { histogramMedian, median } from '@likeness/geometry/median.ts';
import { smoothstep } from '@likeness/geometry/vector.ts';
import { blur } from '../photo/pixel_filters.ts';
import type { Silhouette } from '../segment/silhouette.ts';

/** Hair and skin in the crop; one value per crop pixel, 0..1. */
export interface HairMap {
  readonly hair: Float32Array;
  /** Bare skin: in the face only where it has the face's usual colour, as beards and brows haven't. */
  readonly skin: Float32Array;
  /** Whether there is any hair worth a surface: otherwise the head is bald or shaved. */
  readonly any: boolean;
  /** Whether it is so little that it is cropped, or a wreath: it has no surface, but shades the scalp. */
  readonly isCropped: boolean;
  /** Means, sRGB 0..255. */
  readonly skinColour: readonly [number, number, number];
  readonly hairColour: readonly [number, number, number];
}

/** Hair in parts of the face's area below which a head is bald: shaved heads show up to .06, wreaths of hair from .06 on. */
export const bareShare = 0.065;
/** The same of hair that lies on the scalp: of 442 photos, fourteen have less, and none of them has hair that stands off it. */
const croppedShare = 0.13;

/** Reads hair, skin and their colours from the segmentation. */
export function mapHair(cut: Silhouette): HairMap {
  const { width, height, lab, inFace, rgb } = cut;
  const unlike = unlikeSkin(lab, skinSamples(cut));
  const skin = cut.skin.map((share, i) =>
    inFace[i] ? share / (1 + Math.exp((unlike(i) - 2.6) * 2.5)) : share,
  );
  const hairShare = areaOf(cut.hair) / areaOf(inFace);
  const any = hairShare > bareShare;
  return Object.freeze({
    hair: any ? cut.hair : new Float32Array(width * height),
    skin: blur(skin, width, height, 1),
    any,
    isCropped: hairShare < croppedShare,
    skinColour: meanColour(rgb, (i) => inFace[i] && skin[i]),
    // The outermost pixels mix with the background.
    hairColour: middleColour(rgb, (i) =>
      cut.mask[i] > 250 && !inFace[i] ? Math.max(0, cut.hair[i] - 0.6) : 0,
    ),
  });
}

function areaOf(values: Float32Array | Uint8Array): number {
  let area = 0;
  for (const value of values) if (value > 0.5) area++;
  return area;
}

/** Pixels of skin: the face's middle without eyes, brows, mouth and hair. */
function skinSamples({ width, inFace, hair, faceFrame }: Silhouette): number[] {
  const samples: number[] = [];
  for (let i = 0; i < hair.length; i++) {
    if (!inFace[i] || hair[i] >= 0.3) continue;
    const [a, b] = faceFrame((i % width) + 0.5, Math.floor(i / width) + 0.5);
    const isCheek = b > 0.34 && b < 0.52;
    const isForehead = b > 0.76 && b < 0.9 && Math.abs(a) < 0.4;
    if (Math.abs(a) < 0.7 && (isCheek || isForehead)) samples.push(i);
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
  const spread = (channel: number, min: number): number => {
    const deviations = samples.map((i) => Math.abs(lab[3 * i + channel] - middle[channel]));
    return Math.max(min, 1.48 * median(deviations));
  };
  const sigma = [spread(0, 22), spread(1, 4.5), spread(2, 5)] as const;
  return (i) => {
    const dl = (lab[3 * i] - middle[0]) / sigma[0];
    // Shade darkens skin, and gloss lightens it, a good way before it stops being skin.
    const l = dl < 0 ? dl * 0.75 : dl * 0.45;
    return Math.hypot(l, (lab[3 * i + 1] - middle[1]) / sigma[1], (lab[3 * i + 2] - middle[2]) / sigma[2]);
  };
}

function meanColour(crop: Float32Array, weightOf: (i: number) => number): [number, number, number] {
  const sum = [0, 0, 0];
  let w = 1e-6;
  for (let i = 0; 3 * i < crop.length; i++) {
    const weight = weightOf(i);
    w += weight;
    for (let c = 0; c < 3; c++) sum[c] += weight * crop[3 * i + c];
  }
  return [sum[0] / w, sum[1] / w, sum[2] / w];
}

/** The weighted median of each channel: highlights and a few wrong pixels don't count. */
export function middleColour(crop: Float32Array, weightOf: (i: number) => number): [number, number, number] {
  const middle = (c: 0 | 1 | 2): number =>
    histogramMedian(crop.length / 3, (i) => Math.min(255, crop[3 * i + c] | 0), weightOf, 90);
  return [middle(0), middle(1), middle(2)];
}

/** How sure a pixel of the crop is hair where the head has skin: at a hairline, over a temple; 0..1. */
export const hairOnSkin = (map: Pick<HairMap, 'hair' | 'skin'>, k: number): number =>
  smoothstep(0.45, 0.75, map.hair[k]) * (1 - smoothstep(0.25, 0.6, map.skin[k]));

/** How sure a pixel of the crop is bare skin, 0..1. */
export const bareSkin = (map: Pick<HairMap, 'hair' | 'skin'>, k: number): number =>
  smoothstep(0.25, 0.6, map.skin[k]) * smoothstep(0.75, 0.45, map.hair[k]);

/** How far a pixel of the crop is inside the head's outline, 0..1. */
export const insideOutline = ({ mask }: Pick<Silhouette, 'mask'>, k: number): number =>
  smoothstep(0.6, 0.95, mask[k] / 255);
