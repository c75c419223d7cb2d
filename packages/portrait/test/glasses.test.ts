import { at } from '@likeness/geometry/vector.ts';
import type { GlassesChoice } from '@likeness/proto/heads/glasses.ts';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sharedMadeHead, sharedPhoto } from '../../../test/support/shared_heads.ts';
import { paintGlassesAway } from '../src/glasses/paint_away.ts';
import { writeGlb } from '../src/gltf/write_glb.ts';
import { loadFaceNetworks } from '../src/landmarks/face_networks.ts';
import { modelHead } from '../src/make_head.ts';
import { toLab } from '../src/photo/lab_colour.ts';
import { type Picture, readPhoto } from '../src/photo/photo.ts';
import { pictureToCrop } from '../src/photo/picture_sampling.ts';
import { checkFace } from '../src/preflight/portrait_check.ts';
import { craniumColumns, craniumRows } from '../src/skull/skull.ts';
import { fineFace } from '../src/topology/fine_face.ts';

// Whole heads are made here: seconds on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Glasses before the drawn portrait's eyes, which lie at 273 and 367, 297. */
const glasses: Readonly<Record<string, string>> = {
  'a thin dark frame':
    '<g fill="none" stroke="#33261f" stroke-width="3.2"><rect x="229" y="278" width="78" height="56" rx="22"/><rect x="333" y="278" width="78" height="56" rx="22"/><path d="M307 298q13 -8 26 0M229 296L204 288M411 296L436 288"/></g>',
  'a thick frame with its shadow':
    '<g fill="none"><g stroke="#000" stroke-opacity=".16" stroke-width="9" transform="translate(0 5)"><rect x="227" y="277" width="80" height="60" rx="18"/><rect x="333" y="277" width="80" height="60" rx="18"/></g><g stroke="#151313" stroke-width="9"><rect x="227" y="277" width="80" height="60" rx="18"/><rect x="333" y="277" width="80" height="60" rx="18"/><path d="M307 296q13 -8 26 0M227 292L203 285M413 292L437 285"/></g></g>',
  'rimless lenses with light on their edges':
    '<g fill="none" stroke-width="2.6"><path d="M232 304q2 32 38 32t36 -32M334 304q2 32 38 32t36 -32" stroke="#fff" stroke-opacity=".55"/><path d="M306 300q14 -8 28 0M232 302L206 291M408 302L434 291" stroke="#4a4340"/></g>',
};

const painted = async (photo: Uint8Array, shapes: string): Promise<Uint8Array> =>
  new Uint8Array(
    await sharp(photo)
      .composite([
        {
          input: Buffer.from(
            `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="640">${shapes}</svg>`,
          ),
        },
      ])
      .png()
      .toBuffer(),
  );

type Area = readonly [left: number, top: number, width: number, height: number];
const roundEyes: Area = [200, 272, 240, 72];
const brows: Area = [236, 254, 168, 18];

/** Mean distance in Lab of two pictures within an area. */
function distance(one: Picture, other: Picture, [left, top, width, height]: Area): number {
  const labOf = ({ data }: Picture): Uint8Array => toLab(Float32Array.from(data));
  const [a, b] = [labOf(one), labOf(other)];
  let sum = 0;
  for (let y = top; y < top + height; y++)
    for (let x = left; x < left + width; x++) {
      const i = 3 * (y * one.width + x);
      sum += Math.hypot((a[i]! - b[i]!) / 2.55, a[i + 1]! - b[i + 1]!, a[i + 2]! - b[i + 2]!);
    }
  return sum / (width * height);
}

let plain: Uint8Array;
let bare: Picture;
beforeAll(async () => {
  plain = await sharedPhoto('female');
  bare = await readPhoto(plain);
});

describe('glasses that are painted away', () => {
  it.each(Object.entries(glasses))('leave the skin behind them: %s', async (_, shapes) => {
    const photo = await readPhoto(await painted(plain, shapes));
    const { landmarks, warnings } = checkFace(await loadFaceNetworks(), photo);
    expect(warnings).toContain('glasses');
    const { picture: without } = paintGlassesAway(photo, landmarks, false);
    const [before, after] = [photo, without].map((picture) => distance(picture, bare, roundEyes));
    expect(after, `${before} before`).toBeLessThan(0.4 * before!);
    expect(after).toBeLessThan(2);
    expect(distance(without, bare, brows)).toBeLessThan(1.2);
  });

  it('leave a face alone that wears none', async () => {
    const { landmarks } = checkFace(await loadFaceNetworks(), bare);
    expect(paintGlassesAway(bare, landmarks, false)).toEqual({ picture: bare });
  });
});

