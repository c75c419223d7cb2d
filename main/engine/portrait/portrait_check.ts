import { type FaceFit, fitFace } from './face_fit.ts';
import type { FaceNetworks } from './face_networks.ts';
import { leftEye, lowerLip, oval, rightEye } from './face_topology.ts';
import type { PortraitWarning } from './head_request.ts';
import { detectFaces, type FaceLandmarks, findLandmarks } from './landmarks.ts';
import type { Picture } from './photo.ts';
import { PortraitError } from './portrait_error.ts';
import { readPixel } from './skin_texture.ts';

/** Thresholds of pre-flight; those on size and turn were tried on some forty portraits. */
export const portraitLimits = {
  iodPixels: 60,
  goodIodPixels: 100,
  yaw: 15,
  goodYaw: 8,
  pitch: 28,
  /** A second face counts when it is at least this large against the first. */
  secondFace: 0.45,
};

/** A face that passed, with what is worth telling. */
export interface CheckedFace {
  readonly landmarks: FaceLandmarks;
  readonly fit: FaceFit;
  readonly warnings: readonly PortraitWarning[];
}

/**
 * Finds the one face a head can be made of.
 * @throws PortraitError no_face, several_faces, face_too_small, face_cut_off, turned_too_far, covered_face,
 *   too_dark, too_bright, too_blurred
 */
export function checkFace(networks: FaceNetworks, picture: Picture): CheckedFace {
  const warnings: PortraitWarning[] = [];
  const boxes = detectFaces(networks, picture);
  let landmarks: FaceLandmarks | undefined;
  let size = 0;
  const faces: { landmarks: FaceLandmarks; size: number }[] = [];
  for (const box of boxes.slice(0, 6)) {
    const found = findLandmarks(networks, picture, box);
    // Two boxes can lead to the same face.
    const known = faces.some(
      (other) =>
        Math.hypot(
          other.landmarks.points[3]! - found.points[3]!,
          other.landmarks.points[4]! - found.points[4]!,
        ) <
        0.5 * other.landmarks.iod,
    );
    if (found.presence > 0.6 && !known) faces.push({ landmarks: found, size: found.iod });
  }
  faces.sort((p, q) => q.size - p.size);
  if (faces[0]) ({ landmarks, size } = faces[0]);
  if (!landmarks) throw new PortraitError('no_face');
  const rivals = faces.filter((face) => face.size > portraitLimits.secondFace * size).length;
  if (rivals > 1) throw new PortraitError('several_faces', { count: rivals });
  if (faces.length > 1) warnings.push('other_faces_ignored');

  if (landmarks.iod < portraitLimits.iodPixels) {
    throw new PortraitError('face_too_small', {
      iod: Math.round(landmarks.iod),
      limit: portraitLimits.iodPixels,
    });
  }
  if (landmarks.iod < portraitLimits.goodIodPixels) warnings.push('small_face');
  const fit = fitFace(landmarks);
  const { yaw, pitch } = fit.pose;
  if (Math.abs(yaw) > portraitLimits.yaw || Math.abs(pitch) > portraitLimits.pitch) {
    const worse = Math.abs(yaw) > portraitLimits.yaw ? yaw : pitch;
    throw new PortraitError('turned_too_far', {
      yaw: Math.round(Math.abs(worse)),
      limit: worse === yaw ? portraitLimits.yaw : portraitLimits.pitch,
    });
  }
  if (Math.abs(yaw) > portraitLimits.goodYaw) warnings.push('slightly_turned');
  const outside = oval.filter((i) => {
    const x = landmarks.points[3 * i]!;
    const y = landmarks.points[3 * i + 1]!;
    const slack = 0.04 * landmarks.iod;
    return x < -slack || y < -slack || x > picture.width + slack || y > picture.height + slack;
  }).length;
  if (outside > 2) throw new PortraitError('face_cut_off');
  if (fit.lipGap > 0.06) warnings.push('teeth_showing');
  checkLightAndCover(picture, landmarks, warnings);
  return { landmarks, fit, warnings };
}

type Sample = [number, number, number];

function sampleAt(picture: Picture, landmarks: FaceLandmarks, points: readonly number[]): Sample {
  const pixel = new Float32Array(3);
  const sum: Sample = [0, 0, 0];
  let n = 0;
  const reach = 0.02 * landmarks.iod;
  for (const i of points) {
    for (const [dx, dy] of [
      [0, 0],
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ] as const) {
      readPixel(
        picture,
        landmarks.points[3 * i]! + dx * reach,
        landmarks.points[3 * i + 1]! + dy * reach,
        pixel,
      );
      for (let c = 0; c < 3; c++) sum[c]! += pixel[c]!;
      n++;
    }
  }
  return [sum[0] / n, sum[1] / n, sum[2] / n];
}

const luma = (c: Sample): number => 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2];
/** Distance in chroma, free of brightness. */
const chromaDistance = (a: Sample, b: Sample): number => {
  const sa = a[0] + a[1] + a[2] + 30;
  const sb = b[0] + b[1] + b[2] + 30;
  return Math.hypot(a[0] / sa - b[0] / sb, a[1] / sa - b[1] / sb, a[2] / sa - b[2] / sb);
};

