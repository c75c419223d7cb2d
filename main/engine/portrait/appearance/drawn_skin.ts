import { grain, hash } from '../math/noise.ts';
import { at, clamp, mix, smoothstep, type Vector } from '../math/vector.ts';
import { craniumColumns } from '../skull/skull.ts';
import type { Colour } from '../texture/skin_texture.ts';
import { blankCanvas, type Canvas, walkTriangles } from '../texture/texture_fill.ts';
import { eyeRim, leftEye, lowerLip, rightBrow, rightEye, upperLip } from '../topology/face_topology.ts';
import { fineFace } from '../topology/fine_face.ts';
import type { AssembledSkin } from './appearance.ts';
import { hairCover, hairDepth, hairShade, strandLight } from './drawn_hair.ts';
import { paintEars, usualEars } from './photo_appearance.ts';

/** A soft spot on the face: about a place (mirrored to both sides), metres, multiplying the skin's colour. */
interface Spot {
  readonly at: Vector;
  readonly reach: number;
  readonly tint: Colour;
}

/** Draws the skin of a face of nobody straight into its layout: no photo, hence no light in it but a hint of depth. */
export function drawSkin(
  skin: AssembledSkin,
  face: Float32Array,
  tones: { readonly skin: Colour; readonly hair: Colour },
  size: number,
): Canvas {
  const canvas = blankCanvas(size);
  const p = (i: number): Vector => at(face, i);
  const spots: Spot[] = [
    { at: p(425), reach: 0.021, tint: [1.005, 0.95, 0.945] },
    { at: p(4), reach: 0.011, tint: [1, 0.95, 0.94] },
    { at: p(152), reach: 0.014, tint: [1, 0.97, 0.965] },
    { at: p(253), reach: 0.011, tint: [0.985, 0.955, 0.965] },
    { at: p(258), reach: 0.01, tint: [0.98, 0.94, 0.935] },
    { at: p(417), reach: 0.008, tint: [0.97, 0.945, 0.94] },
    { at: mix(p(326), p(327), 0.5), reach: 0.0034, tint: [0.74, 0.62, 0.6] },
    { at: p(358), reach: 0.006, tint: [0.97, 0.94, 0.935] },
    { at: p(164), reach: 0.006, tint: [0.97, 0.94, 0.93] },
    { at: p(18), reach: 0.007, tint: [0.95, 0.91, 0.9] },
    { at: p(151), reach: 0.026, tint: [1.02, 1.015, 1.005] },
  ];
  const count = skin.points.length / 3;
  const base = new Float32Array(count * 3);
  const depth = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const q = at(skin.points, i);
    depth[i] = hairDepth(q);
    const mirrored: Vector = [Math.abs(q[0]), q[1], q[2]];
    // Under the jaw less light arrives, whatever the lamps.
    const below =
      smoothstep(p(152)[1] + 0.03, p(152)[1] + 0.006, q[1]) *
      smoothstep(0.058, 0.04, q[2]) *
      smoothstep(-0.06, -0.01, q[2]);
    const shade = 0.1 * below * (1 - 0.75 * smoothstep(p(152)[1], p(152)[1] - 0.05, q[1]));
    for (let c = 0; c < 3; c++) base[3 * i + c] = tones.skin[c] * (1 - shade * (1 + 0.25 * c));
    for (const spot of spots) {
      const d2 =
        (mirrored[0] - spot.at[0]) ** 2 + (mirrored[1] - spot.at[1]) ** 2 + (mirrored[2] - spot.at[2]) ** 2;
      const w = Math.exp(-d2 / (spot.reach * spot.reach));
      if (w < 0.002) continue;
      for (let c = 0; c < 3; c++) base[3 * i + c] *= 1 + (spot.tint[c] - 1) * w;
    }
  }
  // Fields that cross a half at the outlines of lips and lids.
  const field = (set: readonly (readonly [readonly number[], number])[]): Float32Array => {
    const coarse = new Float32Array(468);
    for (const [points, value] of set) for (const i of points) coarse[i] = value;
    const out = new Float32Array(count);
    out.set(fineFace.refine(coarse, 1));
    return out;
  };
  const lip = field([
    [[...upperLip[1], ...lowerLip[1], ...upperLip[2], ...lowerLip[2]], 1],
    [[...upperLip[3], ...lowerLip[3]], 1],
    [[...upperLip[0], ...lowerLip[0]], 0.5],
  ]);
  const innerLip = field([[[...upperLip[3], ...lowerLip[3]], 1]]);
  const upperHalf = field([[upperLip.flat(), 1]]);
  const rim = field([[[...eyeRim(rightEye), ...eyeRim(leftEye)], 1]]);
  const upperRim = field([[[...rightEye.upper[0], ...leftEye.upper[0], 33, 263], 1]]);
  const crease = field([[[...rightEye.upper[1].slice(1), ...leftEye.upper[1].slice(1)], 1]]);
  const brow = drawBrow(face);
  const around = aroundByAngle(skin);
  const lipTone: Colour = [tones.skin[0] * 0.9, tones.skin[1] * 0.66, tones.skin[2] * 0.665];
  const browTone = tones.hair.map((v, c) => v * 0.85 + 0.03 * tones.skin[c]);
  const lashTone = [0, 1, 2].map((c) => tones.skin[c] * [0.36, 0.27, 0.25][c]);
  const body = [
    skin.triangles.subarray(0, skin.earTriangles[0]),
    skin.triangles.subarray(skin.earTriangles[0] + 2 * (skin.earTriangles[1] - skin.earTriangles[0])),
  ];
  for (const triangles of body) {
    walkTriangles(size, skin.uv, triangles, (i, a, b, c, wa, wb, wc) => {
      const read = (values: Float32Array): number => wa * values[a] + wb * values[b] + wc * values[c];
      const x = i % size;
      const y = (i - x) / size;
      const pore = 1 + 0.014 * (hash(x, y) - 0.5) + 0.012 * (grain(x * 0.05, y * 0.05, 1) - 0.5);
      const blotch = 0.012 * (grain(x * 0.008, y * 0.008, 2) - 0.5);
      const rgb: [number, number, number] = [0, 0, 0];
      for (let k = 0; k < 3; k++) {
        const tone = wa * base[3 * a + k] + wb * base[3 * b + k] + wc * base[3 * c + k];
        rgb[k] = tone * pore * (1 + (k ? blotch : 0));
      }
      const blend = (tone: ArrayLike<number>, w: number, gain = 1): void => {
        if (w > 0) for (let k = 0; k < 3; k++) rgb[k] += (tone[k] * gain - rgb[k]) * w;
      };
      const lips = read(lip);
      if (lips > 0.2) {
        const inner = read(innerLip);
        const fine = 0.94 + 0.1 * grain(x * 0.22, y * 0.035, 11);
        const gain = fine * (1 - 0.07 * read(upperHalf)) * (1 - 0.16 * smoothstep(0.35, 1, inner));
        blend(lipTone, 0.86 * smoothstep(0.3, 0.62, lips), gain);
        blend([lipTone[0] * 0.5, lipTone[1] * 0.38, lipTone[2] * 0.38], 0.6 * smoothstep(0.8, 1, inner));
      }
      const fold = read(crease);
      if (fold > 0.3)
        blend([rgb[0] * 0.86, rgb[1] * 0.78, rgb[2] * 0.77], 0.55 * smoothstep(0.45, 0.95, fold));
      const edge = read(rim);
      if (edge > 0.5) {
        const upper = read(upperRim);
        blend(lashTone, (0.25 + 0.6 * smoothstep(0.3, 0.8, upper)) * smoothstep(0.66, 0.97, edge));
      }
      const px = Math.abs(wa * skin.points[3 * a] + wb * skin.points[3 * b] + wc * skin.points[3 * c]);
      const py = wa * skin.points[3 * a + 1] + wb * skin.points[3 * b + 1] + wc * skin.points[3 * c + 1];
      const pz = wa * skin.points[3 * a + 2] + wb * skin.points[3 * b + 2] + wc * skin.points[3 * c + 2];
      if (pz > 0.02) blend(browTone, brow(px, py));
      const inHair = read(depth);
      if (inHair > -0.009) {
        const u = around(Math.atan2(y + 0.5 - size / 2, x + 0.5 - size / 2));
        const cover = hairCover(u, inHair);
        if (cover > 0) {
          const light = strandLight(u, clamp(inHair * 4, 0, 1));
          blend(
            [0, 1, 2].map((k) => hairShade(tones.hair[k], light, inHair)),
            cover,
          );
        }
      }
      canvas.weight[i] = 1;
      canvas.colour.set(rgb, 3 * i);
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

/** Draws a brow hair by hair; answers how much of it covers a place of the face, by |x| and y in metres. */
function drawBrow(face: Float32Array): (x: number, y: number) => number {
  const perMetre = 12000;
  const [left, bottom] = [0.008, 0.008];
  const width = Math.round(0.052 * perMetre);
  const height = Math.round(0.028 * perMetre);
  const map = new Float32Array(width * height);
  const [top, low] = rightBrow as [readonly number[], readonly number[]];
  const along = (row: readonly number[], t: number, c: number): number => {
    const s = clamp(t, 0, 1) * (row.length - 1);
    const k = Math.min(row.length - 2, Math.floor(s));
    const v = (n: number): number => face[3 * row[clamp(n, 0, row.length - 1)] + c];
    const f = s - k;
    const [p0, p1, p2, p3] = [v(k - 1), v(k), v(k + 1), v(k + 2)];
    return p1 + 0.5 * f * (p2 - p0 + f * (2 * p0 - 5 * p1 + 4 * p2 - p3 + f * (3 * (p1 - p2) + p3 - p0)));
  };
  // From the inner end (0) to the tail (1).
  const middle = (t: number): [number, number] => {
    const s = 1 - t;
    return [
      Math.abs(along(top, s, 0) * 0.45 + along(low, s, 0) * 0.55),
      along(top, s, 1) * 0.45 + along(low, s, 1) * 0.55,
    ];
  };
  const hairs = 420;
  for (let n = 0; n < hairs; n++) {
    const t = ((n * 0.618034) % 1) * 1;
    const v = ((n * 0.754877 + 0.31) % 1) * 2 - 1;
    const half = 0.0032 * smoothstep(-0.22, 0.22, t) * (1 - 0.8 * smoothstep(0.5, 1.02, t));
    const [mx, my] = middle(t);
    const [nx, ny] = middle(Math.min(1, t + 0.06));
    const [bx, by] = middle(Math.max(0, t - 0.06));
    const slope = Math.atan2(ny - by, nx - bx);
    // Upright at the inner end, then lying along the brow; the lower hairs rise, the upper ones fall to the middle.
    const lean =
      slope + 1.05 * smoothstep(0.32, -0.05, t) + 0.3 * (1 - t) - 0.42 * v * smoothstep(0.1, 0.5, t);
    const long = (0.0042 + 0.0026 * hash(n, 21)) * (1 - 0.3 * smoothstep(0.7, 1, t));
    const bend = -0.5 * (0.4 + hash(n, 22));
    let x = mx - Math.sin(slope) * half * v;
    let y = my + Math.cos(slope) * half * v - 0.0006;
    const steps = 36;
    for (let q = 0; q < steps; q++) {
      const f = q / (steps - 1);
      const a = lean + bend * f * 0.6 + (hash(n, 23) - 0.5) * 0.25;
      x += (Math.cos(a) * long) / steps;
      y += (Math.sin(a) * long) / steps;
      const ink = (0.1 + 0.5 * (1 - f)) * (0.55 + 0.45 * hash(n, 24)) * smoothstep(-0.06, 0.12, t) * 0.5;
      const thick = 0.00013 * perMetre * (1.15 - 0.7 * f);
      const cx = (x - left) * perMetre;
      const cy = (y - bottom) * perMetre;
      for (let py = Math.floor(cy - 3); py <= cy + 3; py++) {
        for (let px = Math.floor(cx - 3); px <= cx + 3; px++) {
          if (px < 0 || py < 0 || px >= width || py >= height) continue;
          const w = ink * smoothstep(thick + 0.9, thick - 0.4, Math.hypot(px + 0.5 - cx, py + 0.5 - cy));
          const i = py * width + px;
          map[i] = map[i] + (1 - map[i]) * w;
        }
      }
    }
  }
  return (x, y) => {
    const u = (x - left) * perMetre - 0.5;
    const v = (y - bottom) * perMetre - 0.5;
    if (u < 0 || v < 0 || u >= width - 1 || v >= height - 1) return 0;
    const i = Math.floor(v) * width + Math.floor(u);
    const fu = u - Math.floor(u);
    const fv = v - Math.floor(v);
    const mean =
      (map[i] * (1 - fu) + map[i + 1] * fu) * (1 - fv) +
      (map[i + width] * (1 - fu) + map[i + width + 1] * fu) * fv;
    return 0.88 * mean;
  };
}
