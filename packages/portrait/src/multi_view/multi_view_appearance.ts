import type { Appearance } from '../appearance/appearance.ts';
import type { FaceFit } from '../fit/face_fit.ts';
import { paintSkinFromViews } from './multi_view_skin.ts';
import type { UsedPhoto } from './other_photos.ts';
import { paintHairFromProfiles } from './profile_hair.ts';
import { shapeByProfiles } from './profile_outline.ts';

/** Hair and colours of the front photo, with what further photos show of their sides. */
export function multiViewAppearance(front: Appearance, fit: FaceFit, used: readonly UsedPhoto[]): Appearance {
  const profiles = used.filter((one) => one.kind === 'profile');
  return {
    ...front,
    buildHair: (cranium) => {
      const hair = front.buildHair(cranium);
      shapeByProfiles(cranium, hair, profiles);
      return hair;
    },
    paintSkin: (skin, cranium, hair, size) => {
      const canvas = front.paintSkin(skin, cranium, hair, size);
      for (const photo of used) paintSkinFromViews(canvas, skin, fit, photo);
      return canvas;
    },
    paintHair: (hair, size, skin) => {
      const raster = front.paintHair(hair, size, skin);
      paintHairFromProfiles(raster, hair, fit, profiles);
      return raster;
    },
  };
}