describe('the choice of a head’s glasses', () => {
  const made = async (photo: Uint8Array, choice: GlassesChoice) =>
    (await modelHead({ photo, sex: 'female', options: { glasses: choice } })).model;

  it('is no matter where the photo shows none', async () => {
    const { model: seen } = await sharedMadeHead('female');
    const removed = await made(plain, 'removed');
    expect(removed.extras).toMatchObject({ glasses: 'none' });
    expect(Buffer.compare(await writeGlb(removed), await writeGlb(seen))).toBe(0);
  });

  it('keeps them as an object of their own or leaves them off, and says so in the file', async () => {
    const photo = await painted(plain, glasses['a thick frame with its shadow']!);
    const heads = [
      await made(photo, 'seen'),
      await made(photo, 'removed'),
      (await sharedMadeHead('female')).model,
    ];
    expect(heads.map(({ extras }) => [extras.glasses, extras.options])).toEqual([
      ['seen', undefined],
      ['removed', { glasses: 'removed' }],
      ['none', undefined],
    ]);
    const isGlasses = ({ name }: { name: string }): boolean => name === 'Glasses';
    for (const [n, { surfaces, materials, rasters }] of heads.entries())
      expect([surfaces, materials, rasters].map((list) => list.filter(isGlasses).length)).toEqual(
        n === 0 ? [1, 1, 1] : [0, 0, 0],
      );
    const [kept, away, none] = heads.map(({ rasters, materials }): Picture => {
      const { data, width, height } = rasters[materials.find(({ name }) => name === 'Skin')!.texture!]!;
      return { data: Uint8Array.from(data), width, height };
    });
    const side = none!.width;
    const eyes: Area = [0.28 * side, 0.36 * side, 0.44 * side, 0.16 * side].map(
      Math.round,
    ) as unknown as Area;
    expect(distance(away!, none!, eyes)).toBeLessThan(3.3);
    // Their shade stays on the skin, not they themselves.
    expect(distance(kept!, none!, eyes)).toBeGreaterThan(distance(away!, none!, eyes));
    expect(distance(kept!, none!, eyes)).toBeLessThan(4);
  });
});

/** Points on a drawn frame and in the middles of its lenses, pixels of the photo. */
const framePoints: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  'a thin dark frame': [
    [268, 278],
    [268, 334],
    [229, 306],
    [307, 312],
    [372, 278],
    [372, 334],
    [333, 312],
    [411, 306],
    [320, 294],
  ],
  'a thick frame with its shadow': [
    [267, 277],
    [267, 337],
    [227, 307],
    [307, 307],
    [373, 277],
    [373, 337],
    [333, 307],
    [413, 307],
    [320, 292],
  ],
  'rimless lenses with light on their edges': [
    [268, 336],
    [372, 336],
    [320, 296],
  ],
};
const lensPoints = [
  [273, 297],
  [367, 297],
  [268, 318],
  [372, 318],
  [320, 330],
] as const;

describe('the front of glasses', () => {
  it.each(Object.entries(glasses))('is cut out of the photo: %s', async (kind, shapes) => {
    const photo = await readPhoto(await painted(plain, shapes));
    const { landmarks } = checkFace(await loadFaceNetworks(), photo);
    const { raster, map } = paintGlassesAway(photo, landmarks, false).frame!;
    // The most within three pixels of the picture.
    const alphaAt = ([x, y]: readonly [number, number]): number => {
      const [u, v] = pictureToCrop(map, x, y).map(Math.round) as [number, number];
      const near = [-3, -2, -1, 0, 1, 2, 3];
      return Math.max(
        ...near.flatMap((dy) => near.map((dx) => raster.data[4 * ((v + dy) * raster.width + u + dx) + 3]!)),
      );
    };
    for (const point of framePoints[kind]!) expect(alphaAt(point), `${point}`).toBeGreaterThan(70);
    for (const point of lensPoints) expect(alphaAt(point), `${point}`).toBe(0);
  });
});

describe('the glasses of a head', () => {
  it.each(Object.entries(glasses))('stand before the face and lie on the ears: %s', async (_, shapes) => {
    const photo = await painted(plain, shapes);
    const { model } = await modelHead({ photo, sex: 'female' });
    const named = (name: string) => model.surfaces.find((one) => one.name === name)!;
    const [worn, { points: skin }] = [named('Glasses'), named('Skin')];
    const raster = model.rasters[model.materials[worn.material]!.texture!]!;
    const arms = new Set<number>();
    for (let i = 0; i < worn.points.length / 3; i++) {
      const [x, y, z] = at(worn.points, i);
      const [u, v] = worn.uv!.subarray(2 * i, 2 * i + 2) as unknown as [number, number];
      if (v > 1 - 16 / raster.height) arms.add(i);
      const pixel = Math.round(v * raster.height) * raster.width + Math.round(u * raster.width);
      if (arms.has(i) || raster.data[4 * pixel + 3]! < 128) continue;
      const near = Array.from({ length: fineFace.count }, (_, k) => at(skin, k)).filter(
        (p) => Math.hypot(p[0] - x, p[1] - y) < 0.001,
      );
      expect(Math.max(-1, ...near.map((p) => p[2]))).toBeLessThan(z);
    }
    const earStart = fineFace.count + craniumRows * craniumColumns;
    for (const side of [-1, 1]) {
      const own = [...arms].filter((i) => side * worn.points[3 * i]! > 0);
      const onEars = Array.from({ length: skin.length / 3 - earStart }, (_, k) => earStart + k).filter(
        (i) => side * skin[3 * i]! > 0.06,
      );
      const depths = onEars.map((i) => skin[3 * i + 2]!);
      const last = Math.min(...own.map((i) => worn.points[3 * i + 2]!));
      // Behind the ear's front edge.
      expect(last).toBeGreaterThan(Math.min(...depths));
      expect(last).toBeLessThan(Math.max(...depths) - 0.004);
      expect(worn.points[3 * own[0]! + 2]).toBeGreaterThan(model.leftEye[2]);
      // Arms don't cut into the head.
      for (const [x, y, z] of own.map((i) => at(worn.points, i))) {
        const near = Array.from({ length: earStart }, (_, k) => at(skin, k)).filter(
          (p) => Math.hypot(p[1] - y, p[2] - z) < 0.001,
        );
        expect(Math.max(0, ...near.map((p) => side * p[0]))).toBeLessThan(side * x);
      }
    }
  });
});
