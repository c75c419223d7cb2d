import { fallOffSoftly } from '@likeness/geometry/mesh_mean.ts';
import { smoothstep, type Vector } from '@likeness/geometry/vector.ts';
import type { PhotoWarning } from '@likeness/proto/heads/photo_findings.ts';
import { faceShown, readFaceCells } from '../albedo/face_cells.ts';
import { estimateLight } from '../albedo/light_estimate.ts';
import type { LightNetwork } from '../albedo/light_network.ts';
import {
  castOf,
  colourWithoutCast,
  lightToRemove,
  lostInShade,
  skinGains,
  withoutCast,
} from '../albedo/remove_light.ts';
import type { HeadRequest } from '../contract/head_request.ts';
import { type FaceFit, facingCamera, outerEyeDistance } from '../fit/face_fit.ts';
import { paintHair } from '../hair/colour/hair_texture.ts';
import { measureFaceSides } from '../hair/face_sides.ts';
import { beyondFace, smearedHair } from '../hair/fringe.ts';
import { buildHair } from '../hair/hair.ts';
import { bareSkin, type HairMap, hairOnSkin, insideOutline, mapHair } from '../hair/hair_map.ts';
import type { HairSheet } from '../hair/hair_sheet.ts';
import { shadeScalp } from '../hair/scalp.ts';
import { paintEye, readEyeColours } from '../parts/eye_texture.ts';
import { paintEyelids } from '../parts/eyelid.ts';
import { readToothColour } from '../parts/tooth_colour.ts';
import type { Picture } from '../photo/photo.ts';
import { cropPixel } from '../segment/head_crop.ts';
import type { Silhouette } from '../segment/silhouette.ts';
import { shapeNeck } from '../skull/neck.ts';
import { type Cranium, craniumColumns, craniumRows } from '../skull/skull.ts';
import { extendDetail } from '../texture/extended_detail.ts';
import { blendBands } from '../texture/multiband_blend.ts';
import { type Colour, fillFromMirror, projectPhoto } from '../texture/skin_texture.ts';
import {
  addBase,
  type Canvas,
  fillUnknown,
  interpolate,
  type PixelVisitor,
  walkTriangles,
} from '../texture/texture_fill.ts';
import { fineFace } from '../topology/fine_face.ts';
import { landmark } from '../topology/landmark.ts';
import type { Appearance, AssembledSkin } from './appearance.ts';
import { blendZones } from './blend_zone.ts';
import { paintNeck } from './neck_skin.ts';
import { skinTone } from './skin_tone.ts';

type PhotoAppearanceInput = Pick<HeadRequest, 'sex' | 'eyelidType' | 'corrections' | 'hair' | 'preview'> & {
  readonly picture: Picture;
  readonly fit: FaceFit;
  /** How much of the photo's light stays in the skin, 0..1; the default where absent. */
  readonly light?: number;
  /** The outline in the picture, with the corrections. */
  readonly cut: Silhouette;
  readonly lightNetwork: LightNetwork;
};

/** Lightness of neck and scalp, far from what a photo shows, against the face's. */
const shadedSkin = 0.94;

/** Levels of the means that get the neck's tone and, far from anything known, the skin's. */
const [neckLevel, baseLevel] = [1, 3];

/** Score of an outline below which a person should look at it. */
export const sureOutline = 0.9;

