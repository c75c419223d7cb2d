/** Why something of a file is no word that is said: it has no time, is noise, no label, or in a tier not read. */
export type LeftOutKind = 'untimed' | 'noise' | 'no_label' | 'tier';

/** What a reader found to be said, and what it left out. */
export interface ReadWords {
  text: string;
  leftOut: readonly { kind: LeftOutKind; what: readonly string[] }[];
}
