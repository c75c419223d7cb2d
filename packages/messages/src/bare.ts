/**
 * A sentence without the table, for the preload, which must stay small. Its English text is repeated there,
 * and does not compile if it differs from the table's.
 */
import type { Key, KeyedMessage } from './message.ts';
import type { table } from './table.ts';

export const bare = <K extends Key>(
  key: K,
  english: (typeof table)[K]['en'],
  values: Readonly<Record<string, string | number>> = {},
): KeyedMessage => ({
  key,
  values: { ...values },
  text: english.replace(/\{(\w+)\}/g, (_whole, name: string) => String(values[name] ?? '')),
});
