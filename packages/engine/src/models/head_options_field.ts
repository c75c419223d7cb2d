import { chosenOptions, type HeadOptions } from '@likeness/proto/heads/head_options.ts';
import { HeadOptionsSchema } from '@likeness/proto/heads/head_options_schema.ts';
import { Refusal } from '../http/refusal.ts';

/**
 * Reads the field `options` of B1. @returns Null if all options have their defaults. @throws {Refusal} 400
 */
export function readHeadOptions(text: string): HeadOptions | null {
  let problem: string;
  try {
    const { data, error } = HeadOptionsSchema.safeParse(JSON.parse(text));
    if (data) return chosenOptions(data);
    const [issue] = error.issues;
    problem = `${issue?.path.join('.') || 'options'}: ${issue?.message ?? ''}`;
  } catch {
    problem = 'JSON';
  }
  throw new Refusal(
    400,
    'field_wrong_value',
    {
      en: `The field "options" can’t be used (${problem}); it is JSON such as {"smile": 1, "eyeColour": "#5a7fa0"}.`,
      zh: `字段 "options" 无法使用（${problem}）；应为 JSON，例如 {"smile": 1, "eyeColour": "#5a7fa0"}。`,
    },
    { field: 'options' },
  );
}
