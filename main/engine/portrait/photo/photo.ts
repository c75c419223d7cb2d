import { readFile, stat } from 'node:fs/promises';
import sharp, { type Metadata } from 'sharp';
import { PortraitError } from '../contract/portrait_error.ts';

// Each thread handles one picture at a time, so libvips's own threads and cache would only cost memory.
sharp.cache(false);
sharp.concurrency(1);

/** An upright picture in sRGB: 3 bytes a pixel, row-major, no padding. */
export interface Picture {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const photoLimits = { bytes: 20 * 1024 * 1024, megapixels: 50, side: 96 };

/** The longest side that a head can profit from: beyond it the photo is scaled down while it is decoded. */
const workingSide = 1600;

const accepted = new Set(['jpeg', 'png', 'webp', 'tiff', 'heif', 'gif']);

/**
 * Decodes a photo: checked by content and not by name, size and pixel count read from the header before
 * anything is decoded (a decompression bomb is refused unread), turned upright by EXIF, flattened on mid
 * grey, brought to 8-bit sRGB (grey-scale, 16-bit, CMYK and transparent ones alike).
 * @throws PortraitError not_an_image, damaged_image, animated_image, too_large, too_many_pixels,
 *   image_too_small
 */
export async function readPhoto(photo: Uint8Array | string): Promise<Picture> {
  const bytes = await photoBytes(photo);
  const { width, height } = await inspectPhoto(bytes);
  const scale = Math.min(1, workingSide / Math.max(width, height));
  try {
    const { data, info } = await sharp(bytes, {
      failOn: 'truncated',
      limitInputPixels: photoLimits.megapixels * 1e6,
    })
      .rotate()
      .toColourspace('srgb')
      .flatten({ background: { r: 128, g: 128, b: 128 } })
      .resize({ width: Math.round(width * scale), height: Math.round(height * scale), fit: 'fill' })
      .removeAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    if (info.channels === 3) return { data, width: info.width, height: info.height };
    const rgb = new Uint8Array(info.width * info.height * 3);
    for (let i = 0; i < info.width * info.height; i++) {
      for (let c = 0; c < 3; c++) rgb[3 * i + c] = data[info.channels * i + (info.channels > c ? c : 0)];
    }
    return { data: rgb, width: info.width, height: info.height };
  } catch {
    throw new PortraitError('damaged_image');
  }
}

/**
 * Whether a photo was decoded as it was taken: one with bytes missing or changed in the middle is decoded too, with
 * stripes in it.
 */
export async function isIntact(photo: Uint8Array | string): Promise<boolean> {
  try {
    await sharp(await photoBytes(photo), {
      failOn: 'warning',
      limitInputPixels: photoLimits.megapixels * 1e6,
    }).stats();
    return true;
  } catch {
    return false;
  }
}

/** The photo's bytes; a path is read only when the file's size is within the limit. */
export async function photoBytes(photo: Uint8Array | string): Promise<Uint8Array> {
  const size = typeof photo === 'string' ? (await stat(photo)).size : photo.byteLength;
  if (size > photoLimits.bytes) {
    throw new PortraitError('too_large', {
      megabytes: Math.ceil(size / 1048576),
      limit: photoLimits.bytes / 1048576,
    });
  }
  return typeof photo === 'string' ? await readFile(photo) : photo;
}

async function inspectPhoto(bytes: Uint8Array): Promise<{ width: number; height: number }> {
  let header: Metadata;
  try {
    header = await sharp(bytes, { limitInputPixels: false }).metadata();
  } catch {
    throw new PortraitError('not_an_image');
  }
  if (!header.format || !accepted.has(header.format)) throw new PortraitError('not_an_image');
  const { width, height, orientation } = header;
  if ((width * height) / 1e6 > photoLimits.megapixels) {
    throw new PortraitError('too_many_pixels', {
      megapixels: Math.ceil((width * height) / 1e6),
      limit: photoLimits.megapixels,
    });
  }
  if ((header.pages ?? 1) > 1 && header.format !== 'tiff' && header.format !== 'heif') {
    throw new PortraitError('animated_image', { pages: header.pages ?? 1 });
  }
  if (Math.min(width, height) < photoLimits.side) {
    throw new PortraitError('image_too_small', { width, height, limit: photoLimits.side });
  }
  return (orientation ?? 1) >= 5 ? { width: height, height: width } : { width, height };
}
