import { correctionBounds, type HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import { z } from 'zod';

/** Bytes of a `corrections` field: some hundred strokes of a brush. */
export const correctionsBytes = 64 * 1024;

const { crown, sent } = correctionBounds;
/** A stroke may extend past the photo's edge. */
const position = z.number().min(sent.least).max(sent.most);

/** A person's corrections to the outline of head and hair: extension `head-corrections` of B1. */
export const headCorrectionsSchema = z.strictObject({
  strokes: z
    .array(
      z.strictObject({
        kind: z.enum(['hair', 'background']).describe('The content of the photo under the stroke'),
        radius: z.number().positive().max(sent.radius).describe('Fraction of the photo’s width'),
        points: z
          .array(position)
          .min(2)
          .refine(({ length }) => length % 2 === 0, 'x without its y')
          .describe('x, y, x, y … as fractions of the photo'),
      }),
    )
    .exactOptional(),
  crown: z
    .number()
    .min(-crown)
    .max(crown)
    .exactOptional()
    .describe('Raises the top of the head, as a fraction of the face’s height'),
}) satisfies z.ZodType<Partial<HeadCorrections>>;
