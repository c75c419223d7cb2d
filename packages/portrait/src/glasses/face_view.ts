import type { FaceLandmarks } from '../landmarks/landmarks.ts';
import type { Picture } from '../photo/photo.ts';
import { cropAbout, pictureToCrop, sampleCrop } from '../photo/picture_sampling.ts';
import { blur, polygonMask } from '../photo/pixel_filters.ts';
import {
  type EyeGroup,
  eyeRim,
  leftBrow,
  leftEye,
  oval,
  rightBrow,
  rightEye,
} from '../topology/face_topology.ts';
import { landmark } from '../topology/landmark.ts';

/** Pixels between the eyes' outer corners: a wire is some two pixels wide. */
export const eyeDistance = 190;
const width = 512;
const height = 320;
/** Where the middle between the eyes lies. */
const middle = { x: width / 2, y: 150 };

type Point = readonly [x: number, y: number];

/** A face upright and of one size, from the brows to the mouth and over its sides. */
export type FaceView = Readonly<ReturnType<typeof viewFace>>;

/** Parts of the eyes' distance by which lashes reach over the lids' rims, up and down. */
const lashes = { up: 0.055, down: 0.022, aside: 0.02 } as const;

/** Pixels that a brow's hairs stand above its landmarks. */
const browRise = 5;

export function viewFace(picture: Picture, { points, iod, roll }: FaceLandmarks) {
  const corner = (i: number): Point => [points[3 * i], points[3 * i + 1]];
  const [rx, ry] = corner(landmark.rightEyeOuter);
  const [lx, ly] = corner(landmark.leftEyeOuter);
  const map = cropAbout([(rx + lx) / 2, (ry + ly) / 2], [middle.x, middle.y], iod / eyeDistance, roll);
  const pointOf = (i: number): Point => pictureToCrop(map, ...corner(i));
  const rgb = sampleCrop(picture, map, width, height, true);
  const light = new Float32Array(width * height);
  for (let i = 0; i < light.length; i++)
    light[i] = Math.log(8 + 0.299 * rgb[3 * i] + 0.587 * rgb[3 * i + 1] + 0.114 * rgb[3 * i + 2]);
  const overGreen = (c: 0 | 2): Float32Array =>
    light.map((_, i) => Math.log((rgb[3 * i + c] + 8) / (rgb[3 * i + 1] + 8)));
  return {
    width,
    height,
    /** RGB, 0..255. */
    rgb,
    /** ln of red and blue over green. */
    chroma: [overGreen(0), overGreen(2)] as const,
    /** ln of the brightness. */
    light: blur(light, width, height, 1),
    /** From the view's pixels to the photo's. */
    map,
    /** 1 inside the face's outline. */
    inFace: polygonMask(oval.map(pointOf), width, height),
    /** 1 on eyes with their lids' rims and lashes. */
    eyes: maskBothSides((eye) => eyeArea(eye, pointOf)),
    brows: maskBothSides((_, [upper, lower]) => [
      ...upper.map(pointOf).map(([x, y]): Point => [x, y - browRise]),
      ...lower.toReversed().map(pointOf),
    ]),
    /** 1 between an eye and its brow's upper edge. */
    lids: maskBothSides(({ outer, inner, upper }, brow) =>
      [outer, ...brow[0], inner, ...upper[0].toReversed()].map(pointOf),
    ),
    pointOf,
  };
}

/** An eye's opening with its lashes. */
function eyeArea(eye: EyeGroup, pointOf: (i: number) => Point): Point[] {
  const [ox] = pointOf(eye.outer);
  const [ix] = pointOf(eye.inner);
  const cx = (ox + ix) / 2;
  const half = Math.abs(ox - ix) / 2;
  const upper = new Set([...eye.upper[0], eye.outer, eye.inner]);
  return eyeRim(eye).map((i) => {
    const [x, y] = pointOf(i);
    const off = (x - cx) / half;
    const up = upper.has(i) ? -lashes.up : lashes.down;
    return [x + off * lashes.aside * eyeDistance, y + up * eyeDistance];
  });
}

/** 1 inside an area of either side. */
function maskBothSides(areaOf: (eye: EyeGroup, brow: typeof rightBrow) => Point[]): Uint8Array {
  const right = polygonMask(areaOf(rightEye, rightBrow), width, height);
  const left = polygonMask(areaOf(leftEye, leftBrow), width, height);
  return right.map((inside, i) => inside | left[i]);
}
