import { describe, expect, it } from 'vitest';
import type { AssembledSkin } from '../src/appearance/appearance.ts';
import {
  doubtBelow,
  dullHair,
  findForeheadHair,
  paintForeheadHair,
} from '../src/appearance/forehead_hair.ts';
import { restingFace } from '../src/default_head/resting_face.ts';
import { fitFace } from '../src/fit/face_fit.ts';
import type { HairMap } from '../src/hair/hair_map.ts';
import { frontalLandmarks } from '../src/landmarks/frontal_landmarks.ts';
import { vertexNormals } from '../src/math/vector.ts';
import type { Silhouette } from '../src/matte/silhouette.ts';
import { readGrid } from '../src/photo/picture_sampling.ts';
import { refinedShare } from '../src/segment/guided_filter.ts';
import { craniumColumns, craniumRows } from '../src/skull/skull.ts';
import { side } from '../src/texture/skin_light.ts';
import { blankCanvas, pixelOf } from '../src/texture/texture_fill.ts';
import { fineFace } from '../src/topology/fine_face.ts';
import { landmark } from '../src/topology/landmark.ts';

const [width, height] = [120, 140];
const skinColour = [200, 150, 130] as const;
const hairColour = [60, 40, 30] as const;
/** What the red of skin is multiplied by, to take the photo’s light out of it: hair has no part in its tint. */
const lifted = 1.1;

const fit = fitFace(frontalLandmarks(restingFace));
const fine = fineFace.refine(fit.neutral, 3);
const brow = fit.neutral[3 * landmark.leftBrowPeak + 1]!;
const count = fineFace.count + craniumRows * craniumColumns;
/** Places of the crop, 1.5 mm a pixel. */
const toCrop = (x: number, y: number): [number, number] => [60 + x / 0.0015, 70 - y / 0.0015];
const toFace = (cx: number, cy: number): [number, number] => [(cx - 60) * 0.0015, (70 - cy) * 0.0015];

const strand = [0, brow + 0.016] as const;
const mole = [0.03, brow + 0.014] as const;
const grows = (y: number): boolean => y > brow + 0.03;
/** A lock comes down over the middle of the forehead from hair above it, and a mole stands alone. */
const isMole = (x: number, y: number): boolean => Math.hypot(x - mole[0], y - mole[1]) < 0.003;
const isDark = (x: number, y: number): boolean =>
  grows(y) || (Math.abs(x) < 0.006 && y > brow + 0.012) || isMole(x, y);

function photograph() {
  const n = width * height;
  const crop = new Float32Array(3 * n);
  const [inFace, hair, skin] = [new Uint8Array(n), new Float32Array(n), new Float32Array(n)];
  for (let i = 0; i < n; i++) {
    const [x, y] = toFace((i % width) + 0.5, Math.floor(i / width) + 0.5);
    crop.set(isDark(x, y) ? hairColour : skinColour, 3 * i);
    inFace[i] = Number(!grows(y));
    hair[i] = Number(isDark(x, y) && !isMole(x, y));
    skin[i] = 1 - Number(isDark(x, y));
  }
  const chin = fit.neutral[3 * landmark.chin + 1]!;
  const cut = {
    width,
    height,
    crop,
    inFace,
    toCrop: (x: number, y: number): [number, number] => [x, y],
    faceFrame: (cx: number, cy: number): [number, number] => {
      const [x, y] = toFace(cx, cy);
      return [x / 0.07, (y - chin) / (brow + 0.035 - chin)];
    },
  } as Partial<Silhouette> as Silhouette;
  const map = { hair, skin, hairColour, skinColour } as Partial<HairMap> as HairMap;
  return { cut, map, picture: { width, height, data: Uint8Array.from(crop) } };
}

function assemble(): AssembledSkin {
  const points = new Float32Array(3 * count).fill(-1);
  points.set(fine);
  const normals = new Float32Array(3 * count);
  normals.set(vertexNormals(fine, fineFace.triangles));
  const [uv, photo] = [new Float32Array(2 * count), new Float32Array(2 * count)];
  uv.set(fineFace.layout);
  for (let i = 0; i < fineFace.count; i++) photo.set(toCrop(fine[3 * i]!, fine[3 * i + 1]!), 2 * i);
  return {
    points,
    normals,
    uv,
    photo,
    trust: new Float32Array(count).fill(1),
    matt: new Float32Array(count),
    photoLight: Float32Array.from({ length: 3 * count }, (_, k) => (k % 3 ? 1 : lifted) ** -2.2),
    triangles: fineFace.triangles,
  } as Partial<AssembledSkin> as AssembledSkin;
}

const vertexAt = ([x, y]: readonly [number, number]): number => {
  let best = 0;
  const far = (i: number): number => Math.hypot(fine[3 * i]! - x, fine[3 * i + 1]! - y);
  for (let i = 1; i < fineFace.count; i++) if (far(i) < far(best)) best = i;
  return best;
};

function find() {
  const { cut, map, picture } = photograph();
  const skin = assemble();
  const cranium = { way: new Float32Array((craniumRows + 1) * craniumColumns) };
  return { cut, picture, skin, found: findForeheadHair({ skin, fit, cut, map, hair: {}, cranium }) };
}

describe('hair over a forehead', () => {
  it('hides the skin below it, and is matt', () => {
    const { skin, found } = find();
    doubtBelow(found!, skin);
    expect(skin.trust[vertexAt(strand)]).toBeLessThan(0.1);
    expect(skin.trust[vertexAt([-0.03, brow + 0.014])]).toBe(1);
    expect(skin.trust[landmark.noseTip]).toBe(1);
    const matt = new Float32Array(side * side);
    dullHair({ light: new Float32Array(side * side), matt }, skin);
    expect(matt[pixelOf(skin.uv, vertexAt(strand), side)]).toBeGreaterThan(0.9);
    expect(matt[pixelOf(skin.uv, landmark.noseTip, side)]).toBe(0);
  });

  it('is none where it doesn’t hang down from hair: a mole, or brows', () => {
    const { skin, found } = find();
    doubtBelow(found!, skin);
    expect(skin.trust[vertexAt(mole)]).toBe(1);
    const { around, refined } = found!;
    const hairAbout = (place: readonly [number, number]): number =>
      readGrid(around, refined.width, refined.height, ...toCrop(...place));
    expect(hairAbout(mole)).toBe(0);
    expect(hairAbout(strand)).toBeGreaterThan(0.2);
    expect(refinedShare(refined, hairColour, 0, ...toCrop(...strand))).toBeGreaterThan(0.75);
    expect(refinedShare(refined, skinColour, 0, ...toCrop(...strand))).toBeLessThan(0.25);
  });

  it('is painted on the finished skin in its own tint, and nothing else is', () => {
    const { cut, picture, skin, found } = find();
    const canvas = blankCanvas(256);
    for (let i = 0; i < canvas.colour.length; i++) canvas.colour[i] = skinColour[i % 3]!;
    paintForeheadHair(canvas, found!, skin, picture, cut);
    const colourAt = (place: readonly [number, number]): number[] => {
      const o = 3 * pixelOf(skin.uv, vertexAt(place), canvas.size);
      return [...canvas.colour.subarray(o, o + 3)];
    };
    const [r, , b] = colourAt(strand) as [number, number, number];
    expect(r / b).toBeCloseTo(hairColour[0] / hairColour[2], 1);
    expect(r).toBeLessThan(1.2 * hairColour[0]);
    expect(colourAt(mole)).toEqual([...skinColour]);
  });
});
