import { at, smoothstep } from '@likeness/geometry/vector.ts';
import type { Appearance } from '@likeness/portrait/appearance/appearance.ts';
import type { Sex } from '@likeness/portrait/contract/head_request.ts';
import type { FaceFit } from '@likeness/portrait/fit/face_fit.ts';
import { paintEye } from '@likeness/portrait/parts/eye_texture.ts';
import { shapeNeck } from '@likeness/portrait/skull/neck.ts';
import { type Cranium, craniumColumns, craniumRows, smoothGrid } from '@likeness/portrait/skull/skull.ts';
import type { Colour } from '@likeness/portrait/texture/skin_texture.ts';
import { paintCut } from './cut_picture.ts';
import type { DrawnColours } from './drawn_colours.ts';
import { buildDrawnHair, paintDrawnHair } from './drawn_hair.ts';
import { drawSkin } from './drawn_skin.ts';
import { buildHairCut, type HairCut } from './hair_cuts.ts';

/**
 * Hair and colours that are drawn, not read off a photo: even skin, and short hair combed back where no cut
 * is given.
 */
export function drawnAppearance(fit: FaceFit, colours: DrawnColours, sex: Sex, cut?: HairCut): Appearance {
  let bare: Cranium | undefined;
  const ring = (k: number): Colour => colours.iris.map((v) => v * (1.12 - 0.05 * k)) as unknown as Colour;
  const eyes = { iris: Array.from({ length: 6 }, (_, k) => ring(k)), sclera: [205, 196, 190] as const };
  return {
    silhouette: 1,
    warnings: [],
    skinSize: 1536,
    hairSize: cut ? 1536 : 2048,
    mouthRoom: 0.027,
    buildHair: (cranium) => {
      liftThroat(cranium);
      slimNeck(cranium);
      shapeNeck(cranium, sex);
      bare = cranium;
      return cut ? buildHairCut(cranium, fit.neutral, cut) : buildDrawnHair(cranium);
    },
    paintSkin: (skin, _hood, hair, size) => drawSkin(skin, fit.neutral, colours, size, cut, hair),
    paintHair: (hair, size) =>
      cut
        ? paintCut(bare!, hair, cut, { hair: colours.hair, scalp: colours.skin }, size)
        : paintDrawnHair(bare!, colours.hair, colours.skin, size),
    paintEye: (side, size) => paintEye(undefined, fit, side, eyes, size),
  };
}

/** Gives the neck a waist between jaw and base. */
function slimNeck(cranium: Cranium): void {
  const { points, neckBase } = cranium;
  for (let i = craniumColumns; i < (craniumRows + 1) * craniumColumns; i++) {
    const p = at(points, i);
    const up = p[1] - neckBase[1];
    const waist =
      0.1 *
      smoothstep(0, 0.03, up) *
      smoothstep(0.12, 0.055, up) *
      smoothstep(0.02, 0.07, cranium.columnDistance[i]);
    points[3 * i] = p[0] * (1 - waist);
    points[3 * i + 2] = neckBase[2] + (p[2] - neckBase[2]) * (1 - 0.5 * waist);
  }
}

/** Draws the soft underside of chin and jaw up and in: one line from the chin to the throat, no jowls. */
function liftThroat(cranium: Cranium): void {
  const { points } = cranium;
  for (let k = 0; k < craniumColumns; k++) {
    const [x0, y0, z0] = at(points, k);
    const from = Math.abs(k - craniumColumns / 2);
    const near = smoothstep(50, 26, from);
    const side = smoothstep(56, 36, from);
    if (!side) continue;
    for (let row = 1; row <= craniumRows; row++) {
      const i = row * craniumColumns + k;
      const [x, y, z] = at(points, i);
      // The neck itself keeps its shape.
      const high = smoothstep(0.045, 0.02, y0 - y);
      const line = y0 - 0.005 * smoothstep(0, 0.016, z0 - z) + 0.03 * (z0 - z);
      if (y < line) points[3 * i + 1] = y + (line - y) * near * high * smoothstep(-0.004, 0.018, z);
      const wide = Math.max(0.037, Math.abs(x0) - 0.95 * Math.max(0, y0 - y));
      const over = Math.abs(x) - wide;
      if (over > 0 && y < y0)
        points[3 * i] = Math.sign(x) * (wide + over * (1 - side * high * smoothstep(-0.035, -0.01, z)));
    }
  }
  smoothGrid(points, craniumRows, craniumColumns, 16);
}
