import type { photoReportSchema } from '@likeness/engine/photos/photo_answers.ts';
import { type Message, t } from '@likeness/messages';
import type { Crop } from '@likeness/proto/crop.ts';
import {
  isPhotoError,
  isPhotoWarning,
  type PhotoError,
  type PhotoWarning,
  photoErrors,
  photoWarnings,
} from '@likeness/proto/heads/photo_findings.ts';
import type { z } from 'zod';
import type { PhotoFinding } from '#contract';

type ReportedFinding = z.output<typeof photoReportSchema>['findings'][number];

/** The studio's message for each warning of the engine. */
const warnings: Readonly<Record<PhotoWarning, Message>> = {
  small_face: t('photo.small_face'),
  slightly_turned: t('photo.slightly_turned'),
  teeth_showing: t('photo.teeth_showing'),
  glasses: t('photo.glasses'),
  other_faces_ignored: t('photo.other_faces'),
  grey_photo: t('photo.no_colour'),
  soft_focus: t('photo.soft_focus'),
  dark_photo: t('photo.dark'),
  blown_out: t('photo.blown_out'),
  eyes_closed: t('photo.eyes_closed'),
  looking_aside: t('photo.looking_aside'),
  perhaps_drawing: t('photo.perhaps_drawing'),
  perhaps_statue: t('photo.perhaps_statue'),
  odd_skin_colour: t('photo.odd_skin'),
  uncertain_outline: t('photo.outline_hard'),
  uncertain_hair: t('photo.uncertain_hair'),
  hair_cut_off: t('photo.hair_cut_off'),
};

type Expectation = NonNullable<PhotoFinding['anyway']>[number];

/** Flaws to expect in a head that is made despite an error. */
function expectedOf({ code, params }: ReportedFinding): Expectation[] {
  if (code === 'turned_too_far')
    return [params.side === 'left' ? 'soft_left' : params.side === 'right' ? 'soft_right' : 'guessed_below'];
  const expected: Readonly<Partial<Record<PhotoError, Expectation>>> = {
    face_too_small: 'coarse',
    too_blurred: 'soft',
    covered_face: 'covered',
    too_dark: 'off_colours',
    too_bright: 'white_patches',
  };
  const one = isPhotoError(code) && expected[code];
  return one ? [one] : [];
}

/** Converts the engine's findings to the contract's form. Unknown warnings are left out. */
export const findingsOf = (findings: readonly ReportedFinding[]): PhotoFinding[] =>
  findings.flatMap((finding) => (finding.severity === 'error' ? [errorOf(finding)] : warningOf(finding)));

function errorOf(finding: ReportedFinding): PhotoFinding {
  const { code, overridable, messages, figure, limit, unit } = finding;
  return {
    code: isPhotoError(code) ? photoErrors[code] : 'check_failed',
    severity: isPhotoError(code) ? 'blocking' : 'warning',
    ...(overridable && { anyway: expectedOf(finding) }),
    message: messages ? t('photo.engine_says', { words: messages }) : code,
    figure,
    limit,
    unit,
  };
}

function warningOf({ code, figure, limit, unit }: ReportedFinding): PhotoFinding[] {
  if (!isPhotoWarning(code)) return [];
  return [
    {
      code: photoWarnings[code],
      message: warnings[code],
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
