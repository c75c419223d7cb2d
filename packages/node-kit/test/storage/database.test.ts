import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { type Migration, openDatabase, transaction, wipeDeleted } from '../../src/storage/database.ts';

const migrations: Migration[] = [
  'CREATE TABLE heads (id TEXT PRIMARY KEY) STRICT',
  (db) => {
    db.exec('ALTER TABLE heads ADD COLUMN name TEXT');
    db.exec("UPDATE heads SET name = 'head ' || id");
  },
  'CREATE TABLE tags (head TEXT NOT NULL REFERENCES heads (id), tag TEXT NOT NULL) STRICT',
];

describe('a database', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'likeness-database-'));
    path = join(folder, 'inner', 'heads.db');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const failureOf = (work: () => unknown): Failure => {
    try {
      work();
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
    throw new Error('It did not fail.');
  };

  it('is made with today’s schema, in WAL, with foreign keys, for its owner only', () => {
    const { db } = openDatabase({ path, migrations });
    expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 3 });
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    expect(() => db.exec("INSERT INTO tags VALUES ('nobody', 'x')")).toThrow(/FOREIGN KEY/);
    for (const name of readdirSync(join(folder, 'inner'))) {
      expect(statSync(join(folder, 'inner', name)).mode & 0o777, name).toBe(0o600);
    }
    expect(statSync(join(folder, 'inner')).mode & 0o777).toBe(0o700);
    db.close();
  });

  it('is brought up from each older schema without losing a row', () => {
    for (let known = 1; known < migrations.length; known += 1) {
      const old = join(folder, `old-${known}.db`);
      const before = openDatabase({ path: old, migrations: migrations.slice(0, known) }).db;
      before.exec("INSERT INTO heads (id) VALUES ('a')");
      before.close();
      const { db } = openDatabase({ path: old, migrations });
      expect(db.prepare('SELECT id, name FROM heads').all()).toEqual([
        { id: 'a', name: known === 1 ? 'head a' : null },
      ]);
      expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 3 });
      db.close();
    }
  });

  it('keeps the older schema whole when a step fails', () => {
    openDatabase({ path, migrations: migrations.slice(0, 1) }).db.close();
    const broken: Migration[] = [...migrations.slice(0, 1), 'CREATE TABLE half (x); SELECT nonsense'];
    expect(() => openDatabase({ path, migrations: broken })).toThrow(/nonsense/);
    const { db } = openDatabase({ path, migrations: migrations.slice(0, 1) });
    expect(db.prepare("SELECT name FROM sqlite_master WHERE name = 'half'").get()).toBeUndefined();
    db.close();
  });

  it('of a newer studio is refused and left byte for byte', () => {
    openDatabase({ path, migrations }).db.close();
    const before = readFileSync(path);
    const failure = failureOf(() => openDatabase({ path, migrations: migrations.slice(0, 2) }));
    expect(failure.code).toBe('storage');
    expect(failure.message).toContain('newer Likeness Studio (schema 3; this one knows 2)');
    expect(failure.hint).toContain('Update');
    expect(readFileSync(path)).toEqual(before);
  });

  it('that is damaged is refused, or set aside and reported, never wiped', () => {
    openDatabase({ path, migrations }).db.close();
    const junk = Buffer.alloc(8192, 'not a database ');
    writeFileSync(path, junk);
    expect(failureOf(() => openDatabase({ path, migrations })).message).toContain('“heads.db” is damaged');
    expect(readFileSync(path)).toEqual(junk);

    const clock = (): number => Date.UTC(2026, 10, 3, 10, 11, 12);
    const { db, quarantined } = openDatabase({ path, migrations, damaged: 'quarantine', clock });
    expect(quarantined).toBe(join(folder, 'inner', 'heads.damaged-20261103T101112Z.db'));
    expect(readFileSync(quarantined ?? '')).toEqual(junk);
    expect(db.prepare('SELECT count(*) AS n FROM heads').get()).toEqual({ n: 0 });
    db.close();
  });

  it('takes back a transaction that throws, and a nested part by itself', () => {
    const { db } = openDatabase({ path, migrations });
    const ids = (): unknown[] => db.prepare('SELECT id FROM heads ORDER BY id').all();
    expect(() =>
      transaction(db, () => {
        db.exec("INSERT INTO heads (id) VALUES ('a')");
        throw new Error('stop');
      }),
    ).toThrow('stop');
    expect(ids()).toEqual([]);

    transaction(db, () => {
      db.exec("INSERT INTO heads (id) VALUES ('b')");
      expect(() =>
        transaction(db, () => {
          db.exec("INSERT INTO heads (id) VALUES ('c')");
          throw new Error('only this part');
        }),
      ).toThrow('only this part');
    });
    expect(ids()).toEqual([{ id: 'b' }]);
    expect(() => transaction(db, () => Promise.resolve())).toThrow(/synchronous/);
    expect(db.isTransaction).toBe(false);
    db.close();
  });

  it('says that the disk is full, and goes on when there is space again', () => {
    const { db } = openDatabase({ path, migrations });
    const insert = (): void =>
      transaction(db, () =>
        db.prepare('INSERT INTO heads (id, name) VALUES (?, ?)').run('a', 'x'.repeat(100_000)),
      ) as unknown as undefined;
    db.exec('PRAGMA max_page_count = 8');
    const failure = failureOf(insert);
    expect(failure).toMatchObject({ code: 'storage', retryable: true });
    expect(failure.message).toContain('disk is full');
    expect(db.isTransaction).toBe(false);
    db.exec('PRAGMA max_page_count = 100000');
    insert();
    db.close();
  });

  it('that another process holds is reported as in use', () => {
    const { db } = openDatabase({ path, migrations });
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    db.exec('PRAGMA busy_timeout = 10');
    expect(failureOf(() => transaction(db, () => undefined)).message).toContain('in use by another program');
    other.close();
    db.close();
  });

  const holds = (text: string): string[] =>
    readdirSync(join(folder, 'inner')).filter((name) =>
      readFileSync(join(folder, 'inner', name)).includes(text),
    );

  it('of an older studio loses what was only marked as free, once', () => {
    openDatabase({ path, migrations }).db.close();
    const older = new DatabaseSync(path);
    older.exec('PRAGMA secure_delete = OFF; PRAGMA application_id = 0');
    const insert = older.prepare('INSERT INTO heads VALUES (?, ?)');
    for (let head = 0; head < 200; head += 1) insert.run(`h${head}`, `Unmistakable ${head} `.repeat(30));
    older.exec('DELETE FROM heads');
    older.close();
    expect(holds('Unmistakable')).not.toEqual([]);
    const { db } = openDatabase({ path, migrations });
    db.close();
    expect(holds('Unmistakable')).toEqual([]);
  });

  it('keeps nothing of what was deleted, neither in the file nor in its log', async () => {
    const { db } = openDatabase({ path, migrations });
    const insert = db.prepare('INSERT INTO heads VALUES (?, ?)');
    for (let head = 0; head < 500; head += 1)
      insert.run(
        `h${head}`,
        head % 3 === 0 ? `Unmistakable ${head} `.repeat((head % 40) + 1) : 'x'.repeat(head),
      );
    db.exec("DELETE FROM heads WHERE name LIKE 'Unmistakable%'");
    expect(await wipeDeleted(db)).toBe(true);
    expect(holds('Unmistakable')).toEqual([]);
    expect(statSync(`${path}-wal`).size).toBe(0);
    expect(db.prepare('SELECT count(*) AS n FROM heads').get()).toEqual({ n: 333 });
    // Somebody who reads the old state keeps it: that is told, and can be done again.
    const reader = new DatabaseSync(path);
    reader.exec('BEGIN; SELECT * FROM heads');
    reader.prepare('SELECT * FROM heads').all();
    db.exec("DELETE FROM heads WHERE id = 'h1'");
    expect(await wipeDeleted(db)).toBe(false);
    reader.close();
    expect(await wipeDeleted(db)).toBe(true);
    db.close();
  });
});
