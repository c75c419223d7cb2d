import { type FaceFit, project } from './face_fit.ts';
import { type HairSheet, hairColumns } from './hair.ts';
import type { HairMap } from './hair_map.ts';
import type { Raster } from './head_model.ts';
import type { Picture } from './photo.ts';
import { blur, type Silhouette } from './silhouette.ts';
import { readPixel } from './skin_texture.ts';
import { hoodRows } from './skull.ts';
import { blankCanvas, fillUnknown, walkTriangles } from './texture_fill.ts';
import { at, smoothstep, vertexNormals } from './vector.ts';

/** Places of the sheet's vertices in its texture: u round the head from the chin, v from the oval backwards. */
export function hairLayout(): Float32Array {
  const uv = new Float32Array((hoodRows + 1) * hairColumns * 2);
  for (let row = 0; row <= hoodRows; row++) {
    for (let j = 0; j < hairColumns; j++)
      uv.set([j / (hairColumns - 1), row / hoodRows], 2 * (row * hairColumns + j));
  }
  return uv;
}

/** A repeatable hash, 0..1. */
function hash(x: number, y: number): number {
  const s = Math.sin(x * 127.1 + y * 311.7) * 43758.5453;
  return s - Math.floor(s);
}

/**
 * Paints the hair: the photo where it shows it; behind that, the strip that it shows folded back along the
 * way of the hair; and further on its colour alone with strands drawn in.
 */
