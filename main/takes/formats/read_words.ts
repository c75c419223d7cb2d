/** Reasons why a reader skips a part of a file. */
export type LeftOutKind = 'untimed' | 'noise' | 'no_label' | 'tier' | 'unspoken';

/** Spoken words of a file, and the parts that its reader skipped. */
export interface ReadWords {
  text: string;
  leftOut: readonly { kind: LeftOutKind; what: readonly string[] }[];
}
