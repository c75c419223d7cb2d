/** Building blocks for the descriptions of several operations. */
import { object, type Schema } from './json_schema.ts';

/** Contents of a body, by media type. */
export const json = (schema: Schema): Schema => ({ 'application/json': { schema } });
export const binary = (mediaType: string): Schema => ({
  [mediaType]: { schema: { type: 'string', format: 'binary' } },
});
/** A body of form fields. @param more Further properties of the fields' schema. */
export const form = (
  fields: Record<string, Schema>,
  required: readonly string[],
  more: Schema = {},
): Schema => ({
  required: true,
  content: { 'multipart/form-data': { schema: object(fields, required, more) } },
});

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
  /** The refusals' body. Default: `Error`. */
  readonly refusedAs?: 'Error' | 'EnvelopeError';
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
  413: ['image_too_large', 'image_too_many_pixels'],
  415: ['not_multipart', 'not_an_image', 'content_encoding'],
  507: ['disk_full'],
};
