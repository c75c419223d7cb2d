import type { PhotoWarning } from '@likeness/proto/heads/photo_findings.ts';
import { PortraitError, type PortraitErrorCode } from '../contract/portrait_error.ts';
import { type FaceFit, fitFace } from '../fit/face_fit.ts';
import type { FaceNetworks } from '../landmarks/face_networks.ts';
import { detectFaces, type FaceLandmarks, findLandmarks } from '../landmarks/landmarks.ts';
import type { Picture } from '../photo/photo.ts';
import { oval } from '../topology/face_topology.ts';
import { landmark } from '../topology/landmark.ts';
import { type CoverScores, coverOf, coverScores, measureCover } from './face_cover.ts';
import { type FaceQuality, measureFace } from './face_quality.ts';

/**
 * Thresholds of pre-flight, set on forty portraits and worse variants of them: see
 * research/portrait.md.
 */
export const portraitLimits = {
  iodPixels: 60,
  goodIodPixels: 100,
  /** Degrees as they are read: turns of 30° are read as 29° – 38°, level heads as −20° – 13° of pitch. */
  yaw: 39,
  goodYaw: 9,
  pitch: 36,
  /** A second face counts when it is at least this large against the first. */
  secondFace: 0.45,
  /** Outer eye distances. */
  lipGap: 0.06,
  blur: 0.8,
  goodBlur: 0.62,
  brightness: 26,
  goodBrightness: 50,
  blown: 0.5,
  goodBlown: 0.08,
  eyeOpening: 0.175,
  gaze: 0.108,
  bridgeLine: 0.18,
  /** Lab chroma; less is not skin in a colour photo. */
  skinChroma: 7,
  /** Fewer tones than this, with flat areas between them, mean a drawing. */
  tones: 26,
  /** How sure the network must be, and how far its passes may differ, for a face to be a person's. */
  presence: 0.8,
  spread: 0.03,
};

/** Limits of what a person can override: beyond them, landmarks and fit are unreliable. */
const anywayLimits = {
  iodPixels: 28,
  /** Degrees. */
  yaw: 46,
  pitch: 45,
  blur: 0.92,
  brightness: 12,
};

/** Below this chroma nothing is coloured; above the other a photo is not grey. */
const grey = 4;
const coloured = 20;

export interface CheckedFace {
  readonly landmarks: FaceLandmarks;
  readonly fit: FaceFit;
  readonly quality: FaceQuality;
  readonly cover: CoverScores;
  readonly warnings: readonly PhotoWarning[];
  /** Quality rules that would have refused it; empty unless they were overridden. */
  readonly overridden: readonly PortraitError[];
}

/** Refuses a face, or notes why it would have been refused where a head can be made all the same. */
type Refuse = (
  canContinue: boolean,
  code: PortraitErrorCode,
  params: Record<string, string | number>,
) => void;

/** The faces of people, the largest first. An upside-down photo is read as well as an upright one. */
export function findFaces(networks: FaceNetworks, picture: Picture): FaceLandmarks[] {
  // Until there is one: in the whole picture, upside down, in its parts.
  for (const isClose of [false, true])
    for (const turn of [0, Math.PI]) {
      const faces: FaceLandmarks[] = [];
      for (const box of detectFaces(networks, picture, turn, isClose).slice(0, 6)) {
        const found = findLandmarks(networks, picture, box);
        // Two boxes can lead to the same face.
        const isKnown = faces.some(
          ({ points, iod }) =>
            Math.hypot(points[3] - found.points[3], points[4] - found.points[4]) < 0.5 * iod,
        );
        if (isPerson(found) && !isKnown) faces.push(found);
      }
      if (faces.length > 0) return faces.sort((p, q) => q.iod - p.iod);
    }
  return [];
}

/**
 * The face that a head is made of: the largest.
 * @throws PortraitError no_face, several_faces
 */
export function mainFace(faces: readonly FaceLandmarks[]): FaceLandmarks {
  const [largest] = faces;
  if (!largest) throw new PortraitError('no_face');
  const rivals = faces.filter(({ iod }) => iod > portraitLimits.secondFace * largest.iod).length;
  if (rivals > 1) throw new PortraitError('several_faces', { count: rivals });
  return largest;
}

/**
 * Finds the one face a head can be made of.
 * @param anyway - Ignores quality rules (turn, size, focus, light, cover) as far as a head can be made at
 *   all.
 * @throws PortraitError no_face, several_faces, face_too_small, face_cut_off, turned_too_far, covered_face,
 *   too_dark, too_bright, too_blurred
 */
export const checkFace = (networks: FaceNetworks, picture: Picture, anyway = false): CheckedFace =>
  checkFound(picture, findFaces(networks, picture), anyway);

