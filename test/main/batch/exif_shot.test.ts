import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { shotMark } from '../../../main/batch/photos/exif_shot.ts';

/** The EXIF block that sharp reads back out of a JPEG it wrote. */
async function exifBlock(exif: Record<string, Record<string, string>>): Promise<Buffer> {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: 'grey' } });
  const { exif: block } = await sharp(await picture.withExif(exif).jpeg().toBuffer()).metadata();
  return block ?? Buffer.alloc(0);
}
const taken = { DateTimeOriginal: '2024:05:01 10:00:01', SubSecTimeOriginal: '25' };

describe('by which camera and when a photo was taken', () => {
  it('is read, with the fraction of a second', async () => {
    const block = await exifBlock({ IFD0: { Make: 'Canon', Model: 'EOS R6' }, IFD2: taken });
    expect(shotMark(block)).toEqual({ camera: 'Canon EOS R6', at: Date.UTC(2024, 4, 1, 10, 0, 1, 250) });
  });

  it('is null where one of both is missing', async () => {
    expect(shotMark(await exifBlock({ IFD2: taken }))).toBeNull();
    expect(shotMark(await exifBlock({ IFD0: { Make: 'Canon' } }))).toBeNull();
    expect(shotMark(await exifBlock({ IFD0: { Make: 'C' }, IFD2: { DateTimeOriginal: 'soon' } }))).toBeNull();
  });

  it('is null, and no error, where the block is cut off or is none', async () => {
    const block = await exifBlock({ IFD0: { Make: 'Canon', Model: 'EOS R6' }, IFD2: taken });
    for (let length = 0; length < 60; length += 1) expect(shotMark(block.subarray(0, length))).toBeNull();
    expect(shotMark(Buffer.from('Exif\0\0MM'))).toBeNull();
  });
});
