import sharp from 'sharp';
import type { Crop } from '#proto/crop.ts';
import { mostPicture } from '#proto/picture_limits.ts';
import { PortraitError } from '../contract/portrait_error.ts';

/**
 * Cuts a part out of the upright picture, as a JPEG. These same bytes are checked and sent to any server. The
 * same photo and crop always give the same.
 *
 * @throws PortraitError not_an_image, too_many_pixels, damaged_image
 */
export async function cropped(photo: Uint8Array, { x, y, width, height }: Crop): Promise<Uint8Array> {
  const header = await sharp(photo, { limitInputPixels: false })
    .metadata()
    .catch(() => {
      throw new PortraitError('not_an_image');
    });
  const megapixels = (header.width * header.height) / 1e6;
  const limit = mostPicture.pixels / 1e6;
  if (megapixels > limit)
    throw new PortraitError('too_many_pixels', { megapixels: Math.ceil(megapixels), limit });
  try {
    const upright = await sharp(photo).rotate().toBuffer({ resolveWithObject: true });
    const whole = upright.info;
    const left = Math.min(whole.width - 1, Math.round(x * whole.width));
    const top = Math.min(whole.height - 1, Math.round(y * whole.height));
    return await sharp(upright.data)
      .extract({
        left,
        top,
        width: Math.max(1, Math.min(whole.width - left, Math.round(width * whole.width))),
        height: Math.max(1, Math.min(whole.height - top, Math.round(height * whole.height))),
      })
      .keepIccProfile()
      .jpeg({ quality: 95 })
      .toBuffer();
  } catch {
    throw new PortraitError('damaged_image');
  }
}
