import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { t, translate } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { describe, expect, it, vi } from 'vitest';
import { indexMigrations } from '../../../main/library/index/index_schema.ts';
import { Libraries } from '../../../main/library/libraries.ts';
import { createModelEditing } from '../../../main/library/model/model_editing.ts';
import { eraseFromLibraries, modelsToErase } from '../../../main/library/model/model_erasure.ts';
import { modelFault } from '../../../main/library/model/model_fault.ts';
import { atEnd, putModel, setStage, temporaryFolder } from '../../support/heads/heads.ts';

const names = (libraries: Libraries): string[] =>
  libraries.search({ sort: 'name', descending: false }, 0, 100).models.map(({ name }) => name);

describe('the folders are the library', () => {
  it('rebuilds the index from them when it was deleted', async () => {
    const { libraries, folder, dataFolder, reopen } = await setStage();
    await putModel(folder, { name: 'One', tags: ['x'], rating: 4, notes: 'n' });
    await putModel(folder, { name: 'Two', trashedAt: 7 });
    await libraries.rebuild();
    const before = libraries.search({}, 0, 10);
    await libraries.close();
    for (const end of ['', '-wal', '-shm']) await rm(join(dataFolder, `index.db${end}`), { force: true });
    const again = await reopen();
    expect(again.search({}, 0, 10)).toEqual(before);
    expect(again.search({ trash: true }, 0, 10).total).toBe(1);
  });

  it('rebuilds one library beside another one, and alone: each head is found once by each word', async () => {
    const { libraries, folder } = await setStage();
    await putModel(folder, { name: 'Ada', tags: ['actor'], collections: ['c1'] });
    const elsewhere = await temporaryFolder();
    const { id: second } = await libraries.add(elsewhere, 'Second');
    await putModel(elsewhere, { name: 'Grace', tags: ['actor'] });
    await libraries.rebuild();
    const [first] = libraries.list().filter(({ id }) => id !== second);
    const found = (): unknown[] =>
      ['actor', 'tag:actor', 'ada', 'grace'].map((text) => libraries.search({ text }, 0, 9).total);
    for (const id of [second, first!.id, undefined]) {
      await libraries.rebuild(id);
      expect(found()).toEqual([2, 2, 1, 1]);
    }
    await libraries.remove(second);
    for (let round = 0; round < 2; round += 1) {
      await libraries.rebuild();
      expect(found()).toEqual([1, 1, 1, 0]);
      expect([...libraries.index.collectionSizes()]).toEqual([['c1', 1]]);
    }
  });

  it('starts anew beside a damaged index', async () => {
    const { libraries, folder, dataFolder, reopen } = await setStage();
    await putModel(folder, { name: 'One' });
    await libraries.close();
    for (const end of ['-wal', '-shm']) await rm(join(dataFolder, `index.db${end}`), { force: true });
    await writeFile(
      join(dataFolder, 'index.db'),
      'this is no database at all, and long enough to be looked at',
    );
    expect(names(await reopen())).toEqual(['One']);
  });

  it('notices at the next start what was edited, added, copied and removed outside', async () => {
    const { folder, reopen, libraries } = await setStage();
    const kept = await putModel(folder, { name: 'Kept' });
    const gone = await putModel(folder, { name: 'Gone' });
    await libraries.rebuild();
    const record = join(folder, `model ${kept.id}`, 'likeness.json');
    await writeFile(record, (await readFile(record, 'utf8')).replace('Kept', 'Edited by hand'));
    await cp(join(folder, `model ${kept.id}`), join(folder, 'a copy'), { recursive: true });
    await rm(join(folder, `model ${gone.id}`), { recursive: true });
    await putModel(folder, { name: 'New' });
    const again = await reopen();
    expect(names(again)).toEqual(['Edited by hand', 'Edited by hand', 'New']);
    const ids = again.search({}, 0, 10).models.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it('notices a renamed folder as the same model', async () => {
    const { folder, reopen, libraries } = await setStage();
    const { id } = await putModel(folder, { name: 'One' });
    await libraries.rebuild();
    await rename(join(folder, `model ${id}`), join(folder, 'another name'));
    const again = await reopen();
    expect(again.search({}, 0, 10).models.map((model) => model.id)).toEqual([id]);
    expect(again.modelFolder(id)).toBe(join(folder, 'another name'));
  });

  it('notices while it is open', async () => {
    const { folder, libraries, told } = await setStage({ watch: true });
    await putModel(folder, { name: 'Dropped in' });
    await vi.waitFor(() => expect(names(libraries)).toEqual(['Dropped in']));
    await vi.waitFor(() => expect(told.flatMap(({ models }) => models).length).toBe(1));
  });

  it('shows what is broken instead of hiding it', async () => {
    const { folder, libraries } = await setStage();
    const missing = await putModel(folder, { name: 'Missing' });
    await rm(join(folder, `model ${missing.id}`, 'model.glb'));
    const cut = await putModel(folder, { name: 'Cut' });
    await writeFile(join(folder, `model ${cut.id}`, 'model.glb'), 'glTF');
    const torn = await putModel(folder, { name: 'Torn' });
    await writeFile(join(folder, `model ${torn.id}`, 'likeness.json'), '{"schema": 1, "na');
    await mkdir(join(folder, 'holiday pictures'));
    await libraries.rebuild();
    const { models } = libraries.search({ sort: 'name' }, 0, 10);
    expect(models.map(({ state }) => state).sort()).toEqual([
      'broken_model',
      'broken_record',
      'missing_model',
    ]);
    expect(libraries.search({ state: 'broken_record' }, 0, 10).models[0]?.name).toBe(`model ${torn.id}`);
  });

  it('says in the language of the moment why a record is broken, also once its model was looked at', async () => {
    const { folder, libraries, dataFolder, reopen } = await setStage();
    const { id: torn } = await putModel(folder);
    await writeFile(join(folder, `model ${torn}`, 'likeness.json'), '{"schema": 1, "na');
    await libraries.rebuild();
    const [card] = libraries.search({}, 0, 1).models;
    const id = card?.id ?? '';
    const why = '无法读取 likeness.json：不是 JSON。请用文本编辑器更正，或将其移除：模型会重新导入。';
    expect(translate(card?.fault ?? '', 'zh-CN')).toBe(why);
    expect((await libraries.model(id)).notes).toBe('');
    expect(await modelFault(libraries, id)).toEqual({ fault: '', refused: false });
    expect(translate(libraries.index.card(id)?.fault ?? '', 'zh-CN')).toBe(why);

    // As the studio before this one left it: the reason in the notes, in English.
    await libraries.close();
    const db = new DatabaseSync(join(dataFolder, 'index.db'));
    db.exec(`UPDATE models SET fault = '', faultSaid = NULL;
      UPDATE records SET record = json_set(record, '$.notes', 'it is not JSON');
      DROP INDEX models_by_engine;
      ALTER TABLE models DROP COLUMN engine;
      DROP INDEX models_by_library; DROP INDEX models_by_made; ALTER TABLE models DROP COLUMN madeAt;
      PRAGMA user_version = ${indexMigrations.length - 5};`);
    db.close();
    const again = await reopen();
    expect(translate(again.index.card(id)?.fault ?? '', 'zh-CN')).toBe(why);
    expect((await again.model(id)).notes).toBe('');
  });

  it('never touches a record of a newer studio', async () => {
    const { folder, libraries } = await setStage();
    const { id } = await putModel(folder);
    const record = join(folder, `model ${id}`, 'likeness.json');
    const newer = (await readFile(record, 'utf8')).replace('"schema": 1', '"schema": 2');
    await writeFile(record, newer);
    await libraries.rebuild();
    const [card] = libraries.search({}, 0, 1).models;
    expect(card?.state).toBe('broken_record');
    await expect(libraries.edit([card?.id ?? ''], (old) => ({ ...old, name: 'x' }))).rejects.toThrow(/newer/);
    expect(await readFile(record, 'utf8')).toBe(newer);
  });
});

describe('several libraries', () => {
  it('are searched together and apart, and one can be forgotten without losing a file', async () => {
    const { folder, libraries } = await setStage();
    await putModel(folder, { name: 'Here' });
    await libraries.rebuild();
    const elsewhere = join(await temporaryFolder(), 'elsewhere');
    await mkdir(elsewhere);
    await putModel(elsewhere, { name: 'There' });
    const added = await libraries.add(elsewhere, 'Second');
    expect(added).toMatchObject({ name: 'Second', models: 1, available: true, isDefault: false });
    expect(names(libraries)).toEqual(['Here', 'There']);
    expect(libraries.search({ libraryId: added.id }, 0, 10).total).toBe(1);
    await libraries.remove(added.id);
    expect(names(libraries)).toEqual(['Here']);
    expect((await readdir(elsewhere)).length).toBe(2);
    const back = await libraries.add(elsewhere);
    expect(back).toMatchObject({ id: added.id, name: 'Second', models: 1 });
  });

  it('moving one keeps everything, also across a restart', async () => {
    const { folder, libraries, reopen } = await setStage();
    const { id } = await putModel(folder, { name: 'Moved' });
    await libraries.rebuild();
    await libraries.changeFile(libraries.defaultId(), (file) => ({
      ...file,
      collections: [{ id: 'c1', name: 'Best' }],
    }));
    const target = await temporaryFolder();
    await libraries.move(libraries.defaultId(), target);
    expect(libraries.modelFolder(id)).toBe(join(target, 'Heads', `model ${id}`));
    await expect(readdir(folder)).rejects.toThrow();
    const again = await reopen();
    expect(names(again)).toEqual(['Moved']);
    expect(again.file(again.defaultId()).collections).toEqual([{ id: 'c1', name: 'Best' }]);
  });

  it('refuses to move one onto something that is there, or into itself', async () => {
    const { folder, libraries } = await setStage();
    const target = await temporaryFolder();
    await mkdir(join(target, 'Heads'));
    await expect(libraries.move(libraries.defaultId(), target)).rejects.toMatchObject({ code: 'conflict' });
    await expect(libraries.move(libraries.defaultId(), folder)).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  it('says so when the disk of one is not there, and keeps its place in the list', async () => {
    const { folder, libraries, reopen } = await setStage();
    await libraries.close();
    await rename(folder, `${folder}-away`);
    const again = await reopen();
    expect(again.list()).toMatchObject([{ name: 'My heads', available: false }]);
    expect(() => again.folder(again.defaultId())).toThrow(/not at/);
    await rename(`${folder}-away`, folder);
  });
});

describe('editing', () => {
  it('changes many at once, on disk and in the index, and takes it back', async () => {
    const { folder, libraries } = await setStage();
    const made = await Promise.all(
      [1, 2, 3].map((number) => putModel(folder, { name: `M${number}`, tags: ['old'] })),
    );
    await libraries.rebuild();
    const editing = createModelEditing(libraries);
    const ids = made.map(({ id }) => id);
    expect(await editing.edit(ids, { rating: 4, addTags: ['new'], removeTags: ['old'] })).toBe(3);
    expect(libraries.search({ tag: 'new', rating: 4 }, 0, 10).total).toBe(3);
    const onDisk = JSON.parse(
      await readFile(join(libraries.modelFolder(ids[0] ?? ''), 'likeness.json'), 'utf8'),
    );
    expect(onDisk).toMatchObject({ rating: 4, tags: ['new'] });
    expect(await editing.edit(ids, { rating: 4 })).toBe(0);
    expect(await editing.trash(ids.slice(0, 2))).toBe(2);
    expect(libraries.search({}, 0, 10).total).toBe(1);
    expect(await editing.undo()).toBe('trash (2)');
    expect(await editing.undo()).toBe('edit (3)');
    expect(libraries.search({ tag: 'old' }, 0, 10).total).toBe(3);
    expect(await editing.undo()).toBe('');
    await editing.edit(ids, { rating: 2 });
    // What the page keeps itself may be newer.
    const last = await editing.lastStep();
    expect(await editing.undo(last)).toBe('');
    expect(await editing.undo(last - 1)).toBe('rate (3)');
    expect(await editing.lastStep()).toBe(last);
  });

  it('keeps a step that could not be undone, for the next attempt', async () => {
    const { libraries } = await setStage();
    const editing = createModelEditing(libraries);
    let isFull = true;
    const takeBack = async (): Promise<void> => {
      if (isFull) throw new Failure('storage', t('library.no_search'));
    };
    editing.remember({ what: 'remove version', edited: [], files: { takeBack, again: takeBack } });
    await expect(editing.undo()).rejects.toMatchObject({ code: 'storage' });
    isFull = false;
    expect(await editing.undo()).toBe('remove version');
    expect(await editing.undo()).toBe('');
    isFull = true;
    await expect(editing.redo()).rejects.toMatchObject({ code: 'storage' });
    isFull = false;
    expect(await editing.redo()).toBe('remove version');
  });

  it('redoes what was undone, in order, until something new is done', async () => {
    const { folder, libraries } = await setStage();
    const made = await Promise.all(['a', 'b', 'c'].map((name) => putModel(folder, { name })));
    await libraries.rebuild();
    const editing = createModelEditing(libraries);
    const ids = made.map(({ id }) => id);
    const rule = { pattern: 'New {number}', find: '', replacement: '' };
    await editing.rename(ids, rule, false);
    await editing.edit(ids, { rating: 3 });
    await editing.trash(ids.slice(0, 1));
    for (const _ of ids) await editing.undo();
    const names = () => libraries.search({ sort: 'name' }, 0, 10).models.map(({ name }) => name);
    expect(names()).toEqual(['a', 'b', 'c']);
    expect(await editing.redo()).toBe('rename (3)');
    expect(names()).toEqual(['New 1', 'New 2', 'New 3']);
    expect(await editing.undo()).toBe('rename (3)');
    expect(names()).toEqual(['a', 'b', 'c']);
    expect([await editing.redo(), await editing.redo(), await editing.redo(), await editing.redo()]).toEqual([
      'rename (3)',
      'rate (3)',
      'trash (1)',
      '',
    ]);
    expect(libraries.search({ rating: 3 }, 0, 10).total).toBe(2);
    await editing.undo();
    await editing.undo();
    await editing.edit(ids.slice(0, 1), { flag: 'pick' });
    expect(await editing.redo()).toBe('');
    expect(libraries.search({ rating: 3 }, 0, 10).total).toBe(0);
  });

  it('redoes nothing on a head that was erased', async () => {
    const { folder, libraries } = await setStage();
    const [kept, erased] = await Promise.all(['a', 'b'].map((name) => putModel(folder, { name })));
    await libraries.rebuild();
    const editing = createModelEditing(libraries);
    await editing.edit([erased!.id], { notes: 'private' });
    await editing.edit([kept!.id, erased!.id], { rating: 3 });
    await editing.undo();
    await editing.undo();
    editing.forget([erased!.id]);
    expect([await editing.redo(), await editing.redo()]).toEqual(['rate (2)', '']);
    expect(libraries.search({ rating: 3 }, 0, 10).total).toBe(1);
  });

  it('renames by a pattern, shows beforehand how, and refuses fields that there are not', async () => {
    const { folder, libraries } = await setStage();
    await putModel(folder, { name: 'x', fileName: 'a.jpg' });
    await putModel(folder, { name: 'x', fileName: 'b.jpg', createdAt: Date.UTC(2026, 10, 20, 1) });
    await libraries.rebuild();
    const editing = createModelEditing(libraries);
    const ids = libraries.index.ids({ sort: 'created' });
    const rule = (pattern: string, find = '', replacement = '') => ({ pattern, find, replacement });
    const dated = rule('{date} {file} {number:3}');
    const preview = await editing.rename(ids, dated, true);
    expect(preview.map(({ to }) => to).sort()).toEqual(['2026-11-20 a 001', '2026-11-20 b 002'].sort());
    expect(names(libraries)).toEqual(['x', 'x']);
    await editing.rename(ids, dated, false);
    expect(names(libraries)).toEqual(preview.map(({ to }) => to).sort());
    await expect(editing.rename(ids, rule('{nmae}'), false)).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('erases for good: folder, rows, what an undo would bring back and indexes kept aside', async () => {
    const { folder, dataFolder, libraries } = await setStage();
    const { id } = await putModel(folder, {
      name: 'Ada Lovelace',
      photo: { sha256: 'abc', file: 'portrait.jpg', reference: null },
    });
    await writeFile(join(folder, `model ${id}`, 'portrait.jpg'), 'photo');
    await writeFile(join(dataFolder, 'index.damaged-20261103T101112Z.db'), 'Ada Lovelace');
    await libraries.rebuild();
    const editing = createModelEditing(libraries);
    await editing.edit([id], { rating: 1 });
    const models = modelsToErase(libraries, [id, 'unknown']);
    expect(models).toMatchObject([{ id, photoHash: 'abc', names: ['Ada Lovelace', `model ${id}`] }]);
    const once = await eraseFromLibraries(libraries, models);
    expect(once).toMatchObject({ erased: [id], setAside: 1, isClean: true });
    editing.forget([id]);
    expect(await readdir(folder)).toEqual(['library.json']);
    expect(libraries.search({ text: 'lovelace' }, 0, 10).total).toBe(0);
    expect(await editing.undo()).toBe('');
    for (const name of await readdir(dataFolder)) {
      if (!name.startsWith('index')) continue;
      expect((await readFile(join(dataFolder, name))).includes('Lovelace'), name).toBe(false);
    }
    // After a crash it is done again.
    expect(await eraseFromLibraries(libraries, models)).toMatchObject({ erased: [id], isClean: true });
  });

  it('leaves no part of a word in the search’s own tables', async () => {
    const { folder, dataFolder, libraries } = await setStage();
    for (let number = 0; number < 40; number += 1) await putModel(folder, { name: `Somebody ${number}` });
    const { id } = await putModel(folder, { name: 'Zqxjk' });
    await libraries.rebuild();
    await eraseFromLibraries(libraries, modelsToErase(libraries, [id]));
    const db = new DatabaseSync(join(dataFolder, 'index.db'));
    db.exec('CREATE VIRTUAL TABLE temp.words USING fts5vocab(main, searched, row)');
    const parts = db.prepare(`SELECT term FROM temp.words WHERE term IN ('zqx', 'qxj', 'som')`).all();
    db.close();
    expect(parts.map(({ term }) => term)).toEqual(['som']);
  });
});

describe('events', () => {
  it('are few however many models change, and say when the page must ask again', async () => {
    const { folder, libraries, told } = await setStage();
    await Promise.all(Array.from({ length: 260 }, (_, number) => putModel(folder, { name: `M${number}` })));
    told.length = 0;
    await libraries.rebuild();
    await wait(250);
    expect(told.length).toBeLessThanOrEqual(3);
    expect(told.some(({ stale }) => stale)).toBe(true);
    told.length = 0;
    const [card] = libraries.search({}, 0, 1).models;
    await libraries.edit([card?.id ?? ''], (record) => ({ ...record, rating: 3 }));
    await vi.waitFor(() => expect(told).toHaveLength(1));
    expect(told[0]).toMatchObject({ stale: false, models: [{ id: card?.id, rating: 3 }] });
  });
});

it('a second studio with its own index sees the same library', async () => {
  const { folder } = await setStage();
  await putModel(folder, { name: 'Shared' });
  const other = await Libraries.open({
    dataFolder: join(await temporaryFolder(), 'other'),
    clock: Date.now,
    watch: false,
  });
  atEnd(() => other.close());
  await other.add(folder);
  expect(names(other)).toEqual(['Shared']);
});
