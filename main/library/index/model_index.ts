import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inEnglish, type Message, restoredSentence, storedSentence } from '@likeness/messages';
import { openDatabase, transaction, wipeDeleted } from '@likeness/node-kit/storage/database.ts';
import { preparedOnce } from '@likeness/node-kit/storage/prepared.ts';
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

/** What is wrong with a model's file. */
export interface ModelFault {
  /** A sentence; empty: nothing. */
  fault: Message;
  /** Whether it is not to be decoded. */
  refused: boolean;
}

/** A model for the index, and what was found in its file where somebody has just looked. */
export type NewEntry = IndexEntry & { found?: ModelFault };

/** Milliseconds in which models that come are gathered. With 2 instead of 20 a queue of 5,000 is a third slower. */
const putPause = 20;

/** Pages (of 4 KiB) that the write-ahead log may have before it is copied into the file. */
const logPages = 4000;

/** Pages of the search's own tables that are merged in one go. */
const mergedPages = 500;

/** The SQLite index over all libraries. Everything in it can be read from the folders again. */
export class ModelIndex {
  readonly #db: DatabaseSync;
  readonly #clock: () => number;
  /** Of the built-in engine; heads of a lower one are outdated. */
  readonly #engine: number;
  #prepare: ReturnType<typeof preparedOnce>;
  #coming: { entry: NewEntry; resolve: () => void; reject: (error: unknown) => void }[] = [];
  #putting: NodeJS.Timeout | undefined;
  /** True where the index is new or was damaged: the folders must be read. */
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
    // While thousands of models are put in, each page is then copied into the file once instead of several times.
    db.exec(`PRAGMA wal_autocheckpoint = ${logPages}`);
    this.#prepare = preparedOnce(db);
    this.fresh = quarantined !== null || this.#all('SELECT 1 FROM models LIMIT 1').length === 0;
  }

  /** Takes in what was read, all in one transaction. */
  put(entries: readonly NewEntry[]): void {
    // Where two have an id or a folder in common, only the last is kept.
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
   * Takes in one model in a moment, in one transaction with the others that come until then: a transaction
   * costs about as much as ten models in it.
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
   * After models were erased: what the search kept of their words goes too, and the file holds nothing of
   * them any more.
   *
   * @returns False where the disk or another process was in the way: try again.
   */
  async wipe(): Promise<boolean> {
    // Deleting only marks words as gone; merging leaves them out. A little at a time, so that nothing is held
    // up.
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
    this.#prepare('DELETE FROM models WHERE libraryId = ?').run(libraryId);
  }

  /** Where the models of a library are. */
  placed(libraryId: string): Placed[] {
    return this.#all('SELECT id, libraryId, folder, stamp FROM models WHERE libraryId = ?', libraryId).map(
      asPlaced,
    );
  }

  locate(id: string): Placed | null {
    const row = this.#prepare('SELECT id, libraryId, folder, stamp FROM models WHERE id = ?').get(id);
    return row ? asPlaced(row) : null;
  }

  /** What was found in a model's file as it is now; null where nobody has looked at it. */
  fault(id: string, modelStamp: string): ModelFault | null {
    const row = this.#prepare(
      'SELECT fault, faultSaid, refused FROM faults WHERE id = ? AND modelStamp = ?',
    ).get(id, modelStamp);
    return row
      ? { fault: restoredSentence(String(row.fault), row.faultSaid), refused: row.refused === 1 }
      : null;
  }

  /** Notes down what was found in a model's file, which may not be in the index yet. */
  noteFault(id: string, modelStamp: string, found: ModelFault): void {
    this.#putFault(id, modelStamp, found);
    // What is wrong with a record goes on being told of its model.
    this.#prepare(
      `UPDATE models SET fault = ?2, faultSaid = ?3,
         state = CASE WHEN ?4 = 1 AND state = 'ok' THEN 'broken_model' ELSE state END
       WHERE id = ?1 AND state <> 'broken_record'`,
    ).run(id, inEnglish(found.fault), storedSentence(found.fault), Number(found.refused));
  }

  #putFault(id: string, modelStamp: string, { fault, refused }: ModelFault): void {
    this.#prepare(
      `INSERT INTO faults (id, modelStamp, fault, faultSaid, refused) VALUES (?1, ?2, ?3, ?4, ?5)
       ON CONFLICT DO UPDATE SET modelStamp = ?2, fault = ?3, faultSaid = ?4, refused = ?5`,
    ).run(id, modelStamp, inEnglish(fault), storedSentence(fault), Number(refused));
  }

  /** Notes down that this studio itself has left a model's photo where it is. */
  ownReference(id: string, reference: string): void {
    this.#prepare(
      `INSERT INTO ownReferences (id, reference, isOwn) VALUES (?1, ?2, 1)
       ON CONFLICT DO UPDATE SET reference = ?2, isOwn = 1`,
    ).run(id, reference);
  }

  /**
   * Whether a model's photo may be read where its record says; `if_same`: if its content is what the record
   * says.
   */
  mayRefer(id: string, reference: string): 'yes' | 'if_same' | 'no' {
    const row = this.#prepare('SELECT isOwn FROM ownReferences WHERE id = ? AND reference = ?').get(
      id,
      reference,
    );
    return !row ? 'no' : row.isOwn === 1 ? 'yes' : 'if_same';
  }

  /** A model's folder was copied: its photo is where it was. */
  copyReference(from: string, to: string): void {
    this.#prepare(
      'INSERT OR IGNORE INTO ownReferences (id, reference, isOwn) SELECT ?2, reference, isOwn FROM ownReferences WHERE id = ?1',
    ).run(from, to);
  }

  /** Forgets what is known of models beside their folders. */
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

  /** Models, of all libraries, that were made of a photo. @param photoHash - SHA-256, hex */
  ofPhoto(photoHash: string): number {
    return Number(this.#prepare('SELECT count(*) AS n FROM models WHERE photoHash = ?').get(photoHash)?.n);
  }

  model(id: string): Model | null {
    const row = this.#prepare(
      'SELECT m.*, r.record FROM models m JOIN records r USING (row) WHERE m.id = ?',
    ).get(id);
    return row ? modelOf(row, this.#clock(), this.#engine) : null;
  }

  /**
   * The name of the newest model that a connection's server knows under this id; null where there is none.
   */
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
    // Looked for once: all that were found are counted, those on the page are read.
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

  /** Ids of all that a query finds, in its order. */
  ids(query: ModelQuery): string[] {
    const { where, values } = conditionsOf(query, this.#clock(), this.#engine);
    const { column, direction } = orderOf(query);
    const order = `ORDER BY ${column} ${direction}, m.row ${direction}`;
    return this.#prepare(`SELECT m.id FROM models m WHERE ${where} ${order}`)
      .all(...values)
      .map(({ id }) => String(id));
  }

  /** A model, not in the trash, that was made of this; by any profile where the key ends with `|`. */
  madeOf(key: string): string | null {
    if (key === '') return null;
    const anyProfile = key.endsWith('|');
    const row = this.#prepare(
      `SELECT id FROM models WHERE ${anyProfile ? 'madeOf >= ? AND madeOf < ?' : 'madeOf = ?'} AND madeOf <> ''
         AND trashedAt IS NULL AND state <> 'missing_model' LIMIT 1`,
    ).get(...(anyProfile ? [key, `${key}\u{10ffff}`] : [key]));
    return row ? String(row.id) : null;
  }

  /** Groups of two and more models, not in the trash, that have the photo or the bytes in common. */
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

  /** Models a collection, those in the trash not counted. */
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

  /** The same folder with another id, or the same id in another folder: only what is there now is kept. */
  #removeOutdated(entries: readonly IndexEntry[]): void {
    const find = this.#prepare('SELECT row FROM models WHERE id = ? OR (libraryId = ? AND folder = ?)');
    const rows = entries.flatMap(({ record, libraryId, folder }) =>
      find.all(record.id, libraryId, folder).map(({ row }) => row),
    );
    if (rows.length === 0) return;
    // In one statement: with every one that deletes from `models`, FTS5 writes all that it has gathered.
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
