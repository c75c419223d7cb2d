import { type FaceFit, facingCamera } from '../fit/face_fit.ts';
import type { HairMap } from '../hair/hair_map.ts';
import type { HairSheet } from '../hair/hair_sheet.ts';
import { clamp, smoothstep } from '../math/vector.ts';
import { placesInCrop } from '../matte/crop_pixel.ts';
import type { Silhouette } from '../matte/silhouette.ts';
import type { Picture } from '../photo/photo.ts';
import { readGrid } from '../photo/picture_sampling.ts';
import { blur } from '../photo/pixel_filters.ts';
import { type RefinedShares, refinedShare, refineShares } from '../segment/guided_filter.ts';
import { type Cranium, craniumColumns, craniumRows } from '../skull/skull.ts';
import { type SkinLight, side } from '../texture/skin_light.ts';
import { readPixel } from '../texture/skin_texture.ts';
import { type Canvas, trianglesWith, walkTriangles } from '../texture/texture_fill.ts';
import { wayFromMiddle } from '../topology/face_regions.ts';
import { leftBrow, rightBrow } from '../topology/face_topology.ts';
import { fineFace } from '../topology/fine_face.ts';
import type { AssembledSkin } from './appearance.ts';

/** Share of hair from which on a pixel shows it, and wholly. */
const strand = { from: 0.25, wholly: 0.75 } as const;
/** Most by which hair takes part in the skin's light. */
const gainLimits = [0.8, 1.25] as const;
/** Height of the face from which on hair is looked for. */
const lowest = 0.55;
/** Fewest pixels of the crop with such hair within the face's outline: fewer are the hairline. */
const fewest = 30;
/** Metres above the brows from which on skin is forehead, and wholly. */
const aboveBrows = [0, 0.005] as const;
/** How steeply the forehead reaches down to the temples beside a brow's end. */
const besideBrow = 1.2;
/** Metres behind the oval up to which the hair's sheet shows the skin below, and up to where surely. */
const belowRim = [0.035, 0.02] as const;
/** How far skin faces the camera from which on hair may be painted on it, and wholly. */
const sideways = [0.68, 0.86] as const;
/** Share of hair below which a pixel of the crop is far from any. */
const leastShare = 0.1;
/** Share of hair about a place from which on its skin is not looked at, and wholly. */
const near = { from: 0.06, wholly: 0.3 } as const;

/** Hair that hangs over the forehead. */
export interface ForeheadHair {
  /** By vertex of face and cranium, 0..1: how far hair may be painted there, and how far it hides or shades the skin. */
  readonly zone: Float32Array;
  readonly hidden: Float32Array;
  /** How much hair the crop shows about each pixel, and its shares of hair as sharp as the photo. */
  readonly around: Float32Array;
  readonly refined: RefinedShares;
}

/** How far a place of the crop may show hair, 0..1. */
const openAt = ({ around, refined: { width, height } }: ForeheadHair, cx: number, cy: number): number =>
  smoothstep(0, 0.2, readGrid(around, width, height, cx, cy));

/** How far a colour of the photo is hair's at a place of the crop, 0..1. */
const hairShareAt = (
  { refined }: Pick<ForeheadHair, 'refined'>,
  rgb: ArrayLike<number>,
  o: number,
  cx: number,
  cy: number,
): number => smoothstep(strand.from, strand.wholly, refinedShare(refined, rgb, o, cx, cy));

/** What hair on a forehead is found by. */
export interface ForeheadSeen {
  readonly skin: Pick<AssembledSkin, 'points' | 'normals' | 'photo' | 'trust'>;
  readonly fit: FaceFit;
  readonly cut: Silhouette;
  readonly map: HairMap;
  readonly hair: Pick<HairSheet, 'fringe'>;
  readonly cranium: Pick<Cranium, 'way'>;
}

/**
 * Finds hair that hangs over the forehead from above. It is no skin: with the skin's light evened out, gloss and spots
 * taken out and one side lent to the other, strands were stains.
 */
export function findForeheadHair(seen: ForeheadSeen): ForeheadHair | undefined {
  const { skin, cut, map } = seen;
  const { width, height, crop, inFace, faceFrame } = cut;
  const refined = refineShares(map.hair, crop, width, height);
  const shares = new Float32Array(width * height);
  let count = 0;
  for (let y = 0; y < height && faceFrame(0, y + 0.5)[1] >= lowest; y++)
    count += sharesInRow(shares, refined, map.hair, crop, inFace, y);
  if (count < fewest) return undefined;
  const around = blur(shares, width, height, 2);
  const zone = foreheadZone(seen);
  const hidden = new Float32Array(zone.length);
  for (let i = 0; i < zone.length; i++) {
    if (!zone[i]) continue;
    const [cx, cy] = cut.toCrop(skin.photo[2 * i], skin.photo[2 * i + 1]);
    hidden[i] = zone[i] * smoothstep(near.from, near.wholly, readGrid(around, width, height, cx, cy));
    zone[i] *= paintable(seen, i);
  }
  return { zone, hidden, around, refined };
}

