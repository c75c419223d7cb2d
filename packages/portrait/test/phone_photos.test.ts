import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Crop } from '@likeness/proto/crop.ts';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadFaceNetworks } from '../src/landmarks/face_networks.ts';
import { makeHead, modelHead } from '../src/make_head.ts';
import { cropped, type Picture, readPhoto } from '../src/photo/photo.ts';
import { prepareOutline } from '../src/preflight/outline.ts';
import { reportPhoto } from '../src/preflight/photo_report.ts';
import { checkFace } from '../src/preflight/portrait_check.ts';

const root = join(import.meta.dirname, '../../..');
const whole: Crop = { x: 0, y: 0, width: 1, height: 1 };
const codesOf = async (photo: Uint8Array, crop: Crop | null = null): Promise<string[]> =>
  (await reportPhoto(photo, crop)).findings.map(({ code }) => code);

let face: Buffer;
let heic: Buffer;
beforeAll(async () => {
  face = await readFile(join(root, 'renderer/base/samples/face.jpg'));
  heic = await readFile(join(root, 'test/fixtures/photos/face_p3.heic'));
});

/** The mean distance of two pictures of one size, of 255. */
function distance(a: Picture, b: Picture): number {
  expect([a.width, a.height]).toEqual([b.width, b.height]);
  return a.data.reduce((sum, value, i) => sum + Math.abs(value - b.data[i]!), 0) / a.data.length;
}

/** Of the brighter half, where the skin is. */
function redness({ data }: Picture): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < data.length; i += 3) {
    if (data[i]! < 150) continue;
    sum += data[i]! - data[i + 1]!;
    count += 1;
  }
  return sum / count;
}

describe('a HEIC photo', () => {
  it('is read in its own colours, converted from Display P3', async () => {
    const picture = await readPhoto(heic);
    const original = await readPhoto(join(root, 'test/fixtures/photos/face_srgb.jpg'));
    expect(distance(picture, original)).toBeLessThan(2);
    // The same samples taken for sRGB are paler.
    expect(redness(picture)).toBeCloseTo(redness(original), 0);
  });

  it('is checked, cut to a JPEG, and made a head of', async () => {
    const report = await reportPhoto(heic, null);
    expect(report).toMatchObject({ width: 480, height: 600, view: 'front', findings: [] });
    const jpeg = await cropped(heic, whole);
    expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 480, height: 600 });
    expect(distance(await readPhoto(jpeg), await readPhoto(heic))).toBeLessThan(2);
    const cut = await sharp(await cropped(heic, { x: 0.1, y: 0.2, width: 0.5, height: 0.5 })).metadata();
    expect(cut).toMatchObject({ width: 240, height: 300 });
    expect((await makeHead({ photo: heic, sex: 'female' })).report.warnings).toEqual([]);
  });

  it('that is cut off is damaged', async () => {
    expect(await codesOf(heic.subarray(0, 6000))).toEqual(['damaged_image']);
    await expect(cropped(heic.subarray(0, 6000), whole)).rejects.toMatchObject({ code: 'damaged_image' });
  });
});

describe('a JPEG that ends early', () => {
  it('is taken where its end mark alone is missing', async () => {
    const open = face.subarray(0, -2);
    expect(await codesOf(open)).toEqual([]);
    expect(distance(await readPhoto(open), await readPhoto(face))).toBe(0);
    expect((await cropped(open, whole)).length).toBe((await cropped(face, whole)).length);
  });

  it('is damaged where pixels are missing', async () => {
    for (const share of [0.5, 0.9, 0.99]) {
      const part = face.subarray(0, Math.round(share * face.length));
      expect(await codesOf(part)).toEqual(['damaged_image']);
    }
  });
});

describe('a photo that lies on its side or head, without a word of it', () => {
  it.each([90, 180, 270])('turned by %i°: the same face is read', async (turn) => {
    const photo = await sharp(face).rotate(turn).png().toBuffer();
    expect(await codesOf(photo)).toEqual([]);
    const networks = await loadFaceNetworks();
    const [upright, turned] = [face, photo].map(async (one) => checkFace(networks, await readPhoto(one)).fit);
    const [{ neutral, pose }, seen] = [await upright!, await turned!];
    expect(Math.max(...seen.neutral.map((value, i) => Math.abs(value - neutral[i]!)))).toBeLessThan(0.0015);
    expect(Math.abs(seen.pose.yaw - pose.yaw)).toBeLessThan(1);
    expect(Math.abs(seen.pose.pitch - pose.pitch)).toBeLessThan(2);
  });
});

