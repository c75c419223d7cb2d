/** Fields of `multipart/form-data`: their schemas, and how their texts are read. */
import { t } from '@likeness/messages';
import { z } from 'zod';
import { jsonSchema } from './openapi/json_schema.ts';
import { Refusal } from './refusal.ts';

type Fields = ReadonlyMap<string, string>;

export const imageFile = z
  .file()
  .describe(
    'JPEG, HEIC, PNG, WebP, AVIF, TIFF or GIF by its content. Formats that need much memory to decode have lower limits: progressive JPEG 100 to 200, WebP and AVIF 150, HEIC 60 megapixels',
  )
  .meta({ id: 'Image' });

export const flag = z.literal([0, 1]);

/** A text field that holds JSON of this shape. */
export const jsonField = (schema: z.ZodType) =>
  z.string().meta({ contentMediaType: 'application/json', contentSchema: jsonSchema(schema) });

/** Names of a form's text fields. */
export const textFields = ({ shape }: z.ZodObject): string[] =>
  Object.keys(shape).filter((name) => name !== 'file' && name !== 'files');

/**
 * Reads a field that must have one of the values of its schema; null if it is missing.
 *
 * @throws {Refusal} 400 `field_wrong_value`
 */
export function readChoice<T extends number | string>(
  fields: Fields,
  field: string,
  schema: z.ZodLiteral<T>,
): T | null {
  const text = fields.get(field);
  if (text === undefined) return null;
  const allowed = [...schema.values];
  const found = allowed.find((value) => String(value) === text.trim());
  if (found !== undefined) return found;
  const list = allowed.map(String);
  throw new Refusal(
    400,
    'field_wrong_value',
    t('refusal.field_not_among', { field, value: JSON.stringify(text), list }),
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
  throw new Refusal(400, 'field_wrong_value', t('refusal.field_unusable', { field, problem }), { field });
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
  return new Refusal(400, 'field_missing', t('refusal.field_missing', { field }), { field });
}

/** The refusal for an unknown field. @param known All fields of the operation. */
export function unknownField(name: string, known: readonly string[]): Refusal {
  const field = name.slice(0, 100);
  const list = known;
  return new Refusal(400, 'field_unknown', t('refusal.field_unknown', { field, list }), { field });
}
