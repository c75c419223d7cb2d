import type { OutlineReport, OutlineRequest, PhotoReport } from '@likeness/portrait/contract/photo_report.ts';
import type { Crop } from '@likeness/proto/crop.ts';

/** Examines photos without making heads. Photos are paths. */
export interface PhotoReader {
  /** @throws Refusal for errors that the photo didn't cause; the report holds the others */
  check(photo: string, crop: Crop | null, signal: AbortSignal): Promise<PhotoReport>;
  /** @throws Refusal 422 if the photo can't become a head, 404 `photo_not_kept` */
  outline(request: OutlineRequest): Promise<OutlineReport>;
  /** Returns the cropped photo as JPEG. @throws Refusal 422 */
  crop(photo: string, crop: Crop, signal: AbortSignal): Promise<Uint8Array>;
}
