import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { restoredMessage, translate } from '@likeness/messages';
import { hashedFields } from './entry_hash.ts';
import type { JournalEntry, JournalFilter } from './journal_entry.ts';

/**
 * Rows examined at a time, so that a search through a million entries never blocks the process for long.
 */
const chunk = 20_000;
/** Entries in a piece of `matching`. */
const piece = 2000;
/** Filters whose count is cached. */
const maxCounted = 16;

const columns = [...hashedFields, 'hash', 'messageSaid'].join(', ');

/** Reads entries by page and by filter, and counts them. */
export class JournalSearch {
  readonly #db: DatabaseSync;
  readonly #size: () => number;
  /**
   * Cached counts: how many entries match a filter, up to the entry counted last. The newest filters only.
   */
  readonly #counted = new Map<string, { upTo: number; matches: number }>();

  /** @param size - Number of entries now. */
  constructor(db: DatabaseSync, size: () => number) {
    this.#db = db;
    this.#size = size;
    // Messages are stored in English and as a key with values; the search builds the Chinese text from these.
    db.function('inChinese', { deterministic: true }, (message, stored) =>
      translate(restoredMessage(String(message), stored), 'zh-CN'),
    );
  }

  /** A page of entries, newest first, and the total that match the filter. */
  async entries(query: {
    before?: number | undefined;
    limit: number;
    filter: JournalFilter;
  }): Promise<{ entries: JournalEntry[]; total: number }> {
    const entries: JournalEntry[] = [];
    let from = Math.min(query.before ?? Number.MAX_SAFE_INTEGER, this.#size() + 1);
    while (from > 1 && entries.length < query.limit) {
      const down = Math.max(from - chunk, 1);
      entries.push(...this.#range(query.filter, down, from - 1, 'DESC', query.limit - entries.length));
      from = down;
      if (from > 1 && entries.length < query.limit) await nextTurn();
    }
    return { entries, total: await this.#count(query.filter) };
  }

  /** All matching entries, oldest first, in pieces of at most 2,000. */
  async *matching(filter: JournalFilter): AsyncGenerator<JournalEntry[]> {
    const last = this.#size();
    for (let from = 1; from <= last; from += piece) {
      const entries = this.#range(filter, from, Math.min(from + piece - 1, last), 'ASC', piece);
      if (entries.length > 0) yield entries;
      await nextTurn();
    }
  }

  #range(
    filter: JournalFilter,
    from: number,
    to: number,
    order: 'ASC' | 'DESC',
    limit: number,
  ): JournalEntry[] {
    const { where, values } = conditions(filter);
    return this.#db
      .prepare(
        `SELECT ${columns} FROM entries WHERE sequence BETWEEN ? AND ?${where} ORDER BY sequence ${order} LIMIT ?`,
      )
      .all(from, to, ...values, limit)
      .map(
        ({ messageSaid, ...row }) =>
          ({
            ...row,
            message: restoredMessage(String(row.message), messageSaid),
          }) as unknown as JournalEntry,
      );
  }

  async #count(filter: JournalFilter): Promise<number> {
    const last = this.#size();
    const { where, values } = conditions(filter);
    if (where === '') return last;
    const key = JSON.stringify([where, values]);
    let { upTo, matches } = this.#counted.get(key) ?? { upTo: 0, matches: 0 };
    const count = this.#db.prepare(
      `SELECT count(*) AS matches FROM entries WHERE sequence BETWEEN ? AND ?${where}`,
    );
    while (upTo < last) {
      const to = Math.min(upTo + chunk, last);
      matches += Number(count.get(upTo + 1, to, ...values)?.matches ?? 0);
      upTo = to;
      if (upTo < last) await nextTurn();
    }
    // The journal is append-only, so earlier counts stay valid.
    this.#counted.delete(key);
    this.#counted.set(key, { upTo, matches });
    const oldest = this.#counted.keys().next().value;
    if (this.#counted.size > maxCounted && oldest !== undefined) this.#counted.delete(oldest);
    return matches;
  }
}

export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function conditions(filter: JournalFilter): { where: string; values: SQLInputValue[] } {
  const parts: string[] = [];
  const values: SQLInputValue[] = [];
  const add = (part: string, ...ofPart: SQLInputValue[]): void => {
    parts.push(part);
    values.push(...ofPart);
  };
  for (const column of ['profileId', 'operation', 'outcome'] as const) {
    const value = filter[column];
    if (value !== undefined) add(`${column} = ?`, value);
  }
  if (filter.from !== undefined) add('at >= ?', filter.from);
  if (filter.to !== undefined) add('at <= ?', filter.to);
  const text = filter.text?.trim() ?? '';
  if (text !== '') {
    const like = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
    const searched = ['subject', 'message', 'profileName'];
    // ASCII text of a Chinese message is also in its English text.
    if (/[^\p{ASCII}]/u.test(text)) {
      searched.push('CASE WHEN messageSaid IS NULL THEN NULL ELSE inChinese(message, messageSaid) END');
    }
    add(
      `(${searched.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(' OR ')})`,
      ...searched.map(() => like),
    );
  }
  return { where: parts.map((part) => ` AND ${part}`).join(''), values };
}
