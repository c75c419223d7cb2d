import type { Sex } from '../contract/head_request.ts';
import { type FaceFit, facingCamera } from '../fit/face_fit.ts';
import { hueOf, lookOf, sumOf, type UsualColours, warmthOf } from '../hair/colour/hair_tint.ts';
import type { HairMap } from '../hair/hair_map.ts';
import type { HairSheet } from '../hair/hair_sheet.ts';
import { clamp, smoothstep } from '../math/vector.ts';
import { faceHeight, placesInCrop } from '../matte/crop_pixel.ts';
import { connectedPieces } from '../matte/mask_morphology.ts';
import type { Silhouette } from '../matte/silhouette.ts';
import type { Picture } from '../photo/photo.ts';
import { readGrid } from '../photo/picture_sampling.ts';
import { blur } from '../photo/pixel_filters.ts';
import { type Cranium, craniumColumns, craniumRows } from '../skull/skull.ts';
import { type SkinLight, side } from '../texture/skin_light.ts';
import { readPixel } from '../texture/skin_texture.ts';
import { type Canvas, trianglesWith, walkTriangles } from '../texture/texture_fill.ts';
import { wayFromMiddle } from '../topology/face_regions.ts';
import { leftBrow, rightBrow } from '../topology/face_topology.ts';
import { fineFace } from '../topology/fine_face.ts';
import type { AssembledSkin } from './appearance.ts';

/** Deviations of skin's ln brightness, warmth and hue about its tone nearby: shade and wrinkles change brightness most. */
const deviations = [0.25, 0.04, 0.02] as const;
/** Deviations by which hair must differ from skin to be told from it, and wholly. */
const told = { from: 2.2, wholly: 3.2 } as const;
/** Way from skin to hair from which on a pixel shows hair, and wholly. */
const strand = { from: 0.25, wholly: 0.55 } as const;
/** Radius over which skin's tone is read, parts of the face's height. */
const toneReach = 0.09;
/** Power of brightness by which light skin tells more of it: what hair shades is none of its tone. */
const lit = 3;
/** How much darker than its skin, ln, a forehead is where dark strands lie on it, and wholly: the roots of fair hair too. */
const dark = { from: 0.3, wholly: 0.8 } as const;
/** Heights of the face between which hair hardly shades it. */
const unshaded = { from: 0.3, to: 0.65 } as const;
/** Share from which on pixels hang together. */
const leastShare = 0.1;
/** Most by which hair takes part in the skin's light. */
const gainLimits = [0.8, 1.25] as const;
/** Height of the face from which on hair is looked for, and from which on it surely grows. */
const [lowest, grows] = [0.55, 0.85] as const;
/** How much hair the map tells where it surely is, and so many pixels of it that what hangs together with them is hair too. */
const [sureHair, leastSure] = [0.7, 30];
/** Metres above the brows from which on skin is forehead, and wholly. */
const aboveBrows = [0, 0.005] as const;
/** How steeply the forehead reaches down to the temples beside a brow's end. */
const besideBrow = 1.2;
/** Metres behind the oval up to which the hair's sheet shows the skin below, and up to where surely. */
const belowRim = [0.035, 0.02] as const;
/** How far skin faces the camera from which on hair may be painted on it, and wholly. */
const sideways = [0.68, 0.86] as const;
/** Share of hair about a place from which on its skin is not looked at, and wholly. */
const near = { from: 0.06, wholly: 0.3 } as const;

/** Hair that hangs over the forehead. */
export interface ForeheadHair {
  /** By vertex of face and cranium, 0..1: how far hair may be painted there, and how far it hides or shades the skin. */
  readonly zone: Float32Array;
  readonly hidden: Float32Array;
  /** How far a place of the crop may show hair, 0..1, and how far a colour of the photo is hair's there. */
  openAt(cx: number, cy: number): number;
  shareAt(rgb: ArrayLike<number>, cx: number, cy: number): number;
}

/** What hair on a forehead is found by. */
export interface ForeheadSeen {
  readonly skin: Pick<AssembledSkin, 'points' | 'normals' | 'photo' | 'trust'>;
  readonly fit: FaceFit;
  readonly cut: Silhouette;
  readonly map: HairMap;
  readonly sex: Sex;
  readonly hair: Pick<HairSheet, 'fringe'>;
  readonly cranium: Pick<Cranium, 'way'>;
}

/**
 * Finds hair that hangs over the forehead from above. It is no skin: with the skin's light evened out, gloss and spots
 * taken out and one side lent to the other, strands were stains.
 */
