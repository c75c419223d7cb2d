import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { readImageHeader } from '../src/http/image_header.ts';
import { defaultLimits } from '../src/http/limits.ts';

async function headerOf(bytes: Buffer, limits = defaultLimits) {
  const folder = await mkdtemp(join(tmpdir(), 'likeness-header-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'file');
  await writeFile(path, bytes);
  return readImageHeader({ path, head: bytes.subarray(0, 32) }, limits);
}

/** A JPEG whose frame header says that it has these pixels. */
async function claiming(width: number, height: number, progressive: boolean): Promise<Buffer> {
  const small = { create: { width: 16, height: 16, channels: 3 as const, background: '#888' } };
  const photo = await sharp(small).jpeg({ progressive, chromaSubsampling: '4:2:0' }).toBuffer();
  const frame = photo.indexOf(Buffer.from([0xff, progressive ? 0xc2 : 0xc0]));
  photo.writeUInt16BE(height, frame + 5);
  photo.writeUInt16BE(width, frame + 7);
  return photo;
}

it('HEIC is an image that the engine reads', async () => {
  const heic = await readFile(join(import.meta.dirname, '../../../test/fixtures/photos/face_p3.heic'));
  expect(await headerOf(heic)).toEqual({ mediaType: 'image/heic', width: 480, height: 600 });
});

it('a JPEG of a large camera is within the bounds, a progressive one beyond its own', async () => {
  expect(await headerOf(await claiming(16_000, 15_000, false))).toMatchObject({ width: 16_000 });
  await expect(headerOf(await claiming(16_000, 15_000, true))).rejects.toMatchObject({
    status: 413,
    reason: 'image_too_many_pixels',
    text: { en: expect.stringContaining('at most 200 megapixels are accepted as progressive JPEG') },
  });
});

it('a smaller bound of a server’s own counts', async () => {
  const limits = { ...defaultLimits, imagePixels: 1e6 };
  await expect(headerOf(await claiming(2000, 1000, false), limits)).rejects.toMatchObject({
    reason: 'image_too_many_pixels',
    text: { en: expect.stringContaining('at most 1 megapixels') },
  });
});
