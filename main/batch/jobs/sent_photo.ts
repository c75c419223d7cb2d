import { isHeic } from '@likeness/node-kit/image_kind.ts';
import type { UploadFile } from '@likeness/node-kit/upload_file.ts';
import { type Crop, wholePicture } from '@likeness/proto/crop.ts';
import type { PortraitChecker } from '../ports.ts';

/** A photo as read from disk, and the part of it to send. */
export interface PhotoToSend {
  bytes: Uint8Array;
  fileName: string;
  crop: Crop | null;
}

/**
 * Returns the upload of a photo: the file itself, or a JPEG of a part. HEIC is always converted to JPEG,
 * because not every server reads it.
 *
 * @throws Failure as the checker's `crop`
 */
export async function partToSend(
  { bytes, fileName, crop }: PhotoToSend,
  checker: Pick<PortraitChecker, 'crop'>,
  signal: AbortSignal,
): Promise<UploadFile> {
  const part = crop ?? (isHeic(bytes) ? wholePicture : null);
  if (!part) return { bytes, name: fileName };
  return { bytes: await checker.crop(bytes, part, signal), name: fileName.replace(/\.[^.]*$/, '.jpg') };
}
