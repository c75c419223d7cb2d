import { readFile, stat } from 'node:fs/promises';
import type { Crop } from '@likeness/proto/crop.ts';
import { pixelBounds } from '@likeness/proto/picture_limits.ts';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { PortraitError } from '../contract/portrait_error.ts';
import { decodeHeic, endsEarly, holdsAv1 } from './heic.ts';

// Each thread handles one picture at a time, so libvips's own threads and cache would only cost memory.
sharp.cache(false);
sharp.concurrency(1);

/** An upright picture in sRGB: 3 bytes a pixel, row-major, no padding. */
export interface Picture {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A photo whose header was checked. */
export interface OpenedPhoto {
  /** The file, or a TIFF of one that sharp can't decode. */
  readonly bytes: Uint8Array;
  readonly isJpeg: boolean;
  /** Pixels, upright. */
  readonly width: number;
  readonly height: number;
  /** EXIF's, 1 to 8. */
  readonly orientation: number;
  /** Frames of an animation. */
  readonly pages: number;
}

interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const photoLimits = { bytes: 64 * 1024 * 1024, side: 96 };

/** The longest side that a head can profit from: beyond it the photo is scaled down while it is decoded. */
export const workingSide = 1600;

/** The grey behind a transparent photo. */
const behind = { r: 128, g: 128, b: 128 };

const accepted = new Set(['jpeg', 'png', 'webp', 'tiff', 'heif', 'gif']);

/**
 * Decodes a photo to upright 8-bit sRGB, flattened on mid grey. It detects the type by content, and refuses a
 * decompression bomb by its header.
 * @throws PortraitError not_an_image, damaged_image, animated_image, too_large, too_many_pixels, image_too_small
 */
export async function readPhoto(photo: Uint8Array | string): Promise<Picture> {
  return decodePhoto(await openPortrait(photo));
}

/**
 * Opens a photo that a head is made of.
 * @throws PortraitError as `readPhoto`
 */
export async function openPortrait(photo: Uint8Array | string): Promise<OpenedPhoto> {
  const opened = await openPhoto(await photoBytes(photo));
  const { width, height, pages } = opened;
  if (pages > 1) throw new PortraitError('animated_image', { pages });
  if (Math.min(width, height) < photoLimits.side) {
    throw new PortraitError('image_too_small', { width, height, limit: photoLimits.side });
  }
  return opened;
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

/**
 * Checks a photo's header, and decodes what sharp can't read.
 * @throws PortraitError not_an_image, damaged_image, too_many_pixels
 */
async function openPhoto(photo: Uint8Array): Promise<OpenedPhoto> {
  const header = await headerOf(photo);
  if (!header?.format || !accepted.has(header.format)) throw new PortraitError('not_an_image');
  const { format, width, height, autoOrient } = header;
  const { kind, pixels } = pixelBounds(header);
  if (width * height > pixels) {
    throw new PortraitError('too_many_pixels', {
      megapixels: Math.ceil((width * height) / 1e6),
      limit: Math.floor(pixels / 1e6),
      kind,
    });
  }
  if (kind === 'HEIC' && !holdsAv1(photo)) {
    // The decoder turns it upright: EXIF's orientation says the same once more.
    const bytes = await decodeHeic(photo, { width, height }, header.icc).catch(() => null);
    if (!bytes) throw new PortraitError('damaged_image');
    const upright = await sharp(bytes, { limitInputPixels: false }).metadata();
    return { bytes, isJpeg: false, width: upright.width, height: upright.height, orientation: 1, pages: 1 };
  }
  if (format === 'heif' && endsEarly(photo)) throw new PortraitError('damaged_image');
  const pages = format === 'tiff' || format === 'heif' ? 1 : (header.pages ?? 1);
  return {
    bytes: photo,
    isJpeg: format === 'jpeg',
    ...autoOrient,
    orientation: header.orientation ?? 1,
    pages,
  };
}

/** A picture's header; null for any other file. */
export async function headerOf(photo: Uint8Array): Promise<Metadata | null> {
  try {
    return await sharp(photo, { limitInputPixels: false }).metadata();
  } catch {
    return null;
  }
}

/**
 * Decodes a photo, or a part of it.
 * @throws PortraitError damaged_image
 */
export async function decodePhoto(photo: OpenedPhoto, part: Crop | null = null): Promise<Picture> {
  const { width, height } = part ? boxOf(photo, part) : photo;
  const scale = Math.min(1, workingSide / Math.max(width, height));
  const { data, info } = await decoded(photo, part, (image) =>
    image
      .toColourspace('srgb')
      .flatten({ background: behind })
      .resize({ width: Math.round(width * scale), height: Math.round(height * scale), fit: 'fill' })
      .removeAlpha()
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }),
  );
  return { data, width: info.width, height: info.height };
}