export function paintHair(
  picture: Picture,
  fit: FaceFit,
  sheet: HairSheet,
  cut: Silhouette,
  map: HairMap,
  size: number,
): Raster {
  const uv = hairLayout();
  const count = uv.length / 2;
  const photo = new Float32Array(count * 2);
  const trust = new Float32Array(count);
  const normals = vertexNormals(sheet.points, sheet.triangles);
  for (let i = 0; i < count; i++) {
    const [x, y] = project(fit.pose, at(sheet.points, i));
    photo[2 * i] = x;
    photo[2 * i + 1] = y;
    const facing =
      fit.pose.x[2] * normals[3 * i]! +
      fit.pose.y[2] * normals[3 * i + 1]! +
      fit.pose.z[2] * normals[3 * i + 2]!;
    trust[i] = smoothstep(0.16, 0.42, facing);
  }
  const inner = blur(
    Float32Array.from(cut.mask, (value) => value / 255),
    cut.width,
    cut.height,
    2,
  );
  const canvas = blankCanvas(size);
  const pixel = new Float32Array(3);
  walkTriangles(size, uv, sheet.triangles, (i, a, b, c, wa, wb, wc) => {
    let w = wa * trust[a]! + wb * trust[b]! + wc * trust[c]!;
    if (w < 0.01 || canvas.weight[i]! >= w) return;
    const x = wa * photo[2 * a]! + wb * photo[2 * b]! + wc * photo[2 * c]!;
    const y = wa * photo[2 * a + 1]! + wb * photo[2 * b + 1]! + wc * photo[2 * c + 1]!;
    const [cx, cy] = cut.toCrop(x, y);
    const k =
      Math.max(0, Math.min(cut.height - 1, Math.round(cy - 0.5))) * cut.width +
      Math.max(0, Math.min(cut.width - 1, Math.round(cx - 0.5)));
    if (cut.outside[k]) return;
    // The outermost pixels mix with the background: stay inside, and on hair.
    w *=
      smoothstep(0.86, 0.995, inner[k]!) *
      smoothstep(0.6, 0.85, map.hair[k]!) *
      smoothstep(0.3, 0.6, map.strands[k]!);
    if (w < 0.01) return;
    readPixel(picture, x, y, pixel);
    canvas.weight[i] = w;
    for (let ch = 0; ch < 3; ch++) canvas.colour[3 * i + ch] = pixel[ch]! * w;
  });

  // Columns: the strip that is seen, folded to and fro beyond its end.
  const seen = canvas.colour.slice();
  const seenWeight = canvas.weight.slice();
  const starts = new Float32Array(size).fill(-1);
  const ends = new Float32Array(size).fill(-1);
  for (let x = 0; x < size; x++) {
    for (let y = 0; y < size; y++) {
      if (seenWeight[y * size + x]! > 0.5) {
        if (starts[x]! < 0) starts[x] = y;
        ends[x] = y;
      } else if (ends[x]! >= 0 && y - ends[x]! > size * 0.03) break;
    }
  }
  // Neighbouring columns fold at about the same place, or the seam would be a saw's edge.
  const evened = (line: Float32Array): Float32Array =>
    line.map((value, x) => {
      if (value < 0) return -1;
      const window: number[] = [];
      for (let d = -24; d <= 24; d++) {
        const other = line[(x + d + size) % size]!;
        if (other >= 0) window.push(other);
      }
      window.sort((p, q) => p - q);
      const middle = window.slice(
        window.length >> 2,
        Math.max((window.length >> 2) + 1, (3 * window.length) >> 2),
      );
      return Math.round(middle.reduce((sum, v) => sum + v, 0) / middle.length);
    });
  const evenStarts = evened(starts);
  const evenEnds = evened(ends);
  for (let x = 0; x < size; x++) {
    const end = evenEnds[x]!;
    const start = evenStarts[x]!;
    const length = end - start;
    if (length < size * 0.02) continue;
    const solid = smoothstep(size * 0.02, size * 0.09, length);
    for (let y = end + 1; y < size; y++) {
      const i = y * size + x;
      const phase = (y - end) % (2 * length);
      const from = phase < length ? end - phase : start + (phase - length);
      const j = from * size + x;
      if (seenWeight[j]! < 0.3) continue;
      const w = solid * Math.exp(-(((y - end) / (1.6 * length)) ** 2)) * 0.95;
      const keep = canvas.weight[i]!;
      const add = w * (1 - keep);
      for (let ch = 0; ch < 3; ch++)
        canvas.colour[3 * i + ch]! +=
          (0.8 * (seen[3 * j + ch]! / seenWeight[j]!) + 0.2 * map.hairColour[ch]!) * add;
      canvas.weight[i] = keep + add;
    }
  }
  const known = canvas.weight.slice();
  // A little of the mean colour everywhere keeps the fill from running off with a highlight.
  for (let i = 0; i < known.length; i++) {
    const w = 0.012 * (1 - known[i]!);
    canvas.weight[i]! += w;
    for (let ch = 0; ch < 3; ch++) canvas.colour[3 * i + ch]! += map.hairColour[ch]! * w * 0.92;
  }
  fillUnknown(canvas);
  const strands = strandPattern(size);
  const apart = Math.hypot(...map.hairColour.map((v, ch) => v - map.skinColour[ch]!));
  // Stubble that is hardly darker than the skin shows no strands.
  const contrast = 0.34 * smoothstep(12, 60, apart) + 0.02;
  const hairLight = map.hairColour[0] + map.hairColour[1] + map.hairColour[2];
  const data = new Uint8Array(size * size * 3);
  for (let i = 0; i < size * size; i++) {
    const drawn = 1 - known[i]!;
    const gain = 1 + contrast * strands[i]! * drawn;
    const light =
      (canvas.colour[3 * i]! + canvas.colour[3 * i + 1]! + canvas.colour[3 * i + 2]!) /
      Math.max(6, hairLight);
    const level = Math.max(0.68, Math.min(1.15, light));
    for (let ch = 0; ch < 3; ch++) {
      const filled = canvas.colour[3 * i + ch]!;
      // Where nothing was seen: the hair's own hue, as light as what lies nearest.
      const own = filled + (0.75 * map.hairColour[ch]! * level + 0.25 * filled - filled) * drawn;
      data[3 * i + ch] = Math.max(0, Math.min(255, Math.round(own * gain + 3 * strands[i]! * drawn)));
    }
  }
  return { name: 'Hair', width: size, height: size, channels: 3, data, quality: 80 };
}

const patterns = new Map<number, Float32Array>();

/** Strands along v, −1..1: fine and coarse streaks that wander a little. */
function strandPattern(size: number): Float32Array {
  const made = patterns.get(size);
  if (made) return made;
  const out = new Float32Array(size * size);
  const layers = [
    { period: size / 380, drift: 0.012, weight: 0.45 },
    { period: size / 170, drift: 0.02, weight: 0.35 },
    { period: size / 48, drift: 0.03, weight: 0.3 },
  ];
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      let sum = 0;
      for (let l = 0; l < layers.length; l++) {
        const { period, drift, weight } = layers[l]!;
        const bend = drift * size * Math.sin((y / size) * 5 + l * 2 + Math.sin((x / size) * 19 + l) * 1.3);
        const p = (x + bend) / period;
        const i = Math.floor(p);
        const f = p - i;
        const t = f * f * (3 - 2 * f);
        const q = Math.floor((y / size) * 9 + hash(i, l) * 5);
        const v0 = hash(i, l * 17 + q * 0.37);
        const v1 = hash(i + 1, l * 17 + q * 0.37);
        sum += weight * (2 * (v0 + (v1 - v0) * t) - 1);
      }
      out[y * size + x] = sum;
    }
  }
  patterns.set(size, out);
  return out;
}
