import { dot, type Vector } from '@likeness/geometry/vector.ts';
import { crownShare, type FaceFit, project } from '../fit/face_fit.ts';
import { readGrid } from '../photo/picture_sampling.ts';
import type { Silhouette } from '../segment/silhouette.ts';

/** Something that the photo shows more or less of: its amount at a photo position. */
export type PhotoField = (x: number, y: number) => number;

/** Reads soft values off the crop at a photo position. */
export function cropSampler(cut: Silhouette, values: Float32Array | Uint8Array, gain: number): PhotoField {
  return (x, y) => {
    const [cx, cy] = cut.toCrop(x, y);
    return gain * readGrid(values, cut.width, cut.height, cx, cy);
  };
}

/**
 * The last place of something along a line, in steps of a millimetre, before it is missing for `maxGap` of them; `none`
 * where it isn't there at all.
 */
export function lastAlong(
  from: number,
  to: number,
  maxGap: number,
  none: number,
  isThere: (distance: number) => boolean,
): number {
  let last = none;
  for (let x = from, gap = 0; x < to && gap < maxGap; x += 0.001) {
    if (isThere(x)) {
      last = x;
      gap = 0;
    } else gap++;
  }
  return last;
}

/** The picture's plane, metres about the skull's middle: u right, v up, the head upright in it. */
export type PicturePlane = ReturnType<typeof picturePlane>;

export function picturePlane(fit: FaceFit, centre: Vector) {
  const { pose } = fit;
  const roll = Math.atan2(pose.y[0], pose.y[1]);
  const c = Math.cos(roll);
  const s = Math.sin(roll);
  const [ox, oy] = project(pose, centre);
  const axes = [pose.x, pose.y, pose.z];
  const right = axes.map(([x, y]) => c * x - s * y) as Vector;
  const up = axes.map(([x, y]) => s * x + c * y) as Vector;
  return {
    /** Directions of u and v in the face frame. */
    right,
    up,
    /** Where a point of the face frame lies in the plane. */
    of: (p: Vector): [u: number, v: number] => {
      const share = crownShare(pose, p);
      return [share * dot(p, right) - dot(centre, right), share * dot(p, up) - dot(centre, up)];
    },
    toPhoto: (u: number, v: number): [x: number, y: number] => [
      ox + pose.scale * (c * u + s * v),
      oy - pose.scale * (-s * u + c * v),
    ],
  };
}
