import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inEnglish, type Message, restoredMessage, storedMessage } from '@likeness/messages';
import { openDatabase, transaction, wipeDeleted } from '@likeness/node-kit/storage/database.ts';
import { preparedOnce } from '@likeness/node-kit/storage/prepared.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import {
  type Model,
  type ModelCard,
  type ModelFacets,
  type ModelQuery,
  type SearchProblem,
  searchFields,
} from '#contract';
import { readSearch } from '../../base/search/search_terms.ts';
import type { LikenessRecord } from '../model/likeness_record.ts';
import { modelPart } from '../model/model_folder.ts';
import { engineNumber } from './engine_age.ts';
import { type IndexEntry, insertEntry } from './index_entry.ts';
import { asPlaced, cardOf, type IndexRow, modelOf, type Placed } from './index_rows.ts';
import { indexMigrations } from './index_schema.ts';
import { conditionsOf, countFacets, orderOf } from './model_search.ts';

/** A problem of a model's file. */
export interface ModelFault {
  /** The message; empty: no problem. */
  fault: Message;
  /** Whether the file must not be decoded. */
  refused: boolean;
}

/** A model for the index, with the problem of its file if it was just checked. */
export type NewEntry = IndexEntry & { found?: ModelFault };

/**
 * Milliseconds during which new models are collected. With 2 instead of 20, a queue of 5,000 is a third
 * slower.
 */
const putPause = 20;

/** Pages (of 4 KiB) that the write-ahead log may have before it is copied into the file. */
const logPages = 4000;

/** Pages of the search's own tables that are merged in one go. */
const mergedPages = 500;

/** The SQLite index over all libraries. Everything in it can be read from the folders again. */
export class ModelIndex {
  readonly #db: DatabaseSync;
  readonly #clock: () => number;
  /** The built-in engine's number; heads of a lower one are outdated. */
  readonly #engine: number;
  #prepare: ReturnType<typeof preparedOnce>;
  #coming: { entry: NewEntry; resolve: () => void; reject: (error: unknown) => void }[] = [];
  #putting: NodeJS.Timeout | undefined;
  /** True if the index is new or was damaged: the folders must be read. */
  readonly fresh: boolean;

  /** @throws Failure `storage` */
  constructor(path: string, clock: () => number, engine = '') {
    this.#clock = clock;
    this.#engine = engineNumber(engine);
    const { db, quarantined } = openDatabase({
      path,
      migrations: indexMigrations,
      durability: 'normal',
      damaged: 'quarantine',
      clock,
    });
    this.#db = db;
    // While thousands of models are inserted, each page is then copied into the file once instead of several
    // times.
    try {
      db.exec(`PRAGMA wal_autocheckpoint = ${logPages}`);
      this.#prepare = preparedOnce(db);
      this.fresh = quarantined !== null || this.#all('SELECT 1 FROM models LIMIT 1').length === 0;
    } catch (error) {
      db.close();
      throw storageFailure(error, path);
    }
  }

