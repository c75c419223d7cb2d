import { existsSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { Libraries } from '../../../main/library/libraries.ts';
import { createModelEditing } from '../../../main/library/model/model_editing.ts';
import { eraseFromLibraries, modelsToErase } from '../../../main/library/model/model_erasure.ts';
import { importModel } from '../../../main/library/model/model_import.ts';
import { createModelStore } from '../../../main/library/model_store.ts';
import { atEnd, putModel, setStage, smallestGlb, temporaryFolder } from '../../support/heads/heads.ts';

/** A folder on another disk than the temporary one: memory, on Linux. */
async function folderOnAnotherDisk(): Promise<string | null> {
  const disk = '/dev/shm';
  if (!existsSync(disk) || statSync(disk).dev === statSync(tmpdir()).dev) return null;
  const folder = await mkdtemp(join(disk, 'likeness-library-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Root may write anywhere: what permissions forbid is tried as somebody else. */
async function asSomebody<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work();
  const nobody = 65_534;
  process.seteuid?.(nobody);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

it('moves a library to another disk with all that is in it', async (context) => {
  const disk = await folderOnAnotherDisk();
  if (disk === null) {
    console.log('skipped: /dev/shm is no disk of its own here');
    return context.skip();
  }
  const working: unknown[] = [];
  const { folder, libraries, reopen } = await setStage({ onWorking: (step) => working.push(step) });
  const { id } = await putModel(folder, { name: 'Moved' });
  const model = join(folder, `model ${id}`);
  await writeFile(join(model, 'portrait.jpg'), 'photo');
  await utimes(join(model, 'model.glb'), 1_700_000_000, 1_700_000_000);
  await mkdir(join(folder, 'holiday pictures'));
  await libraries.rebuild();

  const moved = await libraries.move(libraries.defaultId(), disk);
  const there = join(disk, 'Heads', `model ${id}`);
  expect(moved).toMatchObject({ folder: join(disk, 'Heads'), models: 1, available: true });
  expect(libraries.modelFolder(id)).toBe(there);
  expect((await readdir(there)).sort()).toEqual(['likeness.json', 'model.glb', 'portrait.jpg']);
  expect(statSync(join(there, 'model.glb')).mtimeMs).toBe(1_700_000_000_000);
  expect(await readdir(disk)).toEqual(['Heads']);
  expect(existsSync(folder)).toBe(false);
  expect(working).toContainEqual({ what: 'move', done: 1, total: 3 });
  const again = await reopen();
  expect(again.search({}, 0, 10).models.map(({ name }) => name)).toEqual(['Moved']);
});

it('leaves a library where it was when not all of it can be copied', async (context) => {
  const disk = await folderOnAnotherDisk();
  if (disk === null) {
    console.log('skipped: /dev/shm is no disk of its own here');
    return context.skip();
  }
  const { folder, dataFolder, libraries } = await setStage();
  const { id } = await putModel(folder);
  await libraries.rebuild();
  const unreadable = join(folder, `model ${id}`, 'zz notes.txt');
  await writeFile(unreadable, 'of somebody else', { mode: 0o000 });
  await chmod(disk, 0o777);
  for (const path of [join(dataFolder, '..'), dataFolder, folder]) await chmod(path, 0o755);
  await asSomebody(async () => {
    await expect(libraries.move(libraries.defaultId(), disk)).rejects.toMatchObject({ code: 'storage' });
  });
  expect(await readdir(disk)).toEqual([]);
  expect(libraries.folder(libraries.defaultId())).toBe(folder);
  expect(libraries.modelFolder(id)).toBe(join(folder, `model ${id}`));
  // And it can still be written to.
  expect(await createModelEditing(libraries).edit([id], { rating: 3 })).toBe(1);
});

it('does not move a library that a head is on its way into', async () => {
  const { libraries } = await setStage();
  const id = libraries.defaultId();
  const modelStore = createModelStore(libraries);
  await modelStore.prepare(id, 'on-its-way');
  const elsewhere = await temporaryFolder();
  await expect(libraries.move(id, elsewhere)).rejects.toMatchObject({ code: 'conflict', retryable: true });
  await modelStore.discard(id, 'on-its-way');
  await libraries.move(id, elsewhere);
});

it('a read-only library is looked at, searched and exported, and says why it can’t be changed', async () => {
  const { libraries } = await setStage();
  const readOnly = await temporaryFolder();
  const other = await setStage();
  const { id } = await putModel(other.folder, { name: 'Archive' });
  await other.libraries.close();
  await rename(other.folder, join(readOnly, 'Archive'));
  const folder = join(readOnly, 'Archive');
  const model = join(folder, `model ${id}`);
  const before = await readFile(join(model, 'likeness.json'), 'utf8');
  for (const path of [readOnly, folder, model]) await chmod(path, 0o555);
  for (const name of ['likeness.json', 'model.glb']) await chmod(join(model, name), 0o444);
  await chmod(join(folder, 'library.json'), 0o444);
  atEnd(async () => {
    for (const path of [readOnly, folder, model]) await chmod(path, 0o755);
  });
  const added = await libraries.add(folder);
  expect(added).toMatchObject({ models: 1, available: true });
  expect(libraries.search({ text: 'archive' }, 0, 10).total).toBe(1);

  const editing = createModelEditing(libraries);
  const file = join(await temporaryFolder(), 'own.glb');
  await writeFile(file, smallestGlb);
  for (const path of [file, join(file, '..')]) await chmod(path, 0o755);
  await asSomebody(async () => {
    for (const attempt of [
      () => editing.edit([id], { rating: 5 }),
      () => editing.trash([id]),
      async () => {
        const { failed } = await eraseFromLibraries(libraries, modelsToErase(libraries, [id]));
        throw failed.get(id);
      },
      () => libraries.changeFile(added.id, (old) => ({ ...old, name: 'Other' })),
      () => importModel(libraries, added.id, { path: file, name: 'own.glb' }),
      () => createModelStore(libraries).prepare(added.id, 'new-model'),
    ])
      await expect(attempt()).rejects.toMatchObject({
        code: 'storage',
        message: expect.stringContaining('this user has no permission'),
      });
  });
  expect(await readFile(join(model, 'likeness.json'), 'utf8')).toBe(before);
  expect(await libraries.model(id)).toMatchObject({ name: 'Archive', rating: 0, trashedAt: null });
  expect(libraries.one(added.id).name).toBe(added.name);
  expect((await readdir(folder)).sort()).toEqual(['library.json', `model ${id}`].sort());
});

it('a disk that is taken out keeps its place, its heads and its mount point clean, and comes back by a look', async () => {
  const { folder, libraries, told } = await setStage();
  const { id } = await putModel(folder, { name: 'On the stick' });
  await libraries.rebuild();
  await rename(folder, `${folder} away`);
  await mkdir(folder); // the mount point without its disk
  const library = libraries.defaultId();

  // Nothing is written under the mount point, where it would be lost to sight once the disk is back.
  await expect(createModelStore(libraries).prepare(library, 'new-model')).rejects.toMatchObject({
    code: 'storage',
    retryable: true,
  });
  expect(await readdir(folder)).toEqual([]);
  await expect(libraries.scan(library)).rejects.toMatchObject({ code: 'storage' });
  await vi.waitFor(() => expect(told.at(-1)?.libraries).toMatchObject([{ available: false, models: 1 }]));
  await expect(libraries.model(id)).rejects.toMatchObject({ message: expect.stringContaining('is not at') });

  await rm(folder, { recursive: true });
  await rename(`${folder} away`, folder);
  await libraries.checkFolders();
  await vi.waitFor(() => expect(told.at(-1)?.libraries).toMatchObject([{ available: true, models: 1 }]));
  expect(await libraries.model(id)).toMatchObject({ name: 'On the stick' });
});

it('sees at a look what was edited in place, and does not look again at once', async () => {
  const { folder, libraries } = await setStage();
  const { id } = await putModel(folder, { name: 'Before' });
  await libraries.rebuild();
  const record = join(folder, `model ${id}`, 'likeness.json');
  await writeFile(record, (await readFile(record, 'utf8')).replace('Before', 'Afterwards'));
  await libraries.checkFolders();
  const names = (): string[] => libraries.search({}, 0, 10).models.map(({ name }) => name);
  expect(names()).toEqual(['Afterwards']);
  await writeFile(record, (await readFile(record, 'utf8')).replace('Afterwards', 'Too soon'));
  await libraries.checkFolders();
  expect(names()).toEqual(['Afterwards']);
});

it('takes over the libraries that the command line has added, moved and forgotten meanwhile', async () => {
  const { dataFolder, libraries } = await setStage();
  const first = libraries.defaultId();
  const terminal = await Libraries.open({ dataFolder, clock: Date.now, watch: false });
  const added = await terminal.add(join(await temporaryFolder(), 'Second'));
  await putModel(added.folder, { name: 'There' });
  const moved = await terminal.move(first, await temporaryFolder());
  await terminal.makeDefault(added.id);
  await terminal.close();

  await libraries.checkFolders();
  expect(libraries.list()).toMatchObject([
    { id: first, folder: moved.folder, isDefault: false },
    { id: added.id, isDefault: true, models: 1 },
  ]);
  // What is written now keeps what the other process wrote.
  await libraries.makeDefault(first);
  const again = await Libraries.open({ dataFolder, clock: Date.now, watch: false });
  atEnd(() => again.close());
  expect(again.list().map(({ id }) => id)).toEqual([first, added.id]);
});

it('says of each library whether it can be written, and notices when that changes', async () => {
  let mayWrite = false;
  const { libraries, told } = await setStage({ canWrite: async () => mayWrite });
  expect(libraries.list()).toMatchObject([{ available: true, writable: false }]);
  mayWrite = true;
  await libraries.scan(libraries.defaultId());
  expect(libraries.list()).toMatchObject([{ writable: true }]);
  await vi.waitFor(() => expect(told.at(-1)?.libraries).toMatchObject([{ writable: true }]));
});
