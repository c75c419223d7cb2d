import { correctionBounds, type HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import { z } from 'zod';
import { Refusal } from '../http/refusal.ts';

/** Bytes of a `corrections` field: some hundred strokes of a brush. */
export const correctionsBytes = 64 * 1024;

const { crown, sent } = correctionBounds;
/** Positions are fractions of the photo; a stroke may extend past its edge. */
const part = z.number().min(sent.least).max(sent.most);

/** A person's corrections to the outline of head and hair: extension `head-corrections` of B1. */
const Corrections = z
  .object({
    strokes: z
      .array(
        z
          .object({
            kind: z.enum(['hair', 'background']),
            /** A fraction of the photo's width. */
            radius: z.number().positive().max(sent.radius),
            /** x, y, x, y … */
            points: z
              .array(part)
              .min(2)
              .refine(({ length }) => length % 2 === 0, 'x without its y'),
          })
          .strict(),
      )
      .optional(),
    /** Shift of the crown from the detected height, as a fraction of the face's height. */
    crown: z.number().min(-crown).max(crown).optional(),
  })
  .strict();

/** @throws {Refusal} 400 `field_wrong_value` */
export function readCorrections(text: string): Partial<HeadCorrections> {
  let problem: string;
  try {
    const { data, error } = Corrections.safeParse(JSON.parse(text));
    if (data) {
      const { strokes, crown: raised } = data;
      return { ...(strokes && { strokes }), ...(raised !== undefined && { crown: raised }) };
    }
    const [issue] = error.issues;
    problem = `${issue?.path.join('.') || 'corrections'}: ${issue?.message ?? ''}`;
  } catch {
    problem = 'JSON';
  }
  throw new Refusal(
    400,
    'field_wrong_value',
    {
      en: `The field "corrections" can’t be used (${problem}); it is JSON with strokes and crown.`,
      zh: `字段 "corrections" 无法使用（${problem}）；应为包含 strokes 和 crown 的 JSON。`,
    },
    { field: 'corrections' },
  );
}