/** Shares of hair in a row of the crop; returns how many pixels of the face show it. */
function sharesInRow(
  shares: Float32Array,
  refined: RefinedShares,
  hair: Float32Array,
  crop: Float32Array,
  inFace: Uint8Array,
  y: number,
): number {
  const { width } = refined;
  let count = 0;
  for (let x = 0; x < width; x++) {
    const i = y * width + x;
    // Between hair's pixels the colours may be anything: what is far from hair is none.
    if (hair[i] < leastShare) continue;
    shares[i] = smoothstep(strand.from, strand.wholly, refinedShare(refined, crop, 3 * i, x + 0.5, y + 0.5));
    if (inFace[i] && shares[i] > 0.5) count++;
  }
  return count;
}

/** How far hair may be painted on a vertex, 0..1: not where it hangs free in front of the skin, or is seen askance. */
function paintable({ skin, fit, hair: { fringe } }: ForeheadSeen, i: number): number {
  const onFace = i < fineFace.count;
  const free = onFace ? fringe?.covered[i] : fringe?.hangs[(i - fineFace.count) % craniumColumns];
  return (1 - (free ?? 0)) * smoothstep(...sideways, facingCamera(fit.pose, skin.normals, i));
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
  hair: ForeheadHair,
  skin: AssembledSkin,
  picture: Picture,
  cut: Silhouette,
): void {
  const { photo, photoLight, uv } = skin;
  const gains = hair.zone.map((_, i) =>
    clamp((photoLight[3 * i] * photoLight[3 * i + 1] * photoLight[3 * i + 2]) ** (-1 / 6.6), ...gainLimits),
  );
  walkTriangles(canvas.size, uv, trianglesWith(skin.triangles, hair.hidden), paintHairPixel, {
    canvas,
    hair,
    photo,
    picture,
    gains,
    inCrop: placesInCrop(cut, photo),
    pixel: new Float32Array(3),
  });
}

interface HairPaint {
  readonly canvas: Canvas;
  readonly hair: ForeheadHair;
  readonly photo: Float32Array;
  readonly picture: Picture;
  readonly gains: Float32Array;
  readonly inCrop: Float32Array;
  readonly pixel: Float32Array;
}

function paintHairPixel(
  i: number,
  a: number,
  b: number,
  c: number,
  shares: Float64Array,
  { canvas, hair, photo, picture, gains, inCrop, pixel }: HairPaint,
): void {
  const wa = shares[0];
  const wb = shares[1];
  const wc = shares[2];
  const { zone } = hair;
  const may = wa * zone[a] + wb * zone[b] + wc * zone[c];
  if (may < 0.01) return;
  const cx = wa * inCrop[2 * a] + wb * inCrop[2 * b] + wc * inCrop[2 * c];
  const cy = wa * inCrop[2 * a + 1] + wb * inCrop[2 * b + 1] + wc * inCrop[2 * c + 1];
  const open = may * openAt(hair, cx, cy);
  if (open < 0.01) return;
  readPixel(
    picture,
    wa * photo[2 * a] + wb * photo[2 * b] + wc * photo[2 * c],
    wa * photo[2 * a + 1] + wb * photo[2 * b + 1] + wc * photo[2 * c + 1],
    pixel,
  );
  const share = open * hairShareAt(hair, pixel, 0, cx, cy);
  if (share < 0.01) return;
  for (let ch = 0; ch < 3; ch++) {
    const own = pixel[ch] * (wa * gains[a] + wb * gains[b] + wc * gains[c]);
    canvas.colour[3 * i + ch] += share * (own - canvas.colour[3 * i + ch]);
  }
}

/** Takes gloss and relief from skin that hair is painted on, in place: under a skin's gloss fair strands are a grey veil. */
export function dullHair({ matt }: SkinLight, skin: Pick<AssembledSkin, 'uv' | 'triangles' | 'matt'>): void {
  walkTriangles(side, skin.uv, trianglesWith(skin.triangles, skin.matt), (i, a, b, c, shares) => {
    const share = shares[0] * skin.matt[a] + shares[1] * skin.matt[b] + shares[2] * skin.matt[c];
    matt[i] = Math.max(matt[i], share);
  });
}
