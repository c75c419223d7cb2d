import { describe, expect, it } from 'vitest';
import { withBothEars } from '../src/assembly/assemble_skin.ts';
import type { Raster } from '../src/contract/head_model.ts';
import { evenedSkin } from '../src/head_options/even_skin.ts';
import { paintEyelids } from '../src/parts/eyelid.ts';
import { blendBands } from '../src/texture/multiband_blend.ts';
import { skinLight } from '../src/texture/skin_light.ts';
import { canvasBytes, fillFromMirror } from '../src/texture/skin_texture.ts';
import {
  addBase,
  blankCanvas,
  type Canvas,
  fillUnknown,
  walkTriangles,
} from '../src/texture/texture_fill.ts';
import { fineFace } from '../src/topology/fine_face.ts';

/** Sides of a canvas and of a picture, pixels: the skin's 2048², but smaller, for each access is counted. */
const [canvasSize, pictureSize] = [256, 512];
const tone = [200, 150, 130] as const;
type Texels = Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** Counts how often a picture's texels are visited; accesses within some rows of a walk are one visit. */
function passCounter(size: number) {
  const lastVisit = new Float64Array(size * size).fill(Number.NEGATIVE_INFINITY);
  let [texel, time, visits] = [-1, 0, 0];
  const touch = (i: number): void => {
    if (i === texel) return;
    texel = i;
    time++;
    if (time - lastVisit[i]! > 8 * size) visits++;
    lastVisit[i] = time;
  };
  /** The same array, which counts: `width` values a texel. A copy of it counts too. */
  const watch = <T extends Texels>(values: T, width: number): T =>
    new Proxy(values, {
      get(target, key) {
        const k = typeof key === 'string' ? Number(key) : Number.NaN;
        if (k >= 0) {
          touch(Math.floor(k / width));
          return target[k];
        }
        if (key === 'slice') return () => watch(target.slice() as T, width);
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
      set(target, key, value: number) {
        touch(Math.floor(Number(key) / width));
        target[Number(key)] = value;
        return true;
      },
    });
  /** Visits a texel while something is done, in the mean of all. */
  const passesOf = (walk: () => void): number => {
    lastVisit.fill(Number.NEGATIVE_INFINITY);
    texel = -1;
    visits = 0;
    walk();
    return visits / (size * size);
  };
  return { watch, passesOf };
}

type Watch = ReturnType<typeof passCounter>['watch'];

/** A canvas that a photo has painted but for its left fifth. */
function watchedCanvas(watch: Watch): Canvas {
  const size = canvasSize;
  const canvas = blankCanvas(size);
  for (let i = 0; i < size * size; i++) {
    canvas.weight[i] = i % size < size / 5 ? 0 : 0.9;
    for (let c = 0; c < 3; c++) canvas.colour[3 * i + c] = canvas.weight[i]! * tone[c]!;
  }
  return { size, colour: watch(canvas.colour, 3), weight: watch(canvas.weight, 1) };
}

function watchedRaster(watch: Watch): Raster {
  const size = pictureSize;
  const data = Uint8Array.from({ length: 3 * size * size }, (_, i) => 120 + ((7 * i) % 40));
  return { name: 'Skin', width: size, height: size, channels: 3, data: watch(data, 3) };
}

/** Two triangles over the whole layout, and weights of their corners. */
const layout = { uv: Float32Array.of(0, 0, 1, 0, 0, 1, 1, 1), triangles: Uint32Array.of(0, 1, 2, 1, 3, 2) };
const [none, all] = [new Float32Array(4), new Float32Array(4).fill(1)];

describe('the large picture of the skin', () => {
  it('is walked once by a stage, or twice by one that measures all of it before it changes it', () => {
    const { watch, passesOf } = passCounter(canvasSize);
    const canvas = watchedCanvas(watch);
    // The light of both sides, then the filling by it.
    expect(passesOf(() => fillFromMirror(canvas, tone))).toBeCloseTo(2, 1);
    // Means, then the filling by them.
    expect(passesOf(() => fillUnknown(canvas, (means) => addBase(means, tone)))).toBeCloseTo(2, 1);
    // The tones, then the blending to them.
    const zones = { edge: all, alike: all, smeared: none };
    expect(passesOf(() => blendBands(canvas, layout, zones, 1, tone))).toBeCloseTo(2, 1);
    expect(passesOf(() => paintEyelids(canvas, fineFace.layout, 'single'))).toBeLessThan(0.1);
    expect(passesOf(() => canvasBytes(canvas))).toBeCloseTo(1, 1);
  });

  it('is walked once to read its light, and twice to even it out', () => {
    const { watch, passesOf } = passCounter(pictureSize);
    const raster = watchedRaster(watch);
    expect(passesOf(() => skinLight(raster))).toBeCloseTo(1, 1);
    expect(passesOf(() => withBothEars(raster.data, pictureSize))).toBeLessThan(0.05);
    expect(passesOf(() => evenedSkin(raster, 1))).toBeCloseTo(2, 1);
  });

  it('is laid out in triangles that hardly overlap', () => {
    const size = 2048;
    const visits = new Uint8Array(size * size);
    walkTriangles(size, fineFace.layout, fineFace.triangles, (i) => {
      visits[i]!++;
    });
    let [covered, all] = [0, 0];
    for (const count of visits) {
      covered += Math.sign(count);
      all += count;
    }
    expect(covered).toBeGreaterThan(0.5 * size * size);
    expect(all / covered).toBeLessThan(1.3);
  });

  it('tells a second walk from the first', () => {
    const { watch, passesOf } = passCounter(canvasSize);
    const { weight } = watchedCanvas(watch);
    const walk = (): void => {
      for (let i = 0; i < weight.length; i++) weight[i]! += 1;
    };
    expect(passesOf(walk)).toBe(1);
    expect(
      passesOf(() => {
        walk();
        walk();
      }),
    ).toBe(2);
  });
});
