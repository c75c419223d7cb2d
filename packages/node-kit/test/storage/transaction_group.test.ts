import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../src/storage/database.ts';
import { TransactionGroup } from '../../src/storage/transaction_group.ts';

let folder: string;
let db: DatabaseSync;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'likeness-group-'));
  const migrations = ['CREATE TABLE words (word TEXT PRIMARY KEY) STRICT'];
  ({ db } = openDatabase({ path: join(folder, 'group.db'), migrations, durability: 'normal' }));
});

afterEach(() => {
  if (db.isOpen) db.close();
  rmSync(folder, { recursive: true, force: true });
});

const put = (word: string) => (): string => {
  db.prepare('INSERT INTO words VALUES (?)').run(word);
  return word;
};
const words = (): string[] =>
  db
    .prepare('SELECT word FROM words ORDER BY rowid')
    .all()
    .map(({ word }) => String(word));

describe('parts of one transaction', () => {
  it('are committed together, and one that fails is undone alone', async () => {
    const exec = vi.spyOn(db, 'exec');
    const group = new TransactionGroup(db);
    const outcomes = await Promise.allSettled([
      group.run(put('a'), 'full'),
      group.run(() => {
        put('half')();
        throw new Error('no');
      }, 'full'),
      group.run(put('a'), 'normal'),
      group.run(put('b'), 'normal'),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(words()).toEqual(['a', 'b']);
    expect(exec.mock.calls.filter(([sql]) => sql === 'COMMIT')).toHaveLength(1);
    group.close();
  });

  it('gather while the disk is waited for, and durable ones are told only when it is done', async () => {
    const order: string[] = [];
    const exec = vi.spyOn(db, 'exec');
    const group = new TransactionGroup(db, () => order.push('flushed'));
    const tell = (word: string): number => order.push(word);
    const first = group.run(put('first'), 'full').then(tell);
    const second = group.run(put('second'), 'normal').then(async (told) => {
      tell(told);
      // The disk is still flushing the first transaction.
      await Promise.all(['third', 'fourth'].map((word) => group.run(put(word), 'full').then(tell)));
    });
    await Promise.all([first, second]);
    expect(order).toEqual(['second', 'flushed', 'first', 'flushed', 'third', 'fourth']);
    expect(exec.mock.calls.filter(([sql]) => sql === 'COMMIT')).toHaveLength(2);
    group.close();
  });

  it('all fail where the disk is full, and the next ones go through when there is room', async () => {
    const group = new TransactionGroup(db);
    const pages = Number(db.prepare('PRAGMA page_count').get()?.page_count);
    db.exec(`PRAGMA max_page_count = ${pages}`);
    const long = (letter: string): string => letter.repeat(20_000);
    const outcomes = await Promise.allSettled([
      group.run(put('short'), 'full'),
      group.run(put(long('x')), 'full'),
    ]);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'storage', retryable: true } });
    expect(words()).toEqual([]);
    db.exec(`PRAGMA max_page_count = ${pages + 1000}`);
    await group.run(put(long('y')), 'full');
    expect(words()).toEqual([long('y')]);
    group.close();
  });

  it('are not lost when the group is closed before their turn', async () => {
    const group = new TransactionGroup(db);
    const last = group.run(put('last'), 'full');
    group.close();
    expect(await last).toBe('last');
    db.close();
    ({ db } = openDatabase({ path: join(folder, 'group.db'), migrations: ['', ''] }));
    expect(words()).toEqual(['last']);
  });
});
