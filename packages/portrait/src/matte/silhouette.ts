import type { HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import type { FaceLandmarks } from '../landmarks/landmarks.ts';
import type { FaceNetwork } from '../landmarks/tensorflow.ts';
import { smoothstep } from '../math/vector.ts';
import type { Picture } from '../photo/photo.ts';
import type { Similarity } from '../photo/picture_sampling.ts';
import { blur } from '../photo/pixel_filters.ts';
import { paintStrokes, unstroked } from './brush_strokes.ts';
import { judgeDisputes } from './disputes.ts';
import { grabCut, trimapClasses } from './grab_cut.ts';
import { cropHead, type HeadCrop } from './head_crop.ts';
import { spread, tidyMask } from './mask_morphology.ts';
import { findPerson } from './person_mask.ts';

/**
 * The outline of head and hair in an upright crop about the face.
 *
 * A network tells the person from what is behind, clothes too. What is head and hair of it, and where it is not
 * sure, GrabCut decides, from a trimap that the landmarks and the network make and a prior on how far heads of
 * hair reach, twice: by colour alone, and with the distance from the face as a channel of its own. Where the
 * two disagree the cut is unsure, and that agreement is the score.
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

/** Cuts again with other corrections: where the person is has been seen already. */
export type SilhouetteCutter = (corrections: Partial<HeadCorrections> | undefined) => Silhouette;

/**
 * Looks at a photo for its outline of head and hair.
 *
 * @param yaw - Of the head, degrees.
 * @param network - Tells persons from what is behind them.
 */
export function prepareSilhouette(
  picture: Picture,
  landmarks: FaceLandmarks,
  yaw: number,
  network: FaceNetwork,
): SilhouetteCutter {
  const crop = cropHead(picture, landmarks, yaw);
  const seen = seePerson(findPerson(network, picture, crop), crop);
  return (corrections) => cutOut(picture, crop, seen, corrections);
}

function cutOut(
  picture: Picture,
  crop: HeadCrop,
  seen: SeenPerson | undefined,
  corrections: Partial<HeadCorrections> | undefined,
): Silhouette {
  const { width, height, axis, halfFace, chin, tall } = crop;
  const strokes = paintStrokes(crop, corrections?.strokes ?? [], picture);
  const [first, second] = recipes.map((recipe) => cutBy(recipe, crop, strokes, seen));
  const { mask, score } = judgeDisputes(crop, first, second);
  const top = mask.indexOf(1);
  const crownHeight = top < 0 ? 0 : (chin - Math.floor(top / width)) / tall;
  const plausible = Math.min(1, Math.max(0.6, 1 - 4 * (lowestCrown - crownHeight)));
  for (let i = 0; i < mask.length; i++) if (strokes[i] !== unstroked) mask[i] = strokes[i];
  const soft = blur(new Float32Array(mask), width, height, 1);
  return {
    width,
    height,
    mask: Uint8Array.from(soft, (value) => Math.round(255 * value)),
    crop: crop.rgb,
    map: crop.map,
    score: Math.round(score * plausible * sureness(mask, crop, seen) * 1000) / 1000,
    toCrop: crop.toCrop,
    lab: crop.lab,
    inFace: crop.inFace,
    faceFrame: (x, y) => [(x - axis) / halfFace, (chin - y) / tall],
    outside: crop.outside,
    cutOff: touchingEdge(mask, crop) > 0.2 * halfFace,
  };
}

/** Share of a head's pixels that the network may leave undecided; most outlines leave .03 to .06. */
const usualDoubt = 0.08;

/** 0..1: less where much about the head is neither surely the person's nor surely not. */
function sureness(mask: Uint8Array, crop: HeadCrop, seen: SeenPerson | undefined): number {
  if (!seen) return 1;
  let [unsure, head] = [0, 0];
  for (let i = 0; i < mask.length; i++) {
    const x = i % crop.width;
    const y = (i - x) / crop.width;
    const [a, b] = [crop.across(x) - crop.shift, crop.up(y)];
    if (b < collar || crop.outside[i] || usualDistance(a, b) > 2.2) continue;
    head += mask[i];
    unsure += 1 - Math.abs(2 * seen.likely[i] - 1);
  }
  return 1 - Math.min(0.4, 1.2 * Math.max(0, unsure / Math.max(1, head) - usualDoubt));
}

/** What the network sees, and how surely round about each pixel: it may be wrong by a pixel or two. */
interface SeenPerson {
  readonly likely: Float32Array;
  readonly least: Float32Array;
  readonly most: Float32Array;
  /** 0..1: how far a person is head and hair there, not clothes. */
  readonly bare: Float32Array;
}

function seePerson(likely: Float32Array | undefined, crop: HeadCrop): SeenPerson | undefined {
  if (!likely) return undefined;
  const { width, height } = crop;
  return {
    likely,
    least: spread(likely, width, height, 2, 'least'),
    most: spread(likely, width, height, 2, 'most'),
    bare: aboveClothes(likely, crop),
  };
}

/** Heights of the face below which there may be clothes: surely from the second on. */
const [collar, chest] = [0.16, -0.12];
/** From here down a person gets wider where the shoulders begin: hair hangs down or ends. */
const ears = 0.38;

/** 1 where a person is head and hair alone: above the chin, and below the ears no further out than higher up. */
function aboveClothes(likely: Float32Array, { width, height, axis, halfFace, up }: HeadCrop): Float32Array {
  const bare = new Float32Array(width * height);
  for (const side of [-1, 1]) {
    let reach = Number.POSITIVE_INFINITY;
    for (let y = 0; y < height; y++) {
      const b = up(y);
      if (b < ears) {
        let x = Math.round(axis);
        while (x >= 0 && x < width && likely[y * width + x] > 0.5) x += side;
        // A bob may swing out a little.
        reach = Math.min(reach, Math.abs(x - axis) + 0.06 * halfFace);
      }
      const share = smoothstep(chest, collar, b);
      for (let x = Math.round(axis); x >= 0 && x < width && Math.abs(x - axis) <= reach; x += side)
        bare[y * width + x] = share;
    }
  }
  return bare;
}

/** How far a place lies from a head's middle: 1 at the outline of a usual head of hair. */
const usualDistance = (a: number, b: number): number => Math.hypot(a / 1.15, (b - 0.6) / 0.72);

/** Log odds that the network's word may reach, against those of the place. */
const mostSaid = 10;

/** One cut of head and hair: 1 on the head. */
function cutBy(recipe: Recipe, crop: HeadCrop, strokes: Int8Array, seen: SeenPerson | undefined): Uint8Array {
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
      const distance = usualDistance(a, b);
      for (let c = 0; c < 3; c++) values[channels * i + c] = lab[3 * i + c];
      if (distanceSteps) values[channels * i + 3] = Math.min(255, distanceSteps * distance);
      prior[i] = Math.max(-most, Math.min(most, slope * (even - distance)));
      if (!seen) continue;
      const p = Math.min(0.999, Math.max(0.001, seen.likely[i]));
      const said = Math.max(-mostSaid, Math.min(mostSaid, 2 * Math.log(p / (1 - p))));
      prior[i] += said < 0 ? said : said * seen.bare[i];
    }
  }
  const trimap = makeTrimap(recipe.envelope, crop, strokes, seen);
  const mask = grabCut({ width, height, channels, values, trimap, prior });
  return tidyMask(mask, width, height, Math.round(crop.axis), Math.round((crop.chin + crop.forehead) / 2));
}

/** What is sure and likely before a cut: by the face's frame, the photo's edge, the strokes, the network. */
function makeTrimap(
  envelope: Envelope,
  crop: HeadCrop,
  strokes: Int8Array,
  seen: SeenPerson | undefined,
): Uint8Array {
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
      else
        trimap[i] =
          (seen && classOfPerson(seen, i, a - shift, b)) ?? classInEnvelope(envelope, a, b, a - shift);
    }
  }
  return trimap;
}

/** Halves of a face, and its height, within which a person is this one. */
const [widest, highest] = [2.5, 2.1];

/** What the network's word makes of a pixel; undefined where it doesn't settle it. */
function classOfPerson(seen: SeenPerson, i: number, e: number, b: number): number | undefined {
  const { least, most, bare } = seen;
  if (most[i] < 0.12) return background;
  if (bare[i] < 1 || Math.abs(e) > widest || b > highest) return undefined;
  return least[i] > 0.97 ? foreground : probablyForeground;
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
