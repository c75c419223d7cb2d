import type { Crop } from '@likeness/proto/crop.ts';
import { croppedPhoto, openPhoto } from './photo.ts';

/**
 * Cuts a part out of the upright picture, as a JPEG in sRGB. These same bytes are checked and sent to any server. The
 * same photo and crop always give the same.
 *
 * @throws PortraitError as `openPhoto`, damaged_image
 */
export async function cropped(photo: Uint8Array, crop: Crop): Promise<Uint8Array> {
  return croppedPhoto(await openPhoto(photo), crop);
}
