import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WalFlush } from '../src/wal_flush.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'likeness-wal-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (mode: 'WAL' | 'DELETE'): DatabaseSync => {
  const db = new DatabaseSync(join(folder, 'words.db'));
  db.exec(`PRAGMA journal_mode = ${mode}; CREATE TABLE words (word TEXT)`);
  return db;
};

it('those who ask during a flush share the next one', async () => {
  const db = open('WAL');
  const wal = new WalFlush(db);
  const order: string[] = [];
  const first = wal.flushed().then(() => order.push('first'));
  // By now the flush has begun: who commits now may have come too late for it.
  await Promise.resolve();
  await Promise.resolve();
  const later = ['second', 'third'].map((word) => wal.flushed().then(() => order.push(word)));
  expect(wal.flushed()).toBe(wal.flushed());
  await Promise.all([first, ...later]);
  expect(order).toEqual(['first', 'second', 'third']);
  await wal.close();
  db.close();
});

it('tells those who waited that the disk refused, and tries again for the next ones', async () => {
  const db = open('DELETE');
  const wal = new WalFlush({
    location: () => join(folder, 'other'),
    prepare: () => ({ get: () => ({ journal_mode: 'wal' }) }),
  } as unknown as DatabaseSync);
  mkdirSync(join(folder, 'other-wal'));
  await expect(wal.flushed()).rejects.toMatchObject({ code: 'storage' });
  rmSync(join(folder, 'other-wal'), { recursive: true });
  // A log that is gone has been written into its database.
  await wal.flushed();
  await wal.close();
  db.close();
});

it('has nothing to wait for where there is no log', async () => {
  const db = open('DELETE');
  const wal = new WalFlush(db);
  expect(wal.path).toBeNull();
  await wal.flushed();
  db.close();
});
