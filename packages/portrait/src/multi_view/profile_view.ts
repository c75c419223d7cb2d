import { at, clamp } from '@likeness/geometry/vector.ts';
import type { FaceFit, PhotoPose } from '../fit/face_fit.ts';
import type { FaceBox } from '../landmarks/landmarks.ts';
import { toLab } from '../photo/lab_colour.ts';
import type { Picture } from '../photo/photo.ts';
import { cropSquare, readGrid, sampleCrop } from '../photo/picture_sampling.ts';
import { blur } from '../photo/pixel_filters.ts';
import { grabCut, trimapClasses } from '../segment/grab_cut.ts';
import { tidyMask } from '../segment/mask_morphology.ts';
import { landmark } from '../topology/landmark.ts';
import {
  type HeadCut,
  layProfile,
  middleLine,
  movedOut,
  type PointPair,
  type ProfilePoint,
  type ProfileShape,
  type ProfileStand,
  standOver,
  toPicture,
} from './profile_line.ts';
import { surfaceByProfile } from './profile_shape.ts';

/** A photo from the side, beyond the turn up to which the mesh network sees a face. */
export interface ProfileView extends ProfileShape {
  readonly pose: PhotoPose;
  readonly inside: HeadCut;
}

/** Size of the crop, metres and pixels a side. */
const cropMetres = 0.4;
const cropSide = 333;
/** No middle line fits worse, metres, where the outline is the face's; nor stands otherwise than the marks tell. */
const maxResidual = 0.0008;
/** The marks of a face from the side lie wider than its own: by the median of sixteen known heads. */
const marksTooWide = 1.1;
const [minSize, maxSize, maxTurn] = [0.85, 1.18, 0.6];

/**
 * Lays a face over a photo that shows it from the side: first by the detector's six marks, then by the outline from
 * the forehead to the chin.
 *
 * @returns null where no outline of a face is found
 */
export async function fitProfile(picture: Picture, box: FaceBox, fit: FaceFit): Promise<ProfileView | null> {
  const { marks } = box;
  const side = marks[0] + marks[2] > marks[8] + marks[10] ? 1 : -1;
  const start = standByMarks(marks, fit.neutral, side);
  const inside = await cutHead(picture, start, side, fit);
  const laid = layProfile(inside, start, side, fit);
  if (!laid) return null;
  const { stand, forward, residual } = laid;
  const size = stand.s / start.s;
  const isPlausible = size > minSize && size < maxSize && Math.abs(stand.turn) < maxTurn;
  if (!isPlausible || residual > maxResidual) return null;
  // The eyes keep their place in the face, and its middle line comes forward: so the head stands further back.
  const predicted = surfaceByProfile(forward);
  const mean = middleLine.reduce<number>((sum, i) => sum + predicted[i] / middleLine.length, 0);
  return { pose: poseOf(movedOut(stand, side, -mean), side), inside, forward, residual };
}

function poseOf({ s, turn, tx, ty }: ProfileStand, side: number): PhotoPose {
  const [c, n] = [Math.cos(turn), Math.sin(turn)];
  return {
    x: [0, 0, -side],
    y: [-n, c, 0],
    z: [side * c, side * n, 0],
    scale: s,
    tx,
    ty,
    yaw: 90 * side,
    pitch: (side * turn * 180) / Math.PI,
    roll: 0,
  };
}

/** By eyes, mouth, ears and, a little, the nose, which the detector places before the face. */
function standByMarks(marks: readonly number[], face: Float32Array, side: number): ProfileStand {
  const middle = (...points: number[]): ProfilePoint => {
    const all = points.map((i) => at(face, i));
    const mean = (c: 1 | 2): number => all.reduce((sum, p) => sum + p[c] / all.length, 0);
    return [mean(1), mean(2)];
  };
  const seen = (k: number, l: number): ProfilePoint => [
    (marks[2 * k] + marks[2 * l]) / 2,
    (marks[2 * k + 1] + marks[2 * l + 1]) / 2,
  ];
  const pairs: readonly PointPair[] = [
    [middle(landmark.leftEyeOuter, landmark.leftEyeInner), seen(0, 1), 1],
    [middle(landmark.noseTip), seen(2, 2), 0.3],
    [middle(landmark.upperLipInner), seen(3, 3), 1],
    [middle(landmark.leftTragus), seen(4, 5), 0.5],
  ];
  return standOver(pairs, side, marksTooWide);
}

/** Cuts head and hair out: by what the front photo says of the face, and how far heads reach behind it. */
async function cutHead(
  picture: Picture,
  stand: ProfileStand,
  side: number,
  { neutral }: FaceFit,
): Promise<HeadCut> {
  const [cx, cy] = toPicture(stand, side, [0.02, -0.005]);
  const map = cropSquare({ cx, cy, extent: cropMetres * stand.s }, 0, cropSide);
  const rgb = sampleCrop(picture, map, cropSide, cropSide, true);
  const lab = toLab(rgb);
  const count = cropSide * cropSide;
  const trimap = new Uint8Array(count);
  const line = middleLine.map((i) => at(neutral, i));
  const [top, chin] = [neutral[3 * landmark.foreheadTop + 1], neutral[3 * landmark.chin + 1]];
  const depthAt = (y: number): number => {
    const below = line.findIndex((p) => p[1] <= y);
    if (below <= 0) return line[below === 0 ? 0 : line.length - 1][2];
    const [p, q] = [line[below - 1], line[below]];
    return p[2] + ((q[2] - p[2]) * (p[1] - y)) / Math.max(1e-6, p[1] - q[1]);
  };
  const [c, n] = [Math.cos(stand.turn), Math.sin(stand.turn)];
  for (let row = 0; row < cropSide; row++) {
    for (let column = 0; column < cropSide; column++) {
      const i = row * cropSide + column;
      const px = map.a * (column + 0.5) + map.tx;
      const py = map.a * (row + 0.5) + map.ty;
      const [u, v] = [(px - stand.tx) / stand.s, -(py - stand.ty) / stand.s];
      const z = side * (u * c + v * n);
      const y = v * c - u * n;
      const isOutside = px < 0 || py < 0 || px >= picture.width || py >= picture.height;
      const front = depthAt(clamp(y, chin, top));
      const skull = Math.hypot((y - 0.015) / 0.065, (z + 0.012) / 0.072);
      const isFace = y > chin + 0.012 && y < top && z > -0.02 && z < front - 0.018;
      const isBefore = z > front + 0.03 || (y < chin - 0.012 && z > 0.05);
      const far = Math.hypot((y - 0.01) / 0.13, (z + 0.012) / 0.125);
      if (isOutside || isBefore || far > 1.55) trimap[i] = trimapClasses.background;
      else if (isFace || skull < 1) trimap[i] = trimapClasses.foreground;
      else trimap[i] = far > 1.2 ? trimapClasses.probablyBackground : trimapClasses.probablyForeground;
    }
  }
  const mask = await grabCut(cropSide, cropSide, lab, trimap);
  const tidy = tidyMask(mask, cropSide, cropSide, cropSide >> 1, cropSide >> 1);
  const soft = blur(Float32Array.from(tidy), cropSide, cropSide, 1);
  return (x, y) => {
    const [px, py] = [(x - map.tx) / map.a, (y - map.ty) / map.a];
    if (px < 0 || py < 0 || px > cropSide || py > cropSide) return 0;
    return readGrid(soft, cropSide, cropSide, px, py);
  };
}
