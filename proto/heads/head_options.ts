import type { GlassesChoice } from './glasses.ts';
import type { HairStyle } from './hair_style.ts';

/**
 * A user's options for a head: extension `head-options` of B1. Absent fields have the values of {@link
 * defaultHeadOptions}.
 */
export interface HeadOptions {
  /** How far the mouth at rest is as it was photographed, 0..1; 0: lips closed. */
  smile?: number | undefined;
  /** How much of the photo's light stays in the skin, 0..1. */
  light?: number | undefined;
  /** Hair as the photo shows it, none, or stubble alone. */
  hair?: HairStyle | undefined;
  /** The hair's colour, `#rrggbb`; null: as photographed. */
  hairColour?: string | null | undefined;
  /** Glasses of the photo kept as an object of their own, or left off. */
  glasses?: GlassesChoice | undefined;
  /** The irises' colour, `#rrggbb`; null: as photographed. */
  eyeColour?: string | null | undefined;
  /** How much of the skin's blotches is evened out, 0..1. */
  evenness?: number | undefined;
  /** Size of the head with all that is on it, a factor; a photo doesn't tell. */
  head?: number | undefined;
  /** Width of the neck, a factor. */
  neck?: number | undefined;
  /** The colour of the shirt of a bust, `#rrggbb`; null: no bust, the neck ends in a cut. */
  bust?: string | null | undefined;
}

/** Every choice, none left out. */
export type AllHeadOptions = { [Name in keyof HeadOptions]-?: Exclude<HeadOptions[Name], undefined> };

/** Limits of the sizes. */
export const headOptionBounds = {
  head: { least: 0.85, most: 1.15 },
  neck: { least: 0.75, most: 1.25 },
} as const;

/** A head on which nothing was chosen. */
export const defaultHeadOptions: Readonly<AllHeadOptions> = {
  smile: 0,
  light: 0.35,
  hair: 'seen',
  hairColour: null,
  glasses: 'seen',
  eyeColour: null,
  evenness: 0,
  head: 1,
  neck: 1,
  bust: null,
};

export const headOptionNames = Object.keys(defaultHeadOptions) as (keyof HeadOptions)[];

/** Only what differs from the usual, in one order, so that equal choices are equal texts; null: nothing. */
export function chosenOptions(options: HeadOptions | null | undefined): HeadOptions | null {
  const chosen = headOptionNames.filter(
    (name) => options?.[name] !== undefined && options[name] !== defaultHeadOptions[name],
  );
  return chosen.length === 0
    ? null
    : (Object.fromEntries(chosen.map((name) => [name, options![name]])) as HeadOptions);
}