/**
 * Cuts a part out of the upright picture, as a JPEG in sRGB. These same bytes are checked and sent to any server. The
 * same photo and crop always give the same.
 *
 * @throws PortraitError as `openPhoto`, damaged_image
 */
export const cropped = async (photo: Uint8Array, crop: Crop): Promise<Uint8Array> =>
  decoded(await openPhoto(photo), crop, (image) =>
    image.flatten({ background: behind }).jpeg({ quality: 95 }).toBuffer(),
  );

const endMark = Uint8Array.of(0xff, 0xd9);

/** Decodes upright. @throws PortraitError damaged_image */
async function decoded<T>(
  photo: OpenedPhoto,
  part: Crop | null,
  make: (image: Sharp) => Promise<T>,
): Promise<T> {
  const open = (bytes: Uint8Array, failOn: 'truncated' | 'warning'): Sharp => {
    const image = sharp(bytes, { failOn, limitInputPixels: false });
    // Turned after it was cut and scaled: turning needs all of its pixels in memory.
    return (part ? image.extract(asStored(boxOf(photo, part), photo)) : image).autoOrient();
  };
  try {
    return await make(open(photo.bytes, 'truncated'));
  } catch {
    if (!photo.isJpeg) throw new PortraitError('damaged_image');
  }
  try {
    // One that lacks its end mark alone has all its pixels. With pixels missing, the decoder warns.
    return await make(open(Buffer.concat([photo.bytes, endMark]), 'warning'));
  } catch {
    throw new PortraitError('damaged_image');
  }
}

/** Whether a file is whole: one with bytes missing or changed in its middle is decoded too, with stripes. */
export async function isIntact({ bytes, isJpeg }: OpenedPhoto): Promise<boolean> {
  const file = isJpeg ? Buffer.concat([bytes, endMark]) : bytes;
  return sharp(file, { failOn: 'warning', limitInputPixels: false })
    .stats()
    .then(
      () => true,
      () => false,
    );
}

/** The pixels of a part of an upright picture. */
function boxOf({ width, height }: Pick<OpenedPhoto, 'width' | 'height'>, part: Crop): PixelBox {
  const left = Math.min(width - 1, Math.round(part.x * width));
  const top = Math.min(height - 1, Math.round(part.y * height));
  return {
    left,
    top,
    width: Math.max(1, Math.min(width - left, Math.round(part.width * width))),
    height: Math.max(1, Math.min(height - top, Math.round(part.height * height))),
  };
}

/** Where a box of an upright picture lies in the file, before EXIF's orientation turns it. */
function asStored(box: PixelBox, { width, height, orientation }: OpenedPhoto): PixelBox {
  const right = width - box.left - box.width;
  const bottom = height - box.top - box.height;
  const isMirrored = orientation === 2 || orientation === 3 || orientation === 6 || orientation === 7;
  const isUpsideDown = orientation === 3 || orientation === 4 || orientation === 7 || orientation === 8;
  const across = isMirrored ? right : box.left;
  const down = isUpsideDown ? bottom : box.top;
  return orientation >= 5
    ? { left: down, top: across, width: box.height, height: box.width }
    : { left: across, top: down, width: box.width, height: box.height };
}
