import { dot, type Vector } from '@likeness/geometry/vector.ts';
import { type Crop, wholePicture } from '@likeness/proto/crop.ts';
import type { Picture } from '../photo/photo.ts';
import type { PhotoPose } from './face_fit.ts';

/**
 * The photo as a flat picture in the head's space: seen along its normal, without perspective, every point of
 * the head lies where the photo shows it. So a viewer can lay the photo over the head. Metres, the file's
 * axes.
 */
export interface PhotoPlane {
  /** Unit vectors along the photo's rows (to its right) and columns (upwards). */
  readonly right: Vector;
  readonly up: Vector;
  /** Its middle, along `right` and `up` from the origin. */
  readonly middle: readonly [number, number];
  readonly width: number;
  readonly height: number;
}

/**
 * @param origin - The file's origin in the face's frame.
 * @param seen - The picture that the pose is of, and which part of the photo it is; null: all.
 */
export function photoPlane(
  pose: PhotoPose,
  origin: Vector,
  { picture, part }: { picture: Pick<Picture, 'width' | 'height'>; part: Crop | null },
): PhotoPlane {
  const { x, y, ...within } = part ?? wholePicture;
  const [width, height] = [picture.width / within.width, picture.height / within.height];
  const right: Vector = [pose.x[0], pose.y[0], pose.z[0]];
  const up: Vector = [pose.x[1], pose.y[1], pose.z[1]];
  // A tenth of a millimetre, a hundredth of a degree: more than a photo tells.
  const rounded = (value: number): number => Math.round(value * 1e5) / 1e5;
  const direction = ([x, y, z]: Vector): Vector => [rounded(x), rounded(y), rounded(z)];
  return {
    right: direction(right),
    up: direction(up),
    middle: [
      rounded(((0.5 - x) * width - pose.tx) / pose.scale - dot(right, origin)),
      rounded((pose.ty - (0.5 - y) * height) / pose.scale - dot(up, origin)),
    ],
    width: rounded(width / pose.scale),
    height: rounded(height / pose.scale),
  };
}
