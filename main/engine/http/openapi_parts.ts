import { correctionBounds } from '#proto/head_corrections.ts';
/** What the descriptions of several operations are made of. */

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
export const json = (schema: Schema): Schema => ({ 'application/json': { schema } });

export const sex = whole('1 = female, 0 = male', { enum: [0, 1] });
export const eyelidType = whole('1 = single eyelid, 2 = double eyelid', { enum: [1, 2] });

export const anyway = whole(
  'Extension `head-anyway`: 1 = make the head although a rule of quality (turn, size, focus, light, cover) speaks against the photo',
  { enum: [0, 1] },
);

const part = (description: string): Schema => ({ type: 'number', description });
export const corrections = text(
  'Extension `head-corrections`: what is wrong in the outline of head and hair',
  {
    contentMediaType: 'application/json',
    contentSchema: object(
      {
        strokes: {
          type: 'array',
          items: object(
            {
              kind: text('What is under the stroke', { enum: ['hair', 'background'] }),
              radius: part('In parts of the photo’s width'),
              points: { type: 'array', minItems: 2, items: part('x, y, x, y … in parts of the photo') },
            },
            ['kind', 'radius', 'points'],
            { additionalProperties: false },
          ),
        },
        crown: part(
          `Raises the top of the head, in parts of the face’s height; −${correctionBounds.crown} to ${correctionBounds.crown}`,
        ),
      },
      [],
      { additionalProperties: false },
    ),
  },
);

/** What can be answered besides success: status and its reasons, by the kind of error body. */
export function refusals(schema: string, reasons: Readonly<Record<number, readonly string[]>>): Schema {
  const answers: Schema = {};
  for (const [status, words] of Object.entries(reasons)) {
    answers[status] = {
      description: `Refused: ${words.map((word) => `\`${word}\``).join(', ')}`,
      content: json(reference(schema)),
    };
  }
  return answers;
}

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
