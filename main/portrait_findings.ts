import type { PhotoFinding } from '#contract';
import { type Said, say } from '#sentences';
import {
  type PortraitError,
  type PortraitErrorCode,
  type PortraitFindings,
  type PortraitWarning,
  portraitLimits,
} from './engine/portrait/index.ts';

type Code = PhotoFinding['code'];
type Box = { x: number; y: number; width: number; height: number };

/** The engine's word for what it can't make a head of, in the contract's. */
const errorCodes: Readonly<Record<string, Code>> = {
  not_an_image: 'not_an_image',
  damaged_image: 'not_an_image',
  animated_image: 'not_an_image',
  too_large: 'too_large',
  too_many_pixels: 'too_large',
  image_too_small: 'face_too_small',
  no_face: 'no_face',
  several_faces: 'several_faces',
  face_too_small: 'face_too_small',
  face_cut_off: 'face_cut_off',
  turned_too_far: 'turned_too_far',
  covered_face: 'covered_face',
  too_dark: 'too_dark',
  too_bright: 'too_bright',
  too_blurred: 'blurred',
};

/** Which of an error's parameters is the figure, and in what unit. */
const figures: Readonly<Record<string, [parameter: string, unit: string]>> = {
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

interface Warning {
  code: Code;
  message: Said;
  /** What was measured, and the limit that it missed, in `unit`. */
  figure?: (findings: PortraitFindings) => number | undefined;
  limit?: number;
  unit?: string;
}

const percent = (share: number | undefined): number | undefined =>
  share === undefined ? undefined : 100 * share;

const warnings: Readonly<Record<PortraitWarning, Warning>> = {
  small_face: {
    code: 'face_too_small',
    message: say('photo.small_face'),
    figure: ({ iodPx }) => iodPx,
    limit: portraitLimits.goodIodPixels,
    unit: 'px',
  },
  slightly_turned: {
    code: 'turned_too_far',
    message: say('photo.slightly_turned'),
    figure: ({ yaw }) => (yaw === undefined ? undefined : Math.abs(yaw)),
    limit: portraitLimits.goodYaw,
    unit: '°',
  },
  teeth_showing: {
    code: 'mouth_not_neutral',
    message: say('photo.teeth_showing'),
    figure: ({ lipGap }) => percent(lipGap),
    limit: 100 * portraitLimits.lipGap,
    unit: '%',
  },
  eyes_closed: {
    code: 'eyes_not_neutral',
    message: say('photo.eyes_closed'),
    figure: ({ quality }) => percent(quality?.eyeOpening),
    limit: 100 * portraitLimits.eyeOpening,
    unit: '%',
  },
  looking_aside: {
    code: 'eyes_not_neutral',
    message: say('photo.looking_aside'),
    figure: ({ quality }) => percent(quality?.gaze),
    limit: 100 * portraitLimits.gaze,
    unit: '%',
  },
  glasses: {
    code: 'covered_face',
    message: say('photo.glasses'),
    figure: ({ quality }) => percent(quality?.bridgeLine),
    limit: 100 * portraitLimits.bridgeLine,
    unit: '%',
  },
  other_faces_ignored: {
    code: 'several_faces',
    message: say('photo.other_faces'),
  },
  grey_photo: { code: 'no_colour', message: say('photo.no_colour') },
  soft_focus: {
    code: 'blurred',
    message: say('photo.soft_focus'),
    figure: ({ quality }) => percent(quality?.blur),
    limit: 100 * portraitLimits.goodBlur,
    unit: '%',
  },
  dark_photo: {
    code: 'too_dark',
    message: say('photo.dark'),
    figure: ({ quality }) => quality?.brightness,
    limit: portraitLimits.goodBrightness,
  },
  blown_out: {
    code: 'too_bright',
    message: say('photo.blown_out'),
    figure: ({ quality }) => percent(quality?.blown),
    limit: 100 * portraitLimits.goodBlown,
    unit: '%',
  },
  perhaps_drawing: {
    code: 'not_a_person',
    message: say('photo.perhaps_drawing'),
    figure: ({ quality }) => quality?.tones,
    limit: portraitLimits.tones,
  },
  perhaps_statue: {
    code: 'not_a_person',
    message: say('photo.perhaps_statue'),
    figure: ({ quality }) => quality?.chroma,
    limit: portraitLimits.skinChroma,
  },
  odd_skin_colour: {
    code: 'not_a_person',
    message: say('photo.odd_skin'),
  },
  uncertain_outline: {
    code: 'uncertain_outline',
    message: say('photo.outline_hard'),
  },
  hair_cut_off: { code: 'hair_cut_off', message: say('photo.hair_cut_off') },
};

type Expectation = NonNullable<PhotoFinding['anyway']>[number];

/** What a head shows that is made in spite of an error. */
function expectedOf({ code, params }: PortraitError): Expectation[] {
  if (code === 'turned_too_far')
    return [params.side === 'left' ? 'soft_left' : params.side === 'right' ? 'soft_right' : 'guessed_below'];
  const expected: Partial<Record<PortraitErrorCode, Expectation>> = {
    face_too_small: 'coarse',
    too_blurred: 'soft',
    covered_face: 'covered',
    too_dark: 'off_colours',
    too_bright: 'white_patches',
  };
  return expected[code] ? [expected[code]] : [];
}

/**
 * What the engine found, as the contract tells it.
 *
 * @param messageOf - The engine's own sentence on an error.
 */
export function findingsOf(
  findings: PortraitFindings,
  messageOf: (error: PortraitError) => Said,
): PhotoFinding[] {
  const list: PhotoFinding[] = [];
  const { overridable } = findings;
  for (const error of overridable ?? (findings.error ? [findings.error] : [])) {
    const [parameter = '', unit = ''] = figures[error.code] ?? [];
    list.push({
      code: errorCodes[error.code] ?? 'check_failed',
      severity: errorCodes[error.code] ? 'blocking' : 'warning',
      ...(overridable && { anyway: expectedOf(error) }),
      message: messageOf(error),
      figure: numberOrNull(error.params[parameter]),
      limit: numberOrNull(error.params.limit),
      unit,
    });
  }
  for (const word of findings.warnings) {
    const warning = warnings[word];
    const figure = warning.figure?.(findings) ?? null;
    const limit = warning.limit ?? null;
    list.push({
      code: warning.code,
      severity: 'warning',
      message: warning.message,
      figure: figure === null || limit === null ? figure : awayFrom(limit, figure),
      limit: limit === null ? null : Math.round(limit * 10) / 10,
      unit: warning.unit ?? '',
    });
  }
  return list;
}

/** A whole number that lies on the same side of the limit as the figure, and never on it. */
const awayFrom = (limit: number, figure: number): number =>
  figure > limit ? Math.ceil(figure) : Math.min(Math.floor(figure), Math.ceil(limit) - 1);

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Share of a photo's height below which a face is better cropped to. */
const smallFace = 0.28;

/**
 * A crop about the face with room for hair and neck (1 face width at each side, 1 face height above, 0.8 below);
 * null where the face fills the photo well enough.
 *
 * @param face - In fractions of the photo.
 */
export function suggestedCrop(face: Box, photo: { width: number; height: number }): Box | null {
  if (face.height >= smallFace || photo.width === 0 || photo.height === 0) return null;
  const left = Math.max(0, face.x - face.width);
  const top = Math.max(0, face.y - face.height);
  return {
    x: left,
    y: top,
    width: Math.min(1, face.x + 2 * face.width) - left,
    height: Math.min(1, face.y + 1.8 * face.height) - top,
  };
}
