import { grain, hash } from '../math/noise.ts';
import { at, clamp, mix, smoothstep, type Vector } from '../math/vector.ts';
import { craniumColumns } from '../skull/skull.ts';
import type { Colour } from '../texture/skin_texture.ts';
import { blankCanvas, type Canvas, walkTriangles } from '../texture/texture_fill.ts';
import { eyeRim, landmarkCount, leftEye, lowerLip, rightEye, upperLip } from '../topology/face_topology.ts';
import { fineFace } from '../topology/fine_face.ts';
import { landmark } from '../topology/landmark.ts';
import type { AssembledSkin } from './appearance.ts';
import { drawBrow } from './drawn_brow.ts';
import { hairCover, hairDepth, hairShade, strandLight } from './drawn_hair.ts';
import { paintEars, usualEars } from './photo_appearance.ts';

/** Colours that a skin is drawn with, sRGB 0..255. */
interface SkinTones {
  readonly skin: Colour;
  readonly hair: Colour;
}

/** A soft spot on the face: about a place (mirrored to both sides), metres, multiplying the skin's colour. */
interface Spot {
  readonly at: Vector;
  readonly reach: number;
  readonly tint: Colour;
}

/** Draws the skin of an invented face: without a photo there is no light in it, only a hint of depth. */
export function drawSkin(skin: AssembledSkin, face: Float32Array, tones: SkinTones, size: number): Canvas {
  const canvas = blankCanvas(size);
  const colourOf = skinPainter(skin, face, tones, size);
  const [earFrom, earTo] = skin.earTriangles;
  const body = [skin.triangles.subarray(0, earFrom), skin.triangles.subarray(2 * earTo - earFrom)];
  for (const triangles of body) {
    walkTriangles(size, skin.uv, triangles, (i, a, b, c, wa, wb, wc) => {
      canvas.weight[i] = 1;
      canvas.colour.set(colourOf(i, a, b, c, wa, wb, wc), 3 * i);
    });
  }
  paintEars(canvas, skin, usualEars(tones.skin));
  for (let i = 0; i < size * size; i++) {
    if (canvas.weight[i]) continue;
    canvas.weight[i] = 1;
    canvas.colour.set(tones.skin, 3 * i);
  }
  return canvas;
}

/** Where a face is redder, darker or lighter than its skin; on the left side and in the middle. */
function faceSpots(face: Float32Array): Spot[] {
  const p = (name: keyof typeof landmark): Vector => at(face, landmark[name]);
  return [
    { at: p('leftCheek'), reach: 0.021, tint: [1.005, 0.95, 0.945] },
    { at: p('noseTip'), reach: 0.011, tint: [1, 0.95, 0.94] },
    { at: p('chin'), reach: 0.014, tint: [1, 0.97, 0.965] },
    { at: p('leftUnderEye'), reach: 0.011, tint: [0.985, 0.955, 0.965] },
    { at: p('leftUpperLid'), reach: 0.01, tint: [0.98, 0.94, 0.935] },
    { at: p('leftNoseSide'), reach: 0.008, tint: [0.97, 0.945, 0.94] },
    {
      at: mix(p('leftNostrilInner'), p('leftNostrilOuter'), 0.5),
      reach: 0.0034,
      tint: [0.74, 0.62, 0.6],
    },
    { at: p('leftNoseWing'), reach: 0.006, tint: [0.97, 0.94, 0.935] },
    { at: p('philtrum'), reach: 0.006, tint: [0.97, 0.94, 0.93] },
    { at: p('belowLowerLip'), reach: 0.007, tint: [0.95, 0.91, 0.9] },
    { at: p('foreheadMiddle'), reach: 0.026, tint: [1.02, 1.015, 1.005] },
  ];
}

