import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { MadeModel } from '../../../main/base/model_store.ts';
import { indexMigrations } from '../../../main/library/index/index_schema.ts';
import type { Libraries } from '../../../main/library/libraries.ts';
import { earlierAsset } from '../../../main/library/library_calls.ts';
import { bringBack, removeEarlier } from '../../../main/library/model/earlier_versions.ts';
import { createModelEditing } from '../../../main/library/model/model_editing.ts';
import { modelsToErase } from '../../../main/library/model/model_erasure.ts';
import { createModelStore } from '../../../main/library/model_store.ts';
import { makeGlb } from '../../fixtures/service/glb.ts';
import { setStage, temporaryFolder } from '../../support/heads/heads.ts';

const first = '3f1b5a52-0000-4000-8000-000000000001';
const second = '3f1b5a52-0000-4000-8000-000000000002';

/** A head's file that says by which engine it was made. */
function headBy(engine: string): Buffer {
  const glb = makeGlb();
  const length = glb.readUInt32LE(12);
  const gltf = JSON.parse(glb.subarray(20, 20 + length).toString()) as { scenes?: object[]; scene?: number };
  gltf.scenes = [{ ...gltf.scenes?.[0], extras: { engine } }];
  gltf.scene = 0;
  const text = JSON.stringify(gltf);
  const json = Buffer.from(text.padEnd(Math.ceil(Buffer.byteLength(text) / 4) * 4));
  const rest = glb.subarray(20 + length);
  const head = Buffer.from(glb.subarray(0, 20));
  head.writeUInt32LE(20 + json.length + rest.length, 8);
  head.writeUInt32LE(json.length, 12);
  return Buffer.concat([head, json, rest]);
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function made(changes: Partial<MadeModel> = {}): Promise<MadeModel> {
  const path = join(await temporaryFolder(), 'ada.jpg');
  const photo = Buffer.from('\xff\xd8\xff the photo', 'latin1');
  await writeFile(path, photo);
  return {
    id: first,
    name: 'Ada',
    fileName: 'ada.jpg',
    photo: { path, sha256: hashOf(photo) },
    parameters: { sex: 'female', eyelidType: null, crop: null, corrections: null, options: null },
    others: [],
    photoUses: null,
    overridden: [],
    profile: { id: 'built-in', name: 'Built-in' },
    remoteModelId: 'r1',
    timings: { submittedAt: 1, doneAt: 2, seconds: 0.001 },
    cost: 0,
    currency: 'USD',
    tags: ['x'],
    replaces: null,
    sha256: '',
    ...changes,
  };
}

/** A library with one head, made by engine 12, where 13 is the engine that is here. */
async function withHead() {
  const { libraries, dataFolder, reopen } = await setStage({ engine: 'portrait-13' });
  const store = createModelStore(libraries);
  const library = store.defaultLibraryId();
  const make = async (engine: string, model: MadeModel): Promise<void> => {
    await writeFile(await store.prepare(library, model.id), headBy(engine));
    await store.finish(library, model);
  };
  await make('portrait-12', await made());
  return { libraries, store, library, make, dataFolder, reopen };
}

const fileOf = (libraries: Libraries): Promise<Buffer> =>
  readFile(join(libraries.modelFolder(first), 'model.glb'));

const again = { id: second, replaces: first, remoteModelId: 'r2', name: 'whatever', tags: [] };

describe('a head that is made again', () => {
  it('is found by the engine that made it', async () => {
    const { libraries, make } = await withHead();
    await make('portrait-13', await made({ id: 'new-one' }));
    await make('portrait-9', await made({ id: 'other-one', profile: { id: 'else', name: 'Else' } }));
    expect(libraries.index.ids({ outdated: true })).toEqual([first]);
    expect(await libraries.model(first)).toMatchObject({
      engine: 'portrait-12',
      outdated: true,
      earlier: [],
    });
    expect((await libraries.model('new-one')).outdated).toBe(false);
  });

  it('keeps its name, tags and notes, and its file of before', async () => {
    const { libraries, store, library, make } = await withHead();
    await libraries.edit([first], (record) => ({ ...record, name: 'Ada L.', notes: 'good', rating: 4 }));
    const before = await fileOf(libraries);
    const options = { smile: 1 };
    const parameters = { ...(await made()).parameters, options };
    await make('portrait-13', await made({ ...again, parameters }));
    expect(await store.has(library, second, 'whatever', first)).toBe(true);
    const head = await libraries.model(first);
    expect(head).toMatchObject({ name: 'Ada L.', notes: 'good', rating: 4, tags: ['x'], options });
    expect(head).toMatchObject({ engine: 'portrait-13', outdated: false, remoteModelId: 'r2', state: 'ok' });
    expect(head.earlier).toMatchObject([{ id: first, engine: 'portrait-12', options: null }]);
    expect(await fileOf(libraries)).not.toEqual(before);
    expect(await readFile(join(libraries.modelFolder(first), 'earlier', first, 'model.glb'))).toEqual(before);
    expect(libraries.search({}, 0, 10).total).toBe(1);
    expect(await store.unfinished(library)).toEqual([]);
    expect(libraries.index.ids({ outdated: true })).toEqual([]);
  });

  it('says when its present file was made, and has been in the library since before', async () => {
    const { libraries, make } = await withHead();
    await libraries.edit([first], (record) => ({ ...record, createdAt: 1000, madeAt: 1000 }));
    expect(await libraries.model(first)).toMatchObject({ createdAt: 1000, madeAt: 1000 });
    await make('portrait-13', await made(again));
    const head = await libraries.model(first);
    expect(head).toMatchObject({ createdAt: 1000, earlier: [{ madeAt: 1000 }] });
    expect(head.madeAt).toBeGreaterThan(1_000_000);
    // In the list and the search it is as old as its file, as on its page.
    const from = { createdFrom: 1_000_000 };
    expect(libraries.search(from, 0, 10).models).toMatchObject([{ id: first, madeAt: head.madeAt }]);
    expect(libraries.search({ createdTo: 1_000_000 }, 0, 10).total).toBe(0);
  });

  it('is found, sorted and named by the day that is shown, not by the one on which it came in', async () => {
    const { libraries, dataFolder, reopen } = await withHead();
    const local = (year: number, month: number, date: number): number =>
      new Date(year, month - 1, date, 12).getTime();
    // Near midnight the day of UTC is another one in most places.
    const shown = new Date(2026, 10, 3, 0, 30).getTime();
    await libraries.edit([first], (record) => ({ ...record, createdAt: local(2026, 11, 28), madeAt: shown }));
    const found = (library: Libraries): string[] =>
      ['made:2026-11-03', '2026-11-03', 'made:2026-11-28', '2026-11-28'].filter(
        (text) => library.search({ text }, 0, 10).total === 1,
      );
    expect(found(libraries)).toEqual(['made:2026-11-03', '2026-11-03']);
    const editing = createModelEditing(libraries);
    expect(
      await editing.rename([first], { pattern: '{date}', find: '', replacement: '' }, true),
    ).toMatchObject([{ to: '2026-11-03' }]);
    await libraries.close();
    // An index of before has words by the other day.
    const db = new DatabaseSync(join(dataFolder, 'index.db'));
    db.exec(`UPDATE texts SET searchText = replace(searchText, '2026-11-03', '2026-11-28');
      DROP INDEX models_by_made; ALTER TABLE models DROP COLUMN madeAt;
      PRAGMA user_version = ${indexMigrations.length - 2};`);
    db.close();
    expect(found(await reopen())).toEqual(['made:2026-11-03', '2026-11-03']);
  });

  it('can have its file of before back, and the other one again', async () => {
    const { libraries, make } = await withHead();
    const [one] = [await fileOf(libraries)];
    await make('portrait-13', await made(again));
    const two = await fileOf(libraries);
    await bringBack(libraries, first, first);
    expect(await fileOf(libraries)).toEqual(one);
    expect(await libraries.model(first)).toMatchObject({ engine: 'portrait-12', earlier: [{ id: second }] });
    await bringBack(libraries, first, second);
    expect(await fileOf(libraries)).toEqual(two);
    expect(await readdir(join(libraries.modelFolder(first), 'earlier'))).toEqual([first]);
    const putBack = await removeEarlier(libraries, first, first);
    expect(await readdir(join(libraries.modelFolder(first), 'earlier'))).toEqual([]);
    expect((await libraries.model(first)).earlier).toEqual([]);
    await expect(bringBack(libraries, first, first)).rejects.toMatchObject({ code: 'not_found' });
    await putBack();
    await bringBack(libraries, first, first);
    expect(await fileOf(libraries)).toEqual(one);
  });

  it('loses nothing where it is broken off and done again', async () => {
    const { libraries, store, library, make } = await withHead();
    const before = await fileOf(libraries);
    const folder = libraries.modelFolder(first);
    const record = await readFile(join(folder, 'likeness.json'));
    await make('portrait-13', await made(again));
    const after = await fileOf(libraries);
    // As if it had ended before the last step: the file is there, and the record doesn't know it.
    await writeFile(join(folder, 'likeness.json'), record);
    await libraries.rescanModel(first);
    expect(await store.has(library, second, 'whatever', first)).toBe(false);
    await make('portrait-13', await made(again));
    expect(await fileOf(libraries)).toEqual(after);
    expect(await readFile(join(folder, 'earlier', first, 'model.glb'))).toEqual(before);
    expect((await libraries.model(first)).earlier).toHaveLength(1);
  });

  it('becomes a head of its own where the other one was erased meanwhile', async () => {
    const { libraries, make } = await withHead();
    await rm(libraries.modelFolder(first), { recursive: true });
    libraries.forget([first]);
    await make('portrait-13', await made(again));
    expect(await libraries.model(second)).toMatchObject({ name: 'whatever', state: 'ok', earlier: [] });
  });

  it('gets its old file back by the first undo, and the edit of before by the second', async () => {
    const { libraries, make } = await withHead();
    const editing = createModelEditing(libraries);
    await editing.edit([first], { rating: 5 });
    await make('portrait-13', await made(again));
    expect(await editing.undo()).toBe('version');
    expect(await libraries.model(first)).toMatchObject({ rating: 5, engine: 'portrait-12', state: 'ok' });
    await editing.undo();
    expect(await libraries.model(first)).toMatchObject({ rating: 0, engine: 'portrait-12', state: 'ok' });
    expect(await editing.undo()).toBe('');
    expect([await editing.redo(), await editing.redo()]).toEqual(['rate (1)', 'version']);
    expect(await libraries.model(first)).toMatchObject({ rating: 5, engine: 'portrait-13', state: 'ok' });
    expect(await editing.undo()).toBe('version');
    expect(await libraries.model(first)).toMatchObject({ rating: 5, engine: 'portrait-12', state: 'ok' });
  });

  it('keeps its new file when an edit of before is undone after the old file is gone', async () => {
    const { libraries, make } = await withHead();
    const editing = createModelEditing(libraries);
    await editing.edit([first], { rating: 5 });
    await make('portrait-13', await made(again));
    await removeEarlier(libraries, first, first);
    await editing.undo();
    expect(await libraries.model(first)).toMatchObject({ rating: 0, engine: 'portrait-13', state: 'ok' });
  });

  it('shows the files of its earlier versions to the page, and no others', async () => {
    const { libraries, make } = await withHead();
    await make('portrait-13', await made(again));
    const path = await earlierAsset(libraries, 'earlier-model', `${first}.${first}`);
    expect(path && (await readFile(path)).equals(headBy('portrait-12'))).toBe(true);
    for (const id of [`${first}.${second}`, `${second}.${first}`, first, `${first}...`])
      expect(await earlierAsset(libraries, 'earlier-model', id)).toBeNull();
  });

  it('is known for what it is after an update of the studio that made it', async () => {
    const { libraries, dataFolder, reopen } = await withHead();
    const folder = libraries.modelFolder(first);
    await libraries.close();
    // As the studio before this one left index and record: neither says by which engine it was made.
    const db = new DatabaseSync(join(dataFolder, 'index.db'));
    db.exec(`DROP INDEX models_by_engine; ALTER TABLE models DROP COLUMN engine;
      UPDATE records SET record = json_remove(record, '$.engine', '$.earlier', '$.making', '$.madeAt');
      DROP INDEX models_by_library; DROP INDEX models_by_made; ALTER TABLE models DROP COLUMN madeAt;
      PRAGMA user_version = ${indexMigrations.length - 4};`);
    db.close();
    const path = join(folder, 'likeness.json');
    const { engine, earlier, making, madeAt, ...record } = JSON.parse(await readFile(path, 'utf8'));
    expect([engine, earlier, making]).toEqual(['portrait-12', [], '']);
    expect(madeAt).toBeGreaterThan(0);
    await writeFile(path, JSON.stringify(record));
    const later = await reopen();
    expect(await later.model(first)).toMatchObject({ engine: 'portrait-12', outdated: true, earlier: [] });
    // Without a time of its own the file is as old as the head.
    const { createdAt } = await later.model(first);
    expect((await later.model(first)).madeAt).toBe(createdAt);
  });

  it('is erased with all that it was', async () => {
    const { libraries, make } = await withHead();
    await make('portrait-13', await made(again));
    expect(modelsToErase(libraries, [first])).toMatchObject([
      { remoteModelId: 'r2', earlier: [{ profileId: 'built-in', remoteModelId: 'r1' }] },
    ]);
  });
});
