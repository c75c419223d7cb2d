import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contract } from '#contract';
import type { MadeModel } from '../../../main/base/model_store.ts';
import { createDroppedFiles } from '../../../main/dropped_files.ts';
import { createModelExports } from '../../../main/library/export/model_export.ts';
import type { Libraries } from '../../../main/library/libraries.ts';
import { libraryCalls, modelAsset } from '../../../main/library/library_calls.ts';
import { createModelEditing } from '../../../main/library/model/model_editing.ts';
import { createModelStore } from '../../../main/library/model_store.ts';
import {
  builtInOnly,
  convertHere,
  noBlender,
  putModel,
  realHead,
  setStage,
  smallestGlb,
  temporaryFolder,
} from '../../support/heads/heads.ts';

const photo = Buffer.from('\xff\xd8\xff the photo', 'latin1');
const photoHash = createHash('sha256').update(photo).digest('hex');

async function made(changes: Partial<MadeModel> = {}): Promise<MadeModel> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'ada.JPG'), photo, { mode: 0o444 });
  return {
    id: '3f1b5a52-0000-4000-8000-000000000001',
    name: '../Ada: CON',
    fileName: 'ada.JPG',
    photo: { path: join(folder, 'ada.JPG'), sha256: photoHash },
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

describe('shelving what the queue made', () => {
  it('shows a model only when all of it is there', async () => {
    const { libraries, folder } = await setStage({
      renderThumbnail: async () => Buffer.from('RIFF....WEBP'),
    });
    const modelStore = createModelStore(libraries);
    const model = await made();
    const library = modelStore.defaultLibraryId();
    await writeFile(await modelStore.prepare(library, model.id), smallestGlb);
    await libraries.scan(library);
    expect(libraries.search({}, 0, 10).total).toBe(0);
    expect(await modelStore.has(library, model.id, model.name, null)).toBe(false);
    await modelStore.finish(library, model);
    expect(await modelStore.has(library, model.id, model.name, null)).toBe(true);
    const [name] = (await readdir(folder)).filter((entry) => entry !== 'library.json');
    expect(name).toBe('Ada_ CON 3f1b5a52');
    expect((await readdir(join(folder, name ?? ''))).sort()).toEqual([
      'likeness.json',
      'model.glb',
      'portrait.jpg',
      'thumbnail.webp',
    ]);
    expect((await stat(join(folder, name ?? '', 'portrait.jpg'))).mode & 0o200).toBe(0o200);
    expect(await libraries.model(model.id)).toMatchObject({
      name: '../Ada: CON',
      hasThumbnail: true,
      hasPortrait: true,
      state: 'ok',
      photoHash: photoHash,
    });
    expect(modelStore.madeBefore(photoHash, model.parameters, 'built-in')).toBe(model.id);
    expect(modelStore.madeBefore(photoHash, { ...model.parameters, sex: 'male' }, 'built-in')).toBeNull();
    expect(modelStore.madeBefore(photoHash, model.parameters, 'other')).toBeNull();
  });

  it('can be done again after a crash between any two of its steps', async () => {
    const { libraries, folder } = await setStage();
    const modelStore = createModelStore(libraries);
    const model = await made();
    const library = modelStore.defaultLibraryId();
    await writeFile(await modelStore.prepare(library, model.id), smallestGlb);
    await modelStore.finish(library, model);
    libraries.index.remove([model.id]);
    expect(await modelStore.has(library, model.id, model.name, null)).toBe(true);
    expect(libraries.search({}, 0, 10).total).toBe(1);
    await writeFile(await modelStore.prepare(library, model.id), smallestGlb);
    await modelStore.finish(library, model);
    expect((await readdir(folder)).length).toBe(2);
    expect(await modelStore.unfinished(library)).toEqual([]);
  });

  it('takes away what was begun and will not come', async () => {
    const { libraries, folder } = await setStage();
    const modelStore = createModelStore(libraries);
    const library = modelStore.defaultLibraryId();
    await writeFile(await modelStore.prepare(library, 'abc'), 'half');
    expect(await modelStore.unfinished(library)).toEqual(['abc']);
    await modelStore.discard(library, 'abc');
    expect(await readdir(folder)).toEqual(['library.json']);
  });

  it('keeps no copy of what took the photo’s place meanwhile', async () => {
    const { libraries } = await setStage();
    const modelStore = createModelStore(libraries);
    const model = await made();
    const secret = join(await temporaryFolder(), 'secret.txt');
    await writeFile(secret, 'SECRET');
    await rm(model.photo.path);
    await symlink(secret, model.photo.path);
    const library = modelStore.defaultLibraryId();
    await writeFile(await modelStore.prepare(library, model.id), smallestGlb);
    await modelStore.finish(library, model);
    expect((await readdir(libraries.modelFolder(model.id))).sort()).toEqual(['likeness.json', 'model.glb']);
    expect((await libraries.model(model.id)).hasPortrait).toBe(false);
  });

  it('keeps a reference instead of a copy where the person wants that', async () => {
    const { libraries } = await setStage();
    const modelStore = createModelStore(libraries);
    const library = modelStore.defaultLibraryId();
    await libraries.changeFile(library, (file) => ({ ...file, keepPhotos: 'reference' }));
    const model = await made();
    await writeFile(await modelStore.prepare(library, model.id), smallestGlb);
    await modelStore.finish(library, model);
    expect(existsSync(join(libraries.modelFolder(model.id), 'portrait.jpg'))).toBe(false);
    expect(await modelAsset(libraries, 'portrait', model.id)).toBe(model.photo.path);
  });
});

async function callsOf(libraries: Libraries, folderToChoose: string | null = null) {
  const drops = createDroppedFiles(() => crypto.randomUUID());
  const calls = libraryCalls({
    libraries,
    editing: createModelEditing(libraries),
    exports: createModelExports(
      libraries,
      join(await temporaryFolder(), 'exports'),
      convertHere,
      builtInOnly,
    ),
    blender: noBlender,
    beforeErase: () => Promise.reject(new Error('not here')),
    erase: () => Promise.reject(new Error('not here')),
    chooseFolder: async () => folderToChoose,
    reveal: async () => {},
    takeDropped: drops.take,
  });
  return { drops, calls };
}

describe('the calls', () => {
  it('import GLB and VRM by drop, say what can’t be, and remove uploads', async () => {
    const { libraries } = await setStage();
    const { calls, drops } = await callsOf(libraries);
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'upload-1'), await realHead());
    await writeFile(join(folder, 'text.glb'), 'no model');
    const dropIds = [
      drops.register({ path: join(folder, 'upload-1'), name: 'avatars/Mira.vrm', temporary: true }),
      drops.register({ path: join(folder, 'text.glb'), name: 'text.glb', temporary: false }),
    ];
    const { added, problems } = contract.library.calls.importDropped.out.parse(
      await calls.importDropped({ dropIds }),
    );
    expect(added).toMatchObject([{ name: 'Mira', source: 'import', hasThumbnail: false }]);
    expect(problems).toMatchObject([{ fileName: 'text.glb', problem: expect.stringContaining('GLB') }]);
    expect(await readdir(folder)).toEqual(['text.glb']);
    const id = added[0]?.id ?? '';
    const webp = Buffer.from('RIFF\0\0\0\0WEBPVP8 ').toString('base64');
    expect(await calls.setThumbnail({ id, webp })).toMatchObject({ hasThumbnail: true, version: 1 });
    await expect(calls.setThumbnail({ id, webp: 'AAAA' })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await calls.readiness({ id })).toMatchObject({ arkit: { found: 52 } });
    expect(() => drops.take(dropIds)).toThrow(/no longer/);
  });

  it('keep collections and saved searches in the library’s own folder', async () => {
    const { libraries, folder, reopen } = await setStage();
    const { id } = await putModel(folder);
    await libraries.rebuild();
    const { calls } = await callsOf(libraries);
    const best = await calls.createCollection({ name: 'Best' });
    await calls.edit({ selection: { ids: [id] }, changes: { addCollection: best.id } });
    await calls.saveSearch({ name: 'Women', query: { sex: 'female' } });
    const again = await reopen();
    await again.rebuild();
    const { calls: later } = await callsOf(again);
    expect(await later.collections(undefined)).toMatchObject([{ name: 'Best', models: 1 }]);
    expect(await later.savedSearches(undefined)).toMatchObject([{ name: 'Women', query: { sex: 'female' } }]);
    await later.renameCollection({ id: best.id, name: 'Very best' });
    await later.removeCollection({ id: best.id });
    expect(await later.collections(undefined)).toEqual([]);
    expect((await again.model(id)).collections).toEqual([]);
    await expect(async () =>
      later.edit({ selection: { ids: [id] }, changes: { addCollection: 'gone' } }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('undo what was done to collections and saved searches', async () => {
    const { libraries, folder } = await setStage();
    const { id } = await putModel(folder);
    await libraries.rebuild();
    const { calls } = await callsOf(libraries);
    const best = await calls.createCollection({ name: 'Best' });
    await calls.createCollection({ name: 'Worst' });
    await calls.edit({ selection: { ids: [id] }, changes: { addCollection: best.id } });
    await calls.renameCollection({ id: best.id, name: 'Very best' });
    await calls.removeCollection({ id: best.id });
    const first = await calls.saveSearch({ name: 'Women', query: { sex: 'female' } });
    const second = await calls.saveSearch({ name: 'Women', query: { sex: 'female', rating: 3 } });
    await calls.removeSavedSearch({ id: second.id });

    const undo = async (): Promise<string> => (await calls.undo({ after: 0 })).undone;
    const searches = async () => (await calls.savedSearches(undefined)).map((search) => search.id);
    const names = async () => (await calls.collections(undefined)).map(({ name, models }) => [name, models]);
    expect([await undo(), await searches()]).toEqual(['remove search', [second.id]]);
    expect([await undo(), await searches()]).toEqual(['save search', [first.id]]);
    expect([await undo(), await searches()]).toEqual(['save search', []]);
    expect([await undo(), await names()]).toEqual([
      'remove collection',
      [
        ['Very best', 1],
        ['Worst', 0],
      ],
    ]);
    expect([await undo(), (await names())[0]]).toEqual(['rename collection', ['Best', 1]]);
    expect([await undo(), (await names())[0]]).toEqual(['collect (1)', ['Best', 0]]);
    expect([await undo(), await undo(), await names()]).toEqual(['new collection', 'new collection', []]);
    const redo = async (): Promise<string> => (await calls.redo(undefined)).redone;
    for (const what of ['new collection', 'new collection', 'collect (1)', 'rename collection'])
      expect(await redo()).toBe(what);
    expect(await names()).toEqual([
      ['Very best', 1],
      ['Worst', 0],
    ]);
    expect([await redo(), await names()]).toEqual(['remove collection', [['Worst', 0]]]);
    expect([await redo(), await searches()]).toEqual(['save search', [first.id]]);
    expect([await redo(), await searches()]).toEqual(['save search', [second.id]]);
    expect([await redo(), await searches(), await redo()]).toEqual(['remove search', [], '']);
    expect([await undo(), await searches()]).toEqual(['remove search', [second.id]]);
  });

  it('find duplicates, and what is missing or changed', async () => {
    const { libraries, folder } = await setStage();
    const photo = { sha256: 'same', file: null, reference: null };
    const one = await putModel(folder, { name: 'one', photo });
    await putModel(folder, { name: 'two', photo });
    const altered = await putModel(folder, {
      name: 'three',
      model: { sha256: 'not this', bytes: smallestGlb.length },
    });
    await libraries.rebuild();
    const { calls } = await callsOf(libraries);
    const groups = await calls.duplicates(undefined);
    expect(groups).toMatchObject([{ reason: 'same_photo', models: [{}, {}] }]);
    await writeFile(
      join(libraries.modelFolder(one.id), 'model.glb'),
      (await readFile(join(libraries.modelFolder(one.id), 'model.glb'))).subarray(0, 30),
    );
    const { models, problems } = await calls.verify({});
    expect(models).toBe(3);
    expect(problems.map(({ modelId }) => modelId).sort()).toEqual([one.id, altered.id].sort());
  });
});