  /** Inserts the models in one transaction. */
  put(entries: readonly NewEntry[]): void {
    // If two share an id or a folder, only the last is kept.
    const byId = new Map(entries.map((entry) => [entry.record.id, entry]));
    const byFolder = new Map(
      [...byId.values()].map((entry) => [`${entry.libraryId}/${entry.folder}`, entry]),
    );
    transaction(this.#db, () => {
      this.#removeOutdated([...byFolder.values()]);
      for (const entry of byFolder.values()) {
        if (entry.found) this.#putFault(entry.record.id, modelPart(entry.stamp), entry.found);
        this.#insert(entry);
      }
    });
  }

  /**
   * Inserts one model soon, in one transaction with other new ones: a transaction costs about as much as ten
   * models in it.
   *
   * @throws as `put`
   */
  putSoon(entry: NewEntry): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#coming.push({ entry, resolve, reject });
      this.#putting ??= setTimeout(() => this.#putComing(), putPause);
    });
  }

  #putComing(): void {
    clearTimeout(this.#putting);
    this.#putting = undefined;
    const coming = this.#coming.splice(0);
    try {
      this.put(coming.map(({ entry }) => entry));
    } catch (error) {
      for (const { reject } of coming) reject(error);
      return;
    }
    for (const { resolve } of coming) resolve();
  }

  remove(ids: readonly string[]): void {
    transaction(this.#db, () => {
      this.#prepare('DELETE FROM models WHERE id IN (SELECT value FROM json_each(?))').run(
        JSON.stringify(ids),
      );
    });
  }

  /**
   * After an erasure: also removes the models' words from the search tables and their data from the file.
   *
   * @returns False if the disk or another process prevented it: try again.
   */
  async wipe(): Promise<boolean> {
    // Deleting only marks words as removed; merging drops them. Done in small steps, so that nothing blocks.
    let asked = -mergedPages;
    for (;;) {
      const before = this.#changes();
      this.#prepare(`INSERT INTO searched (searched, rank) VALUES ('merge', ?)`).run(asked);
      if (this.#changes() - before < 2) break;
      asked = mergedPages;
      await nextTurn();
    }
    this.#db.exec(`INSERT INTO searched (searched) VALUES ('optimize')`);
    this.#prepare = preparedOnce(this.#db);
    return wipeDeleted(this.#db);
  }

  #changes(): number {
    return Number(this.#prepare('SELECT total_changes() AS n').get()?.n);
  }

  removeLibrary(libraryId: string): void {
    transaction(this.#db, () => {
      const others = this.#prepare('SELECT 1 FROM models WHERE libraryId <> ? LIMIT 1').get(libraryId);
      // Whole tables are emptied at once, rows that cascade one by one.
      if (!others) {
        for (const table of ['records', 'texts', 'tags', 'shelved']) this.#db.exec(`DELETE FROM ${table}`);
        this.#db.exec(`INSERT INTO searched (searched) VALUES ('delete-all')`);
      }
      this.#prepare('DELETE FROM models WHERE libraryId = ?').run(libraryId);
    });
  }

  /** Where the models of a library are stored. */
  placed(libraryId: string): Placed[] {
    return this.#all('SELECT id, libraryId, folder, stamp FROM models WHERE libraryId = ?', libraryId).map(
      asPlaced,
    );
  }

  locate(id: string): Placed | null {
    const row = this.#prepare('SELECT id, libraryId, folder, stamp FROM models WHERE id = ?').get(id);
    return row ? asPlaced(row) : null;
  }

  /** The problem of a model's current file; null if it was not checked. */
  fault(id: string, modelStamp: string): ModelFault | null {
    const row = this.#prepare(
      'SELECT fault, faultSaid, refused FROM faults WHERE id = ? AND modelStamp = ?',
    ).get(id, modelStamp);
    return row
      ? { fault: restoredMessage(String(row.fault), row.faultSaid), refused: row.refused === 1 }
      : null;
  }

  /** Saves the problem of a model's file, which may not be in the index yet. */
  noteFault(id: string, modelStamp: string, found: ModelFault): void {
    this.#putFault(id, modelStamp, found);
    // A problem of a record is still reported for its model.
    this.#prepare(
      `UPDATE models SET fault = ?2, faultSaid = ?3,
         state = CASE WHEN ?4 = 1 AND state = 'ok' THEN 'broken_model' ELSE state END
       WHERE id = ?1 AND state <> 'broken_record'`,
    ).run(id, inEnglish(found.fault), storedMessage(found.fault), Number(found.refused));
  }

  #putFault(id: string, modelStamp: string, { fault, refused }: ModelFault): void {
    this.#prepare(
      `INSERT INTO faults (id, modelStamp, fault, faultSaid, refused) VALUES (?1, ?2, ?3, ?4, ?5)
       ON CONFLICT DO UPDATE SET modelStamp = ?2, fault = ?3, faultSaid = ?4, refused = ?5`,
    ).run(id, modelStamp, inEnglish(fault), storedMessage(fault), Number(refused));
  }

  /** Records that this studio itself left a model's photo at its original path. */
  ownReference(id: string, reference: string): void {
    this.#prepare(
      `INSERT INTO ownReferences (id, reference, isOwn) VALUES (?1, ?2, 1)
       ON CONFLICT DO UPDATE SET reference = ?2, isOwn = 1`,
    ).run(id, reference);
  }

  /**
   * Whether a model's photo may be read at the path in its record; `if_same`: if its content matches the
   * record.
   */
  mayRefer(id: string, reference: string): 'yes' | 'if_same' | 'no' {
    const row = this.#prepare('SELECT isOwn FROM ownReferences WHERE id = ? AND reference = ?').get(
      id,
      reference,
    );
    return !row ? 'no' : row.isOwn === 1 ? 'yes' : 'if_same';
  }

  /** A model's folder was copied: its photo keeps its path. */
  copyReference(from: string, to: string): void {
    this.#prepare(
      'INSERT OR IGNORE INTO ownReferences (id, reference, isOwn) SELECT ?2, reference, isOwn FROM ownReferences WHERE id = ?1',
    ).run(from, to);
  }

  /** Removes the data about models that is not in their folders. */
  forget(ids: readonly string[]): void {
    transaction(this.#db, () => {
      for (const id of ids) {
        this.#prepare('DELETE FROM ownReferences WHERE id = ?').run(id);
        this.#prepare('DELETE FROM faults WHERE id = ?').run(id);
      }
    });
  }

  card(id: string): ModelCard | null {
    const row = this.#prepare('SELECT * FROM models WHERE id = ?').get(id);
    return row ? cardOf(row, this.#clock(), this.#engine) : null;
  }

  record(id: string): LikenessRecord | null {
    const row = this.#prepare('SELECT r.record FROM models m JOIN records r USING (row) WHERE m.id = ?').get(
      id,
    );
    return row ? (JSON.parse(String(row.record)) as LikenessRecord) : null;
  }

  /** Returns the models of all libraries that were made from a photo. @param photoHash - SHA-256, hex */
  ofPhoto(photoHash: string): number {
    return Number(this.#prepare('SELECT count(*) AS n FROM models WHERE photoHash = ?').get(photoHash)?.n);
  }

  model(id: string): Model | null {
    const row = this.#prepare(
      'SELECT m.*, r.record FROM models m JOIN records r USING (row) WHERE m.id = ?',
    ).get(id);
    return row ? modelOf(row, this.#clock(), this.#engine) : null;
  }

  /** Returns the name of the newest model with this id at a connection's server; null if there is none. */
  nameOfRemote(profileId: string, remoteModelId: string): string | null {
    const row = this.#prepare(
      `SELECT name FROM models WHERE remoteModelId = ? AND remoteModelId <> '' AND profileId = ?
       ORDER BY createdAt DESC LIMIT 1`,
    ).get(remoteModelId, profileId);
    return row ? String(row.name) : null;
  }

  search(
    query: ModelQuery,
    offset: number,
    limit: number,
  ): { models: ModelCard[]; total: number; problems: SearchProblem[] } {
    const { where, values } = conditionsOf(query, this.#clock(), this.#engine);
    const { column, direction } = orderOf(query);
    // One search: counts all results, and reads those on the page.
    const rows = this.#prepare(
      `WITH found AS MATERIALIZED (SELECT m.row AS row, ${column} AS place FROM models m WHERE ${where})
       SELECT m.*, (SELECT count(*) FROM found) AS total
       FROM (SELECT row, place FROM found ORDER BY place ${direction}, row ${direction} LIMIT ? OFFSET ?) AS page
       JOIN models m ON m.row = page.row ORDER BY page.place ${direction}, page.row ${direction}`,
    ).all(...values, limit, offset);
    const total = rows[0]?.total ?? (offset === 0 ? 0 : this.#count(where, values));
    const { problems } = readSearch(query.text ?? '', searchFields, this.#clock());
    return {
      models: rows.map((row) => cardOf(row, this.#clock(), this.#engine)),
      total: Number(total),
      problems,
    };
  }

  facets(query: ModelQuery): ModelFacets {
    return countFacets(this.#db, conditionsOf(query, this.#clock(), this.#engine));
  }

  /** Ids of all results of a query, in its order. */
  ids(query: ModelQuery): string[] {
    const { where, values } = conditionsOf(query, this.#clock(), this.#engine);
    const { column, direction } = orderOf(query);
    const order = `ORDER BY ${column} ${direction}, m.row ${direction}`;
    return this.#prepare(`SELECT m.id FROM models m WHERE ${where} ${order}`)
      .all(...values)
      .map(({ id }) => String(id));
  }

  /** Returns a model, not in the trash, with this key; from any profile if the key ends with `|`. */
  madeOf(key: string): string | null {
    if (key === '') return null;
    const anyProfile = key.endsWith('|');
    const row = this.#prepare(
      `SELECT id FROM models WHERE ${anyProfile ? 'madeOf >= ? AND madeOf < ?' : 'madeOf = ?'} AND madeOf <> ''
         AND trashedAt IS NULL AND state <> 'missing_model' LIMIT 1`,
    ).get(...(anyProfile ? [key, `${key}\u{10ffff}`] : [key]));
    return row ? String(row.id) : null;
  }

  /** Groups of two or more models, not in the trash, with the same photo or the same bytes. */
  duplicates(): { reason: 'same_photo' | 'same_model'; models: ModelCard[] }[] {
    const groups = (column: 'photoHash' | 'modelHash', reason: 'same_photo' | 'same_model') => {
      const byHash = new Map<string, ModelCard[]>();
      const rows = this.#all(
        `SELECT * FROM models WHERE trashedAt IS NULL AND ${column} <> '' AND ${column} IN
           (SELECT ${column} FROM models WHERE trashedAt IS NULL AND ${column} <> '' GROUP BY 1 HAVING count(*) > 1)
         ORDER BY ${column}, createdAt LIMIT 5000`,
      );
      for (const row of rows) {
        const hash = String(row[column]);
        byHash.set(hash, [...(byHash.get(hash) ?? []), cardOf(row, this.#clock(), this.#engine)]);
      }
      return [...byHash.values()].map((models) => ({ reason, models }));
    };
    return [...groups('photoHash', 'same_photo'), ...groups('modelHash', 'same_model')];
  }

  sums(libraryId: string): { models: number; trashed: number; bytes: number } {
    const row = this.#prepare(
      `SELECT count(*) AS models, count(trashedAt) AS trashed, coalesce(sum(bytes), 0) AS bytes
       FROM models WHERE libraryId = ?`,
    ).get(libraryId);
    const trashed = Number(row?.trashed ?? 0);
    return { models: Number(row?.models ?? 0) - trashed, trashed, bytes: Number(row?.bytes ?? 0) };
  }

  /** Number of models per collection, without those in the trash. */
  collectionSizes(): Map<string, number> {
    const rows = this.#all(
      `SELECT s.collectionId, count(*) AS n FROM shelved s JOIN models m USING (row)
       WHERE m.trashedAt IS NULL GROUP BY 1`,
    );
    return new Map(rows.map((row) => [String(row.collectionId), Number(row.n)]));
  }

  close(): void {
    if (this.#coming.length > 0) this.#putComing();
    this.#db.close();
  }

  /** The same folder with another id, or the same id in another folder: keep only the current one. */
  #removeOutdated(entries: readonly IndexEntry[]): void {
    const find = this.#prepare('SELECT row FROM models WHERE id = ? OR (libraryId = ? AND folder = ?)');
    const rows = entries.flatMap(({ record, libraryId, folder }) =>
      find.all(record.id, libraryId, folder).map(({ row }) => row),
    );
    if (rows.length === 0) return;
    // In one statement: FTS5 flushes its buffer with every statement that deletes from `models`.
    this.#prepare('DELETE FROM models WHERE row IN (SELECT value FROM json_each(?))').run(
      JSON.stringify(rows),
    );
  }

  /** Adds a model that is not in the index. */
  #insert(entry: IndexEntry): void {
    const { stamp, state, record } = entry;
    const found = this.fault(record.id, modelPart(stamp));
    const shown = state === 'ok' && found?.refused ? 'broken_model' : state;
    const reference = record.photo?.reference;
    const hasPortrait =
      Boolean(record.photo?.file) || (reference ? this.mayRefer(record.id, reference) !== 'no' : false);
    const fault = entry.recordFault === '' ? (found?.fault ?? '') : entry.recordFault;
    insertEntry(this.#prepare, entry, { state: shown, fault, hasPortrait });
  }

  #count(where: string, values: SQLInputValue[]): number {
    return Number(this.#prepare(`SELECT count(*) AS n FROM models m WHERE ${where}`).get(...values)?.n);
  }

  #all(sql: string, ...values: string[]): IndexRow[] {
    return this.#prepare(sql).all(...values);
  }
}
