import { createHash } from 'node:crypto';
import { inEnglish } from '@likeness/messages';
import type { JournalEntry } from './journal_entry.ts';

/** The hash before the first entry: 64 zeros. */
export const genesisHash = '0'.repeat(64);

/** The fields that the hash covers, in this order. A released order never changes: old entries carry it. */
export const hashedFields = [
  'sequence',
  'at',
  'kind',
  'profileId',
  'profileName',
  'operation',
  'subject',
  'outcome',
  'httpStatus',
  'envelopeCode',
  'message',
  'bytesSent',
  'bytesReceived',
  'firstByteMs',
  'totalMs',
  'billedSeconds',
  'billedFrames',
  'billedModels',
  'cost',
  'currency',
] as const satisfies readonly Exclude<keyof JournalEntry, 'hash'>[];

/**
 * SHA-256, hex, over the UTF-8 text of a JSON array: the hash of the entry before, then the entry's fields in
 * the order of `hashedFields`. An export as JSON lines can be checked with nothing but this rule.
 */
export function entryHash(previousHash: string, entry: Omit<JournalEntry, 'hash'>): string {
  const text = JSON.stringify([
    previousHash,
    ...hashedFields.map((field) => (field === 'message' ? inEnglish(entry.message) : entry[field])),
  ]);
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
