/** Reasons why a reader leaves a part of a file out. */
export type LeftOutKind = 'untimed' | 'noise' | 'no_label' | 'tier' | 'unspoken';

/** Spoken words of a file, and the parts that its reader left out. */
export interface ReadWords {
  text: string;
  leftOut: readonly { kind: LeftOutKind; what: readonly string[] }[];
}
