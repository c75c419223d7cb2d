import { maxCallBytes, maxStreamBytes } from '@likeness/proto/page_session.ts';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from '#contract';

/** Bytes of the longest way to write a number: `-1.2345678901234567e-123`. */
const numberBytes = 25;
/** Bytes of a character in JSON at worst: `\u0001`, or a surrogate that stands alone, `\ud800`. */
const characterBytes = 6;

/**
 * Most bytes that a valid input may have as JSON in UTF-8. It may be more than any input really has (checks
 * between fields are left out), never less.
 *
 * @throws Error where something has no end
 */
function largest(schema: z.core.JSONSchema.BaseSchema, where: string): number {
  if (schema.enum || schema.const !== undefined)
    return Math.max(...(schema.enum ?? [schema.const]).map((value) => JSON.stringify(value).length));
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return Math.max(...options.map((option) => largest(option, where)));
  // zod writes a small choice as a list of types.
  if (Array.isArray(schema.type))
    return Math.max(...schema.type.map((type) => largest({ ...schema, type }, where)));
  switch (schema.type) {
    case 'string':
      if (schema.maxLength !== undefined) return schema.maxLength * characterBytes + 2;
      // A pattern without repetition has an end of its own: a month, a currency.
      if (schema.pattern && !/[*+]|,\}/.test(schema.pattern)) return schema.pattern.length * characterBytes;
      throw new Error(`${where}: a text without a longest`);
    case 'number':
    case 'integer':
      return numberBytes;
    case 'boolean':
    case 'null':
      return 5;
    case 'array':
      if (schema.maxItems === undefined) throw new Error(`${where}: a list without a longest`);
      return 2 + schema.maxItems * (1 + largest(schema.items as z.core.JSONSchema.BaseSchema, `${where}[]`));
    case 'object':
      if (typeof schema.additionalProperties === 'object') {
        const { maxProperties, propertyNames } = schema as {
          maxProperties?: number;
          propertyNames?: unknown;
        };
        if (maxProperties === undefined) throw new Error(`${where}: a record without a longest`);
        const name = largest(propertyNames as z.core.JSONSchema.BaseSchema, `${where} names`);
        return 2 + maxProperties * (name + 2 + largest(schema.additionalProperties, `${where}{}`));
      }
      return Object.entries(schema.properties ?? {}).reduce(
        (sum, [name, field]) =>
          sum + name.length + 4 + largest(field as z.core.JSONSchema.BaseSchema, `${where}.${name}`),
        2,
      );
    default:
      throw new Error(`${where}: nobody knows how large this may be: ${JSON.stringify(schema)}`);
  }
}

const sizeOf = (input: z.ZodType, where: string): number =>
  input instanceof z.ZodUndefined ? 0 : largest(z.toJSONSchema(input, { io: 'input' }), where);

const inputs = Object.entries(contract).flatMap(([room, { calls, streams }]) => [
  ...Object.entries(calls).map(([name, { in: input }]) => [`${room}.${name}`, input, maxCallBytes] as const),
  ...Object.entries<{ in: z.ZodType }>(streams).map(
    ([name, { in: input }]) => [`${room}.${name}`, input, maxStreamBytes] as const,
  ),
]);

it.each(inputs)('the largest valid input of %s is a message that the studio takes', (name, input, max) => {
  const around = JSON.stringify({ id: Number.MAX_SAFE_INTEGER, name, input: 0 }).length;
  expect(sizeOf(input as z.ZodType, name) + around).toBeLessThanOrEqual(max);
});

it('no input is counted as less than it may be', () => {
  const schema = z.object({
    text: z.string().max(1000),
    list: z.array(z.union([z.number(), z.literal('far')])).max(50),
    one: z.boolean().nullable().default(null),
  });
  const count = sizeOf(schema, '');
  const worst = {
    text: '\ud800'.repeat(1000),
    list: Array(50).fill(-1.234_567_890_123_456_7e-123),
    one: false,
  };
  expect(schema.safeParse(worst).success).toBe(true);
  expect(count).toBeGreaterThanOrEqual(Buffer.byteLength(JSON.stringify(worst)));
  expect(() => sizeOf(z.object({ text: z.string() }), 'app.endless')).toThrow('app.endless.text');
  expect(() => sizeOf(z.record(z.string().max(9), z.number()), 'app.endless')).toThrow('app.endless');
});
