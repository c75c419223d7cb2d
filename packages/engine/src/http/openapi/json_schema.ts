/** JSON Schema 2020-12, as OpenAPI 3.1 uses it, written by hand or converted from a zod schema. */
import { z } from 'zod';

export type Schema = Record<string, unknown>;

export const text = (description: string, more: Schema = {}): Schema => ({
  type: 'string',
  description,
  ...more,
});
export const whole = (description: string, more: Schema = {}): Schema => ({
  type: 'integer',
  description,
  ...more,
});
export const object = (
  properties: Record<string, Schema>,
  required: readonly string[],
  more: Schema = {},
): Schema => ({
  type: 'object',
  properties,
  required: [...required],
  ...more,
});
export const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const flag = (description: string): Schema => whole(description, { enum: [0, 1] });

/** Converts a zod schema of a request or answer. */
export function jsonSchema(schema: z.ZodType): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' }) as Schema;
  return rest;
}
