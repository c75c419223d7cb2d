import type { OutlineReport, OutlineRequest, PhotoReport } from '@likeness/portrait/contract/photo_report.ts';
import type { Crop } from '@likeness/proto/crop.ts';

/** Examines photos without making heads. Photos are paths. */
export interface PhotoReader {
  /** @throws Refusal for no fault of the photo's: that is in the report */
  check(photo: string, crop: Crop | null, signal: AbortSignal): Promise<PhotoReport>;
  /** @throws Refusal 422 where no head could be made of the photo, 404 `photo_not_kept` */
  outline(request: OutlineRequest): Promise<OutlineReport>;
  /** The part of a photo that is sent, a JPEG. @throws Refusal 422 */
  crop(photo: string, crop: Crop, signal: AbortSignal): Promise<Uint8Array>;
}