export function findForeheadHair(seen: ForeheadSeen): ForeheadHair | undefined {
  const { skin, cut, map } = seen;
  const { width, height } = cut;
  // A man's forehead in hard light is as dark as hair, and few wear it over the forehead.
  const shareOf = seen.sex === 'female' ? hairShare(cut, map) : undefined;
  const shares = shareOf && lookAbove(cut, shareOf);
  const hangs = shares && hangingFromAbove(shares, cut, map);
  if (!shareOf || !hangs) return undefined;
  const gate = blur(hangs, width, height, 2).map((v) => smoothstep(0, 0.2, v));
  const around = blur(
    shares.map((share, i) => share * gate[i]),
    width,
    height,
    2,
  );
  const forehead = foreheadZone(seen);
  const hidden = forehead.map((share, i) => {
    if (!share) return 0;
    const [cx, cy] = cut.toCrop(skin.photo[2 * i], skin.photo[2 * i + 1]);
    return share * smoothstep(near.from, near.wholly, readGrid(around, width, height, cx, cy));
  });
  return {
    zone: forehead.map((share, i) => share && share * paintable(seen, i)),
    hidden,
    openAt: (cx, cy) => readGrid(gate, width, height, cx, cy),
    shareAt: (rgb, cx, cy) => shareOf(rgb, 0, cx, cy),
  };
}

/** How far hair may be painted on a vertex, 0..1: not where it hangs free in front of the skin, or is seen askance. */
function paintable({ skin, fit, hair: { fringe } }: ForeheadSeen, i: number): number {
  const onFace = i < fineFace.count;
  const free = onFace ? fringe?.covered[i] : fringe?.hangs[(i - fineFace.count) % craniumColumns];
  return (1 - (free ?? 0)) * smoothstep(...sideways, facingCamera(fit.pose, skin.normals, i));
}

/** How far a colour (from `o` on) is hair's at a place of the crop, 0..1. */
type ShareOf = (rgb: ArrayLike<number>, o: number, cx: number, cy: number) => number;

function hairShare(cut: Silhouette, map: HairMap): ShareOf | undefined {
  const way = wayToHair(map);
  if (!way) return undefined;
  const { tones, wide, high } = skinTones(cut, map, way);
  const toneAt = (k: number, cx: number, cy: number): number =>
    readGrid(tones[k], wide, high, cx / toneCell, cy / toneCell);
  // No arrays: it is asked for every pixel.
  return (rgb, o, cx, cy) => {
    const sum = sumOf(rgb, o);
    const darker = toneAt(0, cx, cy) - Math.log(sum);
    const warmth = warmthOf(rgb, sum, o) - toneAt(1, cx, cy);
    const hue = hueOf(rgb, sum, o) - toneAt(2, cx, cy);
    const towards = way(-darker, warmth, hue);
    return Math.max(
      smoothstep(strand.from, strand.wholly, towards),
      smoothstep(dark.from, dark.wholly, darker),
    );
  };
}

/** The same by pixel of the crop, from the eyes up. */
function lookAbove({ width, height, crop, faceFrame }: Silhouette, shareOf: ShareOf): Float32Array {
  const shares = new Float32Array(width * height);
  for (let y = 0; y < height && faceFrame(0, y + 0.5)[1] >= lowest; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      shares[i] = shareOf(crop, 3 * i, x + 0.5, y + 0.5);
    }
  return shares;
}

/** How far a look that differs so much from skin's has come to hair's, by what tells the two apart best. */
type Way = (light: number, warmth: number, hue: number) => number;

/** Undefined where nothing tells hair from skin. */
function wayToHair({ hairColour, skinColour }: UsualColours): Way | undefined {
  const [hair, skin] = [lookOf(hairColour), lookOf(skinColour)];
  const off = hair.map((value, k) => value - skin[k]);
  const apart = off.reduce((sum, d, k) => sum + (d / deviations[k]) ** 2, 0);
  const share = smoothstep(told.from, told.wholly, Math.sqrt(apart));
  if (share === 0) return undefined;
  const [a, b, c] = off.map((d, k) => (share * d) / deviations[k] ** 2 / apart);
  return (light, warmth, hue) => a * light + b * warmth + c * hue;
}

/** Pixels of the crop that a cell of the skin's tone is wide. */
const toneCell = 4;

