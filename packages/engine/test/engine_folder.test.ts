/** The engine's records on a disk that fails, or that somebody else has changed. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Fault, withFault } from '../../../test/support/disk_faults.ts';
import { sized } from '../../../test/support/sizes.ts';
import { type OpenEngine, openEngine } from '../src/engine.ts';
import { takeEngineFolder } from '../src/engine_folder.ts';
import { createModelRecords } from '../src/models/model_records.ts';
import { UnusableFolder } from '../src/unusable_folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'likeness-engine-folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (): string => join(folder, '1/engine.sqlite');
const names = (): string[] => readdirSync(join(folder, '1')).filter((name) => name.startsWith('engine'));

const open = (): Promise<OpenEngine> =>
  openEngine({
    version: '1',
    folder,
    pathWord: 'svc',
    loadHeadMaker: null,
    loadFaceMaker: null,
    loadRecordingMaker: null,
    clock: Date.now,
    onLoad: () => {},
    log: () => {},
  });

/** Makes so many heads of an owner, as the queue does. @returns their ids */
async function makeHeads(prefix: string, count: number): Promise<string[]> {
  const taken = takeEngineFolder(folder, Date.now);
  const records = createModelRecords(taken.database);
  const ids = Array.from({ length: count }, (_, at) => `${prefix}-${at}`);
  const insert = taken.database.prepare(
    `INSERT INTO model (id, state, photo, sex, file, created_at, owner, kind, account)
     VALUES (?, 3, 'p', 1, ?, 1, 'ada', 'head', 'key')`,
  );
  for (const id of ids) {
    insert.run(id, `${id}.glb`);
    expect(records.succeed(id, { address: 'r', at: Date.now(), seconds: 1 })).toBe(true);
  }
  await taken.release();
  return ids;
}
/** Reads on from a cursor. @returns models, and the cursor after them */
async function readOn(after: string | null): Promise<{ ids: string[]; cursor: string | null }> {
  const taken = takeEngineFolder(folder, Date.now);
  const made = createModelRecords(taken.database).completions(after, 100);
  await taken.release();
  return { ids: made.map(({ id }) => id), cursor: made.at(-1)?.cursor ?? after };
}
const ids = async (): Promise<unknown[]> => {
  const engine = await open();
  const found = [];
  for (let at = 0; at < 3; at += 1) found.push(await engine.parts.queue.find(`one-${at}`, 'ada'));
  await engine.close();
  return found.map((model) => model?.id);
};

test.each<Fault>(sized(['EIO', 'BUSY'], ['EIO', 'ENOSPC', 'EACCES', 'BUSY']))(
  'one %s while they are opened refuses the start in words, and the next start has all models',
  async (fault) => {
    await makeHeads('one', 3);
    const refusals: unknown[] = [];
    for (let at = 1; ; at += 1) {
      let error: unknown;
      const failed = await withFault({ folder, fault, at }, async () => {
        error = await open().then(
          (engine) => engine.close(),
          (thrown: unknown) => thrown,
        );
      });
      if (!failed) break;
      // A fault may be met by something that can do without: then the start succeeds.
      if (error !== undefined) refusals.push(error);
      expect(names().filter((name) => name.includes('damaged'))).toEqual([]);
      expect(await ids()).toEqual(['one-0', 'one-1', 'one-2']);
    }
    expect(refusals.length).toBeGreaterThan(20);
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(UnusableFolder);
      expect((refusal as UnusableFolder).text.en).toContain(folder);
      expect((refusal as UnusableFolder).text.zh).toContain(folder);
    }
  },
  20_000,
);

test('records of a newer version are refused, and stay as they are', async () => {
  await makeHeads('one', 1);
  const database = new DatabaseSync(file());
  const known = Number(database.prepare('PRAGMA user_version').get()?.user_version);
  database.exec(`PRAGMA user_version = ${known + 1}`);
  database.close();
  const before = readFileSync(file());
  await expect(open()).rejects.toThrow(`schema ${known + 1}; this version reads up to ${known}`);
  expect(readFileSync(file()).equals(before)).toBe(true);
});

test('damaged records are set aside whole, and what is made afterwards is read once', async () => {
  await makeHeads('one', 5);
  const { cursor } = await readOn(null);
  const taken = takeEngineFolder(folder, Date.now);
  // Committed, and only in the write-ahead log.
  taken.database.exec('PRAGMA wal_autocheckpoint = 0');
  taken.database.exec("UPDATE model SET failure_en = 'only in the log' WHERE id = 'one-0'");
  const kept = ['', '-wal'].map((part) => readFileSync(file() + part));
  expect(kept[1]?.length).toBeGreaterThan(0);
  await taken.release();
  // The header of the file is overwritten, as by a disk that lost a block.
  writeFileSync(file(), Buffer.concat([Buffer.alloc(16), kept[0]!.subarray(16)]));
  writeFileSync(`${file()}-wal`, kept[1]!);

  expect(await makeHeads('two', 2)).toEqual(['two-0', 'two-1']);
  const aside = names().filter((name) => name.includes('damaged'));
  expect(aside.map((name) => name.replace(/\d+/, 'N')).sort()).toEqual(
    expect.arrayContaining(['engine.sqlite.damaged-N', 'engine.sqlite.damaged-N-wal']),
  );
  const path = join(folder, '1', aside.find((name) => /damaged-\d+$/.test(name))!);
  writeFileSync(path, kept[0]!);
  const old = new DatabaseSync(path);
  expect(old.prepare("SELECT failure_en FROM model WHERE id = 'one-0'").get()).toEqual({
    failure_en: 'only in the log',
  });
  old.close();

  // The books had read five of the old ones: none of the new ones is skipped, and none is read twice.
  const next = await readOn(cursor);
  expect(next.ids).toEqual(['two-0', 'two-1']);
  await makeHeads('three', 1);
  expect((await readOn(next.cursor)).ids).toEqual(['three-0']);
});

test('a back-up that was put back is read from its beginning, and a cursor of before names goes on', async () => {
  await makeHeads('one', 2);
  const backUp = readFileSync(file());
  await makeHeads('two', 2);
  const { cursor } = await readOn(null);
  for (const part of ['-wal', '-shm']) rmSync(file() + part, { force: true });
  writeFileSync(file(), backUp);
  await makeHeads('three', 1);
  expect((await readOn(cursor)).ids).toEqual(['one-0', 'one-1', 'three-0']);

  // Written by the version before: the cursor is a bare number.
  const database = new DatabaseSync(file());
  database.exec('DROP TABLE origin; ALTER TABLE model DROP COLUMN preview; PRAGMA user_version = 7');
  database.close();
  expect((await readOn('2')).ids).toEqual(['three-0']);
});
