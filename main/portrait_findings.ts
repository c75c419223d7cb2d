import type { PhotoFinding } from '#contract';
import type { PortraitFindings } from './engine/portrait/index.ts';

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
  turned_too_far: ['yaw', '°'],
  too_large: ['megabytes', 'MB'],
  too_many_pixels: ['megapixels', 'MP'],
  image_too_small: ['width', 'px'],
};

interface Warning {
  code: Code;
  message: string;
  figure?: (findings: PortraitFindings) => number | undefined;
  limit?: number;
  unit?: string;
}

/** Limits as `portrait_check.ts` has them. */
const warnings: Readonly<Record<string, Warning>> = {
  small_face: {
    code: 'face_too_small',
    message: 'The face is rather small; a closer photo makes a sharper head.',
    figure: ({ iodPx }) => iodPx,
    limit: 100,
    unit: 'px',
  },
  slightly_turned: {
    code: 'turned_too_far',
    message: 'The head is turned a little; one that looks straight ahead comes out more alike.',
    figure: ({ yaw }) => (yaw === undefined ? undefined : Math.abs(yaw)),
    limit: 8,
    unit: '°',
  },
  teeth_showing: {
    code: 'mouth_not_neutral',
    message: 'The mouth is open or smiles with teeth; it is closed for the head, which may show.',
  },
  glasses: {
    code: 'covered_face',
    message: 'Glasses are painted onto the head; take them off where you can.',
  },
  other_faces_ignored: {
    code: 'several_faces',
    message: 'There are other, smaller faces; they are ignored.',
  },
  grey_photo: { code: 'too_dark', message: 'The photo has no colour; so will the head.' },
  soft_focus: { code: 'blurred', message: 'The photo is a little out of focus.' },
  dark_photo: { code: 'too_dark', message: 'The photo is rather dark.' },
  uncertain_outline: {
    code: 'face_cut_off',
    message: 'The outline of the hair is hard to tell from the background.',
  },
  hair_cut_off: { code: 'face_cut_off', message: 'The hair is cut off by the edge of the photo.' },
};

/**
 * What the engine found, as the contract tells it.
 *
 * @param message - The engine's own sentence on its error; empty where it has none.
 */
export function findingsOf(findings: PortraitFindings, message: string): PhotoFinding[] {
  const list: PhotoFinding[] = [];
  const { error } = findings;
  if (error) {
    const [parameter = '', unit = ''] = figures[error.code] ?? [];
    list.push({
      code: errorCodes[error.code] ?? 'check_failed',
      severity: errorCodes[error.code] ? 'blocking' : 'warning',
      message,
      figure: numberOrNull(error.params[parameter]),
      limit: numberOrNull(error.params.limit),
      unit,
    });
  }
  for (const word of findings.warnings) {
    const warning = warnings[word];
    if (!warning) continue;
    const figure = warning.figure?.(findings);
    list.push({
      code: warning.code,
      severity: 'warning',
      message: warning.message,
      figure: figure === undefined ? null : Math.round(figure * 10) / 10,
      limit: warning.limit ?? null,
      unit: warning.unit ?? '',
    });
  }
  return list;
}

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
