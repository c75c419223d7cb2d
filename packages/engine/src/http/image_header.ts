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
      {
        en: `The image has ${width} × ${height} pixels by its header; at most ${megapixels} megapixels are accepted as ${bounds.kind}. Save it as a baseline JPEG, or smaller, and send it again.`,
        zh: `图片标明为 ${width} × ${height} 像素，${bounds.kind} 格式最多接受 ${megapixels} 百万像素。请另存为基线 JPEG 或缩小后重新发送。`,
      },
      { field: 'file' },
    );
  }
  return { mediaType: imageType(kind).mediaType, width, height };
}

function notAnImage(): Refusal {
  return new Refusal(
    415,
    'not_an_image',
    {
      en: 'The file is not an image that the engine reads, whatever its name says. Send a JPEG, HEIC, PNG, WebP, AVIF, TIFF or GIF.',
      zh: '无论文件名如何，该文件不是引擎可读取的图片。请发送 JPEG、HEIC、PNG、WebP、AVIF、TIFF 或 GIF。',
    },
    { field: 'file' },
  );
}

function unreadable(cause: unknown): Refusal {
  const refusal = new Refusal(
    400,
    'image_unreadable',
    {
      en: 'The image is damaged: its header can’t be read. Open it in an image program, save it again and send the new file.',
      zh: '图片已损坏：无法读取文件头。请用图像软件打开并重新保存后再发送。',
    },
    { field: 'file' },
  );
  refusal.cause = cause;
  return refusal;
}
