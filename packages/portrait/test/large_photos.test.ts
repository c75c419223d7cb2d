import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pixelBounds } from '@likeness/proto/picture_limits.ts';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { type PortraitError, portraitFailMessage } from '../src/contract/portrait_error.ts';
import { cropped, readPhoto } from '../src/photo/photo.ts';

const face = (): Promise<Buffer> =>
  readFile(join(import.meta.dirname, '../../../renderer/base/samples/face.jpg'));

describe('a photo of 12,000 × 8,000 pixels', () => {
  let large: Buffer;
  let turned: Buffer;
  beforeAll(async () => {
    const picture = sharp(await face()).resize(12_000, 8000, { fit: 'cover', kernel: 'nearest' });
    large = await picture.clone().jpeg({ quality: 40 }).toBuffer();
    turned = await picture.withMetadata({ orientation: 6 }).jpeg({ quality: 40 }).toBuffer();
  });

  it('is read, also turned by EXIF', async () => {
    const [upright, aside] = [await readPhoto(large), await readPhoto(turned)];
    expect([upright.width, upright.height]).toEqual([1600, 1067]);
    expect([aside.width, aside.height]).toEqual([1067, 1600]);
  });

  it('is cropped by hand', async () => {
    const crop = { x: 0.1, y: 0.1, width: 0.8, height: 0.8 };
    expect(await sharp(await cropped(large, crop)).metadata()).toMatchObject({ width: 9600, height: 6400 });
    const corner = { x: 0.9, y: 0.95, width: 0.1, height: 0.05 };
    expect(await sharp(await cropped(turned, corner)).metadata()).toMatchObject({ width: 800, height: 600 });
  });
});

describe('a crop', () => {
  // A quarter of its own colour in each corner, so that no turn or mirroring looks like another.
  const corners = ['#c02020', '#20c020', '#2020c0', '#c0c020'];
  const photo = async (orientation: number): Promise<Buffer> => {
    const tiles = corners.map((background, i) => ({
      input: { create: { width: 300, height: 200, channels: 3 as const, background } },
      left: 300 * (i % 2),
      top: 200 * (i >> 1),
    }));
    const base = sharp({ create: { width: 600, height: 400, channels: 3, background: '#000' } });
    return sharp(await base.composite(tiles).png().toBuffer())
      .withMetadata({ orientation })
      .jpeg({ quality: 95 })
      .toBuffer();
  };

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('of orientation %i is the part of the upright picture', async (turn) => {
    const bytes = await photo(turn);
    const upright = await sharp(bytes).autoOrient().toBuffer({ resolveWithObject: true });
    const { width, height } = upright.info;
    const crop = { x: 0.25, y: 0.6, width: 0.5, height: 0.35 };
    const box = { left: 0.25 * width, top: 0.6 * height, width: 0.5 * width, height: 0.35 * height };
    const expected = await sharp(upright.data).extract(box).raw().toBuffer();
    const got = await sharp(await cropped(bytes, crop))
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([got.info.width, got.info.height]).toEqual([box.width, box.height]);
    const off = got.data.reduce((sum, value, i) => sum + Math.abs(value - expected[i]!), 0);
    expect(off / expected.length).toBeLessThan(3);
  });

  it('of a transparent picture lies on the same grey as the whole', async () => {
    const empty = sharp({ create: { width: 200, height: 200, channels: 4, background: '#0000' } });
    const jpeg = await cropped(await empty.png().toBuffer(), { x: 0, y: 0, width: 1, height: 1 });
    const [pixel] = await sharp(jpeg).raw().toBuffer();
    expect(Math.abs(pixel! - 128)).toBeLessThanOrEqual(1);
  });
});

describe('the bound on memory', () => {
  it.each([
    [{ format: 'jpeg', isProgressive: false }, 'JPEG', 500],
    [
      { format: 'jpeg', isProgressive: true, chromaSubsampling: '4:2:0', channels: 3 },
      'progressive JPEG',
      200,
    ],
    [
      { format: 'jpeg', isProgressive: true, chromaSubsampling: '4:4:4', channels: 3 },
      'progressive JPEG',
      100,
    ],
    [{ format: 'png', isProgressive: false, channels: 4 }, 'PNG', 500],
    [{ format: 'png', isProgressive: true, channels: 4, depth: 'ushort' }, 'interlaced PNG', 75],
    [{ format: 'tiff' }, 'TIFF', 500],
    [{ format: 'webp' }, 'WebP', 150],
    [{ format: 'heif', compression: 'av1' }, 'AVIF', 150],
    [{ format: 'heif', compression: 'hevc' }, 'HEIC', 60],
  ])('%o', (header, kind, megapixels) => {
    expect(pixelBounds(header)).toEqual({ kind, pixels: megapixels * 1e6 });
  });

  it('refuses a photo beyond it unread, and says which kind may have how many', async () => {
    const small = { create: { width: 16, height: 16, channels: 3 as const, background: '#888' } };
    const photo = await sharp(small).jpeg({ progressive: true, chromaSubsampling: '4:2:0' }).toBuffer();
    // What its frame header (SOF2) says of its size.
    const frame = photo.indexOf(Buffer.from([0xff, 0xc2]));
    photo.writeUInt16BE(16_000, frame + 5);
    photo.writeUInt16BE(15_000, frame + 7);
    const error = await readPhoto(photo).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'too_many_pixels' });
    expect(portraitFailMessage(error as PortraitError).text).toBe(
      'The picture has 240 megapixels; a progressive JPEG may have at most 200. Save it as a baseline JPEG, or smaller.',
    );
    await expect(cropped(photo, { x: 0, y: 0, width: 0.1, height: 0.1 })).rejects.toMatchObject({
      code: 'too_many_pixels',
    });
  });
});
