/**
 * A sentence where the table is too much to carry: a preload must stay small. Its English stands there once
 * more, and does not compile where it is another than the table's.
 */
import type { Key, Sentence } from './sentence.ts';
import type { table } from './table.ts';

export const bare = <K extends Key>(
  key: K,
  english: (typeof table)[K]['en'],
  values: Readonly<Record<string, string | number>> = {},
): Sentence => ({
  key,
  values: { ...values },
  text: english.replace(/\{(\w+)\}/g, (_whole, name: string) => String(values[name] ?? '')),
});
