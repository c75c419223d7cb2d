import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { inEnglish, type Message, restoredMessage, storedMessage, t } from '@likeness/messages';
import { isProcessAlive } from '@likeness/node-kit/process_alive.ts';
import { openDatabase, transaction } from '@likeness/node-kit/storage/database.ts';
import { preparedOnce } from '@likeness/node-kit/storage/prepared.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { TransactionGroup } from '@likeness/node-kit/storage/transaction_group.ts';
import { openHead } from './chain_head.ts';
import { chainLoss } from './chain_loss.ts';
import { type Verification, verifyEntries } from './chain_verification.ts';
import { EntryCleaner } from './clean_entry.ts';
import { entryHash, genesisHash, hashedFields } from './entry_hash.ts';
import type { JournalEntry, JournalFilter } from './journal_entry.ts';
import { journalMigrations } from './journal_schema.ts';
import { JournalSearch, nextTurn } from './journal_search.ts';
import { KeptSums } from './kept_sums.ts';
import type { CallRecord, PricedCall } from './metered_call.ts';
import { monthOf, needsReservation, type Spending, SpendingStore } from './spending.ts';

/** An action of the studio itself that a person may ask about later: a library item erased, a cap changed. */
export interface EventRecord {
  /** The action, one word: `erase`, `import`, … */
  operation: string;
  outcome?: JournalEntry['outcome'];
  subject?: string;
  message?: Message;
  profileId?: string;
  profileName?: string;
}

/**
 * A call in progress, and the money reserved for it. Exactly one of `settle` and `release` ends it; a second
 * call does nothing.
 */
export interface Reservation {
  /**
   * The call lasts longer than planned (a live session): reserves up to this total cost.
   *
   * @throws Failure `cap_reached`; the earlier reservation stays.
   */
  raise(plannedCost: number): void;
  /** Records the call with its real cost and releases the reservation, in one step. */
  settle(call: CallRecord): JournalEntry;
  /** The call was not made, or provably not received. */
  release(): void;
}

/** A reservation whose end shares a transaction with others. */
export interface SharedReservation {
  /** @throws Failure `storage`; then nothing is recorded and the money stays reserved. */
  settle(call: CallRecord): Promise<JournalEntry>;
}

/** A profile's usage of a month, in one currency. */
export interface UsageSums {
  profileId: string;
  profileName: string;
  currency: string;
  calls: number;
  failed: number;
  /** Billed seconds, frames, models. */
  seconds: number;
  frames: number;
  models: number;
  cost: number;
}

export interface JournalOptions {
  /** Folder of the journal's files; made (0700) where missing. */
  folder: string;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Removes secrets from texts. */
  scrub: (text: string) => string;
  /** Called after an entry is on disk. */
  onAppended: (entry: JournalEntry) => void;
  processId: number;
  /** A name for this run, different at each start. */
  run: string;
  /** Default: asks the system. */
  isProcessAlive?: (processId: number) => boolean;
}

const columns = [...hashedFields, 'hash', 'messageSaid'].join(', ');

/**
 * The audit log and usage meter: append-only, each entry chained to the previous one by its hash, with a
 * second record of its end. An entry is on disk when `append` returns.
 *
 * People compare it with a server's bill and keep it as proof of deletions. So it must reveal an altered
 * entry (the chain) and a truncated end (the second record), also after a crash.
 *
 * Two processes may append to the same journal.
 */
export class Journal {
  readonly #db: DatabaseSync;
  readonly #prepare: ReturnType<typeof preparedOnce>;
  readonly #group: TransactionGroup;
  readonly #head: ReturnType<typeof openHead>;
  readonly #options: JournalOptions;
  readonly #sums: KeptSums;
  readonly #spendingStore: SpendingStore;
  readonly #cleaner: EntryCleaner;
  readonly #search: JournalSearch;
  /** Path of a damaged predecessor; null if there was none. */
  readonly quarantined: string | null;

