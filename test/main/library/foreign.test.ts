import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inEnglish, translate } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { openDatabase } from '@likeness/node-kit/storage/database.ts';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { MadeModel } from '../../../main/base/model_store.ts';
import { createModelExports } from '../../../main/library/export/model_export.ts';
import { indexMigrations } from '../../../main/library/index/index_schema.ts';
import { libraryCalls, modelAsset } from '../../../main/library/library_calls.ts';
import type { LikenessRecord } from '../../../main/library/model/likeness_record.ts';
import { createModelEditing } from '../../../main/library/model/model_editing.ts';
import { eraseFromLibraries, modelsToErase } from '../../../main/library/model/model_erasure.ts';
import { verifyLibrary } from '../../../main/library/model/model_verification.ts';
import { createModelStore } from '../../../main/library/model_store.ts';
import {
  builtInOnly,
  convertHere,
  noBlender,
  putModel,
  realHead,
  type Stage,
  setStage,
  smallestGlb,
  temporaryFolder,
} from '../../support/heads/heads.ts';
import { glbOf, pointsOf } from '../../support/heads/hostile_glb.ts';

const jpeg = Buffer.from('\xff\xd8\xff\xe0 a private picture', 'latin1');
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const bomb = glbOf(pointsOf(140_000_000));

function callsOf({ libraries }: Stage, folder: string) {
  const exports = createModelExports(libraries, folder, convertHere, builtInOnly);
  const calls = libraryCalls({
    libraries,
    editing: createModelEditing(libraries),
    exports,
    blender: noBlender,
    beforeErase: async () => expect.fail('asks before no erasing'),
    erase: async () => expect.fail('erases nothing'),
    chooseFolder: async () => null,
    reveal: async () => {},
    takeDropped: () => [],
  });
  return { calls, exports };
}

/** What anybody can get out of a model: the page's files, and every export. */
async function allOf(stage: Stage, id: string): Promise<string> {
  const { exports } = callsOf(stage, await temporaryFolder());
  let all = '';
  for (const kind of ['model', 'thumbnail', 'portrait'] as const) {
    const path = await modelAsset(stage.libraries, kind, id);
    if (path) all += await readFile(path, 'latin1');
  }
  for (const format of ['zip', 'glb', 'glb-meshopt', 'gltf', 'obj'] as const) {
    const order = { formats: [format], names: 'as-is' };
    const made = await exports.make([id], order).catch((error: unknown) => {
      expect(error).toBeInstanceOf(Failure);
      return null;
    });
    const path = made && exports.file(made.exportId);
    if (path) all += await readFile(path, 'latin1');
  }
  return all;
}

