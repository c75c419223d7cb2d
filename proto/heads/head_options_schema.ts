import { z } from 'zod';
import { glassesChoices } from './glasses.ts';
import { hairStyles } from './hair_style.ts';
import { headOptionBounds } from './head_options.ts';

/** `#rrggbb`, small letters. */
const colour = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'a colour is written #rrggbb')
  .transform((text) => text.toLowerCase());

const share = z.number().min(0).max(1);
const { head, neck } = headOptionBounds;

/** Schema of a user's options for a head, see `HeadOptions`. Unknown fields are refused. */
export const HeadOptionsSchema = z
  .object({
    smile: share,
    light: share,
    hair: z.enum(hairStyles),
    hairColour: colour.nullable(),
    glasses: z.enum(glassesChoices),
    eyeColour: colour.nullable(),
    evenness: share,
    head: z.number().min(head.least).max(head.most),
    neck: z.number().min(neck.least).max(neck.most),
    bust: colour.nullable(),
  })
  .partial()
  .strict();