/** The skin's colour at each vertex without lips, lids and hair, × 3. */
function baseColours(skin: AssembledSkin, face: Float32Array, tone: Colour): Float32Array {
  const spots = faceSpots(face);
  const chin = face[3 * landmark.chin + 1];
  const base = new Float32Array(skin.points.length);
  for (let i = 0; i < base.length / 3; i++) {
    const [x, y, z] = at(skin.points, i);
    // Under the jaw less light arrives, whatever the lamps.
    const below =
      smoothstep(chin + 0.03, chin + 0.006, y) * smoothstep(0.058, 0.04, z) * smoothstep(-0.06, -0.01, z);
    const shade = 0.1 * below * (1 - 0.75 * smoothstep(chin, chin - 0.05, y));
    for (let c = 0; c < 3; c++) base[3 * i + c] = tone[c] * (1 - shade * (1 + 0.25 * c));
    for (const spot of spots) {
      const d2 = (Math.abs(x) - spot.at[0]) ** 2 + (y - spot.at[1]) ** 2 + (z - spot.at[2]) ** 2;
      const w = Math.exp(-d2 / (spot.reach * spot.reach));
      if (w < 0.002) continue;
      for (let c = 0; c < 3; c++) base[3 * i + c] *= 1 + (spot.tint[c] - 1) * w;
    }
  }
  return base;
}

/** Fields over the skin's vertices that cross a half at the outlines of lips and lids. */
function featureFields(count: number) {
  const field = (set: readonly (readonly [readonly number[], number])[]): Float32Array => {
    const coarse = new Float32Array(landmarkCount);
    for (const [points, value] of set) for (const i of points) coarse[i] = value;
    const out = new Float32Array(count);
    out.set(fineFace.refine(coarse, 1));
    return out;
  };
  const corners = [landmark.rightEyeOuter, landmark.leftEyeOuter];
  return {
    lip: field([
      [[...upperLip[1], ...lowerLip[1], ...upperLip[2], ...lowerLip[2]], 1],
      [[...upperLip[3], ...lowerLip[3]], 1],
      [[...upperLip[0], ...lowerLip[0]], 0.5],
    ]),
    innerLip: field([[[...upperLip[3], ...lowerLip[3]], 1]]),
    upperLip: field([[upperLip.flat(), 1]]),
    lidRim: field([[[...eyeRim(rightEye), ...eyeRim(leftEye)], 1]]),
    upperLidRim: field([[[...rightEye.upper[0], ...leftEye.upper[0], ...corners], 1]]),
    lidCrease: field([[[...rightEye.upper[1].slice(1), ...leftEye.upper[1].slice(1)], 1]]),
  };
}

/** Colour of a texel by its triangle's corners and their weights; sRGB. The same array each time. */
type TexelColour = (
  i: number,
  a: number,
  b: number,
  c: number,
  wa: number,
  wb: number,
  wc: number,
) => [number, number, number];