/** As {@link checkFace}, of faces that were found. */
export function checkFound(picture: Picture, faces: readonly FaceLandmarks[], anyway: boolean): CheckedFace {
  const warnings: PhotoWarning[] = [];
  const overridden: PortraitError[] = [];
  const refuse: Refuse = (canContinue, code, params) => {
    const error = new PortraitError(code, params);
    if (!anyway || !canContinue) throw error;
    overridden.push(error);
  };
  const landmarks = mainFace(faces);
  if (faces.length > 1) warnings.push('other_faces_ignored');

  if (landmarks.iod < portraitLimits.iodPixels) {
    refuse(landmarks.iod >= anywayLimits.iodPixels, 'face_too_small', {
      // Rounded away from the limit, so that no figure looks as if it passed.
      iod: Math.floor(landmarks.iod),
      limit: portraitLimits.iodPixels,
    });
  } else if (landmarks.iod < portraitLimits.goodIodPixels) warnings.push('small_face');
  const fit = fitFace(landmarks);
  const { yaw, pitch } = fit.pose;
  if (Math.abs(yaw) > portraitLimits.yaw || Math.abs(pitch) > portraitLimits.pitch) {
    const aside = Math.abs(yaw) > portraitLimits.yaw;
    const canContinue = Math.abs(yaw) <= anywayLimits.yaw && Math.abs(pitch) <= anywayLimits.pitch;
    refuse(canContinue, 'turned_too_far', {
      way: aside ? 'aside' : 'up_or_down',
      ...(aside && { side: hiddenSide(landmarks) }),
      degrees: Math.ceil(Math.abs(aside ? yaw : pitch)),
      limit: aside ? portraitLimits.yaw : portraitLimits.pitch,
    });
  } else if (Math.abs(yaw) > portraitLimits.goodYaw) warnings.push('slightly_turned');
  const outside = oval.filter((i) => {
    const x = landmarks.points[3 * i];
    const y = landmarks.points[3 * i + 1];
    const slack = 0.04 * landmarks.iod;
    return x < -slack || y < -slack || x > picture.width + slack || y > picture.height + slack;
  }).length;
  if (outside > 2) throw new PortraitError('face_cut_off');
  if (crownOutside(picture, landmarks)) warnings.push('hair_cut_off');
  if (fit.lipGap > portraitLimits.lipGap) warnings.push('teeth_showing');
  const quality = measureFace(picture, landmarks);
  checkLight(quality, warnings, refuse);
  const cover = coverScores(measureCover(picture, landmarks));
  const what = coverOf(cover);
  if (what) refuse(true, 'covered_face', { what });
  if (quality.eyeOpening < portraitLimits.eyeOpening) warnings.push('eyes_closed');
  else if (quality.gaze > portraitLimits.gaze) warnings.push('looking_aside');
  if (quality.bridgeLine > portraitLimits.bridgeLine) warnings.push('glasses');
  warnings.push(...notPhotographed(quality));
  return { landmarks, fit, quality, cover, warnings, overridden };
}

/** The side of the photo on which less of the face is in view: there the nose is nearer to its edge. */
function hiddenSide({ points }: FaceLandmarks): 'left' | 'right' {
  const { noseTipLower, rightTragus, leftTragus } = landmark;
  const [nose, left, right] = [noseTipLower, rightTragus, leftTragus].map((i) => points[3 * i]);
  return nose - left < right - nose ? 'left' : 'right';
}

/**
 * Whether a face is a person's. On people, even in dark, noisy or small photos, every pass has a high score and they
 * agree within a few hundredths of the eye distance; on animals one of the two fails.
 */
const isPerson = ({ presence, spread }: FaceLandmarks): boolean =>
  presence > portraitLimits.presence && spread < portraitLimits.spread;

/** Whether even a bald head would reach over the edge of the photo: its top lies a quarter above the face. */
function crownOutside({ width, height }: Picture, { points }: FaceLandmarks): boolean {
  const [top, chin] = [3 * landmark.foreheadTop, 3 * landmark.chin];
  const x = points[top] + 0.22 * (points[top] - points[chin]);
  const y = points[top + 1] + 0.22 * (points[top + 1] - points[chin + 1]);
  return x < 0 || y < 0 || x > width || y > height;
}

/** @throws PortraitError too_dark, too_bright, too_blurred, covered_face, as `refuse` does */
function checkLight(quality: FaceQuality, warnings: PhotoWarning[], refuse: Refuse): void {
  const { brightness, blown, blur } = quality;
  if (brightness < portraitLimits.brightness) {
    refuse(brightness >= anywayLimits.brightness, 'too_dark', {
      brightness: Math.floor(brightness),
      limit: portraitLimits.brightness,
    });
  } else if (brightness < portraitLimits.goodBrightness) warnings.push('dark_photo');
  if (blown > portraitLimits.blown) {
    // Ink on paper: a photo has more tones even if most of it is white.
    if (quality.tones < 8) throw new PortraitError('covered_face');
    refuse(true, 'too_bright', { percent: Math.ceil(100 * blown), limit: 100 * portraitLimits.blown });
  } else if (blown > portraitLimits.goodBlown) warnings.push('blown_out');
  if (blur > portraitLimits.blur) {
    refuse(blur <= anywayLimits.blur, 'too_blurred', {
      percent: Math.ceil(100 * blur),
      limit: 100 * portraitLimits.blur,
    });
  } else if (blur > portraitLimits.goodBlur) warnings.push('soft_focus');
}

/** Signs in the tones and colours of a face that it is not a photographed person. */
function notPhotographed(quality: FaceQuality): PhotoWarning[] {
  const { flat, tones, chroma, hue, photoChroma, brightness } = quality;
  const drawn = flat > 0.45 && tones < portraitLimits.tones && brightness >= portraitLimits.goodBrightness;
  if (drawn) return ['perhaps_drawing'];
  if (chroma < portraitLimits.skinChroma && photoChroma > coloured) return ['perhaps_statue'];
  if (chroma < grey) return ['grey_photo'];
  // Skin of every tone lies between red and yellow; light of a colour, paint and bronze don't.
  return chroma > portraitLimits.skinChroma && (hue < -10 || hue > 90) ? ['odd_skin_colour'] : [];
}
