import { boxInWhole, type Crop, wholePicture } from '@likeness/proto/crop.ts';
import type { PhotoReport } from '../contract/photo_report.ts';
import { PortraitError } from '../contract/portrait_error.ts';
import { cropped } from '../photo/crop.ts';
import { headerOf } from '../photo/photo.ts';
import { checkPortrait, type PortraitFindings } from './check_portrait.ts';
import { viewOf } from './photo_view.ts';
import { reportedFindings } from './reported_findings.ts';

/** Checks the part of a photo within `crop`. A bad photo is a finding, never an error. */
export async function reportPhoto(photo: Uint8Array, crop: Crop | null): Promise<PhotoReport> {
  const { width = 0, height = 0 } = (await headerOf(photo))?.autoOrient ?? {};
  const findings = await checkPart(photo, crop);
  const face = findings.face ? boxInWhole(findings.face, crop ?? wholePicture) : null;
  const yaw = findings.yaw === undefined ? null : Math.round(findings.yaw);
  const view = yaw === null ? null : viewOf(yaw);
  return { width, height, face, yaw, view, findings: reportedFindings(findings) };
}

async function checkPart(photo: Uint8Array, crop: Crop | null): Promise<PortraitFindings> {
  try {
    return await checkPortrait(crop ? await cropped(photo, crop) : photo);
  } catch (error) {
    if (error instanceof PortraitError) return { ok: false, error, warnings: [] };
    throw error;
  }
}
