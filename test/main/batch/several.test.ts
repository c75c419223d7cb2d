import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@likeness/node-kit/storage/database.ts';
import { describe, expect, it } from 'vitest';
import { makeAgain } from '../../../main/batch/again_orders.ts';
import { eraseFromBatch } from '../../../main/batch/batch_erasure.ts';
import { runBatch } from '../../../main/batch/batch_run.ts';
import { batchMigrations } from '../../../main/batch/batch_schema.ts';
import { photoCalls } from '../../../main/batch/photos/photo_calls.ts';
import { modelsToErase } from '../../../main/library/model/model_erasure.ts';
import { fineCheck, photoBytes, type Stage, type StageOptions, setStage, temporaryFolder } from './stage.ts';

const announce = ['files', 'idempotency-key'];

/** Degrees by what the test's files are called. */
const yawOf = (path: string): number => (path.includes('front') ? 1 : path.includes('left') ? -62 : 55);
const check: NonNullable<StageOptions['check']> = (path) => ({ ...fineCheck, yaw: yawOf(path) });

/** Puts files of different content into a folder. */
async function put(folder: string, names: readonly string[]): Promise<void> {
  for (const [number, name] of names.entries()) {
    const path = join(folder, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, photoBytes(1000 + number));
  }
}

const anna = ['anna_left.jpg', 'anna_front.jpg', 'anna_right.jpg'];

/** A stage with one person of three photos in the tray, and somebody else. */
async function withAnna(options: StageOptions = {}): Promise<Stage> {
  const stage = await setStage({ check, ...options, service: { announce, ...options.service } });
  await put(stage.photos, [...anna, 'bo.jpg']);
  await stage.takeIn(stage.photos, 'female');
  return stage;
}

const tray = (stage: Stage) =>
  stage.batch.importList.page({}, 0, 50).photos.map((row) => stage.batch.shown(row));
const callsOf = (stage: Stage) => photoCalls(stage.batch, stage.importer);

