import { correctionBounds, type HeadCorrections } from '@likeness/proto/heads/head_corrections.ts';
import { z } from 'zod';
import { Refusal } from '../http/refusal.ts';

/** Bytes of a `corrections` field: some hundred strokes of a brush. */
export const correctionsBytes = 64 * 1024;

const { crown, sent } = correctionBounds;
/** Positions are parts of the photo; a stroke may run over its edge. */
const part = z.number().min(sent.least).max(sent.most);

/** What a person set right in the outline of head and hair: extension `head-corrections` of B1. */
const Corrections = z
  .object({
    strokes: z
      .array(
        z
          .object({
            kind: z.enum(['hair', 'background']),
            /** In parts of the photo's width. */
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
    /** Height of the crown against what the engine finds, in parts of the face's height. */
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
