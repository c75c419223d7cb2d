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
import { checkFace } from '../src/preflight/portrait_check.ts';

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
    const without = paintGlassesAway(photo, landmarks);
    const [before, after] = [photo, without].map((picture) => distance(picture, bare, roundEyes));
    expect(after, `${before} before`).toBeLessThan(0.4 * before!);
    expect(after).toBeLessThan(2);
    expect(distance(without, bare, brows)).toBeLessThan(1.2);
  });

  it('leave a face alone that wears none', async () => {
    const { landmarks } = checkFace(await loadFaceNetworks(), bare);
    expect(paintGlassesAway(bare, landmarks)).toBe(bare);
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

  it('paints them on the skin or away, and says so in the file', async () => {
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
    const [kept, away, none] = heads.map(({ rasters, materials }): Picture => {
      const { data, width, height } = rasters[materials.find(({ name }) => name === 'Skin')!.texture!]!;
      return { data: Uint8Array.from(data), width, height };
    });
    const side = none!.width;
    const eyes: Area = [0.28 * side, 0.36 * side, 0.44 * side, 0.16 * side].map(
      Math.round,
    ) as unknown as Area;
    const left = distance(away!, none!, eyes);
    expect(left, 'of what glasses make').toBeLessThan(0.5 * distance(kept!, none!, eyes));
    expect(left).toBeLessThan(3.3);
  });
});
