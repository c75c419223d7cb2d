import { boxInWhole, type Crop, wholePicture } from '@likeness/proto/crop.ts';
import type { PhotoReport } from '../contract/photo_report.ts';
import { PortraitError } from '../contract/portrait_error.ts';
import { loadFaceNetworks } from '../landmarks/face_networks.ts';
import { cropped, decodePhoto, headerOf, isIntact, openPortrait } from '../photo/photo.ts';
import { landmarkCount } from '../topology/face_topology.ts';
import { lookCloser, type SeenFace } from './closer_look.ts';
import { turnOf, viewOf } from './photo_view.ts';
import { reportedError, reportedFindings } from './reported_findings.ts';

/**
 * Checks the part of a photo within `crop`, in a tenth of the time that a head takes. A bad photo is a finding, never an
 * error.
 */
export async function reportPhoto(photo: Uint8Array, crop: Crop | null): Promise<PhotoReport> {
  const { width = 0, height = 0 } = (await headerOf(photo))?.autoOrient ?? {};
  const part = await checkPart(photo, crop);
  const face = part.face && boxInWhole(part.face, crop ?? wholePicture);
  const yaw = part.yaw === null ? null : Math.round(part.yaw);
  const view = yaw === null ? null : viewOf(yaw);
  return { width, height, face, yaw, view, findings: part.findings };
}

type PartReport = Pick<PhotoReport, 'face' | 'yaw' | 'findings'>;

async function checkPart(photo: Uint8Array, crop: Crop | null): Promise<PartReport> {
  const refused = (error: unknown, yaw: number | null = null): PartReport => {
    if (!(error instanceof PortraitError)) throw error;
    return { face: null, yaw, findings: [reportedError(error, false)] };
  };
  try {
    const opened = await openPortrait(crop ? await cropped(photo, crop) : photo);
    const whole = await decodePhoto(opened);
    const networks = await loadFaceNetworks();
    try {
      const seen = await lookCloser(networks, opened, whole, true);
      return {
        face: faceBox(seen),
        yaw: seen.checked.fit.pose.yaw,
        findings: reportedFindings(seen.checked),
      };
    } catch (error) {
      const code = error instanceof PortraitError ? error.code : null;
      if (code === 'no_face' && !(await isIntact(opened))) throw new PortraitError('damaged_image');
      return refused(error, code === 'no_face' || code === 'turned_too_far' ? turnOf(networks, whole) : null);
    }
  } catch (error) {
    return refused(error);
  }
}

/** Where a face lies in the photo, in parts of it. */
function faceBox({ checked, picture, part }: SeenFace): Crop {
  const { points } = checked.landmarks;
  const range = (axis: 0 | 1, side: number): [from: number, length: number] => {
    const values = Array.from({ length: landmarkCount }, (_, i) => points[3 * i + axis]);
    const [from, to] = [Math.min(...values), Math.max(...values)];
    return [from / side, (to - from) / side];
  };
  const [x, width] = range(0, picture.width);
  const [y, height] = range(1, picture.height);
  return boxInWhole({ x, y, width, height }, part ?? wholePicture);
}
