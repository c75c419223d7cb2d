import { smoothstep } from '@likeness/geometry/vector.ts';
import type { HairStroke, HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import type { FaceLandmarks } from '../landmarks/landmarks.ts';
import type { SegmentationNetwork } from '../landmarks/segmentation_network.ts';
import type { Picture } from '../photo/photo.ts';
import { blur } from '../photo/pixel_filters.ts';
import { cropHead, type HeadCrop } from './head_crop.ts';
import { tidyMask } from './mask_morphology.ts';
import { isHairUnclear, type Segmentation, segment } from './segment.ts';

/** Value of a pixel without a stroke. */
const unstroked = -1;

/** Places along a line of a stroke at which the brush is set down. */
const stepsPerLine = 24;

/** A head crop with the outline of head and hair in it, and the user's strokes. */
export interface Silhouette extends HeadCrop {
  /** 0..255, soft at the edge. */
  readonly mask: Uint8Array;
  /** Hair within the outline and bare skin by pixel, 0..1. */
  readonly hair: Float32Array;
  readonly skin: Float32Array;
  /** The person with clothes and hat, without others, 0..1. */
  readonly person: Float32Array;
  /** 0..1: how sure the outline is above the chin. */
  readonly score: number;
  /** Whether it is unclear if there is hair. */
  readonly hairUnclear: boolean;
  /** A crop pixel in the face's own frame: a = ±1 at the ears, b = 0 at the chin, 1 at the forehead. */
  faceFrame(x: number, y: number): [number, number];
  /** Whether the photo's edge cuts hair above the ears off, over more than a tenth of the head. */
  readonly cutOff: boolean;
}

/** No skull ends lower than this in the face's frame: the outline has lost its crown. */
const lowestCrown = 1.24;
/** Heights of the face's frame between which the neck stops counting as head. */
const [throat, neckEnd] = [-0.12, -0.28];
/** Heights below which there may be clothes: surely from the second on. */
const [collar, chest] = [0.16, -0.12];
/** From here down a person gets wider where the shoulders begin: hair hangs down or ends. */
const ears = 0.38;

/** Looks at a photo for its outline of head and hair, and cuts it out with any corrections. */
export function prepareSilhouette(
  picture: Picture,
  landmarks: FaceLandmarks,
  network: SegmentationNetwork,
): (corrections: Partial<HeadCorrections> | undefined) => Silhouette {
  const crop = cropHead(picture, landmarks);
  const seen = segment(network, crop);
  const head = headShares(seen, crop);
  return (corrections) => cutOut(picture, crop, seen, head, corrections);
}

/** How far each pixel is head or hair, not clothes, 0..1. A hat above the ears is head, as a photo shows no other. */
function headShares({ hair, skin, person }: Segmentation, crop: HeadCrop): Float32Array {
  const bare = aboveClothes(person, crop);
  const head = hair.slice();
  for (let y = 0; y < crop.height; y++) {
    const isHead = smoothstep(neckEnd, throat, crop.up(y));
    for (let i = y * crop.width; i < (y + 1) * crop.width; i++)
      head[i] = Math.max(head[i], skin[i] * isHead, person[i] * bare[i], crop.inFace[i]);
  }
  return head;
}

function cutOut(
  picture: Picture,
  crop: HeadCrop,
  seen: Segmentation,
  head: Float32Array,
  corrections: Partial<HeadCorrections> | undefined,
): Silhouette {
  const { width, height, axis, halfFace, chin, tall, outside, inFace } = crop;
  const strokes = paintStrokes(crop, corrections?.strokes ?? [], picture);
  const inside = new Uint8Array(head.length);
  for (let i = 0; i < head.length; i++) inside[i] = head[i] > 0.5 && !outside[i] ? 1 : 0;
  const kept = tidyMask(inside, width, height, Math.round(axis), Math.round((chin + crop.forehead) / 2));
  const top = kept.indexOf(1);
  const crownHeight = top < 0 ? 0 : (chin - Math.floor(top / width)) / tall;
  const plausible = Math.min(1, Math.max(0.6, 1 - 4 * (lowestCrown - crownHeight)));
  const whole = new Float32Array(kept.length);
  for (let i = 0; i < kept.length; i++) whole[i] = strokes[i] === unstroked ? kept[i] : strokes[i];
  const soft = blur(whole, width, height, 1);
  const mask = new Uint8Array(kept.length);
  for (let i = 0; i < kept.length; i++) mask[i] = Math.round(255 * soft[i]);
  const isStroked = (i: number): boolean => strokes[i] !== unstroked && !inFace[i];
  const hair = seen.hair.map((share, i) => (isStroked(i) ? strokes[i] : share));
  const hairUnclear = isHairUnclear(hair, crop);
  const skin = seen.skin.slice();
  for (let i = 0; i < hair.length; i++) {
    if (isStroked(i)) skin[i] = 0;
    else hair[i] *= Math.min(1, mask[i] / 128);
  }
  return Object.freeze({
    ...crop,
    mask,
    hair,
    skin,
    person: seen.person,
    score: Math.round(seen.confidence * plausible * 1000) / 1000,
    hairUnclear,
    faceFrame: (x: number, y: number): [number, number] => [(x - axis) / halfFace, (chin - y) / tall],
    cutOff: touchingEdge(mask, crop) > 0.2 * halfFace,
  });
}

/** 1 where a person is head and hair alone: above the chin, and below the ears no further out than higher up. */
function aboveClothes(person: Float32Array, { width, height, axis, halfFace, up }: HeadCrop): Float32Array {
  const bare = new Float32Array(width * height);
  for (const side of [-1, 1]) {
    let reach = Number.POSITIVE_INFINITY;
    for (let y = 0; y < height; y++) {
      const b = up(y);
      if (b < ears) {
        let x = Math.round(axis);
        while (x >= 0 && x < width && person[y * width + x] > 0.5) x += side;
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

/** Pixels of the head that touch the photo's edge, above the ears' height. */
function touchingEdge(mask: Uint8Array, { width, outside, chin, tall }: HeadCrop): number {
  let touching = 0;
  for (let i = width; i < Math.round(chin - 0.6 * tall) * width; i++) {
    if (mask[i] && (outside[i - width] || outside[i - 1] || outside[i + 1])) touching++;
  }
  return touching;
}

/** A user's strokes on the crop, by pixel: 1 hair, 0 background, else {@link unstroked}; later ones win. */
function paintStrokes(
  { width, height, scale, toCrop }: HeadCrop,
  strokes: readonly HairStroke[],
  photo: { readonly width: number; readonly height: number },
): Int8Array {
  const painted = new Int8Array(width * height).fill(unstroked);
  const dab = (x0: number, y0: number, r: number, value: number): void => {
    for (let y = Math.max(0, Math.floor(y0 - r)); y <= Math.min(height - 1, y0 + r); y++) {
      for (let x = Math.max(0, Math.floor(x0 - r)); x <= Math.min(width - 1, x0 + r); x++) {
        if (Math.hypot(x - x0, y - y0) <= r) painted[y * width + x] = value;
      }
    }
  };
  for (const { kind, radius, points } of strokes) {
    const r = Math.max(1.5, (radius * photo.width) / scale);
    const at = (i: number): [number, number] => toCrop(points[i] * photo.width, points[i + 1] * photo.height);
    for (let i = 0; i + 1 < points.length; i += 2) {
      const [sx, sy] = at(i);
      const goesOn = i + 3 < points.length;
      const steps = goesOn ? stepsPerLine : 1;
      const [ex, ey] = goesOn ? at(i + 2) : [sx, sy];
      for (let s = 0; s < steps; s++)
        dab(sx + ((ex - sx) * s) / steps, sy + ((ey - sy) * s) / steps, r, kind === 'hair' ? 1 : 0);
    }
  }
  return painted;
}