describe('a small face in a large photo', () => {
  const background = { width: 4032, height: 3024, channels: 3, background: '#6a7a6a' } as const;
  let far: Buffer;
  beforeAll(async () => {
    const input = await sharp(face).resize(480, 600).toBuffer();
    far = await sharp({ create: background })
      .composite([{ input, left: 1800, top: 1200 }])
      .jpeg({ quality: 92 })
      .toBuffer();
  });

  it('is judged by the pixels that the file has of it, and told in parts of the whole photo', async () => {
    const { width, height, face: box, findings } = await reportPhoto(far, null);
    expect({ width, height, findings }).toEqual({ width: 4032, height: 3024, findings: [] });
    const alone = (await reportPhoto(face, null)).face!;
    expect(box!.x * 4032).toBeCloseTo(1800 + 480 * alone.x, -1);
    expect(box!.y * 3024).toBeCloseTo(1200 + 600 * alone.y, -1);
    expect(box!.width * 4032).toBeCloseTo(480 * alone.width, -1);
  });

  it.each([
    ['on its side in a corner', 90, 480, []],
    ['upside down', 180, 480, []],
    ['of a tenth of the height', 0, 240, ['small_face']],
  ] as const)('is found %s', async (_, turn, width, codes) => {
    const input = await sharp(await sharp(face).resize(width).toBuffer())
      .rotate(turn)
      .toBuffer();
    const photo = sharp({ create: background }).composite([{ input, left: 3300, top: 2300 }]);
    expect(await codesOf(await photo.jpeg({ quality: 92 }).toBuffer())).toEqual(codes);
  });

  it('makes the head that its crop makes, which lies over the whole photo', async () => {
    const crop = { x: 1780 / 4032, y: 1180 / 3024, width: 520 / 4032, height: 640 / 3024 };
    const [large, cut] = [
      await modelHead({ photo: far, sex: 'female' }),
      await modelHead({ photo: await cropped(far, crop), sex: 'female' }),
    ];
    expect(large.report.iodPx).toBeGreaterThan(135);
    expect(large.report.iodPx).toBeCloseTo(cut.report.iodPx, -1);
    const [plane, part] = [large, cut].map(({ model }) => model.extras.photo as PhotoPlane);
    // Metres a pixel, and where the head stands.
    expect(plane!.width / 4032).toBeCloseTo(part!.width / 520, 5);
    const shift = (1780 + 260 - 2016) * (part!.width / 520);
    expect(part!.middle[0] - plane!.middle[0]).toBeCloseTo(shift, 2);
  });

  it('has its outline and its corrections in parts of the whole photo', async () => {
    const draw = await prepareOutline(far);
    const inside = (ring: readonly number[]): boolean =>
      ring.every((value, i) => (i % 2 ? value > 0.35 && value < 0.62 : value > 0.42 && value < 0.6));
    const { rings } = draw(null);
    expect(rings.length).toBeGreaterThan(0);
    expect(rings.every(inside)).toBe(true);
    const points = [1850 / 4032, 1230 / 3024];
    const painted = draw({ strokes: [{ kind: 'hair', radius: 60 / 4032, points }] });
    const nearest = (ring: readonly number[]): number =>
      Math.min(
        ...ring.flatMap((x, i) => (i % 2 ? [] : [Math.hypot(x - points[0]!, ring[i + 1]! - points[1]!)])),
      );
    expect(Math.min(...painted.rings.map(nearest))).toBeLessThan(Math.min(...rings.map(nearest)));
  });

  it('is still one of several where the photo shows several', async () => {
    const input = await sharp(face).resize(480, 600).toBuffer();
    const two = await sharp({ create: background })
      .composite([
        { input, left: 200, top: 1200 },
        { input, left: 3300, top: 1200 },
      ])
      .jpeg()
      .toBuffer();
    expect(await codesOf(two)).toEqual(['several_faces']);
    const child = await sharp(face).resize(180, 225).toBuffer();
    const beside = await sharp({ create: background })
      .composite([
        { input, left: 200, top: 1200 },
        { input: child, left: 3300, top: 1200 },
      ])
      .jpeg()
      .toBuffer();
    const { findings } = await reportPhoto(beside, null);
    for (const { severity } of findings) expect(severity).toBe('warning');
  });
});

interface PhotoPlane {
  width: number;
  middle: [number, number];
}
