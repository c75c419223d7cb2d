import { at, smoothstep } from '@likeness/geometry/vector.ts';
import type { FaceFit } from '../fit/face_fit.ts';
import { type Cranium, craniumColumns, craniumRows } from '../skull/skull.ts';
import type { Colour } from '../texture/skin_texture.ts';
import {
  type Canvas,
  interpolate,
  type PixelVisitor,
  trianglesWith,
  walkTriangles,
} from '../texture/texture_fill.ts';
import { fineFace } from '../topology/fine_face.ts';
import { landmark } from '../topology/landmark.ts';
import type { AssembledSkin } from './appearance.ts';

/** Way from the oval within which the neck takes over from the jaw's colour, metres. */
const lead = [0.006, 0.04] as const;
/** A neck sees less sun than the cheeks and has less blood. */
const tint = [0.96, 0.965, 0.95] as const;
/** Most that the jaw shades what lies below it: without light of its own a face would not end at its chin. */
const underJaw = 0.32;
/** How much the neck's tone counts against what the surroundings' would be, in means of 2 × 2 pixels. */
const toneWeight = 0.24;

/**
 * How much less light arrives below the jaw, whatever the lamps, 0..1, where `chin` is the chin's height,
 * metres.
 */
export function belowJaw([, y, z]: readonly number[], chin: number): number {
  const below =
    smoothstep(chin + 0.03, chin + 0.006, y) * smoothstep(0.058, 0.04, z) * smoothstep(-0.06, -0.01, z);
  return below * (1 - 0.75 * smoothstep(chin, chin - 0.05, y));
}

/**
 * Gives neck and nape the skin's own tone where the photo tells nothing: a jaw's stubble, or the shade below
 * it, doesn't go on to the collar bones.
 *
 * @param means - Of the canvas: the tone is too smooth to be painted by its pixels. Changed in place.
 */
export function paintNeck(
  means: Canvas,
  skin: AssembledSkin,
  cranium: Cranium,
  fit: FaceFit,
  tone: Colour,
): void {
  const count = fineFace.count + craniumRows * craniumColumns;
  const far = new Float32Array(skin.trust.length);
  const shade = new Float32Array(skin.trust.length);
  const chin = fit.neutral[3 * landmark.chin + 1];
  for (let i = fineFace.count; i < count; i++) {
    far[i] =
      toneWeight * smoothstep(lead[0], lead[1], cranium.columnDistance[i - fineFace.count + craniumColumns]);
    shade[i] = underJaw * belowJaw(at(skin.points, i), chin);
  }
  const body = skin.triangles.subarray(fineFace.triangles.length, skin.earTriangles[0] || undefined);
  walkTriangles(means.size, skin.uv, trianglesWith(body, far), paintNeckPixel, { means, far, shade, tone });
}

const paintNeckPixel: PixelVisitor<{
  readonly means: Canvas;
  readonly far: Float32Array;
  readonly shade: Float32Array;
  readonly tone: Colour;
}> = (i, a, b, c, shares, { means: { colour, weight }, far, shade, tone }) => {
  const w = interpolate(far, a, b, c, shares) * (1 - weight[i] * weight[i]);
  if (w < 0.001) return;
  const dark = interpolate(shade, a, b, c, shares);
  weight[i] += w;
  for (let k = 0; k < 3; k++) colour[3 * i + k] += w * tone[k] * tint[k] * (1 - dark * (1 + 0.2 * k));
};
