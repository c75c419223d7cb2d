import { grain } from '@likeness/geometry/noise.ts';
import { at, clamp, dot, mix, smoothstep, subtract, type Vector } from '@likeness/geometry/vector.ts';
import type { AssembledSkin } from '@likeness/portrait/appearance/appearance.ts';
import { belowJaw } from '@likeness/portrait/appearance/neck_skin.ts';
import { earColourOf, paintEars } from '@likeness/portrait/appearance/photo_appearance.ts';
import { type HairSheet, hairColumns } from '@likeness/portrait/hair/hair_sheet.ts';
import { hairDepth } from '@likeness/portrait/hair/hairline.ts';
import { craniumColumns } from '@likeness/portrait/skull/skull.ts';
import type { Colour } from '@likeness/portrait/texture/skin_texture.ts';
import { blankCanvas, type Canvas, walkTriangles } from '@likeness/portrait/texture/texture_fill.ts';
import {
  eyeRim,
  landmarkCount,
  leftEye,
  lowerLip,
  rightEye,
  upperLip,
} from '@likeness/portrait/topology/face_topology.ts';
import { fineFace } from '@likeness/portrait/topology/fine_face.ts';
import { landmark } from '@likeness/portrait/topology/landmark.ts';
import { cutCover, cutDepth, cutShare } from './cut_cover.ts';
import { drawBrow } from './drawn_brow.ts';
import type { DrawnColours } from './drawn_colours.ts';
import { hairCover, hairShade, strandLight } from './drawn_hair.ts';
import type { HairCut } from './hair_cuts.ts';
import { skinNoise } from './skin_noise.ts';

/** Colours of a drawn skin. */
type SkinTones = Omit<DrawnColours, 'iris'>;

/** A soft spot on the face: about a place (mirrored to both sides), metres, multiplying the skin's colour. */
interface Spot {
  readonly at: Vector;
  readonly reach: number;
  readonly tint: Colour;
}

/** Draws the skin of an invented face: without a photo there is no light in it, only a hint of depth. */
export function drawSkin(
  skin: AssembledSkin,
  face: Float32Array,
  tones: SkinTones,
  size: number,
  cut?: HairCut,
  hair?: HairSheet,
): Canvas {
  const canvas = blankCanvas(size);
  const colourOf = skinPainter(skin, face, tones, size, cut);
  const shade = cut?.kind === 'hanging' && cut.fringe && hair ? shadeOfFringe(hair) : undefined;
  const [earFrom, earTo] = skin.earTriangles;
  const body = [skin.triangles.subarray(0, earFrom), skin.triangles.subarray(2 * earTo - earFrom)];
  for (const triangles of body) {
    walkTriangles(size, skin.uv, triangles, (i, a, b, c, shares) => {
      const wa = shares[0];
      const wb = shares[1];
      const wc = shares[2];
      canvas.weight[i] = 1;
      const rgb = colourOf(i, a, b, c, wa, wb, wc);
      canvas.colour.set(rgb, 3 * i);
      if (!shade) return;
      const coordinate = (k: number): number =>
        wa * skin.points[3 * a + k] + wb * skin.points[3 * b + k] + wc * skin.points[3 * c + k];
      const dark = coordinate(2) > 0.02 ? shade(coordinate(0), coordinate(1)) : 0;
      if (dark) for (let k = 0; k < 3; k++) canvas.colour[3 * i + k] *= 1 - dark * (0.85 + 0.15 * k);
    });
  }
  paintEars(canvas, skin, earColourOf(tones.skin));
  for (let i = 0; i < size * size; i++) {
    if (canvas.weight[i]) continue;
    canvas.weight[i] = 1;
    canvas.colour.set(tones.skin, 3 * i);
  }
  return canvas;
}

/** How dark the forehead lies in the shade of a fringe, 0..1 by x and y, metres: no viewer casts it. */
function shadeOfFringe({ points }: HairSheet): (x: number, y: number) => number {
  const bins = 64;
  const wide = 0.09;
  const edge = new Float32Array(bins + 1).fill(1);
  for (let j = 0; j < hairColumns; j++) {
    const [x, y, z] = at(points, j);
    if (z < 0.02 || y < 0.01) continue;
    const bin = Math.round(((x + wide) / (2 * wide)) * bins);
    for (let b = bin - 2; b <= bin + 2; b++) if (b >= 0 && b <= bins) edge[b] = Math.min(edge[b], y);
  }
  return (x, y) => {
    const at0 = clamp(((x + wide) / (2 * wide)) * bins, 0, bins - 0.001);
    const b = Math.floor(at0);
    const line = edge[b] + (edge[b + 1] - edge[b]) * (at0 - b);
    return line > 0.5 ? 0 : 0.36 * smoothstep(line - 0.013, line + 0.006, y);
  };
}