describe('photos of one person in the tray', () => {
  it('are put together by names that say their views, the front one leading, as a step taken back', async () => {
    const stage = await withAnna();
    expect(stage.importer.current?.people).toBe(1);
    expect(tray(stage)).toMatchObject([
      {
        fileName: 'anna_front.jpg',
        name: 'anna',
        others: [{ fileName: 'anna_left.jpg' }, { fileName: 'anna_right.jpg' }],
      },
      { fileName: 'bo.jpg', others: [] },
    ]);
    expect(stage.batch.overview().photos).toBe(2);
    stage.batch.importList.undo(); // The sex.
    stage.batch.importList.undo();
    expect(tray(stage).map(({ fileName, name }) => [fileName, name])).toEqual([
      ['anna_front.jpg', 'anna_front'],
      ['anna_left.jpg', 'anna_left'],
      ['anna_right.jpg', 'anna_right'],
      ['bo.jpg', 'bo'],
    ]);
  });

  it('are joined by hand, lead by what the check measured, and come apart again', async () => {
    const stage = await setStage({ check });
    await put(stage.photos, ['a-left-ish.jpg', 'b-front-ish.jpg', 'c.jpg']);
    await stage.takeIn(stage.photos, 'female');
    await expect.poll(() => stage.batch.overview().checks.pending).toBe(0);
    const calls = callsOf(stage);
    const ids = tray(stage).map(({ id }) => id);
    expect(calls.samePerson({ people: [{ ids: ids.slice(0, 2) }] })).toEqual({ people: 1, photos: 2 });
    const [front] = tray(stage);
    expect(front).toMatchObject({ fileName: 'b-front-ish.jpg', sex: 'female', yaw: 1 });
    expect(front?.others).toMatchObject([{ fileName: 'a-left-ish.jpg', yaw: -62, check: 'ok' }]);
    calls.chooseFront({ id: ids[0] ?? '' });
    expect(tray(stage)[0]).toMatchObject({ id: ids[0], others: [{ id: ids[1] }] });
    expect(calls.separate({ selection: { ids: [ids[0] ?? ''] } })).toEqual({ separated: 1 });
    expect(tray(stage)).toHaveLength(3);
    calls.undo();
    expect(tray(stage)[0]?.others).toHaveLength(1);
  });

  it('leave no step to undo where they are one person already, and keep the photo that leads', async () => {
    const stage = await setStage({ check });
    await put(stage.photos, ['a-left-ish.jpg', 'b-front-ish.jpg', 'c.jpg']);
    await stage.takeIn(stage.photos, 'female');
    await expect.poll(() => stage.batch.overview().checks.pending).toBe(0);
    const calls = callsOf(stage);
    const ids = tray(stage).map(({ id }) => id);
    const people = [{ ids: ids.slice(0, 2) }];
    calls.samePerson({ people });
    calls.chooseFront({ id: ids[0] ?? '' });
    const before = tray(stage);
    expect(calls.samePerson({ people })).toEqual({ people: 1, photos: 0 });
    calls.chooseFront({ id: ids[0] ?? '' });
    expect(tray(stage)).toEqual(before);
    // The last step is still the choice of the front photo.
    expect(calls.undo()).toEqual({ undone: 'front photo' });
    expect(calls.undo()).toEqual({ undone: 'same person (1)' });
    expect(tray(stage)).toHaveLength(3);
    expect([calls.redo().redone, calls.redo().redone]).toEqual(['same person (1)', 'front photo']);
    expect(tray(stage)).toEqual(before);
  });

  it('lead anew once all are looked at, unless somebody chose', async () => {
    let hold = (): void => {};
    const held = new Promise<void>((resolve) => {
      hold = resolve;
    });
    const stage = await setStage({ check: (path) => held.then(() => check(path)) });
    await put(stage.photos, ['x-left-ish.jpg', 'y-front-ish.jpg', 'z-right-ish.jpg']);
    await stage.takeIn(stage.photos, 'female');
    const ids = tray(stage).map(({ id }) => id);
    callsOf(stage).samePerson({ people: [{ ids }] });
    expect(tray(stage)[0]?.id).toBe(ids[0]);
    hold();
    await expect.poll(() => tray(stage)[0]?.id).toBe(ids[1]);
  });

  it('a profile stops a photo by itself and not beside a front one', async () => {
    const turned = {
      code: 'turned_too_far',
      severity: 'blocking',
      message: 'turned',
      figure: 62,
      limit: 18,
      unit: '°',
    } as const;
    const stage = await withAnna({
      check: (path) => ({ ...fineCheck, yaw: yawOf(path), findings: path.includes('left') ? [turned] : [] }),
    });
    await expect.poll(() => stage.batch.importList.unchecked(1)).toEqual([]);
    expect(tray(stage)[0]).toMatchObject({
      check: 'ok',
      others: [{ check: 'ok', findings: [] }, { check: 'ok' }],
    });
    callsOf(stage).separate({ selection: { filter: {} } });
    expect(tray(stage).find(({ fileName }) => fileName === 'anna_left.jpg')?.check).toBe('blocked');
  });

  it('are at most eight, and one is of one person only', async () => {
    const stage = await setStage();
    await put(
      stage.photos,
      Array.from({ length: 9 }, (_, at) => `p${'abcdefghi'[at]}.jpg`),
    );
    await stage.takeIn(stage.photos, 'female');
    const ids = tray(stage).map(({ id }) => id);
    const calls = callsOf(stage);
    expect(() => calls.samePerson({ people: [{ ids }] })).toThrowError(/9 photos are too many/);
    const two = ids.slice(0, 2);
    expect(() => calls.samePerson({ people: [{ ids: two }, { ids: two }] })).toThrowError(/only one person/);
    calls.samePerson({ people: [{ ids: ids.slice(0, 8) }] });
    expect(() => calls.samePerson({ people: [{ ids: [ids[0] ?? '', ids[8] ?? ''] }] })).toThrowError(
      /too many/,
    );
    expect(tray(stage)).toHaveLength(2);
  });

  it('one that is taken out alone leaves its person; who goes whole comes back whole', async () => {
    const stage = await withAnna();
    const calls = callsOf(stage);
    const [front] = tray(stage);
    calls.removePhotos({ selection: { ids: [front?.others[0]?.id ?? ''] } });
    expect(tray(stage)[0]?.others).toHaveLength(1);
    calls.undo();
    expect(tray(stage)[0]?.others).toHaveLength(2);
    calls.removePhotos({ selection: { ids: [front?.id ?? ''] } });
    expect(tray(stage).map(({ fileName }) => fileName)).toEqual(['bo.jpg']);
    calls.undo();
    expect(tray(stage)[0]?.others).toHaveLength(2);
  });

  it('go into a manifest and come out of it', async () => {
    const stage = await withAnna();
    const { text } = callsOf(stage).exportManifest({ selection: { filter: {} } });
    expect(text.split('\r\n').slice(0, 3)).toEqual([
      'file,sex,eyelidType,name,tags,options,person',
      'anna_front.jpg,female,,anna,,,anna',
      'anna_left.jpg,,,,,,anna',
    ]);
    callsOf(stage).separate({ selection: { filter: {} } });
    const { set, problems } = callsOf(stage).importManifest({ text });
    expect([set.person, problems]).toEqual([3, []]);
    expect(tray(stage)[0]?.others).toHaveLength(2);
  });
});

