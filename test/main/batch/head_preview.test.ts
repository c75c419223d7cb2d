import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@likeness/node-kit/clock.ts';
import { expect, it } from 'vitest';
import { builtInProfileId } from '#contract';
import { HeadPreviews } from '../../../main/batch/head_preview.ts';
import { envelope } from '../../fixtures/service/behaviours.ts';
import { headOf } from './made_head.ts';
import { type Stage, setStage } from './stage.ts';

async function setPreviews(): Promise<{
  stage: Stage;
  modelId: string;
  previews: HeadPreviews;
  /** Models that the engine was asked to delete. */
  deleted(): number;
  files(): string[];
}> {
  const stage = await setStage({
    service: { announce: ['head-options', 'head-preview'] },
    profile: { id: builtInProfileId },
  });
  const modelId = await headOf(stage);
  const folder = join(stage.folder, 'previews-of-heads');
  const { modelStore, profiles, checker } = stage.batch;
  const previews = new HeadPreviews({
    folder,
    modelStore,
    profiles,
    checker,
    clock: systemClock,
  });
  const files = (): string[] => (existsSync(folder) ? readdirSync(folder) : []);
  const deleted = (): number => stage.service.count('delete_model');
  return { stage, modelId, previews, deleted, files };
}

/** The engine makes nothing before `finish` is called. */
function makeSlowly(stage: Stage): { finish(): void; orders(): number } {
  let isSlow = true;
  const before = stage.service.count('generate_model');
  stage.service.always('get_model', (turn) => {
    const downloadLink = `${stage.service.url}/files/head.glb`;
    return envelope(isSlow ? { status: 3, waitTime: '9' } : { status: 1, waitTime: '0', downloadLink })(turn);
  });
  return {
    finish: () => {
      isSlow = false;
    },
    orders: () => stage.service.count('generate_model') - before,
  };
}

it('orders the head with the draft’s look, and leaves queue and library as they are', async () => {
  const { stage, modelId, previews, files } = await setPreviews();
  const jobs = stage.batch.overview().open;
  const id = await previews.make({ modelId, options: { smile: 0.5, head: 1 } });
  expect(stage.service.last('generate_model').fields).toMatchObject({
    sex: '1',
    options: '{"smile":0.5}',
    preview: '1',
  });
  expect(readFileSync(previews.file(id)!).equals(stage.service.glb)).toBe(true);
  expect(files()).toHaveLength(1);
  expect(stage.libraries.search({}, 0, 9).total).toBe(1);
  expect((await stage.libraries.model(modelId)).options).toBeNull();
  expect(stage.batch.overview().open).toBe(jobs);
});

it('keeps the last one alone, and has the engine delete the others', async () => {
  const { modelId, previews, deleted, files } = await setPreviews();
  const first = await previews.make({ modelId, options: { smile: 0.5 } });
  const second = await previews.make({ modelId, options: { smile: 1 } });
  expect(previews.file(first)).toBeNull();
  expect(previews.file(second)).not.toBeNull();
  expect(deleted()).toBe(1);
  await previews.clear();
  expect(files()).toEqual([]);
  expect(deleted()).toBe(2);
});

it('cancels the one that is being made when another is asked for', async () => {
  const { stage, modelId, previews, deleted, files } = await setPreviews();
  const { finish } = makeSlowly(stage);
  const asked = stage.service.count('get_model');
  const first = previews.make({ modelId, options: { smile: 0.5 } });
  first.catch(() => undefined);
  await expect.poll(() => stage.service.count('get_model')).toBeGreaterThan(asked);
  finish();
  const second = await previews.make({ modelId, options: { smile: 1 } });
  await expect(first).rejects.toMatchObject({ code: 'cancelled' });
  expect(previews.file(second)).not.toBeNull();
  expect(files()).toHaveLength(1);
  expect(deleted()).toBe(1);
});

it('says why there is none: the engine’s reason, or the photo that is gone', async () => {
  const { stage, modelId, previews, deleted, files } = await setPreviews();
  stage.service.always(
    'get_model',
    envelope({ status: 4, waitTime: '0', failMessage: 'No face was found.' }),
  );
  await expect(previews.make({ modelId, options: {} })).rejects.toMatchObject({
    code: 'upstream_refused',
    message: 'No face was found.',
  });
  expect(deleted()).toBe(1);
  const { photo } = await stage.batch.modelStore.portraitOf(modelId);
  await rm(photo.path);
  await expect(previews.make({ modelId, options: {} })).rejects.toMatchObject({ code: 'not_found' });
  expect(files()).toEqual([]);
});

it('is prepared by a head as it is, of which nothing stays', async () => {
  const { stage, modelId, previews, deleted, files } = await setPreviews();
  await previews.prepare(modelId);
  expect(stage.service.last('generate_model').fields).toMatchObject({ sex: '1', preview: '1' });
  expect(stage.service.last('generate_model').fields.options).toBeUndefined();
  expect(deleted()).toBe(1);
  expect(files()).toEqual([]);
});

it.each<[string, (previews: HeadPreviews, modelId: string) => unknown]>([
  ['the page is left', (previews) => previews.prepare(null)],
  ['the batch begins', (previews) => previews.yieldTo(true)],
  ['another head is looked at', (previews, modelId) => previews.prepare(modelId)],
  ['a preview is asked for', (previews, modelId) => previews.make({ modelId, options: { smile: 1 } })],
])('is no longer prepared when %s', async (_, happens) => {
  const { stage, modelId, previews, deleted } = await setPreviews();
  const { orders, finish } = makeSlowly(stage);
  const prepared = previews.prepare(modelId);
  await expect.poll(orders).toBe(1);
  const next = happens(previews, modelId);
  await prepared;
  expect(deleted()).toBe(1);
  finish();
  await next;
});

it('is not prepared while the batch makes heads', async () => {
  const { stage, modelId, previews } = await setPreviews();
  const { orders, finish } = makeSlowly(stage);
  finish();
  previews.yieldTo(true);
  await previews.prepare(modelId);
  expect(orders()).toBe(0);
  previews.yieldTo(false);
  await previews.prepare(modelId);
  expect(orders()).toBe(1);
});
