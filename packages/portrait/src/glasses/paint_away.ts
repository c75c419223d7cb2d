import { clamp } from '@likeness/geometry/vector.ts';
import type { FaceLandmarks, Iris } from '../landmarks/landmarks.ts';
import type { Picture } from '../photo/photo.ts';
import { cropToPicture, pictureToCrop, readGrid } from '../photo/picture_sampling.ts';
import { blur } from '../photo/pixel_filters.ts';
import { readPixel } from '../texture/skin_texture.ts';
import { blankCanvas, fillUnknown } from '../texture/texture_fill.ts';
import { landmark } from '../topology/landmark.ts';
import { eyeDistance, type FaceView, viewFace } from './face_view.ts';
import { type FrameMask, maskFrame } from './frame_mask.ts';
import { cutOutFrame, type FramePicture } from './frame_picture.ts';
import { findLines, type LineStrength } from './line_strength.ts';
import { findRims } from './rim_contour.ts';

/** Strength of a line across the nose below which there are no glasses: bare noses have .09 at most, rimless ones .19. */
const minBridge = 0.13;

/** A photo without glasses, and those that it showed. */
export interface BarePhoto {
  /** The same object where no glasses are found. */
  readonly picture: Picture;
  readonly frame?: FramePicture | undefined;
}

/**
 * Paints the glasses that a photo shows away.
 *
 * @param keepsShade - Whether their shade and glare stay on the skin, for a head that wears them.
 */
export function paintGlassesAway(picture: Picture, landmarks: FaceLandmarks, keepsShade: boolean): BarePhoto {
  const view = viewFace(picture, landmarks);
  const lines = findLines(view);
  const bridge = findBridge(view, lines);
  if (bridge.strength < minBridge) return { picture };
  const pupil = ({ x, y }: Iris): number => pictureToCrop(view.map, x, y)[0];
  const pupils = [pupil(landmarks.rightIris), pupil(landmarks.leftIris)] as const;
  const rims = findRims(view, lines, pupils, bridge.y);
  const mask = maskFrame(view, lines, rims, bridge.y);
  const skin = extendSkin(view, mask);
  const frame = cutOutFrame(view, mask, { skin, pupils, bridge: bridge.y });
  if (!frame) return { picture };
  const painted = keepsShade ? { ...mask, frame: withoutShade(view, mask, frame) } : mask;
  return { picture: withoutFrame(picture, view, painted, skin), frame };
}

/** Pixels beside a frame that go with it: it is drawn a little off its line. */
const beside = 3;

/** The part of a mask that shows a frame or its arms, without their shade and glare. */
function withoutShade(
  { width, height }: FaceView,
  { frame }: FrameMask,
  { raster, hinges }: FramePicture,
): Float32Array {
  const solid = frame.map((_, i) => Number(raster.data[4 * i + 3] > 60));
  const near = blur(solid, width, height, beside).map((share) => Number(share > 0.01));
  const wide = blur(near, width, height, 1);
  return frame.map((share, i) => {
    const isArm = i % width < hinges[0].x || i % width > hinges[1].x;
    return isArm ? share : Math.min(share, wide[i]);
  });
}

/** Half-width of the nose's ridge that a bridge crosses, pixels. */
const ridge = 8;

/** Where the strongest line crosses the nose, between the brows and its lower bridge. */
function findBridge({ pointOf, width }: FaceView, { across }: LineStrength): { y: number; strength: number } {
  const [tx, ty] = pointOf(landmark.glabella);
  const [bx, by] = pointOf(landmark.noseBridgeLower);
  const upright = across[across.length / 2];
  let best = { y: 0, strength: 0 };
  for (let y = Math.round(ty); y < by; y++) {
    const x = Math.round(tx + ((bx - tx) * (y - ty)) / (by - ty));
    let strength = 0;
    for (let d = -ridge; d <= ridge; d++) strength += upright[y * width + x + d] / (2 * ridge + 1);
    if (strength > best.strength) best = { y, strength };
  }
  return best;
}

/** Ways down and up, in eye distances, on which bare skin is looked for whose pores are borrowed. */
const sourceOffsets = [0.2, -0.25, 0.3, -0.4, 0.45, -0.55] as const;
/** Most that a pore is lighter or darker than the skin about it. */
const maxPore = 0.08;

/** The skin round about led on over the frame: red, green and blue of the view, 0..255. */
function extendSkin({ width, rgb }: FaceView, { frame, around }: FrameMask): Float32Array[] {
  const canvas = blankCanvas(width);
  for (let i = 0; i < around.length; i++) {
    canvas.weight[i] = around[i];
    for (let c = 0; c < 3; c++) canvas.colour[3 * i + c] = around[i] * rgb[3 * i + c];
  }
  fillUnknown(canvas);
  return [0, 1, 2].map((c) => frame.map((_, i) => canvas.colour[3 * i + c]));
}

/** Paints skin over the frame, with the pores of the skin below or above it at the photo's own sharpness. */
function withoutFrame(
  picture: Picture,
  view: FaceView,
  { frame, around }: FrameMask,
  filled: readonly Float32Array[],
): Picture {
  const { width, height, rgb, map, inFace } = view;
  const light = frame.map((_, i) => rgb[3 * i] + rgb[3 * i + 1] + rgb[3 * i + 2]);
  const soft = blur(light, width, height, 3);
  // Hair beside skin is no pore.
  const bareSkin = blur(
    around.map((share, i) => share * inFace[i]),
    width,
    height,
    5,
  );
  const pixel = new Float32Array(3);
  /** How much lighter the skin that lends its pores to a place is there than about it. */
  const poreFor = (u: number, v: number): number => {
    for (const offset of sourceOffsets) {
      const sourceV = v + offset * eyeDistance;
      if (sourceV < 2 || sourceV > height - 2 || bareSkin[Math.floor(sourceV) * width + Math.floor(u)] < 0.97)
        continue;
      readPixel(picture, ...cropToPicture(map, u, sourceV), pixel);
      const off = (pixel[0] + pixel[1] + pixel[2]) / readGrid(soft, width, height, u, sourceV) - 1;
      return clamp(off, -maxPore, maxPore);
    }
    return 0;
  };
  const data = Uint8Array.from(picture.data);
  const corners = [0, width].flatMap((u) => [0, height].map((v) => cropToPicture(map, u, v)));
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  for (let y = Math.max(0, Math.floor(Math.min(...ys))); y < Math.min(picture.height, Math.max(...ys)); y++) {
    for (
      let x = Math.max(0, Math.floor(Math.min(...xs)));
      x < Math.min(picture.width, Math.max(...xs));
      x++
    ) {
      const [u, v] = pictureToCrop(map, x + 0.5, y + 0.5);
      if (u < 1 || v < 1 || u > width - 1 || v > height - 1) continue;
      const share = readGrid(frame, width, height, u, v);
      if (share <= 0.002) continue;
      const pore = 1 + poreFor(u, v);
      const o = 3 * (y * picture.width + x);
      for (let c = 0; c < 3; c++) {
        const skin = readGrid(filled[c], width, height, u, v) * pore;
        data[o + c] = Math.round(clamp(data[o + c] + share * (skin - data[o + c]), 0, 255));
      }
    }
  }
  return { ...picture, data };
}
