import readExif from 'exif-reader';

/** Camera and time of a photo. */
export interface ShotMark {
  /** Make and model. */
  camera: string;
  /** Milliseconds on the camera's clock, which has no time zone. */
  at: number;
}

/**
 * Reads camera and time from a photo's EXIF block; null if one of them is missing or the block is invalid.
 */
export function shotMark(block: Buffer): ShotMark | null {
  const { Image: image, Photo: photo } = tagsOf(block);
  const camera = [image?.Make, image?.Model]
    .map((part) => (typeof part === 'string' ? part.replace(/\0.*$/s, '').trim() : ''))
    .filter((part) => part !== '')
    .join(' ');
  const taken = photo?.DateTimeOriginal;
  if (camera === '' || !(taken instanceof Date) || Number.isNaN(taken.getTime())) return null;
  const fraction = Number(`0.${String(photo?.SubSecTimeOriginal ?? '').replace(/\D/g, '') || '0'}`);
  return { camera, at: taken.getTime() + Math.round(fraction * 1000) };
}

function tagsOf(block: Buffer): readExif.Exif | Record<string, undefined> {
  try {
    return readExif(block);
  } catch {
    return {};
  }
}
