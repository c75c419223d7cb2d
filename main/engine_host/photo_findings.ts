import type { photoReportSchema } from '@likeness/engine/photos/photo_answers.ts';
import { type Message, t } from '@likeness/messages';
import type { Crop } from '@likeness/proto/crop.ts';
import type { z } from 'zod';
import type { PhotoFinding } from '#contract';

type Code = PhotoFinding['code'];
type ReportedFinding = z.output<typeof photoReportSchema>['findings'][number];

/** Maps the engine's error codes to the contract's. */
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

/** Maps the engine's warnings to the contract's, with the studio's message. */
const warnings: Readonly<Record<string, { code: Code; message: Message }>> = {
  small_face: { code: 'face_too_small', message: t('photo.small_face') },
  slightly_turned: { code: 'turned_too_far', message: t('photo.slightly_turned') },
  teeth_showing: { code: 'mouth_not_neutral', message: t('photo.teeth_showing') },
  eyes_closed: { code: 'eyes_not_neutral', message: t('photo.eyes_closed') },
  looking_aside: { code: 'eyes_not_neutral', message: t('photo.looking_aside') },
  glasses: { code: 'covered_face', message: t('photo.glasses') },
  other_faces_ignored: { code: 'several_faces', message: t('photo.other_faces') },
  grey_photo: { code: 'no_colour', message: t('photo.no_colour') },
  soft_focus: { code: 'blurred', message: t('photo.soft_focus') },
  dark_photo: { code: 'too_dark', message: t('photo.dark') },
  blown_out: { code: 'too_bright', message: t('photo.blown_out') },
  perhaps_drawing: { code: 'not_a_person', message: t('photo.perhaps_drawing') },
  perhaps_statue: { code: 'not_a_person', message: t('photo.perhaps_statue') },
  odd_skin_colour: { code: 'not_a_person', message: t('photo.odd_skin') },
  uncertain_outline: { code: 'uncertain_outline', message: t('photo.outline_hard') },
  hair_cut_off: { code: 'hair_cut_off', message: t('photo.hair_cut_off') },
};

type Expectation = NonNullable<PhotoFinding['anyway']>[number];

/** Flaws to expect in a head that is made despite an error. */
function expectedOf({ code, params }: ReportedFinding): Expectation[] {
  if (code === 'turned_too_far')
    return [params.side === 'left' ? 'soft_left' : params.side === 'right' ? 'soft_right' : 'guessed_below'];
  const expected: Readonly<Record<string, Expectation>> = {
    face_too_small: 'coarse',
    too_blurred: 'soft',
    covered_face: 'covered',
    too_dark: 'off_colours',
    too_bright: 'white_patches',
  };
  return expected[code] ? [expected[code]] : [];
}

/** Converts the engine's findings to the contract's form. Unknown warnings are left out. */
export const findingsOf = (findings: readonly ReportedFinding[]): PhotoFinding[] =>
  findings.flatMap((finding) => (finding.severity === 'error' ? [errorOf(finding)] : warningOf(finding)));

function errorOf(finding: ReportedFinding): PhotoFinding {
  const { code, overridable, messages, figure, limit, unit } = finding;
  return {
    code: errorCodes[code] ?? 'check_failed',
    severity: errorCodes[code] ? 'blocking' : 'warning',
    ...(overridable && { anyway: expectedOf(finding) }),
    message: messages ? t('photo.engine_says', { words: messages }) : code,
    figure,
    limit,
    unit,
  };
}

function warningOf({ code, figure, limit, unit }: ReportedFinding): PhotoFinding[] {
  const warning = warnings[code];
  if (!warning) return [];
  return [
    {
      ...warning,
      severity: 'warning',
      figure: figure === null || limit === null ? figure : awayFrom(limit, figure),
      limit: limit === null ? null : Math.round(limit * 10) / 10,
      unit,
    },
  ];
}

/** Rounds a number so that it stays on the same side of the limit and never equals it. */
const awayFrom = (limit: number, figure: number): number =>
  figure > limit ? Math.ceil(figure) : Math.min(Math.floor(figure), Math.ceil(limit) - 1);

/** Minimum share of a photo's height for a face; crop a photo whose face is smaller. */
const smallFace = 0.28;

/**
 * Returns a crop around the face with room for hair and neck (1 face width at each side, 1 face height above,
 * 0.8 below); null if the face fills the photo well enough.
 *
 * @param face - In fractions of the photo.
 */
export function suggestedCrop(face: Crop, photo: { width: number; height: number }): Crop | null {
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
