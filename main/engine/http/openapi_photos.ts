import { z } from 'zod';
import { cropSchema, outlineAnswerSchema, photoReportSchema } from '../photos/photo_answers.ts';
import { portraitErrorCodes } from '../portrait/contract/portrait_error.ts';
import type { EngineLimits } from './limits.ts';
import {
  corrections,
  everywhere,
  json,
  object,
  refusals,
  type Schema,
  sex,
  text,
  upload,
  whole,
} from './openapi_parts.ts';

const flag = (description: string): Schema => whole(description, { enum: [0, 1] });

/**
 * What a crop or an outline is refused for: `not_an_image` to `too_blurred`, and a worker that failed on the
 * photo.
 */
const refusedPhoto = portraitErrorCodes.filter(
  (code) => !['cancelled', 'engine_closed', 'photo_not_kept'].includes(code),
);

/** The photo routes: the extensions `photo-check`, `photo-outline` and `photo-crop`. */
export function describePhotos({
  wholePhotoBytes,
  photoRequests,
}: Pick<EngineLimits, 'wholePhotoBytes' | 'photoRequests'>): Schema {
  const file = {
    type: 'string',
    format: 'binary',
    description: `A photo of at most ${wholePhotoBytes / (1024 * 1024)} MiB; what is cropped of it may be sent`,
  };
  const crop = text('JSON', { contentMediaType: 'application/json', contentSchema: shape(cropSchema) });
  const operation = (
    operationId: string,
    summary: string,
    fields: Record<string, Schema>,
    required: readonly string[],
    { answer, more = {} }: { answer: Schema; more?: Record<number, readonly string[]> },
  ): Schema => ({
    post: {
      operationId,
      tags: ['Photos'],
      summary,
      description: `At most ${photoRequests} photos are taken at once. Nothing of a photo stays on the disk.`,
      security: [{ accessToken: [] }, { apiKey: [] }],
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': { schema: object(fields, required, { additionalProperties: false }) },
        },
      },
      responses: {
        200: answer,
        ...refusals('Error', {
          ...everywhere,
          400: upload[400].filter((word) => !['image_empty', 'image_unreadable'].includes(word)),
          401: upload[401],
          413: ['image_too_large'],
          415: ['not_multipart', 'content_encoding'],
          422: ['worker_died', 'took_too_long'],
          501: ['portrait_missing'],
          503: ['busy', 'cancelled', 'engine_closed'],
          507: upload[507],
          ...more,
        }),
      },
    },
  });
  return {
    '/v1/photos/check': operation(
      'checkPhoto',
      'Extension photo-check: what speaks against a photo, or a part of it, before a head of it is ordered',
      { file, crop },
      ['file'],
      {
        answer: {
          description: 'What was found; a bad photo is a finding',
          content: json(shape(photoReportSchema)),
        },
      },
    ),
    '/v1/photos/outline': operation(
      'outlinePhoto',
      'Extension photo-outline: where head and hair end, as a head would be made with these corrections',
      {
        file,
        photo: text(
          'In place of `file`: the name that the last answer with `keep` gave it, with the same crop and sex',
        ),
        crop,
        sex,
        corrections,
        keep: flag('1 = the photo is kept at hand for the next request, until another is'),
        background: flag('1 = nobody waits for it'),
      },
      [],
      {
        answer: { description: 'The outline', content: json(shape(outlineAnswerSchema)) },
        more: { 404: ['photo_not_kept'], 422: refusedPhoto },
      },
    ),
    '/v1/photos/crop': operation(
      'cropPhoto',
      'Extension photo-crop: the part of a photo that is sent, cut as it was checked',
      { file, crop },
      ['file', 'crop'],
      {
        answer: {
          description: 'The part, upright',
          content: { 'image/jpeg': { schema: { type: 'string', format: 'binary' } } },
        },
        more: { 422: refusedPhoto },
      },
    ),
  };
}

/** A zod schema as OpenAPI 3.1 has it, which is JSON Schema of 2020-12. */
function shape(schema: z.ZodType): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema) as Schema;
  return rest;
}
