import type { Raster } from '../contract/head_model.ts';
import { type FaceFit, facingCamera, project } from '../fit/face_fit.ts';
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
import { columnTones, lastStrands, strandDetail, strandPattern } from './hair_strands.ts';

/** Texture coordinates of the sheet: u round the head from the chin, v from the face backwards. */
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

/** From a vertex's projection to where the photo shows it, pixels: a laugh moves the cheek's hair. */
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
 * Paints the hair: the photo where it shows it; behind that, the strands led on along the way of the hair;
 * and further on its colour alone with strands drawn in.
 */
export function paintHair(
  picture: Picture,
  fit: FaceFit,
  sheet: HairSheet,
  cut: Silhouette,
  map: HairMap,
  size: number,
): Raster {
  const canvas = blankCanvas(size);
  const sure = blankCanvas(size);
  paintSeen(canvas, sure, picture, fit, sheet, cut, map);
  const beyond = beyondSeen(canvas);
  const hairColour = meanColour(sure, map.hairColour);
  leadStrandsOn(canvas, sure, hairColour);
  leanToMean(sure, hairColour);
  fillUnknown(sure);
  fillUnknown(canvas);
  // In front of the face, strands drawn along the columns would cross the visible hair.
  const before = sheet.fringe ? (size * size * fringeRows) / (fringeRows + craniumRows) : 0;
  const data = drawStrandsIn(canvas, sure, beyond, before, hairColour, map.skinColour);
  release(canvas.colour, canvas.weight, sure.colour, sure.weight);
  return { name: 'Hair', width: size, height: size, channels: 3, data, quality: 80 };
}

/** Where the photo shows each vertex, pixels, and how far it may be believed there, 0..1. */
function findInPhoto(sheet: HairSheet, { pose }: FaceFit): { photo: Float32Array; trust: Float32Array } {
  const count = sheet.points.length / 3;
  const photo = new Float32Array(count * 2);
  const trust = new Float32Array(count);
  const normals = vertexNormals(sheet.points, sheet.triangles);
  for (let i = 0; i < count; i++) {
    const [x, y] = project(pose, at(sheet.points, i));
    const [dx, dy] = shiftOf(sheet, i);
    photo[2 * i] = x + dx;
    photo[2 * i + 1] = y + dy;
    const facing = facingCamera(pose, normals, i);
    trust[i] = smoothstep(0.16, 0.42, facing);
  }
  return { photo, trust };
}

/**
 * Paints what the photo shows.
 *
 * @param sure - Set to the pixels that are certainly hair; only these are continued. The brow that shows
 *   where the sheet dips into the skin, or gloss on it, would make the hair behind as light as itself.
 */
function paintSeen(
  canvas: Canvas,
  sure: Canvas,
  picture: Picture,
  fit: FaceFit,
  sheet: HairSheet,
  cut: Silhouette,
  map: HairMap,
): void {
  const { photo, trust } = findInPhoto(sheet, fit);
  const mask = Float32Array.from(cut.mask, (value) => value / 255);
  const inner = blur(mask, cut.width, cut.height, 2);
  const pixel = new Float32Array(3);
  const gloss = glossFrom(map.hairColour, map.skinColour);
  walkTriangles(canvas.size, hairLayout(sheet), sheet.triangles, (i, a, b, c, wa, wb, wc) => {
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
    const presence = wa * sheet.presence[a] + wb * sheet.presence[b] + wc * sheet.presence[c];
    const dips = smoothstep(0.8, 0.5, presence);
    let strands = w * smoothstep(0.86, 0.995, inner[k]) * isHair;
    w *= smoothstep(0.86, 0.995, inner[k]) * Math.max(isHair, dips);
    if (w < 0.01) return;
    readPixel(picture, x, y, pixel);
    strands *= smoothstep(gloss, 0.85 * gloss, pixel[0] + pixel[1] + pixel[2]);
    canvas.weight[i] = w;
    sure.weight[i] = strands;
    for (let ch = 0; ch < 3; ch++) {
      canvas.colour[3 * i + ch] = pixel[ch] * w;
      sure.colour[3 * i + ch] = pixel[ch] * strands;
    }
  });
}

/** Rows at which the strip of sure hair begins and ends in each column, −1 where there is none. */
function seenStrip({ size, weight }: Canvas): { starts: Float32Array; ends: Float32Array } {
  const starts = new Float32Array(size).fill(-1);
  const ends = new Float32Array(size).fill(-1);
  for (let x = 0; x < size; x++) {
    for (let y = 0; y < size; y++) {
      if (weight[y * size + x] > 0.5) {
        if (starts[x] < 0) starts[x] = y;
        ends[x] = y;
      } else if (ends[x] >= 0 && y - ends[x] > size * 0.03) break;
    }
  }
  // Neighbouring columns end at about the same place, or the seam would be a saw's edge.
  return { starts: evenOut(starts), ends: evenOut(ends) };
}