/** Where a face is redder, darker or lighter than its skin; on the left side and in the middle. */
function faceSpots(face: Float32Array, blush: number): Spot[] {
  const red = (green: number, blue: number): Colour => [
    1.005,
    1 - blush * (1 - green),
    1 - blush * (1 - blue),
  ];
  const p = (name: keyof typeof landmark): Vector => at(face, landmark[name]);
  return [
    { at: p('leftCheek'), reach: 0.021, tint: red(0.925, 0.915) },
    { at: p('noseTip'), reach: 0.011, tint: red(0.925, 0.91) },
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
function baseColours(skin: AssembledSkin, face: Float32Array, tone: Colour, blush: number): Float32Array {
  const spots = faceSpots(face, blush);
  const chin = face[3 * landmark.chin + 1];
  const base = new Float32Array(skin.points.length);
  for (let i = 0; i < base.length / 3; i++) {
    const [x, y, z] = at(skin.points, i);
    const shade = 0.1 * belowJaw([x, y, z], chin);
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

/** Where a beard would grow, 0..`strength` a vertex: below a line from the ears to the nose's foot. */
function beardField(skin: AssembledSkin, face: Float32Array, strength: number): Float32Array {
  const height = (name: keyof typeof landmark): number => face[3 * landmark[name] + 1];
  const [mouth, chin] = [height('upperLipInner'), height('chin')];
  const nose = height('philtrum') + 0.006;
  return Float32Array.from({ length: skin.trust.length }, (_, i) => {
    const [x, y, z] = at(skin.points, i);
    const side = Math.abs(x);
    const cheek = mouth - 0.004 + 0.055 * smoothstep(0.045, 0.072, side);
    const line = side < 0.03 ? nose + (cheek - nose) * smoothstep(0.012, 0.03, side) : cheek;
    const throat = smoothstep(chin - 0.045, chin - 0.012, y) * smoothstep(-0.045, -0.01, z);
    return strength * smoothstep(line + 0.006, line - 0.008, y) * throat;
  });
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

function skinPainter(
  skin: AssembledSkin,
  face: Float32Array,
  tones: SkinTones,
  size: number,
  cut: HairCut | undefined,
): TexelColour {
  const count = skin.points.length / 3;
  const base = baseColours(skin, face, tones.skin, tones.blush ?? 1);
  const depth = Float32Array.from({ length: count }, (_, i) =>
    cut ? cutDepth(at(skin.points, i), cut.kind) : hairDepth(at(skin.points, i)),
  );
  const shares = cut && depth.map((_, i) => cutShare(at(skin.points, i), cut.kind));
  const fields = featureFields(count);
  const brow = drawBrow(face, tones.stubble ? 1.25 : 1);
  const around = aroundByAngle(skin);
  const lipTone: Colour = [tones.skin[0] * 0.9, tones.skin[1] * 0.645, tones.skin[2] * 0.69];
  const innerLipTone: Colour = [lipTone[0] * 0.5, lipTone[1] * 0.38, lipTone[2] * 0.38];
  const browTone = tones.hair.map((v, c) => v * 0.85 + 0.03 * tones.skin[c]);
  const lashTone = [0, 1, 2].map((c) => tones.skin[c] * [0.26, 0.2, 0.19][c]);
  const rgb: [number, number, number] = [0, 0, 0];
  const noise = skinNoise();
  const uneven = tones.pores ?? 1;
  const shaven = tones.stubble ? beardField(skin, face, tones.stubble) : new Float32Array(count);
  const beardTone = tones.skin.map((v, c) => 0.42 * v + 0.3 * tones.hair[c] + [6, 10, 16][c]);
  const onFace = shareOfPores(skin, size);
  /** Pores, blood in spots, and the tone's slow wandering over the face. */
  const drawGrain = (
    out: [number, number, number],
    read3: (values: Float32Array, k: number) => number,
    share: number,
    x: number,
    y: number,
  ): void => {
    let [even, red] = [0, 0];
    if (share > 0) {
      const pore = 0.008 * noise(0, x, y) + 0.017 * Math.min(0.7, noise(1, x, y));
      const blood = 0.009 * noise(2, x, y) + 0.016 * noise(3, x, y);
      const wander =
        0.05 * (grain(x * 0.008, y * 0.008, 2) - 0.5) + 0.03 * (grain(x * 0.021, y * 0.021, 6) - 0.5);
      even = share * (pore + 0.45 * blood);
      red = share * (0.55 * blood + wander);
    }
    if (share < 1) {
      const p: Vector = [read3(skin.points, 0), read3(skin.points, 1), read3(skin.points, 2)];
      const n: Vector = [read3(skin.normals, 0), read3(skin.normals, 1), read3(skin.normals, 2)];
      const broad = 0.05 * (spaceGrain(p, n, 30) - 0.5) + 0.05 * (spaceGrain(p, n, 85) - 0.5);
      even += (1 - share) * 0.045 * (spaceGrain(p, n, 240) + spaceGrain(p, n, 700) - 1);
      red += (1 - share) * broad;
    }
    for (let k = 0; k < 3; k++) out[k] = read3(base, k) * (1 + uneven * (even + (k ? red : 0)));
  };
  const blend = (tone: ArrayLike<number>, w: number, gain = 1): void => {
    if (w > 0) for (let k = 0; k < 3; k++) rgb[k] += (tone[k] * gain - rgb[k]) * w;
  };
  return (i, a, b, c, wa, wb, wc) => {
    const read = (values: Float32Array): number => wa * values[a] + wb * values[b] + wc * values[c];
    const read3 = (values: Float32Array, k: number): number =>
      wa * values[3 * a + k] + wb * values[3 * b + k] + wc * values[3 * c + k];
    const x = i % size;
    const y = (i - x) / size;
    drawGrain(rgb, read3, read(onFace), x, y);
    const beard = read(shaven);
    if (beard > 0.02) {
      // Dark roots below the skin, greyer than it, and a dot where a hair is cut.
      const dot = smoothstep(0.5, 1.9, noise(1, x + 61, y + 17));
      blend(beardTone, beard * (0.3 + 0.42 * dot));
    }
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
      blend(lashTone, (0.28 + 0.66 * smoothstep(0.3, 0.8, upper)) * smoothstep(0.6, 0.92, edge));
    }
    if (read3(skin.points, 2) > 0.02)
      blend(browTone, brow(Math.abs(read3(skin.points, 0)), read3(skin.points, 1)));
    const inHair = read(depth);
    if (inHair > -0.009) {
      const u = around(Math.atan2(y + 0.5 - size / 2, x + 0.5 - size / 2));
      const cover = shares ? cutCover(u, inHair, read(shares)) : hairCover(u, inHair);
      if (cover > 0) {
        const light = strandLight(u, clamp(inHair * 4, 0, 1));
        // Between a cut's clipped hairs and its sheet no edge may show: both are as dark.
        const strand = tones.hair.map((v) => (cut ? v * (0.84 + 0.3 * light) : hairShade(v, light, inHair)));
        blend(strand, cover);
      }
    }
    return rgb;
  };
}

/** Metres of skin that a texel may be long for the texture's own noise to be pores on it, and no streaks. */
const evenTexel = [0.00026, 0.0005] as const;

/**
 * How far the texture's own noise may be drawn, 0..1 a vertex: where the layout is drawn out, along the oval and
 * twenty times down the neck, pores became stripes.
 */
function shareOfPores({ points, uv, triangles }: AssembledSkin, size: number): Float32Array {
  const count = points.length / 3;
  const long = new Float32Array(count);
  const n = new Float32Array(count);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const [e, f] = [subtract(at(points, b), at(points, a)), subtract(at(points, c), at(points, a))];
    const [eu, ev] = [size * (uv[2 * b] - uv[2 * a]), size * (uv[2 * b + 1] - uv[2 * a + 1])];
    const [fu, fv] = [size * (uv[2 * c] - uv[2 * a]), size * (uv[2 * c + 1] - uv[2 * a + 1])];
    const area = eu * fv - ev * fu;
    if (Math.abs(area) < 1e-6) continue;
    // What a texel goes over along u and along v; the larger singular value of both.
    const along = (v: number, w: number): Vector => [
      (e[0] * v - f[0] * w) / area,
      (e[1] * v - f[1] * w) / area,
      (e[2] * v - f[2] * w) / area,
    ];
    const [alongU, alongV] = [along(fv, ev), along(-fu, -eu)];
    const [uu, vv, cross] = [dot(alongU, alongU), dot(alongV, alongV), dot(alongU, alongV)];
    const max = Math.sqrt((uu + vv) / 2 + Math.hypot((uu - vv) / 2, cross));
    for (const i of [a, b, c]) {
      long[i] += max;
      n[i]++;
    }
  }
  return long.map((sum, i) => (n[i] ? smoothstep(evenTexel[1], evenTexel[0], sum / n[i]) : 0));
}

/** Noise of so many cells a metre about a place of a surface, 0..1: on the planes that its normal faces. */
function spaceGrain([x, y, z]: Vector, [nx, ny, nz]: Vector, cells: number): number {
  const [a, b, c] = [nx * nx, ny * ny, nz * nz];
  const sum =
    a * grain(y * cells, z * cells, 41) +
    b * grain(z * cells, x * cells, 42) +
    c * grain(x * cells, y * cells, 43);
  return sum / (a + b + c + 1e-9);
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