function checkLightAndCover(picture: Picture, landmarks: FaceLandmarks, warnings: PortraitWarning[]): void {
  const forehead = sampleAt(picture, landmarks, [151, 9, 8, 108, 337]);
  const cheeks = sampleAt(picture, landmarks, [50, 280, 101, 330, 205, 425]);
  const nose = sampleAt(picture, landmarks, [6, 197, 195, 5]);
  const chin = sampleAt(picture, landmarks, [199, 200, 18, 175, 83, 313]);
  const lip = sampleAt(picture, landmarks, [164, 167, 393, 0, 17]);
  const skin: Sample = [0, 1, 2].map((c) => (forehead[c]! + nose[c]! + cheeks[c]!) / 3) as Sample;
  const light = luma(skin);
  if (light < 26) throw new PortraitError('too_dark');
  if (light < 50) warnings.push('dark_photo');
  if (light > 243 && luma(lip) > 235) throw new PortraitError('too_bright');

  // Sunglasses: both eyes' surroundings, lids and below, far darker than the skin about them.
  const around = (eye: typeof rightEye): Sample =>
    sampleAt(picture, landmarks, [
      ...eye.upper[1]!,
      ...eye.lower[1]!,
      ...eye.lower[2]!.slice(1, 6),
      ...eye.upper[2]!.slice(1, 6),
    ]);
  const right = luma(around(rightEye));
  const left = luma(around(leftEye));
  if (Math.max(right, left) < 0.42 * light) throw new PortraitError('covered_face', { what: 'eyes' });
  // A mask: mouth and chin alike, and neither like the skin above.
  const lower: Sample = [0, 1, 2].map((c) => (chin[c]! + lip[c]!) / 2) as Sample;
  const above: Sample = [0, 1, 2].map((c) => (forehead[c]! + nose[c]!) / 2) as Sample;
  const lipsThere = sampleAt(picture, landmarks, lowerLip[1]!.slice(3, 8));
  const differs = chromaDistance(lower, above);
  if (differs > 0.075 && chromaDistance(lipsThere, lower) < 0.03)
    throw new PortraitError('covered_face', { what: 'mouth' });

  if (detail(picture, landmarks) < 0.9) throw new PortraitError('too_blurred');
  if (detail(picture, landmarks) < 1.8) warnings.push('soft_focus');
  if (bridgeStep(picture, landmarks) > 0.3) warnings.push('glasses');
  const grey = Math.max(...[forehead, cheeks, lip, chin].map((c) => Math.max(...c) - Math.min(...c)));
  if (grey < 6) warnings.push('grey_photo');
}

/**
 * The largest step in brightness down the nose's bridge, against its mean: skin stays below 0.25 there, the
 * bridge of a pair of glasses makes 0.5 and more (rimless ones don't).
 */
function bridgeStep(picture: Picture, landmarks: FaceLandmarks): number {
  const { points, iod } = landmarks;
  const pixel = new Float32Array(3);
  const steps = 40;
  const profile: number[] = [];
  for (let i = 0; i < steps; i++) {
    const t = i / (steps - 1);
    const x = points[3 * 8]! + (points[3 * 5]! - points[3 * 8]!) * t;
    const y = points[3 * 8 + 1]! + (points[3 * 5 + 1]! - points[3 * 8 + 1]!) * t;
    let sum = 0;
    for (const aside of [-0.04, -0.02, 0, 0.02, 0.04]) {
      readPixel(picture, x + aside * iod, y, pixel);
      sum += luma([pixel[0]!, pixel[1]!, pixel[2]!]) / 5;
    }
    profile.push(sum);
  }
  const mean = profile.reduce((sum, value) => sum + value, 0) / steps;
  return profile.slice(3).reduce((most, value, i) => Math.max(most, Math.abs(value - profile[i]!) / mean), 0);
}

/** Mean step between neighbouring pixels across the eyes and brows, where a sharp photo has much. */
function detail(picture: Picture, landmarks: FaceLandmarks): number {
  const { points, iod } = landmarks;
  let sum = 0;
  let n = 0;
  const pixel = new Float32Array(3);
  const step = Math.max(1, iod / 110);
  for (const eye of [rightEye, leftEye]) {
    const cx = (points[3 * eye.outer]! + points[3 * eye.inner]!) / 2;
    const cy = (points[3 * eye.outer + 1]! + points[3 * eye.inner + 1]!) / 2;
    for (let y = -0.2 * iod; y < 0.12 * iod; y += step) {
      let before = Number.NaN;
      for (let x = -0.2 * iod; x < 0.2 * iod; x += step) {
        readPixel(picture, cx + x, cy + y, pixel);
        const value = luma([pixel[0]!, pixel[1]!, pixel[2]!]);
        if (!Number.isNaN(before)) {
          sum += Math.abs(value - before);
          n++;
        }
        before = value;
      }
    }
  }
  return sum / Math.max(1, n);
}
