import type { HeadCorrections } from '#proto/heads/head_corrections.ts';
import type { FaceLandmarks } from '../landmarks/landmarks.ts';
import type { Picture } from '../photo/photo.ts';
import type { Similarity } from '../photo/picture_sampling.ts';
import { blur } from '../photo/pixel_filters.ts';
import { paintStrokes, unstroked } from './brush_strokes.ts';
import { judgeDisputes } from './disputes.ts';
import { grabCut, trimapClasses } from './grab_cut.ts';
import { cropHead, type HeadCrop } from './head_crop.ts';
import { tidyMask } from './mask_morphology.ts';

/**
 * The outline of head and hair in an upright crop about the face.
 *
 * Cut by GrabCut from a trimap that the landmarks make and a prior on how far heads of hair reach, twice: by
 * colour alone, and with the distance from the face as a channel of its own. Where the two disagree the cut
 * is unsure, and that agreement is the score.
 */
export interface Silhouette {
  readonly width: number;
  readonly height: number;
  /** 0..255, soft at the edge. */
  readonly mask: Uint8Array;
  /** RGB floats of the crop. */
  readonly crop: Float32Array;
  /** From the crop's pixels to the photo's. */
  readonly map: Similarity;
  /** 0..1: agreement of the two cuts above the chin. */
  readonly score: number;
  /** Photo pixels to crop pixels. */
  toCrop(x: number, y: number): [number, number];
  /** Lab of the crop in 8 bits: L · 255/100, a + 128, b + 128. */
  readonly lab: Uint8Array;
  /** 1 inside the face's outline (a little shrunk). */
  readonly inFace: Uint8Array;
  /** A crop pixel in the face's own frame: a = ±1 at the ears, b = 0 at the chin, 1 at the forehead. */
  faceFrame(x: number, y: number): [number, number];
  /** 1 where the crop reaches over the photo's edge. */
  readonly outside: Uint8Array;
  /** Whether the photo's edge cuts hair above the ears off, over more than a tenth of the head. */
  readonly cutOff: boolean;
}

const { background, foreground, probablyBackground, probablyForeground } = trimapClasses;

/** How wide the hair may reach: half-width and top in face units, and how low its sides hang. */
interface Envelope {
  readonly half: number;
  readonly top: number;
  readonly bottom: number;
}

/** One way to cut; distances are in halves of a usual head of hair, 1 at its outline. */
interface Recipe {
  readonly envelope: Envelope;
  /** Steps of colour that a unit of distance is worth to the mixtures; 0 leaves it out of them. */
  readonly distanceSteps: number;
  /** Log odds: how fast they fall with the distance, where they are even, and how far they go. */
  readonly slope: number;
  readonly even: number;
  readonly most: number;
}

/** Two ways that fail on different photos. */
const recipes: readonly [Recipe, Recipe] = [
  { envelope: { half: 1.6, top: 1.66, bottom: 0 }, distanceSteps: 0, slope: 10, even: 1.2, most: 10 },
  { envelope: { half: 2.1, top: 1.66, bottom: -0.3 }, distanceSteps: 70, slope: 5, even: 1.3, most: 8 },
];

/** No skull ends lower than this in the face's frame: hair above it was taken for background. */
const lowestCrown = 1.24;

/**
 * Cuts head and hair out of a photo.
 *
 * @param yaw - Of the head, degrees.
 */
