import type { z } from 'zod';
import { Refusal } from './refusal.ts';

type Fields = ReadonlyMap<string, string>;

/**
 * Reads a field that must be one of some numbers; null if it is missing.
 *
 * @throws {Refusal} 400 `field_wrong_value`
 */
export function readNumber<const T extends number>(
  fields: Fields,
  field: string,
  allowed: readonly T[],
): T | null {
  const text = fields.get(field);
  if (text === undefined) return null;
  const found = allowed.find((value) => String(value) === text.trim());
  if (found !== undefined) return found;
  const list = allowed.join(', ');
  throw new Refusal(
    400,
    'field_wrong_value',
    {
      en: `The field "${field}" is ${JSON.stringify(text)}; it must be one of ${list}.`,
      zh: `字段 "${field}" 的值为 ${JSON.stringify(text)}；必须是 ${list} 之一。`,
    },
    { field },
  );
}

/**
 * Reads a field that holds JSON of this shape; null if it is missing.
 *
 * @throws {Refusal} 400 `field_wrong_value`
 */
export function readJson<T>(fields: Fields, field: string, schema: z.ZodType<T>): T | null {
  const text = fields.get(field);
  if (text === undefined) return null;
  const { data, error } = schema.safeParse(parsed(text));
  if (!error) return data;
  const [issue] = error.issues;
  const problem = `${issue?.path.join('.') || field}: ${issue?.message ?? ''}`;
  throw new Refusal(
    400,
    'field_wrong_value',
    {
      en: `The field "${field}" can’t be used (${problem}); /openapi.json describes its format.`,
      zh: `字段 "${field}" 无法使用（${problem}）；内容格式见 /openapi.json。`,
    },
    { field },
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The refusal for a missing required field. */
export function missing(field: string): Refusal {
  return new Refusal(
    400,
    'field_missing',
    { en: `The field "${field}" is missing.`, zh: `缺少字段 "${field}"。` },
    { field },
  );
}

/** The refusal for an unknown field. @param known All fields of the operation. */
export function unknownField(name: string, known: readonly string[]): Refusal {
  const field = name.slice(0, 100);
  const list = known.join(', ');
  return new Refusal(
    400,
    'field_unknown',
    {
      en: `There is no field "${field}" in this operation; its fields are ${list}.`,
      zh: `本操作没有字段 "${field}"；可用字段为 ${list}。`,
    },
    { field },
  );
}
