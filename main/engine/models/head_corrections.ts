import { z } from 'zod';
import { Refusal } from '../http/refusal.ts';

/** Bytes of a `corrections` field: some hundred strokes of a brush. */
export const correctionsBytes = 64 * 1024;

/** Positions are parts of the photo; a stroke may run over its edge. */
const part = z.number().min(-10).max(10);

/** What a person set right in the outline of head and hair: extension `head-corrections` of B1. */
const HeadCorrections = z
  .object({
    strokes: z
      .array(
        z
          .object({
            kind: z.enum(['hair', 'background']),
            /** In parts of the photo's width. */
            radius: z.number().positive().max(10),
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
    crown: z.number().min(-1).max(1).optional(),
  })
  .strict();
export interface HeadCorrections {
  strokes?: { kind: 'hair' | 'background'; radius: number; points: number[] }[];
  crown?: number;
}

/** @throws {Refusal} 400 `field_wrong_value` */
export function readCorrections(text: string): HeadCorrections {
  let problem: string;
  try {
    const { data, error } = HeadCorrections.safeParse(JSON.parse(text));
    if (data) {
      const { strokes, crown } = data;
      return { ...(strokes && { strokes }), ...(crown !== undefined && { crown }) };
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