/** Each value's mean with the middle half of its neighbours; the ends join, and −1 is none. */
function evenOut(line: Float32Array): Float32Array {
  const reach = 24;
  return line.map((value, x) => {
    if (value < 0) return -1;
    const window: number[] = [];
    for (let d = -reach; d <= reach; d++) {
      const other = line[(x + d + line.length) % line.length];
      if (other >= 0) window.push(other);
    }
    window.sort((p, q) => p - q);
    const from = window.length >> 2;
    const middle = window.slice(from, Math.max(from + 1, (3 * window.length) >> 2));
    return Math.round(middle.reduce((sum, v) => sum + v, 0) / middle.length);
  });
}

/** Leads the strands on from where they were last seen, on both canvases. */
function leadStrandsOn(canvas: Canvas, sure: Canvas, hairColour: Colour): void {
  const { size, colour: seen, weight: seenWeight } = sure;
  const { starts, ends } = seenStrip(sure);
  const tone = columnTones(seen, seenWeight, size, hairColour);
  const detail = strandDetail(seen, seenWeight, size);
  const strand = lastStrands(detail, seenWeight, size, ends);
  release(detail);
  for (let x = 0; x < size; x++) {
    const end = ends[x];
    const length = end - starts[x];
    if (length < size * 0.02) continue;
    const solid = smoothstep(size * 0.02, size * 0.09, length);
    for (let y = end + 1; y < Math.min(size, end + 0.65 * size); y++) {
      const i = y * size + x;
      const way = (y - end) / size;
      const add = 0.95 * solid * Math.exp(-((way / 0.3) ** 2)) * (1 - canvas.weight[i]);
      if (add < 0.01) continue;
      // They wander a little; their colour goes over to that of all the hair.
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
}

/** A little of the mean colour everywhere keeps the fill from running off with a highlight. */
function leanToMean({ colour, weight }: Canvas, hairColour: Colour): void {
  for (let i = 0; i < weight.length; i++) {
    const w = 0.012 * (1 - weight[i]);
    weight[i] += w;
    for (let ch = 0; ch < 3; ch++) colour[3 * i + ch] += hairColour[ch] * w * 0.92;
  }
}

/**
 * The finished texture, RGB: beyond what is seen the hair's own hue, as light as what lies nearest, with
 * strands.
 *
 * @param before - Pixels from the start in which no strands are drawn.
 */
function drawStrandsIn(
  canvas: Canvas,
  sure: Canvas,
  beyond: (i: number) => number,
  before: number,
  hairColour: Colour,
  skinColour: Colour,
): Uint8Array {
  const { size, weight: known } = canvas;
  const seen = sure.colour;
  const strands = strandPattern(size);
  const apart = Math.hypot(...hairColour.map((v, ch) => v - skinColour[ch]));
  // Stubble that is hardly darker than the skin shows no strands.
  const contrast = 0.34 * smoothstep(12, 60, apart) + 0.02;
  const hairLight = hairColour[0] + hairColour[1] + hairColour[2];
  const data = new Uint8Array(size * size * 3);
  for (let i = 0; i < size * size; i++) {
    // A gap in what is seen, on a hairline say, shows what is round it; what lies beyond, hair.
    const drawn = known[i] < 1 ? (1 - known[i]) * beyond(i) : 0;
    const lively = i < before ? 0 : drawn;
    const gain = 1 + contrast * strands[i] * lively;
    const light = (seen[3 * i] + seen[3 * i + 1] + seen[3 * i + 2]) / Math.max(6, hairLight);
    const level = Math.max(0.68, Math.min(1.15, light));
    for (let ch = 0; ch < 3; ch++) {
      const filled = canvas.colour[3 * i + ch] * (1 - drawn) + seen[3 * i + ch] * drawn;
      const own = filled + (0.75 * hairColour[ch] * level + 0.25 * filled - filled) * lively;
      data[3 * i + ch] = Math.max(0, Math.min(255, Math.round(own * gain + 3 * strands[i] * lively)));
    }
  }
  return data;
}

/** How far a pixel lies from what is known: 0 in gaps of a fiftieth of the texture, 1 well beyond. */
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
function meanColour({ colour: seen, weight }: Canvas, usual: Colour): Colour {
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
