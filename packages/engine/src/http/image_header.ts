import { t } from '@likeness/messages';
import { type ImageKind, imageKind, imageType } from '@likeness/node-kit/image_kind.ts';
import { pixelBounds } from '@likeness/proto/picture_limits.ts';
import sharp, { type Metadata } from 'sharp';
import type { EngineLimits } from './limits.ts';
import { Refusal } from './refusal.ts';

/** An image's properties from its header. */
export interface ImageHeader {
  mediaType: string;
  /** Pixels, as stored: before any EXIF rotation. */
  width: number;
  height: number;
}

/** The pictures that the engine reads. */
const readable: ReadonlySet<ImageKind> = new Set(['jpeg', 'heic', 'png', 'webp', 'gif', 'tiff', 'avif']);

/**
 * Reads the kind and size of an image file from its header alone. Nothing is decoded, so an image that claims
 * 100,000 × 100,000 pixels costs nothing.
 *
 * @param image its path, and its first `imageHeadBytes` bytes
 * @throws {Refusal} 415 `not_an_image`, 400 `image_unreadable`, 413 `image_too_many_pixels`; field `file`
 */
export async function readImageHeader(
  { path, head }: { path: string; head: Uint8Array },
  limits: Pick<EngineLimits, 'imagePixels'>,
): Promise<ImageHeader> {
  const kind = imageKind(head);
  if (!kind || !readable.has(kind)) throw notAnImage();
  let header: Metadata;
  try {
    header = await sharp(path, { limitInputPixels: false, failOn: 'none' }).metadata();
  } catch (cause) {
    throw unreadable(cause);
  }
  const { width, height } = header;
  if (!(width > 0 && height > 0)) throw unreadable(undefined);
  const bounds = pixelBounds(header);
  const max = Math.min(limits.imagePixels, bounds.pixels);
  if (width * height > max) {
    const megapixels = Math.floor(max / 1e6);
    throw new Refusal(
      413,
      'image_too_many_pixels',
      t('refusal.image_too_many_pixels', { width, height, megapixels, kind: bounds.kind }),
      { field: 'file' },
    );
  }
  return { mediaType: imageType(kind).mediaType, width, height };
}

function notAnImage(): Refusal {
  return new Refusal(415, 'not_an_image', t('refusal.not_an_image'), { field: 'file' });
}

function unreadable(cause: unknown): Refusal {
  const refusal = new Refusal(400, 'image_unreadable', t('refusal.image_unreadable'), { field: 'file' });
  refusal.cause = cause;
  return refusal;
}
