/** Building blocks for the descriptions of several operations. */
import { z } from 'zod';
import { jsonSchema, type Schema } from './json_schema.ts';

/** Contents of a body, by media type. */
export const json = (schema: z.ZodType): Schema => ({ 'application/json': { schema: jsonSchema(schema) } });
export const binary = (mediaType: string): Schema => ({
  [mediaType]: { schema: { type: 'string', format: 'binary' } },
});
/** A body of form fields. */
export const form = (schema: z.ZodObject): Schema => ({
  required: true,
  content: { 'multipart/form-data': { schema: jsonSchema(schema) } },
});
/** A segment of the path. */
export const pathParameter = (name: string, description?: string): Schema => ({
  name,
  in: 'path',
  required: true,
  ...(description !== undefined && { description }),
  schema: { type: 'string' },
});
/** An answer without content. */
export const emptyObject = z.object({});

/** The body of the refusals outside Group B. */
export const plainError = z
  .object({
    code: z.string().describe('A word for programs'),
    message: z.string().describe('A sentence for a person'),
    messages: z
      .object({ en: z.string().describe('In English'), zh: z.string().describe('In Chinese') })
      .optional()
      .describe('The same in every language, for programs that show it later'),
    field: z.string().optional().describe('The part of the request at fault'),
    number: z.int().optional().describe('Which of several in that part, from 1'),
  })
  .meta({ id: 'Error' });

/** The body of Group B's refusals. */
export const envelopeError = z
  .object({
    data: z.object({
      reason: z.string().describe('A word for programs'),
      field: z.string().optional().describe('The part of the request at fault'),
      number: z.int().optional().describe('Which of several in that part, from 1'),
    }),
    code: z.int().describe('The HTTP status; never 200'),
    message: z.string().describe('A sentence for a person'),
  })
  .meta({ id: 'EnvelopeError' });

/** The description of an operation; `endpoints.ts` has its path, method and key. */
export interface OperationDescription {
  readonly tag: 'Group A' | 'Group B' | 'Photos' | 'Recordings' | 'Engine';
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Schema[];
  readonly requestBody?: Schema;
  /** Each answer besides a refusal, by its status. */
  readonly answers: Readonly<Record<number, Schema>>;
  /** Each refusal's reasons, by its status. */
  readonly refused: Readonly<Record<number, readonly string[]>>;
  /** The refusals' body. Default: `plainError`. */
  readonly refusedAs?: typeof plainError | typeof envelopeError;
}

/** The refusals of every operation, and of every operation that takes a picture. */
export const everywhere = {
  400: ['not_http'],
  408: ['request_timeout'],
  421: ['host_unknown'],
  500: ['internal'],
};
export const upload = {
  ...everywhere,
  400: [
    'multipart_malformed',
    'too_many_parts',
    'field_missing',
    'field_repeated',
    'field_unknown',
    'field_wrong_type',
    'field_wrong_value',
    'image_empty',
    'image_unreadable',
  ],
  401: ['unauthorized'],
  408: ['request_timeout', 'upload_too_slow'],
  413: ['image_too_large', 'image_too_many_pixels'],
  415: ['not_multipart', 'not_an_image', 'content_encoding'],
  507: ['disk_full'],
};
