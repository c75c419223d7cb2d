import type { Raster } from '../contract/head_model.ts';
import { type FaceFit, project } from '../fit/face_fit.ts';
import { sineHash } from '../math/noise.ts';
import { at, smoothstep, vertexNormals } from '../math/vector.ts';
import type { Silhouette } from '../matte/silhouette.ts';
import type { Picture } from '../photo/photo.ts';
import { readGrid } from '../photo/picture_sampling.ts';
import { blur } from '../photo/pixel_filters.ts';
import { craniumColumns, craniumRows } from '../skull/skull.ts';
import { type Colour, readPixel } from '../texture/skin_texture.ts';
import { blankCanvas, type Canvas, fillUnknown, release, walkTriangles } from '../texture/texture_fill.ts';
import { fringeRows } from './fringe.ts';
import { glossFrom, type HairMap } from './hair_map.ts';
import { craniumColumnOf, type HairSheet, hairColumns } from './hair_sheet.ts';

/** Places of the sheet's vertices in its texture: u round the head from the chin, v from the face backwards. */
export function hairLayout({ points, fringe }: HairSheet): Float32Array {
  const uv = new Float32Array((points.length / 3) * 2);
  const before = fringe ? fringeRows : 0;
  const rows = craniumRows + before;
  for (let i = 0; i < uv.length / 2; i++) {
    const row = Math.floor(i / hairColumns);
    const v = (row <= craniumRows ? row + before : row - craniumRows - 1) / rows;
    uv.set([(i % hairColumns) / (hairColumns - 1), v], 2 * i);
  }
  return uv;
}

/** From where a vertex of the sheet is projected to where the photo shows it, pixels: a laugh moves the cheek's hair. */
function shiftOf({ fringe }: HairSheet, i: number): readonly [number, number] {
  if (!fringe) return [0, 0];
  const row = Math.floor(i / hairColumns);
  const k = craniumColumnOf(i % hairColumns);
  if (row > craniumRows) {
    const n = (row - craniumRows - 1) * craniumColumns + k;
    return [fringe.shift[2 * n], fringe.shift[2 * n + 1]];
  }
  const share = fringe.hangs[k] * Math.max(0, 1 - row / 6);
  return [fringe.rimShift[2 * k] * share, fringe.rimShift[2 * k + 1] * share];
}

/**
 * Paints the hair: the photo where it shows it; behind that, the strands led on along the way of the hair; and
 * further on its colour alone with strands drawn in.
 */