describe('an order of several photos', () => {
  it('is one order and one model; the library keeps all photos and says what became of each', async () => {
    const reason = { en: 'It is too dark.', zh: '太暗。' };
    const stage = await withAnna({
      service: {
        announce,
        made: ({ fileName }) =>
          fileName === 'anna_front.jpg'
            ? {
                photos: [
                  { index: 0, used: true, view: 'front', yaw: 1 },
                  { index: 1, used: true, view: 'profile', yaw: -62 },
                  { index: 2, used: false, reason, view: 'three-quarter', yaw: 55 },
                ],
              }
            : {},
      },
    });
    const [id = ''] = await stage.order();
    await stage.rest();
    expect(stage.service.count('generate_model')).toBe(2);
    const sent = stage.service.requests.find(({ file }) => file?.name === 'anna_front.jpg');
    expect(sent?.files.map(({ name }) => name)).toEqual(['anna_left.jpg', 'anna_right.jpg']);
    const job = stage.batch.job(id);
    expect(job).toMatchObject({ photos: 3, state: 'done', photoUses: [{ used: true }, {}, { reason }] });
    const model = await stage.libraries.model(job?.modelId ?? '');
    expect(model.photos).toMatchObject([
      { fileName: 'anna_front.jpg', use: { used: true, view: 'front' } },
      { fileName: 'anna_left.jpg', use: { used: true, yaw: -62 } },
      { fileName: 'anna_right.jpg', use: { used: false, reason } },
    ]);
    expect(model.cost).toBe(0.5);
    const folder = stage.libraries.modelFolder(model.id);
    expect((await readdir(folder)).filter((name) => name.startsWith('portrait'))).toEqual([
      'portrait-2.jpg',
      'portrait-3.jpg',
      'portrait.jpg',
    ]);
    expect(await readFile(join(folder, 'portrait-2.jpg'))).toEqual(photoBytes(1000));
    expect(stage.defects).toEqual([]);
  });

  it('goes as the front photo alone to a server that takes one, and says so', async () => {
    const stage = await withAnna({ service: { announce: ['idempotency-key'] } });
    expect(await callsOf(stage).takesSeveral({ profileId: 'p1' })).toEqual({ takes: false });
    const [id = ''] = await stage.order();
    await stage.rest();
    expect(stage.service.requests.flatMap(({ files }) => files)).toEqual([]);
    expect(stage.batch.job(id)).toMatchObject({
      state: 'done',
      photoUses: [
        { used: true },
        { used: false, reason: { en: 'This server accepts one photo per person.' } },
        { used: false },
      ],
    });
  });

  it('is known again: the same photos are in the library, others are not', async () => {
    const stage = await withAnna();
    await stage.order();
    await stage.rest();
    await stage.takeIn(stage.photos, 'female');
    expect(tray(stage).map(({ inLibrary }) => inLibrary !== null)).toEqual([true, true]);
    callsOf(stage).separate({ selection: { filter: {} } });
    expect(tray(stage).map(({ inLibrary }) => inLibrary !== null)).toEqual([false, false, false, true]);
  });

  it('survives the end of the process, with every photo', async () => {
    const stage = await withAnna({ service: { announce, processingAnswers: 30 } });
    const [id = ''] = await stage.order();
    await expect.poll(() => stage.batch.job(id)?.state).toBe('waiting');
    const again = await stage.restart();
    await again.rest();
    expect(again.batch.job(id)).toMatchObject({ state: 'done', photos: 3 });
    const model = await again.libraries.model(again.batch.job(id)?.modelId ?? '');
    expect(model.photos).toHaveLength(3);
    expect(again.service.count('generate_model')).toBe(2);
  });

  it('fails by the name of the photo that is gone, and nothing is sent', async () => {
    const stage = await withAnna();
    stage.batch.pause(true);
    const [id = ''] = await stage.order();
    await writeFile(join(stage.photos, 'anna_left.jpg'), 'another');
    stage.batch.pause(false);
    await stage.rest();
    expect(stage.batch.job(id)).toMatchObject({
      state: 'failed',
      message: { values: { fileName: 'anna_left.jpg' } },
    });
    expect(stage.service.count('generate_model')).toBe(1);
  });

  it('is made again of all its photos, and opened again with them', async () => {
    const stage = await withAnna();
    const [id = ''] = await stage.order();
    await stage.rest();
    const modelId = stage.batch.job(id)?.modelId ?? '';
    const order = { selection: { ids: [modelId] }, profileId: 'p1', asNew: false };
    const { jobs } = await makeAgain(stage.batch, stage.importer, order);
    await stage.rest();
    expect(stage.batch.job(jobs[0] ?? '')).toMatchObject({ state: 'done', photos: 3, replaces: modelId });
    expect(stage.service.last('generate_model').files).toHaveLength(2);
    await callsOf(stage).reopen({ modelId });
    expect(tray(stage)).toMatchObject([{ fileName: 'anna_front.jpg', others: [{}, {}] }]);
  });

  it('is made again without a further photo that is gone, and that is told', async () => {
    const stage = await withAnna();
    const [id = ''] = await stage.order();
    await stage.rest();
    const modelId = stage.batch.job(id)?.modelId ?? '';
    await rm(join(stage.libraries.modelFolder(modelId), 'portrait-2.jpg'));
    const order = { selection: { ids: [modelId] }, profileId: 'p1', asNew: false };
    const { jobs, fewerPhotos } = await makeAgain(stage.batch, stage.importer, order);
    expect(fewerPhotos).toEqual(['anna']);
    await stage.rest();
    expect(stage.batch.job(jobs[0] ?? '')).toMatchObject({ state: 'done', photos: 2, replaces: modelId });
    expect(stage.service.last('generate_model').files.map(({ name }) => name)).toEqual(['anna_right.jpg']);
  });

  it('is erased with every photo', async () => {
    const stage = await withAnna();
    const [id = ''] = await stage.order();
    await stage.rest();
    const models = modelsToErase(stage.libraries, [stage.batch.job(id)?.modelId ?? '']);
    expect(models[0]?.otherHashes).toHaveLength(2);
    expect(models[0]?.names).toContain('anna_left.jpg');
    expect(await eraseFromBatch(stage.batch, models)).toMatchObject({ photos: 3, jobs: 1 });
  });
});

