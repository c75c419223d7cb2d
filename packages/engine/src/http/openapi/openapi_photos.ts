import { portraitErrorCodes } from '@likeness/portrait/contract/portrait_error.ts';
import { outlineAnswerSchema, photoReportSchema } from '../../photos/photo_answers.ts';
import { photoCheckForm, photoCropForm, photoOutlineForm } from '../../photos/photo_operations.ts';
import { type EngineLimits, mebibyte } from '../limits.ts';
import { binary, everywhere, form, json, type OperationDescription, upload } from './openapi_parts.ts';

/** The photo routes: the extensions `photo-check`, `photo-outline` and `photo-crop`. */
export function describePhotos(limits: Pick<EngineLimits, 'wholePhotoBytes' | 'photoRequests'>) {
  const alike = {
    tag: 'Photos',
    description: `A photo may have ${limits.wholePhotoBytes / mebibyte} MiB. At most ${limits.photoRequests} photos are accepted at once. No photo stays on the disk.`,
  } as const;
  return {
    checkPhoto: {
      ...alike,
      summary: 'Extension photo-check: the problems of a photo, or of a part of it, before ordering a head',
      requestBody: form(photoCheckForm),
      answers: {
        200: {
          description: 'The report; a bad photo is not an error',
          content: json(photoReportSchema),
        },
      },
      refused,
    },
    outlinePhoto: {
      ...alike,
      summary:
        'Extension photo-outline: the outline of head and hair, as a head with these corrections would use it',
      requestBody: form(photoOutlineForm),
      answers: { 200: { description: 'The outline', content: json(outlineAnswerSchema) } },
      refused: { ...refused, 404: ['photo_not_kept'], 422: refusedPhoto },
    },
    cropPhoto: {
      ...alike,
      summary: 'Extension photo-crop: crops a photo as it was checked',
      requestBody: form(photoCropForm),
      answers: { 200: { description: 'The crop, upright', content: binary('image/jpeg') } },
      refused: { ...refused, 422: refusedPhoto },
    },
  } satisfies Record<string, OperationDescription>;
}

const refused = {
  ...everywhere,
  400: upload[400].filter((word) => !['image_empty', 'image_unreadable'].includes(word)),
  401: upload[401],
  408: upload[408],
  413: ['image_too_large'],
  415: ['not_multipart', 'content_encoding'],
  422: ['worker_died', 'took_too_long'],
  501: ['portrait_missing'],
  503: ['too_many_connections', 'busy', 'cancelled', 'engine_closed'],
  507: upload[507],
};

/** The reasons for refusing a crop or an outline: `not_an_image` to `too_blurred`, and a failed worker. */
const refusedPhoto = portraitErrorCodes.filter(
  (code) => !['cancelled', 'engine_closed', 'photo_not_kept'].includes(code),
);