  /** @throws Failure `storage`: written by a newer studio, disk full, read-only. */
  constructor(options: JournalOptions) {
    this.#options = options;
    this.#cleaner = new EntryCleaner(options.scrub);
    const { db, quarantined } = openDatabase({
      path: join(options.folder, 'journal.db'),
      migrations: journalMigrations,
      // Every writer here waits for the disk: `transaction` on this thread, `#group` on another.
      durability: 'normal',
      damaged: 'quarantine',
      clock: options.clock,
    });
    this.#db = db;
    this.#prepare = preparedOnce(db);
    this.quarantined = quarantined;
    try {
      this.#group = new TransactionGroup(db, () => this.#advanceHead());
      this.#search = new JournalSearch(db, () => this.size);
      this.#head = openHead(join(options.folder, 'journal-head.db'), options.clock);
    } catch (error) {
      db.close();
      throw storageFailure(error, join(options.folder, 'journal.db'));
    }
    try {
      this.#spendingStore = new SpendingStore({
        db,
        clock: options.clock,
        processId: options.processId,
        run: options.run,
        isProcessAlive: options.isProcessAlive ?? isProcessAlive,
      });
      this.#sums = new KeptSums(db, this.#head.database);
      this.#compareWithHead();
      this.#bookOrphans();
    } catch (error) {
      this.close();
      throw storageFailure(error, join(options.folder, 'journal.db'));
    }
  }

  /** Unaccepted losses of entries, one sentence each. */
  get openLosses(): string[] {
    return this.#head.openLosses().map(({ detail }) => detail);
  }

  /**
   * Accepts the reported losses and continues without them; records that as an entry. @throws Failure
   * `storage`
   */
  acceptLosses(): void {
    for (const detail of this.openLosses)
      this.appendEvent({ operation: 'journal', message: t('journal.loss_accepted', { detail }) });
    this.#head.acceptLosses(this.#options.clock());
  }

  /** @throws Failure `storage` if it can't be written. */
  append(call: CallRecord): JournalEntry {
    return this.#append('call', call);
  }

  /** @throws Failure `storage` if it can't be written. */
  appendEvent(event: EventRecord): JournalEntry {
    return this.#append('event', {
      profileId: event.profileId ?? '',
      profileName: event.profileName ?? '',
      operation: event.operation,
      subject: event.subject ?? '',
      outcome: event.outcome ?? 'ok',
      message: event.message ?? '',
      httpStatus: null,
      envelopeCode: null,
      bytesSent: 0,
      bytesReceived: 0,
      firstByteMs: null,
      totalMs: 0,
      billedSeconds: 0,
      billedFrames: 0,
      billedModels: 0,
      cost: 0,
      currency: '',
    });
  }

  /** A page of entries, newest first, and the total that match the filter. */
  entries(query: {
    before?: number | undefined;
    limit: number;
    filter: JournalFilter;
  }): Promise<{ entries: JournalEntry[]; total: number }> {
    return this.#search.entries(query);
  }

  /** All matching entries, oldest first, in pieces of at most 2,000. */
  matching(filter: JournalFilter): AsyncGenerator<JournalEntry[]> {
    return this.#search.matching(filter);
  }

  /** Number of entries. */
  get size(): number {
    return this.#last().entries;
  }

  /**
   * Reads the whole journal and checks that it is complete and unchanged. `verifyEntries` explains what that
   * proves.
   */
  verify(): Promise<Verification> {
    return verifyEntries(this.#db, this.#head, nextTurn);
  }

  /** @param month - `2026-11`, UTC. */
  usage(month: string): UsageSums[] {
    return this.#db
      .prepare('SELECT * FROM usage WHERE month = ? ORDER BY profileName, profileId, currency')
      .all(month)
      .map((row) => ({
        profileId: String(row.profileId),
        profileName: String(row.profileName),
        currency: String(row.currency),
        calls: Number(row.calls),
        failed: Number(row.failed),
        seconds: Number(row.seconds),
        frames: Number(row.frames),
        models: Number(row.models),
        cost: Number(row.cost),
      }));
  }

  /** A profile's spending and reservations of this month in a currency. */
  spending(profileId: string, currency: string): Spending {
    return this.#spendingStore.spending(profileId, currency);
  }

  /**
   * Checks the cap and reserves the money until the call is over, so that calls in progress can't exceed the
   * cap together. If the process dies in between, the next start records the call as failed with its full
   * planned cost (also 0): the server may have received and billed it.
   *
   * @throws Failure `cap_reached` with the sums; then nothing may be sent.
   */
  reserve(call: PricedCall): Reservation {
    const clean = this.#plan(call);
    let id = this.#spendingStore.reserve(clean);
    return {
      raise: (plannedCost) => {
        if (id === null) id = this.#spendingStore.reserve({ ...clean, plannedCost });
        else this.#spendingStore.raise(id, { ...clean, plannedCost });
      },
      settle: (record) => {
        const entry = this.#append('call', record, id);
        id = null;
        return entry;
      },
      release: () => {
        if (id !== null) this.#spendingStore.free(id);
        id = null;
      },
    };
  }

  /**
   * The same for many concurrent calls: simultaneous requests share one transaction, and no other writer
   * waits for the disk with them. The data is on disk when the promise resolves.
   */
  readonly shared = {
    /** As {@link reserve}. @throws Failure `cap_reached`, `storage` */
    reserve: async (call: PricedCall): Promise<SharedReservation> => {
      const reserve = (): number | null => this.#spendingStore.reserve(this.#plan(call));
      const id = needsReservation(call) ? await this.#group.run(reserve, 'full') : null;
      return { settle: (record) => this.#appendInTurn(record, id) };
    },
    /** As {@link append}. @throws Failure `storage` */
    append: (call: CallRecord): Promise<JournalEntry> => this.#appendInTurn(call, null),
  };

  /** For `latency.ts`, which only reads. */
  get database(): DatabaseSync {
    return this.#db;
  }

  close(): void {
    this.#group.close();
    this.#db.close();
    this.#head.close();
  }

  #append(kind: JournalEntry['kind'], call: CallRecord, reservation: number | null = null): JournalEntry {
    const entry = transaction(this.#db, () => this.#write(kind, call, reservation), 'full');
    this.#advanceHead();
    this.#options.onAppended(entry);
    return entry;
  }

  async #appendInTurn(call: CallRecord, reservation: number | null): Promise<JournalEntry> {
    const entry = await this.#group.run(() => this.#write('call', call, reservation), 'full');
    this.#options.onAppended(entry);
    return entry;
  }

  /** Within a transaction. */
  #write(kind: JournalEntry['kind'], call: CallRecord, reservation: number | null): JournalEntry {
    const last = this.#last();
    const body = { ...this.#cleaner.entry(call, this.#options.clock()), sequence: last.entries + 1, kind };
    const entry: JournalEntry = { ...body, hash: entryHash(last.hash, body) };
    const fields = [...hashedFields, 'hash'] as const;
    const message = this.#cleaner.message(call.message);
    const row = { ...entry, message: inEnglish(entry.message) };
    this.#prepare(`INSERT INTO entries (${columns}) VALUES (${fields.map(() => '?').join(', ')}, ?)`).run(
      ...fields.map((field) => row[field]),
      storedMessage(message),
    );
    if (kind === 'call') this.#addUp(entry);
    if (reservation !== null) this.#spendingStore.free(reservation);
    return { ...entry, message: restoredMessage(row.message, storedMessage(message)) };
  }

  #advanceHead(): void {
    try {
      this.#head.advance(this.#last());
      this.#sums.copy();
    } catch {
      // The entries are on disk, so don't fail here. The head may be behind; the next entry catches up.
    }
  }

  #plan(call: PricedCall): PricedCall {
    return { ...call, ...this.#cleaner.names(call) };
  }

  #addUp(entry: JournalEntry): void {
    this.#prepare(
      `INSERT INTO usage VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET profileName = excluded.profileName, calls = calls + 1,
         failed = failed + excluded.failed, seconds = seconds + excluded.seconds,
         frames = frames + excluded.frames, models = models + excluded.models, cost = cost + excluded.cost`,
    ).run(
      monthOf(entry.at),
      entry.profileId,
      entry.currency,
      entry.profileName,
      entry.outcome === 'failed' ? 1 : 0,
      entry.billedSeconds,
      entry.billedFrames,
      entry.billedModels,
      entry.cost,
    );
    this.#sums.grew(entry);
  }

  #last(): { entries: number; hash: string } {
    const row = this.#prepare('SELECT sequence, hash FROM entries ORDER BY sequence DESC LIMIT 1').get();
    return row
      ? { entries: Number(row.sequence), hash: String(row.hash) }
      : { entries: 0, hash: genesisHash };
  }

  #compareWithHead(): void {
    const last = this.#last();
    const mark = this.#head.mark();
    const loss = chainLoss(this.#db, last.entries, mark, this.quarantined !== null);
    if (loss === null) {
      if (mark === null) this.#head.reset(last);
      else this.#head.advance(last);
      this.#sums.copyMonth(this.#options.clock());
      return;
    }
    this.#sums.restore();
    this.#head.recordLoss({ at: this.#options.clock(), ...loss, detail: inEnglish(loss.detail) });
    this.#head.reset(last);
    this.appendEvent({ operation: 'journal', outcome: 'failed', message: loss.detail });
  }

  #bookOrphans(): void {
    for (const orphan of this.#spendingStore.orphans()) {
      this.#append(
        'call',
        {
          at: orphan.at,
          profileId: orphan.profileId,
          profileName: orphan.profileName,
          operation: orphan.operation,
          subject: orphan.subject,
          outcome: 'failed',
          httpStatus: null,
          envelopeCode: null,
          message: t('journal.under_way', {
            meaning: orphan.plannedCost > 0 ? t('journal.planned_cost') : t('journal.perhaps_received'),
          }),
          bytesSent: 0,
          bytesReceived: 0,
          firstByteMs: null,
          totalMs: 0,
          billedSeconds: 0,
          billedFrames: 0,
          billedModels: 0,
          cost: orphan.plannedCost,
          currency: orphan.currency,
        },
        orphan.id,
      );
    }
  }
}
