import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { storedTiff } from '../src/photo/stored_tiff.ts';

it.each([
  [1, 1, 3],
  [301, 97, 3],
  [7000, 12, 4],
  [22_000, 3, 3],
] as const)('%i × %i pixels of %i channels come back as they are', async (width, height, channels) => {
  const stride = width * channels + 7;
  const data = randomBytes(stride * height);
  const tiff = storedTiff({ width, height, channels, stride, data }, undefined);
  const read = await sharp(tiff, { failOn: 'warning' }).raw().toBuffer({ resolveWithObject: true });
  expect(read.info).toMatchObject({ width, height, channels });
  const rows = Array.from({ length: height }, (_, y) =>
    data.subarray(y * stride, y * stride + width * channels),
  );
  expect(Buffer.compare(read.data, Buffer.concat(rows))).toBe(0);
});

it('keeps an ICC profile', async () => {
  const one = sharp({ create: { width: 2, height: 2, channels: 3, background: '#888' } });
  const { icc } = await sharp(await one.withIccProfile('p3').png().toBuffer()).metadata();
  const rows = { width: 2, height: 2, channels: 3, stride: 6, data: new Uint8Array(12) } as const;
  const tiff = storedTiff(rows, icc);
  expect(Buffer.compare((await sharp(tiff).metadata()).icc ?? Buffer.alloc(0), icc ?? Buffer.alloc(1))).toBe(
    0,
  );
});
