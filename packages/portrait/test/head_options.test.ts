import type { HeadOptions } from '@likeness/proto/heads/head_options.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sharedMadeHead, sharedPhoto } from '../../../test/support/shared_heads.ts';
import type { HeadModel, Raster, Surface } from '../src/contract/head_model.ts';
import type { FaceFit } from '../src/fit/face_fit.ts';
import { applyHeadOptions } from '../src/head_options/apply_head_options.ts';
import { readColour, recolouredHair } from '../src/head_options/recolour.ts';
import { modelHead } from '../src/make_head.ts';

// Whole heads are made here: seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let photo: Uint8Array;
let model: HeadModel;
let fit: FaceFit;
beforeAll(async () => {
  photo = await sharedPhoto('female');
  ({ model, fit } = await sharedMadeHead('female'));
});

const chosen = (options: HeadOptions): HeadModel => applyHeadOptions(model, options, fit);
const surface = (head: HeadModel, name: string): Surface => head.surfaces.find((one) => one.name === name)!;
const worn = (head: HeadModel, material: string): Raster =>
  head.rasters[head.materials.find(({ name }) => name === material)!.texture!]!;

/** Mean colour of the pixels that `is` lets through, sRGB. */
function meanOf({ data, width, channels }: Raster, is: (x: number, y: number) => boolean): number[] {
  const sum = [0, 0, 0, 0];
  for (let i = 0; i < data.length / channels; i++) {
    if (!is(((i % width) + 0.5) / width - 0.5, (Math.floor(i / width) + 0.5) / width - 0.5)) continue;
    for (let c = 0; c < 3; c++) sum[c]! += data[channels * i + c]!;
    sum[3]!++;
  }
  return sum.slice(0, 3).map((value) => value / sum[3]!);
}

const hue = ([r = 0, g = 0, b = 0]: number[]): number => Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b);

