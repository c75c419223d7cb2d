import sharp from 'sharp';
import type { Crop } from '#proto/crop.ts';
import type { PhotoReport } from '../contract/photo_report.ts';
import { PortraitError } from '../contract/portrait_error.ts';
import { cropped } from '../photo/crop.ts';
import { checkPortrait, type PortraitFindings } from './check_portrait.ts';
import { viewOf } from './photo_view.ts';
import { reportedFindings } from './reported_findings.ts';

/** Checks the part of a photo within `crop`. A bad photo is a finding, never an error. */
export async function reportPhoto(photo: Uint8Array, crop: Crop | null): Promise<PhotoReport> {
  const { width, height } = await sharp(photo)
    .metadata()
    .then(({ autoOrient }) => autoOrient)
    .catch(() => ({ width: 0, height: 0 }));
  const findings = await checkPart(photo, crop);
  const face = findings.face ? inWhole(findings.face, crop) : null;
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

/** Converts a box within a crop to one within the whole picture. */
function inWhole([x, y, width, height]: readonly [number, number, number, number], crop: Crop | null): Crop {
  const within = crop ?? { x: 0, y: 0, width: 1, height: 1 };
  const clamp = (value: number): number => Math.min(1, Math.max(0, value));
  const left = clamp(within.x + x * within.width);
  const top = clamp(within.y + y * within.height);
  return {
    x: left,
    y: top,
    width: clamp(Math.min(width * within.width, 1 - left)),
    height: clamp(Math.min(height * within.height, 1 - top)),
  };
}
