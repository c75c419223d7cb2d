import { z } from 'zod';
import { glassesChoices } from './glasses.ts';
import { hairStyles } from './hair_style.ts';
import { headOptionBounds } from './head_options.ts';

/** `#rrggbb`, converted to lower case; null: as described. */
const colour = (description: string, none = 'as photographed') =>
  z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'a colour is written #rrggbb')
    .transform((text) => text.toLowerCase())
    .nullable()
    .describe(`${description}: #rrggbb; null: ${none}`);

const share = z.number().min(0).max(1);
const { head, neck } = headOptionBounds;

/** Schema of a user's options for a head, see `HeadOptions`. Unknown fields are refused. */
export const HeadOptionsSchema = z
  .object({
    smile: share.describe(
      'How much of the photographed smile the mouth keeps at rest; 0: lips closed (default)',
    ),
    light: share.describe('How much of the photo’s light stays in the skin; default 0.35'),
    hair: z.enum(hairStyles).describe('Hair as the photo shows it, none, or only stubble'),
    hairColour: colour('Colour of the hair'),
    glasses: z
      .enum(glassesChoices)
      .describe('Glasses of the photo kept as an object of their own (default), or removed'),
    eyeColour: colour('Colour of the irises'),
    evenness: share.describe('How much the skin’s blotches are evened out; default 0'),
    head: z.number().min(head.least).max(head.most).describe('Size of the head, a factor'),
    neck: z.number().min(neck.least).max(neck.most).describe('Width of the neck, a factor'),
    bust: colour('Adds a bust below the neck with a shirt of this colour', 'no bust'),
  })
  .partial()
  .strict();
