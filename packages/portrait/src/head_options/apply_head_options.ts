import {
  type AllHeadOptions,
  defaultHeadOptions,
  type HeadOptions,
} from '@likeness/proto/heads/head_options.ts';
import type { HeadModel, Raster } from '../contract/head_model.ts';
import { eyeballRadius, type FaceFit } from '../fit/face_fit.ts';
import { withBust } from './bust.ts';
import { evenedSkin } from './even_skin.ts';
import { readColour, recolouredHair, recolouredIris } from './recolour.ts';
import { resizedHead, withNeck } from './resized_head.ts';
import { withPhotoMouth } from './resting_mouth.ts';

/**
 * A head as its person wants it. All of this comes after the fit and the painting; what of the photo's light
 * stays is decided where the skin is painted.
 */
export function applyHeadOptions(model: HeadModel, options: HeadOptions, fit: FaceFit): HeadModel {
  const chosen = { ...defaultHeadOptions, ...options } as AllHeadOptions;
  let head: HeadModel = { ...model, rasters: repainted(model, chosen, fit) };
  if (chosen.smile > 0) head = withPhotoMouth(head, chosen.smile);
  if (chosen.neck !== 1) head = withNeck(head, chosen.neck);
  if (chosen.bust) head = withBust(head, chosen.bust);
  if (chosen.head !== 1) head = resizedHead(head, chosen.head);
  return head;
}

function repainted(
  { materials, rasters }: HeadModel,
  { hairColour, eyeColour, evenness }: AllHeadOptions,
  fit: FaceFit,
): readonly Raster[] {
  const wornBy = (raster: number): string => materials.find(({ texture }) => texture === raster)?.name ?? '';
  return rasters.map((raster, i) => {
    const name = wornBy(i);
    if (name === 'Skin' && evenness > 0) return evenedSkin(raster, evenness);
    if (name.startsWith('Hair') && hairColour) return recolouredHair(raster, readColour(hairColour));
    if (name === 'EyeLeft' || name === 'EyeRight') {
      if (!eyeColour) return raster;
      const { irisRadius } = name === 'EyeLeft' ? fit.leftEye : fit.rightEye;
      return recolouredIris(raster, readColour(eyeColour), Math.asin(irisRadius / eyeballRadius));
    }
    return raster;
  });
}