/** The skin's look by cell of the crop, a field for each of its three numbers. */
interface SkinTones {
  readonly tones: Float32Array[];
  readonly wide: number;
  readonly high: number;
}

/** The skin's look: its mean nearby, hair left out. */
function skinTones(cut: Silhouette, map: HairMap, way: Way): SkinTones {
  const { width, height } = cut;
  const usual = lookOf(map.skinColour);
  const [wide, high] = [Math.ceil(width / toneCell), Math.ceil(height / toneCell)];
  const radius = Math.max(1, Math.round((toneReach * faceHeight(cut)) / toneCell));
  const broad = (values: Float32Array): Float32Array =>
    blur(blur(values, wide, high, radius), wide, high, radius);
  let tones = usual.map((value) => new Float32Array(wide * high).fill(value));
  for (let round = 0; round < 2; round++) {
    const [total, ...sums] = sumSkin(cut, map, way, tones).map(broad);
    tones = usual.map((value, k) => sums[k].map((sum, i) => (sum + 0.01 * value) / (total[i] + 0.01)));
  }
  const light = lightBelow(cut, map, radius);
  tones[0] = tones[0].map((value, i) => Math.max(value, light[i % wide]));
  return { tones, wide, high };
}

/** How much skin lies in each cell and its look times that, of a pixel's mean: what lies towards hair from `tones` is none. */
function sumSkin(
  { width, height, crop, inFace }: Silhouette,
  { skin, skinColour }: HairMap,
  way: Way,
  tones: readonly Float32Array[],
): Float32Array[] {
  const wide = Math.ceil(width / toneCell);
  const sums = Array.from({ length: 4 }, () => new Float32Array(tones[0].length));
  const usual = lookOf(skinColour)[0];
  for (let i = 0; i < width * height; i++) {
    if (!inFace[i]) continue;
    const cell = Math.floor(i / width / toneCell) * wide + Math.floor((i % width) / toneCell);
    const sum = sumOf(crop, 3 * i);
    const light = Math.log(sum);
    const warmth = warmthOf(crop, sum, 3 * i);
    const hue = hueOf(crop, sum, 3 * i);
    const hair = clamp(way(light - tones[0][cell], warmth - tones[1][cell], hue - tones[2][cell]), 0, 1);
    const w = (skin[i] * (1 - hair) ** 4 * Math.exp(lit * (light - usual))) / toneCell ** 2;
    sums[0][cell] += w;
    sums[1][cell] += w * light;
    sums[2][cell] += w * warmth;
    sums[3][cell] += w * hue;
  }
  return sums;
}

/** ln brightness of the skin below a fringe by column of cells: from there it is led up, for above hair shades it. */
function lightBelow(
  { width, height, crop, inFace, faceFrame }: Silhouette,
  { skin }: HairMap,
  radius: number,
): Float32Array {
  const wide = Math.ceil(width / toneCell);
  const [sums, weights] = [new Float32Array(wide), new Float32Array(wide)];
  for (let y = 0; y < height; y++) {
    const up = faceFrame(0, y + 0.5)[1];
    if (up < unshaded.from || up > unshaded.to) continue;
    for (let i = y * width; i < (y + 1) * width; i++) {
      if (!inFace[i] || skin[i] < 0.5) continue;
      const light = Math.log(sumOf(crop, 3 * i));
      const w = Math.exp(lit * light);
      const column = Math.floor((i - y * width) / toneCell);
      sums[column] += w * light;
      weights[column] += w;
    }
  }
  const along = (values: Float32Array): Float32Array => blur(values, wide, 1, radius);
  const [sum, weight] = [along(sums), along(weights)];
  return sum.map((value, x) => (weight[x] > 0 ? value / weight[x] : -Infinity));
}

/** 1 where hair hangs that grows above; undefined where none does. */
function hangingFromAbove(
  shares: Float32Array,
  { width, height, faceFrame }: Silhouette,
  { hair }: HairMap,
): Float32Array | undefined {
  const isHair = Uint8Array.from(shares, (share) => Number(share > leastShare));
  const hangs = new Float32Array(width * height);
  let rows = 0;
  while (rows < height && faceFrame(0, rows + 0.5)[1] > grows) rows++;
  const growing = rows * width;
  let any = false;
  for (const piece of connectedPieces(isHair, width, height)) {
    const sure = piece.filter((i) => i < growing && hair[i] >= sureHair);
    if (sure.length < leastSure) continue;
    any = true;
    for (const i of piece) hangs[i] = 1;
  }
  return any ? hangs : undefined;
}

