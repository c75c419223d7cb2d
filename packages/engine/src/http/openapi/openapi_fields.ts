/** Fields that several operations take. */
import { glassesChoices } from '@likeness/proto/heads/glasses.ts';
import { hairStyles } from '@likeness/proto/heads/hair_style.ts';
import { correctionBounds } from '@likeness/proto/heads/head_corrections.ts';
import { headOptionBounds } from '@likeness/proto/heads/head_options.ts';
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

const within = (description: string, minimum: number, maximum: number): Schema => ({
  type: 'number',
  description,
  minimum,
  maximum,
});
const colour = (description: string, none = 'as photographed'): Schema => ({
  type: ['string', 'null'],
  description: `${description}: #rrggbb; null: ${none}`,
  pattern: '^#[0-9a-fA-F]{6}$',
});
const { head, neck } = headOptionBounds;

export const options = text('Extension `head-options`: what a person chose of the head', {
  contentMediaType: 'application/json',
  contentSchema: object(
    {
      smile: within('How far the mouth at rest is as photographed; 0, lips closed, where absent', 0, 1),
      light: within('How much of the photo’s light stays in the skin; 0.35 where absent', 0, 1),
      hair: text('Hair as the photo shows it, none, or stubble alone', { enum: [...hairStyles] }),
      hairColour: colour('The hair’s colour'),
      glasses: text('Glasses painted on the skin as the photo shows them, or painted away', {
        enum: [...glassesChoices],
      }),
      eyeColour: colour('The irises’ colour'),
      evenness: within('How much of the skin’s blotches is evened out; 0 where absent', 0, 1),
      head: within('Size of the head, a factor', head.least, head.most),
      neck: within('Width of the neck, a factor', neck.least, neck.most),
      bust: colour('A bust below the neck, by the colour of its shirt', 'no bust'),
    },
    [],
    { additionalProperties: false },
  ),
});
