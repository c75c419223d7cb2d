/**
 * The bodies of the photo routes: read from requests here, written to `/openapi.json` and read by the studio.
 */

import { photoViews } from '@likeness/portrait/contract/head_request.ts';
import type { Crop } from '@likeness/proto/crop.ts';
import { z } from 'zod';

const share = z.number().min(0).max(1);

export const cropSchema = z
  .strictObject({ x: share, y: share, width: share.positive(), height: share.positive() })
  .describe('A part of the upright photo, in fractions of it') satisfies z.ZodType<Crop>;

/** Tolerant of codes: a later engine may know more than this studio. */
export const photoReportSchema = z.object({
  width: z.int().min(0).describe('Pixels of the whole photo, upright; 0 where it is no picture'),
  height: z.int().min(0),
  face: z
    .object({ x: share, y: share, width: share, height: share })
    .nullable()
    .describe('In fractions of the whole photo'),
  yaw: z
    .number()
    .nullable()
    .optional()
    .describe('Degrees, positive when the subject turns to its left; null where no head was found'),
  view: z
    .enum(photoViews)
    .nullable()
    .optional()
    .describe(
      'From where the photo shows the head; one from the side can stand beside a front photo in `files`',
    ),
  findings: z
    .array(
      z.object({
        code: z.string().describe('A word for programs'),
        severity: z.enum(['error', 'warning']).describe('error: no head is made of it'),
        overridable: z.boolean().describe('A head can be made all the same, by `anyway`'),
        figure: z.number().nullable().describe('What was measured, in `unit`'),
        limit: z.number().nullable().describe('What it should have been'),
        unit: z.string(),
        params: z.record(z.string(), z.union([z.string(), z.number()])),
        messages: z
          .object({ en: z.string(), zh: z.string() })
          .optional()
          .describe('What to change in the photo, of an error'),
      }),
    )
    .max(64)
    .describe('The worst first; empty: all is well'),
});

export const outlineAnswerSchema = z.object({
  rings: z
    .array(z.array(z.number()))
    .describe('Closed rings, x, y, x, y … in fractions of what the crop leaves; also holes'),
  score: share.describe('How sure the engine is of it'),
  sure: z.boolean().describe('Whether that is enough, so that nobody needs to look'),
  cutOff: z.boolean().describe('Whether hair goes on beyond the edge'),
  photo: z.string().describe('Names the photo for the next request with `keep`, in place of `file`'),
});
