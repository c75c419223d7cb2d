import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '@likeness/node-kit/storage/database.ts';
import { headMigrations } from './journal_schema.ts';

/** The state of the journal's end: its number of entries and the hash of the last. */
export interface HeadMark {
  entries: number;
  hash: string;
}

/** A detected mismatch between the journal and the head file. */
export interface Loss {
  at: number;
  /** First sequence that is missing or was replaced; null if unknown. */
  firstLost: number | null;
  detail: string;
}

/**
 * The head: a small database beside the journal that records its end. A hash chain can't show that entries
 * are missing at its end, and those are the newest calls, which a bill is about. The head is written after
 * each entry without waiting for the disk. After a power cut it may be a few entries behind the journal,
 * never ahead of it.
 */
export interface Head {
  /** Null if nothing was ever written here: a new journal, or the file was removed. */
  mark(): HeadMark | null;
  /** Only moves forward, so two processes may call it in any order. */
  advance(mark: HeadMark): void;
  /** Accepts the journal as it is now, after a loss was recorded. */
  reset(mark: HeadMark): void;
  losses(): Loss[];
  recordLoss(loss: Loss): void;
  /** Losses that nobody has accepted yet. */
  openLosses(): Loss[];
  acceptLosses(at: number): void;
  /** For the copy of the journal's sums. */
  database: DatabaseSync;
  close(): void;
}

export function openHead(path: string, clock: () => number): Head {
  const { db } = openDatabase({
    path,
    migrations: headMigrations,
    durability: 'normal',
    damaged: 'quarantine',
    clock,
  });
  const read = db.prepare('SELECT entries, hash FROM head');
  const advance = db.prepare('UPDATE head SET entries = ?1, hash = ?2 WHERE entries < ?1');
  return {
    mark: () => {
      const row = read.get();
      return row ? { entries: Number(row.entries), hash: String(row.hash) } : null;
    },
    advance: ({ entries, hash }) => {
      advance.run(entries, hash);
    },
    reset: ({ entries, hash }) => {
      db.prepare('INSERT OR REPLACE INTO head (one, entries, hash) VALUES (1, ?, ?)').run(entries, hash);
      flush(db);
    },
    losses: () => db.prepare(losses('')).all().map(toLoss),
    openLosses: () => db.prepare(losses('WHERE acceptedAt IS NULL')).all().map(toLoss),
    acceptLosses: (at) => {
      db.prepare('UPDATE losses SET acceptedAt = ? WHERE acceptedAt IS NULL').run(at);
      flush(db);
    },
    database: db,
    recordLoss: ({ at, firstLost, detail }) => {
      db.prepare('INSERT INTO losses (at, firstLost, detail) VALUES (?, ?, ?)').run(at, firstLost, detail);
      flush(db);
    },
    close: () => db.close(),
  };
}

const losses = (which: string): string => `SELECT at, firstLost, detail FROM losses ${which} ORDER BY at`;

const toLoss = (row: Record<string, unknown>): Loss => ({
  at: Number(row.at),
  firstLost: row.firstLost === null ? null : Number(row.firstLost),
  detail: String(row.detail),
});

/** A checkpoint waits for the disk even where single transactions do not. */
function flush(db: DatabaseSync): void {
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