export function cutSilhouette(
  picture: Picture,
  landmarks: FaceLandmarks,
  yaw: number,
  corrections: Partial<HeadCorrections> | undefined,
): Silhouette {
  const crop = cropHead(picture, landmarks, yaw);
  const { width, height, axis, halfFace, chin, tall } = crop;
  const strokes = paintStrokes(crop, corrections?.strokes ?? [], picture);
  const [first, second] = recipes.map((recipe) => cutBy(recipe, crop, strokes));
  const { mask, score } = judgeDisputes(crop, first, second);
  const top = mask.indexOf(1);
  const crownHeight = top < 0 ? 0 : (chin - Math.floor(top / width)) / tall;
  const plausible = Math.min(1, Math.max(0.6, 1 - 4 * (lowestCrown - crownHeight)));
  for (let i = 0; i < mask.length; i++) if (strokes[i] !== unstroked) mask[i] = strokes[i];
  const soft = blur(Float32Array.from(mask), width, height, 1);
  return {
    width,
    height,
    mask: Uint8Array.from(soft, (value) => Math.round(255 * value)),
    crop: crop.rgb,
    map: crop.map,
    score: Math.round(score * plausible * 1000) / 1000,
    toCrop: crop.toCrop,
    lab: crop.lab,
    inFace: crop.inFace,
    faceFrame: (x, y) => [(x - axis) / halfFace, (chin - y) / tall],
    outside: crop.outside,
    cutOff: touchingEdge(mask, crop) > 0.2 * halfFace,
  };
}

/** One cut of head and hair: 1 on the head. */
function cutBy(recipe: Recipe, crop: HeadCrop, strokes: Int8Array): Uint8Array {
  const { width, height, lab, shift, across, up } = crop;
  const { distanceSteps, slope, even, most } = recipe;
  const channels = distanceSteps ? 4 : 3;
  const values = new Float32Array(channels * width * height);
  const prior = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const b = up(y);
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const a = across(x) - shift;
      const distance = Math.hypot(a / 1.15, (b - 0.6) / 0.72);
      for (let c = 0; c < 3; c++) values[channels * i + c] = lab[3 * i + c];
      if (distanceSteps) values[channels * i + 3] = Math.min(255, distanceSteps * distance);
      prior[i] = Math.max(-most, Math.min(most, slope * (even - distance)));
    }
  }
  const trimap = makeTrimap(recipe.envelope, crop, strokes);
  const mask = grabCut({ width, height, channels, values, trimap, prior });
  return tidyMask(mask, width, height, Math.round(crop.axis), Math.round((crop.chin + crop.forehead) / 2));
}

/** What is sure and likely before a cut: by the face's frame, the photo's edge, the strokes. */
function makeTrimap(envelope: Envelope, crop: HeadCrop, strokes: Int8Array): Uint8Array {
  const { width, height, inFace, outside, shift, across, up } = crop;
  const trimap = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const b = up(y);
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const a = across(x);
      if (strokes[i] !== unstroked) trimap[i] = strokes[i] ? foreground : background;
      else if (outside[i]) trimap[i] = background;
      else if (inFace[i] || isSureHead(a, b)) trimap[i] = foreground;
      else trimap[i] = classInEnvelope(envelope, a, b, a - shift);
    }
  }
  return trimap;
}

/** Forehead and crown, and the middle of the chin. */
const isSureHead = (a: number, b: number): boolean =>
  (b > 0.5 && (a / 0.9) ** 2 + ((b - 0.62) / 0.57) ** 2 < 1) || (Math.abs(a) < 0.3 && b > -0.22 && b < 0.02);

/** @param e - `a`, measured from the head's middle. */
function classInEnvelope(envelope: Envelope, a: number, b: number, e: number): number {
  const upper = (e / envelope.half) ** 2 + (Math.max(0, b - 0.55) / (envelope.top - 0.55)) ** 2;
  const isInside = b > 0.55 ? upper < 1 : Math.abs(e) < envelope.half && b > envelope.bottom;
  if (!isInside || b < -0.25 || (Math.abs(a) > 0.62 && b < Math.min(-0.08, envelope.bottom + 0.2)))
    return background;
  if ((b > 0.55 && upper > 0.62) || b < 0 || (b <= 0.55 && Math.abs(e) > envelope.half * 0.76))
    return probablyBackground;
  return probablyForeground;
}

/** Pixels of the head that touch the photo's edge, above the ears' height. */
function touchingEdge(mask: Uint8Array, { width, outside, chin, tall }: HeadCrop): number {
  let touching = 0;
  for (let i = width; i < Math.round(chin - 0.6 * tall) * width; i++) {
    if (mask[i] && (outside[i - width] || outside[i - 1] || outside[i + 1])) touching++;
  }
  return touching;
}