export function paintHair(
  picture: Picture,
  fit: FaceFit,
  sheet: HairSheet,
  cut: Silhouette,
  map: HairMap,
  size: number,
): Raster {
  const uv = hairLayout(sheet);
  const count = uv.length / 2;
  const photo = new Float32Array(count * 2);
  const trust = new Float32Array(count);
  const normals = vertexNormals(sheet.points, sheet.triangles);
  for (let i = 0; i < count; i++) {
    const [x, y] = project(fit.pose, at(sheet.points, i));
    const [dx, dy] = shiftOf(sheet, i);
    photo[2 * i] = x + dx;
    photo[2 * i + 1] = y + dy;
    const facing =
      fit.pose.x[2] * normals[3 * i] +
      fit.pose.y[2] * normals[3 * i + 1] +
      fit.pose.z[2] * normals[3 * i + 2];
    trust[i] = smoothstep(0.16, 0.42, facing);
  }
  const inner = blur(
    Float32Array.from(cut.mask, (value) => value / 255),
    cut.width,
    cut.height,
    2,
  );
  const canvas = blankCanvas(size);
  // What of that is hair beyond doubt: this alone is led on. The brow that shows where the sheet dips into the skin, or
  // gloss on it, would make the hair behind as light as itself.
  const sure = blankCanvas(size);
  const { colour: seen, weight: seenWeight } = sure;
  const pixel = new Float32Array(3);
  const gloss = glossFrom(map.hairColour, map.skinColour);
  walkTriangles(size, uv, sheet.triangles, (i, a, b, c, wa, wb, wc) => {
    let w = wa * trust[a] + wb * trust[b] + wc * trust[c];
    if (w < 0.01 || canvas.weight[i] >= w) return;
    const x = wa * photo[2 * a] + wb * photo[2 * b] + wc * photo[2 * c];
    const y = wa * photo[2 * a + 1] + wb * photo[2 * b + 1] + wc * photo[2 * c + 1];
    const [cx, cy] = cut.toCrop(x, y);
    const k =
      Math.max(0, Math.min(cut.height - 1, Math.round(cy - 0.5))) * cut.width +
      Math.max(0, Math.min(cut.width - 1, Math.round(cx - 0.5)));
    if (cut.outside[k]) return;
    // The outermost pixels mix with the background: stay inside, and on hair.
    const isHair = smoothstep(0.6, 0.85, map.hair[k]) * smoothstep(0.3, 0.6, map.strands[k]);
    // Where the sheet dips into the skin it shows what the skin shows: the hairline is the photo's own.
    const dips = smoothstep(
      0.8,
      0.5,
      wa * sheet.presence[a] + wb * sheet.presence[b] + wc * sheet.presence[c],
    );
    let strands = w * smoothstep(0.86, 0.995, inner[k]) * isHair;
    w *= smoothstep(0.86, 0.995, inner[k]) * Math.max(isHair, dips);
    if (w < 0.01) return;
    readPixel(picture, x, y, pixel);
    strands *= smoothstep(gloss, 0.85 * gloss, pixel[0] + pixel[1] + pixel[2]);
    canvas.weight[i] = w;
    seenWeight[i] = strands;
    for (let ch = 0; ch < 3; ch++) {
      canvas.colour[3 * i + ch] = pixel[ch] * w;
      seen[3 * i + ch] = pixel[ch] * strands;
    }
  });

  const beyond = beyondSeen(canvas);
  const hairColour = meanColour(seen, seenWeight, map.hairColour);
  // Columns: where the strip that is seen begins and ends.
  const starts = new Float32Array(size).fill(-1);
  const ends = new Float32Array(size).fill(-1);
  for (let x = 0; x < size; x++) {
    for (let y = 0; y < size; y++) {
      if (seenWeight[y * size + x] > 0.5) {
        if (starts[x] < 0) starts[x] = y;
        ends[x] = y;
      } else if (ends[x] >= 0 && y - ends[x] > size * 0.03) break;
    }
  }
  // Neighbouring columns end at about the same place, or the seam would be a saw's edge.
  const evened = (line: Float32Array): Float32Array =>
    line.map((value, x) => {
      if (value < 0) return -1;
      const window: number[] = [];
      for (let d = -24; d <= 24; d++) {
        const other = line[(x + d + size) % size];
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
  const tone = columnTones(seen, seenWeight, size, hairColour);
  const detail = strandDetail(seen, seenWeight, size);
  const strand = lastStrands(detail, seenWeight, size, evenEnds);
  release(detail);
  for (let x = 0; x < size; x++) {
    const end = evenEnds[x];
    const length = end - evenStarts[x];
    if (length < size * 0.02) continue;
    const solid = smoothstep(size * 0.02, size * 0.09, length);
    for (let y = end + 1; y < Math.min(size, end + 0.65 * size); y++) {
      const i = y * size + x;
      const way = (y - end) / size;
      const add = 0.95 * solid * Math.exp(-((way / 0.3) ** 2)) * (1 - canvas.weight[i]);
      if (add < 0.01) continue;
      // Strands run on as they were last seen, wandering a little; their colour goes over to that of all the hair.
      const from = (x + Math.round(size * 0.02 * Math.sin(way * 9 + x * 0.03) * way) + size) % size;
      const far = smoothstep(0, 0.3, way);
      for (let ch = 0; ch < 3; ch++) {
        const own = tone[3 * x + ch] * (1 - far) + hairColour[ch] * far;
        canvas.colour[3 * i + ch] += own * strand[from] * add;
        seen[3 * i + ch] += own * strand[from] * add;
      }
      canvas.weight[i] += add;
      seenWeight[i] += add;
    }
  }
  // A little of the mean colour everywhere keeps the fill from running off with a highlight.
  for (let i = 0; i < seenWeight.length; i++) {
    const w = 0.012 * (1 - seenWeight[i]);
    seenWeight[i] += w;
    for (let ch = 0; ch < 3; ch++) seen[3 * i + ch] += hairColour[ch] * w * 0.92;
  }
  fillUnknown(sure);
  const known = canvas.weight;
  fillUnknown(canvas);
  const strands = strandPattern(size);
  const apart = Math.hypot(...hairColour.map((v, ch) => v - map.skinColour[ch]));
  // Stubble that is hardly darker than the skin shows no strands.
  const contrast = 0.34 * smoothstep(12, 60, apart) + 0.02;
  const hairLight = hairColour[0] + hairColour[1] + hairColour[2];
  const data = new Uint8Array(size * size * 3);
  // Before the face something is seen close by, and strands drawn along the columns would lie across the hair.
  const before = sheet.fringe ? (size * size * fringeRows) / (fringeRows + craniumRows) : 0;
  for (let i = 0; i < size * size; i++) {
    // A gap in what is seen, on a hairline say, shows what is round it; what lies beyond, hair.
    const drawn = known[i] < 1 ? (1 - known[i]) * beyond(i) : 0;
    const lively = i < before ? 0 : drawn;
    const gain = 1 + contrast * strands[i] * lively;
    const light = (seen[3 * i] + seen[3 * i + 1] + seen[3 * i + 2]) / Math.max(6, hairLight);
    const level = Math.max(0.68, Math.min(1.15, light));
    for (let ch = 0; ch < 3; ch++) {
      const filled = canvas.colour[3 * i + ch] * (1 - drawn) + seen[3 * i + ch] * drawn;
      // Where nothing was seen: the hair's own hue, as light as what lies nearest.
      const own = filled + (0.75 * hairColour[ch] * level + 0.25 * filled - filled) * lively;
      data[3 * i + ch] = Math.max(0, Math.min(255, Math.round(own * gain + 3 * strands[i] * lively)));
    }
  }
  release(canvas.colour, canvas.weight, seen, seenWeight);
  return { name: 'Hair', width: size, height: size, channels: 3, data, quality: 80 };
}

/** How far a pixel lies from everything that is known, 0..1: 0 in gaps of a fiftieth of the texture, 1 well beyond. */
function beyondSeen({ size, weight }: Canvas): (i: number) => number {
  const step = Math.max(1, size >> 6);
  const side = Math.floor(size / step);
  const cells = new Float32Array(side * side);
  for (let y = 0; y < side * step; y++) {
    for (let x = 0; x < side * step; x++)
      cells[Math.floor(y / step) * side + Math.floor(x / step)] += weight[y * size + x] / (step * step);
  }
  const near = blur(blur(cells, side, side, 1), side, side, 1);
  return (i) =>
    smoothstep(
      0.45,
      0.15,
      readGrid(near, side, side, ((i % size) + 0.5) / step, (Math.floor(i / size) + 0.5) / step),
    );
}

/** The mean colour of all that is seen; `usual` counts as much as a thirtieth of the texture. */
function meanColour(seen: Float32Array, weight: Float32Array, usual: Colour): Colour {
  const least = weight.length / 30;
  let total = least;
  const sum = usual.map((v) => v * least) as [number, number, number];
  for (let i = 0; i < weight.length; i++) {
    if (!weight[i]) continue;
    total += weight[i];
    for (let c = 0; c < 3; c++) sum[c] += seen[3 * i + c];
  }
  return [sum[0] / total, sum[1] / total, sum[2] / total];
}

/** The mean colour of what is seen of each column, evened out between neighbours, × 3; `usual` where nothing is. */
function columnTones(seen: Float32Array, weight: Float32Array, size: number, usual: Colour): Float32Array {
  const sums = new Float32Array(size * 4);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const i = y * size + x;
      if (weight[i] < 0.5) continue;
      for (let c = 0; c < 3; c++) sums[4 * x + c] += seen[3 * i + c];
      sums[4 * x + 3] += weight[i];
    }
  }
  const reach = Math.round(size * 0.06);
  const least = size * 0.8;
  const out = new Float32Array(size * 3);
  const around = [0, 0, 0, 0];
  const add = (column: number, sign: number): void => {
    const x = (column + size) % size;
    for (let c = 0; c < 4; c++) around[c] += sign * sums[4 * x + c];
  };
  for (let x = -reach; x < reach; x++) add(x, 1);
  for (let x = 0; x < size; x++) {
    add(x + reach, 1);
    for (let c = 0; c < 3; c++) out[3 * x + c] = (usual[c] * least + around[c]) / (least + around[3]);
    add(x - reach, -1);
  }
  return out;
}

/** How much lighter than its surroundings each pixel of what is seen is: the strands without the light on them. */
function strandDetail(seen: Float32Array, weight: Float32Array, size: number): Float32Array<ArrayBuffer> {
  const step = 4;
  const side = Math.floor(size / step);
  const light = new Float32Array(side * side);
  const sure = new Float32Array(side * side);
  const bright = (i: number): number => seen[3 * i] + seen[3 * i + 1] + seen[3 * i + 2];
  for (let y = 0; y < side * step; y++) {
    for (let x = 0; x < side * step; x++) {
      const i = y * size + x;
      const o = Math.floor(y / step) * side + Math.floor(x / step);
      light[o] += bright(i);
      sure[o] += weight[i];
    }
  }
  const broadLight = blur(blur(light, side, side, 3), side, side, 3);
  const broadSure = blur(blur(sure, side, side, 3), side, side, 3);
  const out = new Float32Array(size * size).fill(1);
  for (let i = 0; i < out.length; i++) {
    if (weight[i] < 0.3) continue;
    const x = Math.min(side - 1, Math.floor((i % size) / step));
    const y = Math.min(side - 1, Math.floor(i / size / step));
    const around = broadLight[y * side + x] / Math.max(1e-3, broadSure[y * side + x]);
    out[i] = Math.max(0.6, Math.min(1.5, bright(i) / weight[i] / Math.max(6, around)));
  }
  return out;
}

/** The strands of each column where it is last seen, as lightness about 1. */
function lastStrands(
  detail: Float32Array,
  weight: Float32Array,
  size: number,
  ends: Float32Array,
): Float32Array {
  const rows = Math.round(size * 0.05);
  const line = Float32Array.from({ length: size }, (_, x) => {
    let sum = 0;
    let n = 0;
    for (let y = Math.max(0, ends[x] - rows); y <= ends[x]; y++) {
      if (weight[y * size + x] < 0.3) continue;
      sum += Math.log(detail[y * size + x]);
      n++;
    }
    return n ? sum / n : 0;
  });
  const reach = 7;
  return line.map((value, x) => {
    let mean = 0;
    for (let d = -reach; d <= reach; d++) mean += line[(x + d + size) % size] / (2 * reach + 1);
    // The mean over rows flattens the strands: as lively again as they were.
    return Math.exp(Math.max(-0.3, Math.min(0.3, 1.5 * (value - mean))));
  });
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
        const { period, drift, weight } = layers[l];
        const bend = drift * size * Math.sin((y / size) * 5 + l * 2 + Math.sin((x / size) * 19 + l) * 1.3);
        const p = (x + bend) / period;
        const i = Math.floor(p);
        const f = p - i;
        const t = f * f * (3 - 2 * f);
        const q = Math.floor((y / size) * 9 + sineHash(i, l) * 5);
        const v0 = sineHash(i, l * 17 + q * 0.37);
        const v1 = sineHash(i + 1, l * 17 + q * 0.37);
        sum += weight * (2 * (v0 + (v1 - v0) * t) - 1);
      }
      out[y * size + x] = sum;
    }
  }
  patterns.set(size, out);
  return out;
}
