/** Problems of a photo that the portrait engine finds, and the names under which the studio shows and stores them. */

/** The studio's names of findings. Databases and library folders contain them. */
export const findingCodes = [
  'not_an_image',
  'too_large',
  'no_face',
  'several_faces',
  'face_too_small',
  'face_cut_off',
  'turned_too_far',
  'covered_face',
  'blurred',
  'too_dark',
  'too_bright',
  'eyes_not_neutral',
  'mouth_not_neutral',
  'uncertain_outline',
  'hair_cut_off',
  'no_colour',
  'not_a_person',
  'check_failed',
] as const;
export type FindingCode = (typeof findingCodes)[number];

/** Why no head is made of a photo: the engine's code, and the studio's. */
export const photoErrors = {
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
} as const satisfies Readonly<Record<string, FindingCode>>;
export type PhotoError = keyof typeof photoErrors;

/** Warnings about a photo that a head can be made of: the engine's code, and the studio's. */
export const photoWarnings = {
  small_face: 'face_too_small',
  slightly_turned: 'turned_too_far',
  teeth_showing: 'mouth_not_neutral',
  glasses: 'covered_face',
  other_faces_ignored: 'several_faces',
  grey_photo: 'no_colour',
  soft_focus: 'blurred',
  dark_photo: 'too_dark',
  blown_out: 'too_bright',
  eyes_closed: 'eyes_not_neutral',
  looking_aside: 'eyes_not_neutral',
  perhaps_drawing: 'not_a_person',
  perhaps_statue: 'not_a_person',
  odd_skin_colour: 'not_a_person',
  uncertain_outline: 'uncertain_outline',
  uncertain_hair: 'uncertain_outline',
  hair_cut_off: 'hair_cut_off',
} as const satisfies Readonly<Record<string, FindingCode>>;
export type PhotoWarning = keyof typeof photoWarnings;

/** Parts of a head that the engine can be unsure of. The head's file names them. */
export const uncertainParts = ['hair', 'outline'] as const;
export type UncertainPart = (typeof uncertainParts)[number];

export const photoErrorCodes = Object.keys(photoErrors) as PhotoError[];

export const isPhotoError = (code: string): code is PhotoError => Object.hasOwn(photoErrors, code);
export const isPhotoWarning = (code: string): code is PhotoWarning => Object.hasOwn(photoWarnings, code);

/** Findings that can be an error or, in a milder form, a warning. */
export type GradedFinding = Extract<(typeof photoErrors)[PhotoError], (typeof photoWarnings)[PhotoWarning]>;
const warned: ReadonlySet<FindingCode> = new Set(Object.values(photoWarnings));
const graded: ReadonlySet<FindingCode> = new Set(
  Object.values(photoErrors).filter((code) => warned.has(code)),
);
export const isGraded = (code: FindingCode): code is GradedFinding => graded.has(code);
