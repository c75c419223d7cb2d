import type { SpokenLanguage } from '#proto/phones.ts';

/** A word of a script as it is to be said. */
export interface SpokenWord {
  /** As the script has it. */
  readonly text: string;
  /** Where it stands in the script, UTF-16 units. */
  readonly from: number;
  readonly to: number;
  readonly language: SpokenLanguage;
  /** All ways of saying it; symbols of proto/phones.ts. */
  readonly pronunciations: readonly (readonly string[])[];
  readonly source: string;
  /** A comma, full stop or line ends here: a pause is likely. */
  readonly endsClause: boolean;
}