/** Hair and colours as a photo shows them, and their continuation where it shows nothing. */
export function photoAppearance(input: PhotoAppearanceInput): Appearance {
  const { fit, picture, sex, cut } = input;
  const map = mapHair(cut);
  const beside = measureFaceSides(fit, cut, map);
  const share = lightToRemove(input.light);
  const light =
    share > 0 ? estimateLight(input.lightNetwork, readFaceCells(picture, fit, cut, map)) : undefined;
  const cast: Vector = light ? castOf(light, share) : [1, 1, 1];
  // Hair, eyes and teeth take the cast out as the skin does, whose colours are multiplied once, by all of its gain.
  const plain = light ? withoutCast(picture, cast) : picture;
  const plainMap = {
    ...map,
    skinColour: colourWithoutCast(map.skinColour, cast),
    hairColour: colourWithoutCast(map.hairColour, cast),
  };
  const eyes = readEyeColours(plain, fit);
  const enamel = readToothColour(plain, fit);
  const style = input.hair ?? 'seen';
  const silhouette = cut.score;
  const warnings: PhotoWarning[] = [];
  if (silhouette < sureOutline) warnings.push('uncertain_outline');
  if (style === 'seen' && cut.hairUnclear) warnings.push('uncertain_hair');
  if (cut.cutOff) warnings.push('hair_cut_off');
  // Pixels between the eyes' outer corners from which on the photo fills the larger textures.
  const large = !input.preview && fit.pose.scale * outerEyeDistance > 230;
  return {
    silhouette,
    warnings,
    skinSize: large ? 2048 : 1024,
    hairSize: large ? 1024 : 768,
    mouthRoom: 0.034,
    beside,
    ...(enamel ? { enamel } : {}),
    buildHair: (cranium) => {
      shapeNeck(cranium, sex, beside.neck);
      return buildHair(fit, cranium, cut, map, sex, input.corrections?.crown ?? 0, style);
    },
    paintSkin: (skin, cranium, hair, size) => {
      trustSkin(skin, fit, cut, map, hair, cranium);
      if (style !== 'seen') shave(skin, fit, cut, map);
      fallOffSoftly(skin.trust, skin.triangles, 12);
      const fringe = fringeOn(skin, cut, map);
      const gains = light
        ? skinGains(light, share, fringe, skin.trust.length, cranium)
        : new Float32Array(3 * skin.trust.length).fill(1);
      if (light)
        for (const [i, lost] of lostInShade(light, share, fringe).entries()) skin.trust[i] *= 1 - lost;
      const layout = { ...skin, gain: gains };
      const tone = skinTone(picture, layout, cut, map);
      const canvas = projectPhoto(picture, layout, size);
      fillFromMirror(canvas, tone);
      paintEars(canvas, skin, earColourOf(plainMap.skinColour));
      const base = plainMap.skinColour.map((value) => shadedSkin * value);
      fillUnknown(canvas, (means, level) => {
        if (level === neckLevel && tone) paintNeck(means, skin, cranium, fit, tone);
        if (level === baseLevel) addBase(means, base);
      });
      if (tone) {
        const zones = blendZones(skin, fit, cut, map);
        blendBands(canvas, skin, zones, share, tone);
        extendDetail(canvas, skin.uv);
      }
      if (hair.roots && style !== 'bald') shadeScalp(canvas, skin.uv, hair.roots, plainMap.hairColour, style);
      if (input.eyelidType) paintEyelids(canvas, skin.uv, input.eyelidType);
      return canvas;
    },
    paintHair: (hair, size, skin) =>
      paintHair({ picture: plain, fit, cut, map: plainMap }, hair, share, size, skin),
    paintEye: (side, size) => paintEye(plain, fit, side, eyes, size),
  };
}

/** How sure each vertex of the face shows a fringe, 0..1. */
const fringeOn = ({ photo }: AssembledSkin, cut: Silhouette, map: HairMap): Float32Array =>
  Float32Array.from({ length: fineFace.count }, (_, i) =>
    hairOnSkin(map, cropPixel(cut, photo[2 * i], photo[2 * i + 1])),
  );

/** The ears' colour by the skin's: they are thin and full of blood. */
export const earColourOf = ([r, g, b]: Colour): Colour => [r * 0.98, g * 0.91, b * 0.89];

export function paintEars(canvas: Canvas, skin: AssembledSkin, ears: Colour): void {
  const triangles = skin.triangles.subarray(skin.earTriangles[0], skin.earTriangles[1]);
  walkTriangles(canvas.size, skin.uv, triangles, paintEarPixel, { canvas, light: skin.light, ears });
}

