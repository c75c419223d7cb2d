import { inBoth } from '@likeness/messages';
import type { PhotoWarning } from '@likeness/proto/heads/photo_findings.ts';
import type { ReportedFinding } from '../contract/photo_report.ts';
import {
  type PortraitError,
  type PortraitErrorCode,
  portraitFailMessage,
} from '../contract/portrait_error.ts';
import { type CheckedFace, portraitLimits } from './portrait_check.ts';

type Unit = ReportedFinding['unit'];

/** The parameter of each error that is its figure, and the unit. */
const figures: Readonly<Partial<Record<PortraitErrorCode, [parameter: string, unit: Unit]>>> = {
  several_faces: ['count', 'faces'],
  face_too_small: ['iod', 'px'],
  turned_too_far: ['degrees', '°'],
  too_large: ['megabytes', 'MB'],
  too_many_pixels: ['megapixels', 'MP'],
  image_too_small: ['width', 'px'],
  too_dark: ['brightness', ''],
  too_bright: ['percent', '%'],
  too_blurred: ['percent', '%'],
};

/** The figure, limit and unit of each warning that has them. */
const measures: Readonly<
  Partial<Record<PhotoWarning, [figure: (face: CheckedFace) => number, limit: number, unit: Unit]>>
> = {
  small_face: [({ landmarks }) => landmarks.iod, portraitLimits.goodIodPixels, 'px'],
  slightly_turned: [({ fit }) => Math.abs(fit.pose.yaw), portraitLimits.goodYaw, '°'],
  teeth_showing: [({ fit }) => 100 * fit.lipGap, 100 * portraitLimits.lipGap, '%'],
  eyes_closed: [({ quality }) => 100 * quality.eyeOpening, 100 * portraitLimits.eyeOpening, '%'],
  looking_aside: [({ quality }) => 100 * quality.gaze, 100 * portraitLimits.gaze, '%'],
  glasses: [({ quality }) => 100 * quality.bridgeLine, 100 * portraitLimits.bridgeLine, '%'],
  soft_focus: [({ quality }) => 100 * quality.blur, 100 * portraitLimits.goodBlur, '%'],
  dark_photo: [({ quality }) => quality.brightness, portraitLimits.goodBrightness, ''],
  blown_out: [({ quality }) => 100 * quality.blown, 100 * portraitLimits.goodBlown, '%'],
  perhaps_drawing: [({ quality }) => quality.tones, portraitLimits.tones, ''],
  perhaps_statue: [({ quality }) => quality.chroma, portraitLimits.skinChroma, ''],
};

/** The findings about a face that a head can be made of, as plain values. */
export const reportedFindings = (face: CheckedFace): ReportedFinding[] => [
  ...face.overridden.map((error) => reportedError(error, true)),
  ...face.warnings.map((code) => reportedWarning(code, face)),
];

export function reportedError(error: PortraitError, overridable: boolean): ReportedFinding {
  const { code, params } = error;
  const [parameter = '', unit = ''] = figures[code] ?? [];
  return {
    code,
    severity: 'error',
    overridable,
    figure: numberOrNull(params[parameter]),
    limit: numberOrNull(params.limit),
    unit,
    params,
    messages: inBoth(portraitFailMessage(error)),
  };
}

function reportedWarning(code: PhotoWarning, face: CheckedFace): ReportedFinding {
  const [figure, limit = null, unit = ''] = measures[code] ?? [];
  return {
    code,
    severity: 'warning',
    overridable: false,
    figure: figure?.(face) ?? null,
    limit,
    unit,
    params: {},
  };
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);
