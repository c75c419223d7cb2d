/** The public names of the package. */
export type { Verification } from './chain_verification.ts';
export { entryHash, genesisHash } from './entry_hash.ts';
export {
  type EventRecord,
  Journal,
  type JournalOptions,
  type Reservation,
  type UsageSums,
} from './journal.ts';
export type { JournalEntry, JournalFilter } from './journal_entry.ts';
export { type ExportFormat, exportJournal } from './journal_export.ts';
export type { CallRecord, PricedCall } from './metered_call.ts';
export type { Spending } from './spending.ts';
