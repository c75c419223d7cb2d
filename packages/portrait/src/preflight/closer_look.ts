import type { Crop } from '@likeness/proto/crop.ts';
import type { FaceNetworks } from '../landmarks/face_networks.ts';
import type { FaceLandmarks } from '../landmarks/landmarks.ts';
import { decodePhoto, type OpenedPhoto, type Picture, workingSide } from '../photo/photo.ts';
import { landmark } from '../topology/landmark.ts';
import { type CheckedFace, checkFound, findFaces, mainFace } from './portrait_check.ts';

/** A photo's face, and the pixels that it is measured and a head is made by. */
export interface SeenFace {
  readonly checked: CheckedFace;
  /** The whole photo, or a part about its face, with more pixels than the whole one scaled down. */
  readonly picture: Picture;
  /** Where the picture lies in the photo; null: it is all of it. */
  readonly part: Crop | null;
}

/** Pixels between the outer corners of the eyes from which on a photo that was scaled down is good enough. */
const enoughPixels = 160;
/** Sides of the part, in distances of the eyes: hair and shoulders that a head is made of lie within. */
const partSide = 9;
/** How much larger a face must become. */
const minGain = 1.1;

/**
 * Finds the one face a head can be made of. Where a large photo was scaled down and its face is small, reads the part
 * about the face once more, with all of its pixels.
 *
 * @param whole - The photo, scaled down
 * @throws PortraitError as `checkFace` does
 */
export async function lookCloser(
  networks: FaceNetworks,
  photo: OpenedPhoto,
  whole: Picture,
  anyway = false,
): Promise<SeenFace> {
  const faces = findFaces(networks, whole);
  // Whose head is made is decided by the whole photo.
  const part = partAbout(mainFace(faces), photo, whole);
  if (part) {
    const picture = await decodePhoto(photo, part);
    const near = findFaces(networks, picture);
    if (near.length > 0) {
      const checked = checkFound(picture, near, anyway);
      const isCrowd = faces.length > 1 && !checked.warnings.includes('other_faces_ignored');
      const warnings = isCrowd ? (['other_faces_ignored', ...checked.warnings] as const) : checked.warnings;
      return { checked: { ...checked, warnings }, picture, part };
    }
  }
  return { checked: checkFound(whole, faces, anyway), picture: whole, part: null };
}

/** The part of a photo about a face where it has more pixels than the whole photo scaled down; else null. */
function partAbout({ points, iod }: FaceLandmarks, photo: OpenedPhoto, whole: Picture): Crop | null {
  const scale = photo.width / whole.width;
  if (iod >= enoughPixels) return null;
  const half = Math.max(workingSide, partSide * iod * scale) / 2;
  const middle = (axis: 0 | 1): number =>
    ((points[3 * landmark.foreheadTop + axis] + points[3 * landmark.chin + axis]) / 2) * scale;
  const range = (at: number, size: number): [from: number, length: number] => {
    const from = Math.max(0, Math.round(at - half));
    return [from, Math.min(size, Math.round(at + half)) - from];
  };
  const [left, width] = range(middle(0), photo.width);
  const [top, height] = range(middle(1), photo.height);
  const gain = scale * Math.min(1, workingSide / Math.max(width, height));
  if (gain < minGain) return null;
  return {
    x: left / photo.width,
    y: top / photo.height,
    width: width / photo.width,
    height: height / photo.height,
  };
}