describe('a library from somebody else', () => {
  it('shows and hands on nothing that lies elsewhere, by whatever link', async () => {
    const stage = await setStage();
    const { libraries, folder } = stage;
    const elsewhere = await temporaryFolder();
    const secrets = {
      'model.glb': Buffer.concat([await realHead(), Buffer.from('SECRET')]),
      'thumbnail.webp': Buffer.from('RIFF\0\0\0\0WEBP SECRET', 'latin1'),
      'portrait.jpg': Buffer.concat([jpeg, Buffer.from('SECRET')]),
    };
    const photo = { sha256: sha256(secrets['portrait.jpg']), file: 'portrait.jpg', reference: null };
    const ids: string[] = [];
    for (const [name, secret] of Object.entries(secrets)) {
      await writeFile(join(elsewhere, name), secret);
      const { id } = await putModel(folder, { photo });
      await rm(join(folder, `model ${id}`, name), { force: true });
      await symlink(join(elsewhere, name), join(folder, `model ${id}`, name));
      ids.push(id);
    }
    // The record itself, and a folder that becomes a link once it is known.
    const foreign = await putModel(elsewhere, { name: 'SECRET', photo });
    const recordLinked = await putModel(folder);
    await rm(join(folder, `model ${recordLinked.id}`, 'likeness.json'));
    await symlink(
      join(elsewhere, `model ${foreign.id}`, 'likeness.json'),
      join(folder, `model ${recordLinked.id}`, 'likeness.json'),
    );
    const moved = await putModel(folder, { photo });
    await libraries.rebuild();
    await rename(join(folder, `model ${moved.id}`), join(elsewhere, 'moved'));
    for (const [name, secret] of Object.entries(secrets))
      await writeFile(join(elsewhere, 'moved', name), secret);
    await symlink(join(elsewhere, 'moved'), join(folder, `model ${moved.id}`));

    ids.push(moved.id, ...libraries.search({}, 0, 10).models.map(({ id }) => id));
    for (const id of new Set(ids)) expect(await allOf(stage, id)).not.toContain('SECRET');
    expect(JSON.stringify(libraries.search({}, 0, 10))).not.toContain('SECRET');
    const { problems } = await verifyLibrary(libraries, libraries.defaultId());
    expect(problems.map(({ problem }) => inEnglish(problem)).join('\n')).toMatch(/“model.glb” is a link/);
    // Nor is anything written there.
    const { calls } = callsOf(stage, await temporaryFolder());
    const webp = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1').toString('base64');
    await expect(calls.setThumbnail({ id: moved.id, webp })).rejects.toThrow();
    expect((await readFile(join(elsewhere, 'moved', 'thumbnail.webp'), 'latin1')).endsWith('SECRET')).toBe(
      true,
    );
  });

  it('a link within the library is none either, for it may be exchanged', async () => {
    const { libraries, folder } = await setStage();
    const { id } = await putModel(folder);
    await rename(join(folder, `model ${id}`, 'model.glb'), join(folder, 'real.glb'));
    await symlink(join(folder, 'real.glb'), join(folder, `model ${id}`, 'model.glb'));
    await libraries.rebuild();
    expect(await modelAsset(libraries, 'model', id)).toBeNull();
    expect(libraries.index.card(id)?.state).toBe('missing_model');
  });

  it('names no photo of this machine that the studio did not name itself', async () => {
    const stage = await setStage();
    const { libraries, folder } = stage;
    const elsewhere = await temporaryFolder();
    await writeFile(join(elsewhere, 'passport.jpg'), jpeg);
    await writeFile(join(elsewhere, 'secret.txt'), 'SECRET');
    const named = async (reference: string, hash: string): Promise<LikenessRecord> =>
      putModel(folder, { photo: { sha256: hash, file: null, reference } });
    const models = [
      await named(join(elsewhere, 'secret.txt'), sha256(Buffer.from('SECRET'))),
      await named(join(elsewhere, 'passport.jpg'), sha256(jpeg)),
      await named('/etc/passwd', ''),
    ];
    await libraries.rebuild();
    const modelStore = createModelStore(libraries);
    for (const { id } of models) {
      expect(await modelAsset(libraries, 'portrait', id)).toBeNull();
      expect(libraries.index.card(id)?.hasPortrait).toBe(false);
      // Nor is it sent anywhere.
      await expect(modelStore.portraitOf(id)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('has photos served that are pictures, whatever they are called', async () => {
    const { libraries, folder } = await setStage();
    const photo = { sha256: '', file: 'portrait.html', reference: null };
    const { id } = await putModel(folder, { photo });
    await writeFile(join(folder, `model ${id}`, 'portrait.html'), '<script>alert(1)</script>');
    await writeFile(
      join(folder, `model ${id}`, 'thumbnail.webp'),
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
    );
    await libraries.rebuild();
    expect(await modelAsset(libraries, 'portrait', id)).toBeNull();
    expect(await modelAsset(libraries, 'thumbnail', id)).toBeNull();
    // A small file that says it is a wall would take the page a gigabyte.
    const wall = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#000' } })
      .webp()
      .toBuffer();
    await writeFile(join(folder, `model ${id}`, 'thumbnail.webp'), wall);
    expect(await modelAsset(libraries, 'thumbnail', id)).toBeNull();
    const picture = await sharp(wall).resize(384).webp().toBuffer();
    await writeFile(join(folder, `model ${id}`, 'thumbnail.webp'), picture);
    expect(await modelAsset(libraries, 'thumbnail', id)).not.toBeNull();
  });
});

describe('photos that were left where they are', () => {
  const made = async (): Promise<MadeModel> => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'ada.jpg'), jpeg);
    return {
      id: '3f1b5a52-0000-4000-8000-000000000001',
      name: 'Ada',
      fileName: 'ada.jpg',
      photo: { path: join(folder, 'ada.jpg'), sha256: sha256(jpeg) },
      replaces: null,
      parameters: { sex: 'female', eyelidType: null, crop: null, corrections: null, options: null },
      others: [],
      photoUses: null,
      overridden: [],
      profile: { id: 'built-in', name: 'Built-in' },
      remoteModelId: 'r1',
      timings: { submittedAt: 1, doneAt: 2, seconds: 0.001 },
      cost: 0,
      currency: 'USD',
      tags: [],
      sha256: '',
    };
  };

  it('are shown, also after the index is read anew, until the record names another file', async () => {
    const { libraries, folder } = await setStage();
    const library = libraries.defaultId();
    await libraries.changeFile(library, (file) => ({ ...file, keepPhotos: 'reference' }));
    const modelStore = createModelStore(libraries);
    const model = await made();
    await writeFile(await modelStore.prepare(library, model.id), smallestGlb);
    await modelStore.finish(library, model);
    await libraries.rebuild();
    expect(await modelAsset(libraries, 'portrait', model.id)).toBe(model.photo.path);
    expect((await modelStore.portraitOf(model.id)).photo.path).toBe(model.photo.path);
    const record = join(libraries.modelFolder(model.id), 'likeness.json');
    const other = join(await temporaryFolder(), 'other.jpg');
    await writeFile(other, jpeg);
    await writeFile(record, (await readFile(record, 'utf8')).replace(model.photo.path, other));
    await libraries.rebuild();
    expect(await modelAsset(libraries, 'portrait', model.id)).toBeNull();
    expect(existsSync(folder)).toBe(true);
  });

  it('are shown in an older library, where they are what its records say', async () => {
    const elsewhere = await temporaryFolder();
    const photos = { own: join(elsewhere, 'own.jpg'), other: join(elsewhere, 'other.jpg') };
    await writeFile(photos.own, jpeg);
    await writeFile(photos.other, jpeg);
    const before = await setStage();
    const own = await putModel(before.folder, {
      photo: { sha256: sha256(jpeg), file: null, reference: photos.own },
    });
    const other = await putModel(before.folder, {
      photo: { sha256: sha256(Buffer.from('another')), file: null, reference: photos.other },
    });
    await before.libraries.close();
    // The index as it was before: its first schema, with both models in it.
    for (const name of await readdir(before.dataFolder))
      if (name.startsWith('index.db')) await rm(join(before.dataFolder, name));
    const { db } = openDatabase({
      path: join(before.dataFolder, 'index.db'),
      migrations: indexMigrations.slice(0, 1),
    });
    for (const record of [own, other]) {
      const { lastInsertRowid } = db
        .prepare(
          `INSERT INTO models (id, libraryId, folder, stamp, name, sortName, state, source, profileId, profileName, rating,
             tags, createdAt, changedAt, bytes, hasThumbnail, hasPortrait, thumbnailVersion, photoHash, modelHash, madeOf)
           VALUES (?, ?, ?, '', 'A', 'a', 'ok', 'portrait', '', '', 0, '[]', 1, 1, 1, 0, 1, 0, ?, '', '')`,
        )
        .run(record.id, before.libraries.defaultId(), `model ${record.id}`, record.photo?.sha256 ?? '');
      db.prepare('INSERT INTO records (row, record) VALUES (?, ?)').run(
        lastInsertRowid,
        JSON.stringify(record),
      );
    }
    db.close();
    const { libraries } = await setStage({ dataFolder: before.dataFolder });
    expect(await modelAsset(libraries, 'portrait', own.id)).toBe(photos.own);
    expect(await modelAsset(libraries, 'portrait', other.id)).toBeNull();
  });

  it('go with the model when it is erased', async () => {
    const stage = await setStage();
    const library = stage.libraries.defaultId();
    await stage.libraries.changeFile(library, (file) => ({ ...file, keepPhotos: 'reference' }));
    const modelStore = createModelStore(stage.libraries);
    const model = await made();
    await writeFile(await modelStore.prepare(library, model.id), smallestGlb);
    await modelStore.finish(library, model);
    expect(stage.libraries.index.mayRefer(model.id, model.photo.path)).toBe('yes');
    await eraseFromLibraries(stage.libraries, modelsToErase(stage.libraries, [model.id]));
    expect(stage.libraries.index.mayRefer(model.id, model.photo.path)).toBe('no');
  });

  it('a head that can’t be decoded is shelved all the same, says why, and reaches no decoder', async () => {
    let drawn = 0;
    const stage = await setStage({
      renderThumbnail: async () => {
        drawn += 1;
        return null;
      },
    });
    const modelStore = createModelStore(stage.libraries);
    const library = modelStore.defaultLibraryId();
    const model = await made();
    await writeFile(await modelStore.prepare(library, model.id), bomb);
    await modelStore.finish(library, model);
    const said = {
      state: 'broken_model',
      fault: expect.stringMatching(/1,680,000,000 bytes of vertex data/),
    };
    expect(drawn).toBe(0);
    expect(await stage.libraries.model(model.id)).toMatchObject(said);
    expect(await modelAsset(stage.libraries, 'model', model.id)).toBeNull();
    const { calls, exports } = callsOf(stage, await temporaryFolder());
    await expect(calls.readiness({ id: model.id })).rejects.toMatchObject({ code: 'unsupported' });
    for (const format of ['glb', 'glb-meshopt', 'gltf', 'obj', 'zip'] as const) {
      const order = { formats: [format], names: 'as-is' };
      await expect(exports.make([model.id], order)).rejects.toMatchObject({ code: 'unsupported' });
    }
    const again = await (await stage.reopen()).model(model.id);
    expect(again).toMatchObject(said);
    expect(translate(again.fault, 'zh-CN')).toBe(
      '文件有问题：顶点数据解压后的字节数为 1,680,000,000，最多读取 536,870,912。',
    );
  });

  it('what is no head at all is not shelved, and is fetched again', async () => {
    const { libraries } = await setStage();
    const modelStore = createModelStore(libraries);
    const library = modelStore.defaultLibraryId();
    const model = await made();
    const glb = await modelStore.prepare(library, model.id);
    await writeFile(glb, glbOf('garbage'));
    await expect(modelStore.finish(library, model)).rejects.toMatchObject({
      code: 'upstream_broken',
      message: 'The downloaded file is not a head. The file has a JSON chunk that is not JSON.',
    });
    expect(existsSync(glb)).toBe(false);
    expect(await modelStore.has(library, model.id, model.name, null)).toBe(false);
    await writeFile(glb, smallestGlb);
    await modelStore.finish(library, model);
    expect((await libraries.model(model.id)).state).toBe('ok');
  });

  it('a picture over which the studio ended is tried once more, and no third time', async () => {
    const ended = new Error('killed');
    let tries = 0;
    const stage = await setStage({
      renderThumbnail: () => {
        tries += 1;
        return new Promise(() => {});
      },
    });
    const model = await made();
    const library = stage.libraries.defaultId();
    const modelStore = createModelStore(stage.libraries);
    await writeFile(await modelStore.prepare(library, model.id), await realHead());
    const endsOver = (store: typeof modelStore) =>
      expect(
        Promise.race([
          store.finish(library, model),
          new Promise((_, reject) => setTimeout(() => reject(ended), 300)),
        ]),
      ).rejects.toBe(ended);
    await endsOver(modelStore);
    await endsOver(createModelStore(await stage.reopen()));
    expect(tries).toBe(2);
    const again = await stage.reopen();
    await createModelStore(again).finish(library, model);
    expect(tries).toBe(2);
    const shelved = await again.model(model.id);
    expect(shelved).toMatchObject({ state: 'ok', hasThumbnail: false });
    expect(shelved.fault).toEqual(
      expect.stringMatching(/no picture: The studio ended twice while it drew the picture/),
    );
    expect(translate(shelved.fault, 'zh-CN')).toBe('没有缩略图：绘制时工作室两次意外结束，因此没有再试。');
    expect(await readdir(again.modelFolder(model.id))).not.toContain('.drawing');
    // Somebody who opens it may still make one.
    const { calls } = callsOf({ ...stage, libraries: again }, await temporaryFolder());
    const webp = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1').toString('base64');
    expect(await calls.setThumbnail({ id: model.id, webp })).toMatchObject({ hasThumbnail: true, fault: '' });
  });
});

describe('a head that lay in the library before it was looked at', () => {
  it('is listed with its reason once it is to be shown, and is not shown', async () => {
    const stage = await setStage();
    const { id } = await putModel(stage.folder, {}, bomb);
    await stage.libraries.rebuild();
    expect(await modelAsset(stage.libraries, 'model', id)).toBeNull();
    const card = stage.libraries.index.card(id);
    expect(card).toMatchObject({ state: 'broken_model', fault: expect.stringMatching(/vertex data/) });
    await stage.libraries.rebuild();
    expect(stage.libraries.index.card(id)?.state).toBe('broken_model');
    // Put right, it is shown again.
    await mkdir(join(stage.folder, `model ${id}`), { recursive: true });
    await writeFile(join(stage.folder, `model ${id}`, 'model.glb'), await realHead());
    await stage.libraries.edit([id], (record) => ({ ...record, model: { sha256: '', bytes: 0 } }));
    expect(await modelAsset(stage.libraries, 'model', id)).not.toBeNull();
    expect(stage.libraries.index.card(id)).toMatchObject({ state: 'ok', fault: '' });
  });
});
