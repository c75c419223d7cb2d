/** Fields that several operations take. */
import { correctionBounds } from '#proto/head_corrections.ts';
import { object, type Schema, text, whole } from './json_schema.ts';

export const sex = whole('1 = female, 0 = male', { enum: [0, 1] });

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
