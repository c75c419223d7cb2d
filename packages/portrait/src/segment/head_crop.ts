import { clamp } from '@likeness/geometry/vector.ts';
import type { FaceLandmarks } from '../landmarks/landmarks.ts';
import { toLab } from '../photo/lab_colour.ts';
import type { Picture } from '../photo/photo.ts';
import {
  cropAbout,
  cropToPicture,
  pictureToCrop,
  type Similarity,
  sampleCrop,
} from '../photo/picture_sampling.ts';
import { polygonMask, scaledAbout } from '../photo/pixel_filters.ts';
import { oval } from '../topology/face_topology.ts';
import { landmark } from '../topology/landmark.ts';

/** Crop pixels a unit; the unit is the outer eye distance, or 0.6 of the face's height when that is more. */
const unitPixels = 40;
/** Extent of the crop beside, above and below the face's middle, units. */
const halfWidthUnits = 2.4;
const upUnits = 3.1;
const downUnits = 2.6;

/**
 * An upright crop about the face, and the face's own frame in it: a = ±1 at the ears, b = 0 at the chin and 1
 * at the forehead.
 */
export type HeadCrop = Readonly<ReturnType<typeof cropHead>>;

export function cropHead(picture: Picture, landmarks: FaceLandmarks) {
  const { points, roll, iod } = landmarks;
  const at = (i: number): [number, number] => [points[3 * i], points[3 * i + 1]];
  const [fx, fy] = at(landmark.foreheadTop);
  const [cx, cy] = at(landmark.chin);
  const unit = Math.max(iod, 0.6 * Math.hypot(fx - cx, fy - cy));
  const scale = unit / unitPixels;
  const width = Math.round(2 * halfWidthUnits * unitPixels);
  const height = Math.round((upUnits + downUnits) * unitPixels);
  const map = cropAbout([(fx + cx) / 2, (fy + cy) / 2], [width / 2, upUnits * unitPixels], scale, roll);
  const toCrop = (x: number, y: number): [number, number] => pictureToCrop(map, x, y);
  const chin = toCrop(cx, cy)[1];
  const forehead = toCrop(fx, fy)[1];
  const right = toCrop(...at(landmark.rightTragus))[0];
  const left = toCrop(...at(landmark.leftTragus))[0];
  const halfFace = (left - right) / 2;
  const axis = (right + left) / 2;
  const tall = chin - forehead;
  const outline = oval.map((i) => toCrop(...at(i)));
  const rgb = sampleCrop(picture, map, width, height, true);
  return {
    width,
    height,
    /** Photo pixels a crop pixel. */
    scale,
    /** From the crop's pixels to the photo's. */
    map,
    /** RGB floats. */
    rgb,
    /** Lab in 8 bits: L · 255/100, a + 128, b + 128. */
    lab: toLab(rgb),
    /** 1 where the crop reaches over the photo's edge. */
    outside: outsidePhoto(picture, map, width, height),
    /** The face's outline by its landmarks, crop pixels. */
    outline,
    /** 1 inside the face's outline (a little shrunk). */
    inFace: polygonMask(scaledAbout([axis, (chin + forehead) / 2], 0.95, outline), width, height),
    /** Column of the face's middle, and pixels from there to an ear. */
    axis,
    halfFace,
    /** Rows of chin and forehead, and the pixels between them. */
    chin,
    forehead,
    tall,
    /** Photo pixels to crop pixels. */
    toCrop,
    /** The frame's `b` of a pixel row's middle. */
    up: (y: number): number => (chin - y - 0.5) / tall,
  };
}

function outsidePhoto(picture: Picture, map: Similarity, width: number, height: number): Uint8Array {
  const outside = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [px, py] = cropToPicture(map, x + 0.5, y + 0.5);
      if (px < 0 || py < 0 || px >= picture.width || py >= picture.height) outside[y * width + x] = 1;
    }
  }
  return outside;
}

export type CropFrame = Pick<HeadCrop, 'toCrop' | 'width' | 'height'>;

/** The crop's pixel that a place of the photo falls on; the nearest where it lies outside. */
export function cropPixel(cut: CropFrame, x: number, y: number): number {
  const [cx, cy] = cut.toCrop(x, y);
  return nearestPixel(cut, cx, cy);
}

/** Where places of the photo lie in its crop, × 2. */
export function pointsInCrop(cut: Pick<CropFrame, 'toCrop'>, points: Float32Array): Float32Array {
  const out = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 2) out.set(cut.toCrop(points[i], points[i + 1]), i);
  return out;
}

/** The crop's pixel nearest to a place in it. */
export function nearestPixel(cut: CropFrame, cx: number, cy: number): number {
  const px = clamp(Math.round(cx - 0.5), 0, cut.width - 1);
  const py = clamp(Math.round(cy - 0.5), 0, cut.height - 1);
  return py * cut.width + px;
}
