/** JSON Schema 2020-12, as OpenAPI 3.1 uses it, generated from the zod schemas of the bodies. */
import { z } from 'zod';

export type Schema = Record<string, unknown>;

/**
 * Converts the schema of a request or answer. A schema with an id (`.meta({ id })`) becomes a reference to the
 * component of this name.
 */
export function jsonSchema(schema: z.ZodType): Schema {
  const { $schema: _, $defs: __, ...rest } = converted(schema);
  return rest;
}

/** Returns every schema with an id that these schemas contain, by id. */
export const componentSchemas = (...schemas: z.ZodType[]): Schema =>
  Object.assign({}, ...schemas.map((schema) => converted(schema).$defs));

const converted = (schema: z.ZodType): Schema =>
  JSON.parse(
    JSON.stringify(z.toJSONSchema(schema, { io: 'input', override: simplify })).replaceAll(
      '"#/$defs/',
      '"#/components/schemas/',
    ),
  );

/** Removes the limits that every JSON integer has, and patterns that repeat a format. */
function simplify({ jsonSchema }: { jsonSchema: Schema }): void {
  const { minimum, maximum, const: value, enum: values = [value], format } = jsonSchema;
  if (minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (Array.isArray(values) && values.every(Number.isInteger)) jsonSchema.type = 'integer';
  if (format !== undefined) delete jsonSchema.pattern;
}