const paintEarPixel: PixelVisitor<{
  readonly canvas: Canvas;
  readonly light: Float32Array;
  readonly ears: Colour;
}> = (i, a, b, c, shares, { canvas: { colour, weight }, light, ears }) => {
  // Thin and full of blood: the folds are redder than they are dark.
  const depth = 1 - interpolate(light, a, b, c, shares);
  weight[i] = 1;
  colour[3 * i] = ears[0] * (1 - 0.55 * depth);
  colour[3 * i + 1] = ears[1] * (1 - 0.85 * depth);
  colour[3 * i + 2] = ears[2] * (1 - 0.85 * depth);
};

/** Lowers the trust in the photo where it shows hair, cloth or background instead of the cranium's skin. */
function trustSkin(
  skin: AssembledSkin,
  fit: FaceFit,
  cut: Silhouette,
  map: HairMap,
  hair: HairSheet,
  cranium: Cranium,
): void {
  const normals = skin.normals;
  const smeared = new Float32Array(fineFace.count);
  for (let i = 0; i < fineFace.count + craniumRows * craniumColumns; i++) {
    if (skin.trust[i] === 0) continue;
    const k = cropPixel(cut, skin.photo[2 * i], skin.photo[2 * i + 1]);
    if (i < fineFace.count) {
      const facing = facingCamera(fit.pose, normals, i);
      smeared[i] = smearedHair(fit.pose, normals, i, map.hair[k]);
      skin.trust[i] *= faceShown(cut, map, k, facing) * (1 - smeared[i]);
      continue;
    }
    const inside = insideOutline(cut, k);
    const isSkin = bareSkin(map, k);
    const isHair = hairOnSkin(map, k);
    const onGrid = i - fineFace.count + craniumColumns;
    const covered = hair.craniumCoverage[onGrid];
    const low = skin.points[3 * i + 1] < fit.neutral[3 * landmark.chin + 1] + 0.03;
    const distance = cranium.columnDistance[onGrid];
    // A neck in a photo is mostly collar, tie, necklace and shadow: only its top is used.
    const neck = low ? 1 - smoothstep(0, 0.009, distance) : 1;
    // Beside the cheeks a photo from the front shows ears, and what hangs before them.
    const beside = !low && skin.points[3 * i + 1] < 0.03;
    const lost = smeared[fineFace.oval[onGrid % craniumColumns]] * (1 - beyondFace(distance));
    skin.trust[i] *=
      cut.outside[k] || (beside && covered < 0.05)
        ? 0
        : neck *
          inside *
          (1 - lost) *
          (low ? isSkin : Math.max(beside ? isHair : isSkin, 0.95 * smoothstep(0.2, 0.5, covered)));
  }
}

/** Lowers the trust where the photo shows hair that the head shall not have; brows and beard stay. */
function shave(skin: AssembledSkin, fit: FaceFit, cut: Silhouette, map: HairMap): void {
  const brow = Math.max(
    ...[landmark.leftBrowPeak, landmark.rightBrowPeak].map((i) => fit.neutral[3 * i + 1]),
  );
  for (let i = 0; i < fineFace.count + craniumRows * craniumColumns; i++) {
    const high = smoothstep(brow + 0.004, brow + 0.012, skin.points[3 * i + 1]);
    const temple = smoothstep(0.054, 0.062, Math.abs(skin.points[3 * i]));
    const share = Math.max(high, i < fineFace.count ? temple : 1);
    if (share === 0 || skin.trust[i] === 0) continue;
    const k = cropPixel(cut, skin.photo[2 * i], skin.photo[2 * i + 1]);
    const bare = smoothstep(0.4, 0.8, map.skin[k]) * smoothstep(0.35, 0.1, map.hair[k]);
    skin.trust[i] *= 1 - share * (1 - bare);
  }
}
