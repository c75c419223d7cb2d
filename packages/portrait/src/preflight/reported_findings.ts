import { inBoth } from '@likeness/messages';
import type { PhotoWarning } from '@likeness/proto/heads/photo_findings.ts';
import type { ReportedFinding } from '../contract/photo_report.ts';
import {
  type PortraitError,
  type PortraitErrorCode,
  portraitFailMessage,
} from '../contract/portrait_error.ts';
import type { PortraitFindings } from './check_portrait.ts';
import { portraitLimits } from './portrait_check.ts';

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
interface Measure {
  figure: (findings: PortraitFindings) => number | undefined;
  limit: number;
  unit: Unit;
}

const percent = (share: number | undefined): number | undefined =>
  share === undefined ? undefined : 100 * share;

/** The figure and limit of each warning that has one. */
const measures: Readonly<Partial<Record<PhotoWarning, Measure>>> = {
  small_face: { figure: ({ iodPx }) => iodPx, limit: portraitLimits.goodIodPixels, unit: 'px' },
  slightly_turned: {
    figure: ({ yaw }) => (yaw === undefined ? undefined : Math.abs(yaw)),
    limit: portraitLimits.goodYaw,
    unit: '°',
  },
  teeth_showing: {
    figure: ({ lipGap }) => percent(lipGap),
    limit: 100 * portraitLimits.lipGap,
    unit: '%',
  },
  eyes_closed: {
    figure: ({ quality }) => percent(quality?.eyeOpening),
    limit: 100 * portraitLimits.eyeOpening,
    unit: '%',
  },
  looking_aside: {
    figure: ({ quality }) => percent(quality?.gaze),
    limit: 100 * portraitLimits.gaze,
    unit: '%',
  },
  glasses: {
    figure: ({ quality }) => percent(quality?.bridgeLine),
    limit: 100 * portraitLimits.bridgeLine,
    unit: '%',
  },
  soft_focus: {
    figure: ({ quality }) => percent(quality?.blur),
    limit: 100 * portraitLimits.goodBlur,
    unit: '%',
  },
  dark_photo: {
    figure: ({ quality }) => quality?.brightness,
    limit: portraitLimits.goodBrightness,
    unit: '',
  },
  blown_out: {
    figure: ({ quality }) => percent(quality?.blown),
    limit: 100 * portraitLimits.goodBlown,
    unit: '%',
  },
  perhaps_drawing: { figure: ({ quality }) => quality?.tones, limit: portraitLimits.tones, unit: '' },
  perhaps_statue: { figure: ({ quality }) => quality?.chroma, limit: portraitLimits.skinChroma, unit: '' },
};

/** The findings in plain values. */
export function reportedFindings(findings: PortraitFindings): ReportedFinding[] {
  const { overridable, error, warnings } = findings;
  const errors = overridable ?? (error ? [error] : []);
  return [
    ...errors.map((one) => reportedError(one, overridable !== undefined)),
    ...warnings.map((word) => reportedWarning(word, findings)),
  ];
}

function reportedError(error: PortraitError, overridable: boolean): ReportedFinding {
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

function reportedWarning(code: PhotoWarning, findings: PortraitFindings): ReportedFinding {
  const measure = measures[code];
  return {
    code,
    severity: 'warning',
    overridable: false,
    figure: measure?.figure(findings) ?? null,
    limit: measure?.limit ?? null,
    unit: measure?.unit ?? '',
    params: {},
  };
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);