/** How far each vertex is forehead that the photo shows, 0..1. */
function foreheadZone({ skin: { points, trust }, fit, cranium: { way } }: ForeheadSeen): Float32Array {
  const browAt = browHeights(fit);
  return Float32Array.from({ length: fineFace.count + craniumRows * craniumColumns }, (_, i) => {
    const above = smoothstep(...aboveBrows, points[3 * i + 1] - browAt(points[3 * i]));
    if (!above) return 0;
    const k = i - fineFace.count;
    const rim = k < 0 ? 1 : smoothstep(...belowRim, way[k + craniumColumns]);
    return above * rim * Math.min(1, 2 * trust[i]);
  });
}

/** Height of the brows' upper edge by x, led on between them and down beside their ends. */
function browHeights({ neutral }: FaceFit): (x: number) => number {
  const brows = [rightBrow, leftBrow]
    .flatMap(([upper]) => upper.map((i) => [neutral[3 * i], neutral[3 * i + 1]] as const))
    .sort((p, q) => p[0] - q[0]);
  return (x) => {
    const next = brows.findIndex(([at]) => at > x);
    if (next <= 0) {
      const [end, height] = brows[next === 0 ? 0 : brows.length - 1];
      return height - besideBrow * Math.abs(x - end);
    }
    const [[x0, y0], [x1, y1]] = [brows[next - 1], brows[next]];
    return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
  };
}

/** Lowers the trust in skin that lies below such hair or in its shade. */
export function doubtBelow({ hidden }: ForeheadHair, { trust, matt }: AssembledSkin): void {
  matt.set(hidden);
  // Beyond the oval it stays: there the hair's roots would be drawn instead. What is half doubted is lent to the other side.
  for (let i = 0; i < fineFace.count; i++)
    trust[i] *= 1 - Math.min(1, 2 * hidden[i]) * smoothstep(1, 0.95, wayFromMiddle[i]);
}

/** Paints the hair on the finished skin as the photo shows it, in the skin's light without its tint. */
export function paintForeheadHair(
  canvas: Canvas,
  { zone, hidden, openAt, shareAt }: ForeheadHair,
  skin: AssembledSkin,
  picture: Picture,
  cut: Silhouette,
): void {
  const pixel = new Float32Array(3);
  const { photo, photoLight } = skin;
  const gains = zone.map((_, i) =>
    clamp((photoLight[3 * i] * photoLight[3 * i + 1] * photoLight[3 * i + 2]) ** (-1 / 6.6), ...gainLimits),
  );
  const inCrop = placesInCrop(cut, photo);
  walkTriangles(canvas.size, skin.uv, trianglesWith(skin.triangles, hidden), (i, a, b, c, shares) => {
    const wa = shares[0];
    const wb = shares[1];
    const wc = shares[2];
    const may = wa * zone[a] + wb * zone[b] + wc * zone[c];
    if (may < 0.01) return;
    const cx = wa * inCrop[2 * a] + wb * inCrop[2 * b] + wc * inCrop[2 * c];
    const cy = wa * inCrop[2 * a + 1] + wb * inCrop[2 * b + 1] + wc * inCrop[2 * c + 1];
    const open = may * openAt(cx, cy);
    if (open < 0.01) return;
    readPixel(
      picture,
      wa * photo[2 * a] + wb * photo[2 * b] + wc * photo[2 * c],
      wa * photo[2 * a + 1] + wb * photo[2 * b + 1] + wc * photo[2 * c + 1],
      pixel,
    );
    const share = open * shareAt(pixel, cx, cy);
    if (share < 0.01) return;
    for (let ch = 0; ch < 3; ch++) {
      const own = pixel[ch] * (wa * gains[a] + wb * gains[b] + wc * gains[c]);
      canvas.colour[3 * i + ch] += share * (own - canvas.colour[3 * i + ch]);
    }
  });
}

/** Takes gloss and relief from skin that hair is painted on, in place: under a skin's gloss fair strands are a grey veil. */
export function dullHair({ matt }: SkinLight, skin: Pick<AssembledSkin, 'uv' | 'triangles' | 'matt'>): void {
  walkTriangles(side, skin.uv, trianglesWith(skin.triangles, skin.matt), (i, a, b, c, shares) => {
    const share = shares[0] * skin.matt[a] + shares[1] * skin.matt[b] + shares[2] * skin.matt[c];
    matt[i] = Math.max(matt[i], share);
  });
}
