import { portraitErrorCodes } from '@likeness/portrait/contract/portrait_error.ts';
import { cropSchema, outlineAnswerSchema, photoReportSchema } from '../../photos/photo_answers.ts';
import { type EngineLimits, mebibyte } from '../limits.ts';
import { flag, jsonSchema, type Schema, text } from './json_schema.ts';
import { corrections, sex } from './openapi_fields.ts';
import { binary, everywhere, form, json, type OperationDescription, upload } from './openapi_parts.ts';

/** The photo routes: the extensions `photo-check`, `photo-outline` and `photo-crop`. */
export function describePhotos(limits: Pick<EngineLimits, 'wholePhotoBytes' | 'photoRequests'>) {
  const file = {
    type: 'string',
    format: 'binary',
    description: `A photo of at most ${limits.wholePhotoBytes / mebibyte} MiB; only a crop of it may be sent later`,
  };
  const alike = {
    tag: 'Photos',
    description: `At most ${limits.photoRequests} photos are accepted at once. No photo stays on the disk.`,
  } as const;
  return {
    checkPhoto: {
      ...alike,
      summary: 'Extension photo-check: the problems of a photo, or of a part of it, before ordering a head',
      requestBody: fields({ file, crop }, ['file']),
      answers: {
        200: {
          description: 'The report; a bad photo is not an error',
          content: json(jsonSchema(photoReportSchema)),
        },
      },
      refused,
    },
    outlinePhoto: {
      ...alike,
      summary:
        'Extension photo-outline: the outline of head and hair, as a head with these corrections would use it',
      requestBody: fields({ file, ...outlineFields }, []),
      answers: { 200: { description: 'The outline', content: json(jsonSchema(outlineAnswerSchema)) } },
      refused: { ...refused, 404: ['photo_not_kept'], 422: refusedPhoto },
    },
    cropPhoto: {
      ...alike,
      summary: 'Extension photo-crop: crops a photo as it was checked',
      requestBody: fields({ file, crop }, ['file', 'crop']),
      answers: { 200: { description: 'The crop, upright', content: binary('image/jpeg') } },
      refused: { ...refused, 422: refusedPhoto },
    },
  } satisfies Record<string, OperationDescription>;
}

const fields = (properties: Record<string, Schema>, required: readonly string[]): Schema =>
  form(properties, required, { additionalProperties: false });

const crop = text('JSON', { contentMediaType: 'application/json', contentSchema: jsonSchema(cropSchema) });

/** The fields of an outline request besides the photo's file. */
const outlineFields = {
  photo: text('Instead of `file`: the name from the last answer with `keep`, with the same crop and sex'),
  crop,
  sex,
  corrections,
  keep: flag('1 = the photo is kept at hand for the next request, until another is'),
  background: flag('1 = nobody waits for it'),
};

const refused = {
  ...everywhere,
  400: upload[400].filter((word) => !['image_empty', 'image_unreadable'].includes(word)),
  401: upload[401],
  413: ['image_too_large'],
  415: ['not_multipart', 'content_encoding'],
  422: ['worker_died', 'took_too_long'],
  501: ['portrait_missing'],
  503: ['busy', 'cancelled', 'engine_closed'],
  507: upload[507],
};

/** The reasons for refusing a crop or an outline: `not_an_image` to `too_blurred`, and a failed worker. */
const refusedPhoto = portraitErrorCodes.filter(
  (code) => !['cancelled', 'engine_closed', 'photo_not_kept'].includes(code),
);