describe('options of a head', () => {
  it('give the irises another colour and leave pupil and white', () => {
    const before = worn(model, 'EyeLeft');
    const after = worn(chosen({ eyeColour: '#3f78c8' }), 'EyeLeft');
    const ring = (x: number, y: number): boolean => Math.hypot(x, y) > 0.09 && Math.hypot(x, y) < 0.12;
    expect(Math.abs(hue(meanOf(after, ring)) - hue([0x3f, 0x78, 0xc8]))).toBeLessThan(0.25);
    const pupil = (x: number, y: number): boolean => Math.hypot(x, y) < 0.03;
    const white = (x: number, y: number): boolean => Math.hypot(x, y) > 0.16;
    for (const place of [pupil, white]) expect(meanOf(after, place)).toEqual(meanOf(before, place));
  });

  it('give dark hair a light colour without losing its strands', () => {
    const after = worn(chosen({ hairColour: '#c8a468' }), 'Hair');
    const mean = meanOf(after, () => true);
    for (const [c, value] of [0xc8, 0xa4, 0x68].entries())
      expect(Math.abs(mean[c]! - value), `${mean}`).toBeLessThan(24);
    expect(new Set(after.data).size).toBeGreaterThan(60);
  });

  it('give grey hair a dark colour that is not brighter as a whole', () => {
    // A dark strand beside three light ones, as grey hair has them.
    const data = Uint8Array.from({ length: 64 * 64 * 3 }, (_, at) => (Math.floor(at / 3) % 4 ? 200 : 20));
    const dyed = recolouredHair(
      { name: 'hair', width: 64, height: 64, channels: 3, data },
      readColour('#6e3119'),
    );
    const mean = meanOf(dyed, () => true);
    for (const [c, value] of [0x6e, 0x31, 0x19].entries())
      expect(Math.abs(mean[c]! - value), `${mean}`).toBeLessThan(12);
  });

  it('even out a blotch and leave brows and lips', () => {
    const at = model.materials.find(({ name }) => name === 'Skin')!.texture!;
    const skin = model.rasters[at]!;
    const data = Uint8Array.from(skin.data);
    const { width } = skin;
    // On the left cheek, some 6 mm across: redder by a twelfth.
    const blotch = (x: number, y: number): boolean => Math.hypot(x - 0.16, y - 0.06) < 0.009;
    for (let i = 0; i < data.length / 3; i++)
      if (blotch(((i % width) + 0.5) / width - 0.5, (Math.floor(i / width) + 0.5) / width - 0.5))
        data[3 * i + 1] = data[3 * i + 1]! * 0.92;
    const rasters = model.rasters.map((one, i) => (i === at ? { ...one, data } : one));
    const even = worn(applyHeadOptions({ ...model, rasters }, { evenness: 1 }, fit), 'Skin');
    const ring = (x: number, y: number): boolean => Math.abs(Math.hypot(x - 0.16, y - 0.06) - 0.02) < 0.004;
    const off = (raster: Raster): number => Math.abs(meanOf(raster, blotch)[1]! - meanOf(raster, ring)[1]!);
    expect(off(even)).toBeLessThan(0.5 * off({ ...skin, data }));
    const contrast = (raster: Raster): number => {
      const dark = meanOf(raster, (x, y) => Math.hypot(x, y - 0.14) < 0.01);
      return meanOf(raster, ring)[1]! - dark[1]!;
    };
    expect(contrast(even)).toBeGreaterThan(0.8 * contrast(skin));
  });

  it('let the mouth rest as it was photographed, and all targets move it from there', () => {
    const weights = { jawOpen: 0.3, mouthSmileLeft: 0.4 };
    const smiling = applyHeadOptions({ ...model, photoExpression: weights }, { smile: 0.5 }, fit);
    const before = surface(model, 'Skin');
    const after = surface(smiling, 'Skin');
    let off = 0;
    for (let i = 0; i < before.points.length; i++) {
      const moved = Object.entries(weights).reduce(
        (sum, [name, weight]) =>
          sum + 0.5 * weight * (before.morphs![model.targetNames.indexOf(name)]?.[i] ?? 0),
        0,
      );
      off = Math.max(off, Math.abs(after.points[i]! - before.points[i]! - moved));
    }
    expect(off).toBeLessThan(1e-6);
    expect(after.morphs).toBe(before.morphs);
    expect(smiling.photoExpression).toEqual({ jawOpen: 0.15, mouthSmileLeft: 0.2 });
    expect(
      applyHeadOptions({ ...model, photoExpression: weights }, { smile: 1 }, fit).photoExpression,
    ).toEqual({});
  });

  it('resize the whole head, with its joints and what moves it', () => {
    const large = chosen({ head: 1.1 });
    expect(large.headPivot[1]).toBeCloseTo(1.1 * model.headPivot[1], 6);
    const [small, wide] = [surface(model, 'Skin'), surface(large, 'Skin')];
    expect(wide.points[3000]).toBeCloseTo(1.1 * small.points[3000]!, 6);
    const jaw = model.targetNames.indexOf('jawOpen');
    const max = (one: Surface): number => one.morphs![jaw]!.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    expect(max(wide)).toBeCloseTo(1.1 * max(small), 6);
  });

  it('widen the neck and leave the face', () => {
    const before = surface(model, 'Skin');
    const after = surface(chosen({ neck: 1.2 }), 'Skin');
    const out = ({ points }: Surface, i: number): number => Math.hypot(points[3 * i]!, points[3 * i + 2]!);
    const grown = Array.from(before.headShare!, (_, i) => out(after, i) / Math.max(1e-6, out(before, i)));
    const face = grown.filter((_, i) => before.headShare![i] === 1);
    expect(face.length).toBeGreaterThan(1000);
    expect(face.reduce((max, value) => Math.max(max, Math.abs(value - 1)), 0)).toBeLessThan(5e-6);
    expect(grown.reduce((max, value) => Math.max(max, value), 0)).toBeCloseTo(1.2, 2);
  });

  it('set the head on shoulders that hide the neck’s cut, and leave the head as it was', () => {
    const bust = chosen({ bust: '#804020' });
    const cloth = surface(bust, 'Cloth');
    expect(bust.surfaces.slice(0, -1)).toEqual(model.surfaces);
    expect(bust.materials[cloth.material]).toMatchObject({ name: 'Cloth' });
    expect(cloth.headShare!.every((share) => share === 0)).toBe(true);
    // Every edge belongs to two triangles but those of the collar's hidden rim.
    const edges = new Map<string, number>();
    for (let t = 0; t < cloth.triangles.length; t += 3)
      for (let n = 0; n < 3; n++) {
        const pair = [cloth.triangles[t + n]!, cloth.triangles[t + ((n + 1) % 3)]!].sort((a, b) => a - b);
        edges.set(pair.join(), (edges.get(pair.join()) ?? 0) + 1);
      }
    expect([...edges.values()].filter((times) => times !== 2)).toEqual(Array(72).fill(1));
    const [wide, high] = [0, 1].map((c) => {
      const values = cloth.points.filter((_, i) => i % 3 === c);
      return [Math.min(...values), Math.max(...values)] as const;
    });
    expect(wide![1] - wide![0]).toBeGreaterThan(0.3);
    expect(wide![1] - wide![0]).toBeLessThan(0.5);
    expect(high![0]).toBeLessThan(-0.1);
    // It stands above the neck's lower edge all round.
    const skin = surface(model, 'Skin').points.filter((_, i) => i % 3 === 1);
    expect(high![1]).toBeGreaterThan(Math.min(...skin) + 0.014);
  });

  it('leave as much of the photo’s light in the skin as is wanted, and are told in the file', async () => {
    const { model: all, picture } = await modelHead({ photo, sex: 'female', options: { light: 1 } });
    expect(all.extras.options).toEqual({ light: 1 });
    const cheeks = [50, 280];
    const shown = (head: HeadModel): number[] =>
      cheeks.flatMap((i) => {
        const { uv } = surface(head, 'Skin');
        const about = (v: number, k: number): boolean => Math.abs(v + 0.5 - uv![2 * i + k]!) < 0.004;
        return meanOf(worn(head, 'Skin'), (x, y) => about(x, 0) && about(y, 1));
      });
    const photographed = cheeks.flatMap((i) => {
      const [px, py] = [0, 1].map((k) => Math.floor(fit.photo[2 * i + k]!)) as [number, number];
      return [...picture.data.subarray(3 * (py * picture.width + px)).subarray(0, 3)];
    });
    const farthest = (from: number[]): number =>
      Math.max(...shown(all).map((value, k) => Math.abs(value - from[k]!)));
    expect(farthest(photographed)).toBeLessThan(4);
    expect(farthest(shown(model))).toBeGreaterThan(1);
    // It was made with the light that is the default.
    expect(model.extras.options).toBeUndefined();
  });
});
