/** Bytes at the start of a file that are enough to recognise it. */
export const imageHeadBytes = 32;

export type ImageKind = 'jpeg' | 'png' | 'webp' | 'tiff' | 'avif' | 'heic' | 'gif' | 'bmp';

const extensions: Readonly<Record<ImageKind, string>> = {
  jpeg: '.jpg',
  png: '.png',
  webp: '.webp',
  tiff: '.tif',
  avif: '.avif',
  heic: '.heic',
  gif: '.gif',
  bmp: '.bmp',
};

/**
 * Detects a picture's format from its first bytes, whatever its file name; null if the format is unknown. SVG
 * and PDF are excluded on purpose: they are programs for a renderer, not photos.
 *
 * Written by hand: file-type takes every `mif1` for HEIC, though it may contain AVIF, and is asynchronous.
 *
 * @param head the first `imageHeadBytes`, or the whole of a shorter file
 */
export function imageKind(head: Uint8Array): ImageKind | null {
  const text = Buffer.from(head.subarray(0, imageHeadBytes)).toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'webp';
  if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return 'tiff';
  if (text.slice(4, 8) === 'ftyp') return heifKind(text.slice(8, 12), text.slice(16));
  if (/^GIF8[79]a/.test(text)) return 'gif';
  if (text.startsWith('BM')) return 'bmp';
  return null;
}

/**
 * Returns the kind of image in a HEIF container, from its brand, or from its compatible brands if the brand
 * names only the container.
 */
function heifKind(brand: string, compatible: string): ImageKind | null {
  if (/^avi[fs]$/.test(brand)) return 'avif';
  if (/^(hei[cxms]|hev[cxms])$/.test(brand)) return 'heic';
  if (/avi[fs]/.test(compatible)) return 'avif';
  return /^(mif1|msf1)$/.test(brand) ? 'heic' : null;
}

/** Media type and usual extension of a picture. */
export const imageType = (kind: ImageKind): { mediaType: string; extension: string } => ({
  mediaType: `image/${kind}`,
  extension: extensions[kind],
});

/** Whether it is HEIC, which only the engine decodes. @param head as for {@link imageKind} */
export const isHeic = (head: Uint8Array): boolean => imageKind(head) === 'heic';

/** Formats accepted for making heads. */
export const takenKinds: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'tiff', 'avif', 'heic']);