function skinPainter(skin: AssembledSkin, face: Float32Array, tones: SkinTones, size: number): TexelColour {
  const count = skin.points.length / 3;
  const base = baseColours(skin, face, tones.skin);
  const depth = Float32Array.from({ length: count }, (_, i) => hairDepth(at(skin.points, i)));
  const fields = featureFields(count);
  const brow = drawBrow(face);
  const around = aroundByAngle(skin);
  const lipTone: Colour = [tones.skin[0] * 0.9, tones.skin[1] * 0.66, tones.skin[2] * 0.665];
  const innerLipTone: Colour = [lipTone[0] * 0.5, lipTone[1] * 0.38, lipTone[2] * 0.38];
  const browTone = tones.hair.map((v, c) => v * 0.85 + 0.03 * tones.skin[c]);
  const lashTone = [0, 1, 2].map((c) => tones.skin[c] * [0.36, 0.27, 0.25][c]);
  const rgb: [number, number, number] = [0, 0, 0];
  const blend = (tone: ArrayLike<number>, w: number, gain = 1): void => {
    if (w > 0) for (let k = 0; k < 3; k++) rgb[k] += (tone[k] * gain - rgb[k]) * w;
  };
  return (i, a, b, c, wa, wb, wc) => {
    const read = (values: Float32Array): number => wa * values[a] + wb * values[b] + wc * values[c];
    const read3 = (values: Float32Array, k: number): number =>
      wa * values[3 * a + k] + wb * values[3 * b + k] + wc * values[3 * c + k];
    const x = i % size;
    const y = (i - x) / size;
    const pore = 1 + 0.014 * (hash(x, y) - 0.5) + 0.012 * (grain(x * 0.05, y * 0.05, 1) - 0.5);
    const blotch = 0.012 * (grain(x * 0.008, y * 0.008, 2) - 0.5);
    for (let k = 0; k < 3; k++) rgb[k] = read3(base, k) * pore * (1 + (k ? blotch : 0));
    const lips = read(fields.lip);
    if (lips > 0.2) {
      const inner = read(fields.innerLip);
      const fine = 0.94 + 0.1 * grain(x * 0.22, y * 0.035, 11);
      const gain = fine * (1 - 0.07 * read(fields.upperLip)) * (1 - 0.16 * smoothstep(0.35, 1, inner));
      blend(lipTone, 0.86 * smoothstep(0.3, 0.62, lips), gain);
      blend(innerLipTone, 0.6 * smoothstep(0.8, 1, inner));
    }
    const fold = read(fields.lidCrease);
    if (fold > 0.3) blend([rgb[0] * 0.86, rgb[1] * 0.78, rgb[2] * 0.77], 0.55 * smoothstep(0.45, 0.95, fold));
    const edge = read(fields.lidRim);
    if (edge > 0.5) {
      const upper = read(fields.upperLidRim);
      blend(lashTone, (0.25 + 0.6 * smoothstep(0.3, 0.8, upper)) * smoothstep(0.66, 0.97, edge));
    }
    if (read3(skin.points, 2) > 0.02)
      blend(browTone, brow(Math.abs(read3(skin.points, 0)), read3(skin.points, 1)));
    const inHair = read(depth);
    if (inHair > -0.009) {
      const u = around(Math.atan2(y + 0.5 - size / 2, x + 0.5 - size / 2));
      const cover = hairCover(u, inHair);
      if (cover > 0) {
        const light = strandLight(u, clamp(inHair * 4, 0, 1));
        const strand = [0, 1, 2].map((k) => hairShade(tones.hair[k], light, inHair));
        blend(strand, cover);
      }
    }
    return rgb;
  };
}

/** Place round the head, 0..1 as the hair's texture counts it, by angle in the skin's layout. */
function aroundByAngle(skin: AssembledSkin): (angle: number) => number {
  const bins = 1440;
  const table = new Float32Array(bins).fill(-1);
  for (let k = 0; k < craniumColumns; k++) {
    const bin = (column: number): number => {
      const rim = fineFace.oval[column % craniumColumns];
      return (
        ((Math.atan2(skin.uv[2 * rim + 1] - 0.5, skin.uv[2 * rim] - 0.5) / (2 * Math.PI) + 1) % 1) * bins
      );
    };
    const from = bin(k);
    const span = ((bin(k + 1) - from + 1.5 * bins) % bins) - bins / 2;
    const steps = Math.ceil(Math.abs(span)) * 2;
    for (let s = 0; s <= steps; s++) {
      const t = s / Math.max(1, steps);
      table[(Math.floor(from + span * t) + bins) % bins] = ((k + t) / craniumColumns + 0.5) % 1;
    }
  }
  return (angle) => {
    const x = ((angle / (2 * Math.PI) + 1) % 1) * bins;
    const i = Math.floor(x) % bins;
    const here = table[i];
    const next = table[(i + 1) % bins];
    return Math.abs(next - here) > 0.5 ? here : here + (next - here) * (x - Math.floor(x));
  };
}
