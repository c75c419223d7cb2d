import type { PhotoView } from '../contract/head_request.ts';
import { fitFace } from '../fit/face_fit.ts';
import type { FaceNetworks } from '../landmarks/face_networks.ts';
import { detectFaces, type FaceBox, findLandmarks } from '../landmarks/landmarks.ts';
import type { Picture } from '../photo/photo.ts';

/** Turns from which on a photo is from the side, and in profile, degrees. */
const [sideTurn, profileTurn] = [12, 60];
/** Minimum score of the mesh network for its yaw to count. */
const minPresence = 0.5;

/** @param yaw - Degrees, positive when the subject turns to its left. */
export function viewOf(yaw: number): PhotoView {
  if (Math.abs(yaw) < sideTurn) return 'front';
  if (Math.abs(yaw) > profileTurn) return yaw > 0 ? 'leftProfile' : 'rightProfile';
  return yaw > 0 ? 'left' : 'right';
}

/**
 * The side that a face in profile looks to: 1, its nose points to the picture's right, −1, to its left. 0 where it
 * isn't in profile: both eyes then lie further apart than 45 % of the way from them to the mouth, or an ear on either
 * side.
 */
export function profileSide({ marks }: FaceBox): -1 | 0 | 1 {
  const [eyeX, eyeY] = [(marks[0] + marks[2]) / 2, (marks[1] + marks[3]) / 2];
  const apart = Math.hypot(marks[2] - marks[0], marks[3] - marks[1]);
  const down = Math.hypot(marks[6] - eyeX, marks[7] - eyeY);
  const [right, left] = [marks[8] - eyeX, marks[10] - eyeX];
  if (apart > 0.45 * down || right * left <= 0) return 0;
  return right < 0 ? 1 : -1;
}

/** The turn of the largest face, also where it is too far for a head, degrees; null where nothing is sure of one. */
export function turnOf(networks: FaceNetworks, picture: Picture): number | null {
  const [box] = detectFaces(networks, picture);
  if (!box) return null;
  const landmarks = findLandmarks(networks, picture, box);
  if (landmarks.presence > minPresence) return fitFace(landmarks).pose.yaw;
  return 90 * profileSide(box) || null;
}