describe('a run of the command line', () => {
  const run = (stage: Stage, person?: 'column' | 'folder' | 'name' | 'off') => {
    const { batch, importer, photos, libraries } = stage;
    const libraryId = libraries.defaultId();
    const order = { batch, importer, paths: [photos], sex: 'female', profileId: 'p1', libraryId } as const;
    return runBatch({ ...order, ...(person && { person }) }, () => {});
  };
  const names = ['anna/1.jpg', 'anna/2-front.jpg', 'bo/1.jpg', 'cy.jpg'];

  it('makes a head of each photo unless it is told who is who', async () => {
    const stage = await setStage({ check, service: { announce } });
    await put(stage.photos, ['anna_front.jpg', 'anna_left.jpg']);
    expect(await run(stage)).toMatchObject({ done: 2, allDone: true });
  });

  it('makes one of each folder, led by the photo from the front, and knows them again', async () => {
    const stage = await setStage({ check, service: { announce } });
    await put(stage.photos, names);
    expect(await run(stage, 'folder')).toMatchObject({ found: 4, done: 3, allDone: true });
    const anna = stage.service.requests.find(({ files }) => files.length > 0);
    expect([anna?.file?.name, anna?.files[0]?.name]).toEqual(['2-front.jpg', '1.jpg']);
    expect(await run(stage, 'folder')).toMatchObject({ done: 0, alreadyThere: 3 });
    expect(stage.batch.overview().photos).toBe(0);
  });

  it('follows the column person of a manifest, whose sex may stand on one line', async () => {
    const stage = await setStage({ check, service: { announce } });
    await put(stage.photos, names);
    const lines = [
      'file,sex,person',
      'anna/1.jpg,,Anna',
      'anna/2-front.jpg,female,Anna',
      'bo/1.jpg,male,',
      'cy.jpg,male,',
    ];
    await writeFile(join(stage.photos, 'manifest.csv'), lines.join('\n'));
    const { batch, importer, photos, libraries } = stage;
    const libraryId = libraries.defaultId();
    const result = await runBatch({ batch, importer, paths: [photos], profileId: 'p1', libraryId }, () => {});
    expect(result).toMatchObject({ done: 3, allDone: true });
    expect(stage.libraries.search({ text: 'Anna' }, 0, 5).total).toBe(1);
  });

  it('leaves what lay in the tray as it was', async () => {
    const stage = await setStage({ check, service: { announce } });
    await put(stage.photos, names);
    await stage.takeIn(stage.photos, 'female');
    expect(await run(stage, 'folder')).toMatchObject({ done: 3 });
    expect(tray(stage)).toHaveLength(4);
  });
});

it('a queue of before several photos opens with its photos and jobs as they were', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'batch', 'batch.db');
  const { db } = openDatabase({ path, migrations: batchMigrations.slice(0, 7) });
  db.exec(`INSERT INTO photos (id, path, owned, fileName, folder, format, bytes, sha256, addedAt, sequence, name, tags, inTray)
    VALUES ('p', '/x.jpg', 0, 'x.jpg', '', 'jpeg', 1, 'h', 1, 1, 'x', '[]', 1)`);
  db.exec(`INSERT INTO jobs (id, photoId, state, position, fileName, name, sex, tags, profileId, profileName, libraryId,
    modelId, idempotencyKey, remoteModelId, message, queuedAt, changedAt, standing)
    VALUES ('j', 'p', 'failed', 1, 'x.jpg', 'x', 'female', '[]', 'p1', 'P', 'l', 'm', 'k', 'r', '', 1, 1, 'made')`);
  db.close();
  const stage = await setStage({ folder });
  expect(tray(stage)).toMatchObject([{ id: 'p', others: [], yaw: null }]);
  expect(stage.batch.job('j')).toMatchObject({ photos: 1, photoUses: null, state: 'failed' });
});
