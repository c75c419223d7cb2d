import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  blob,
  finished,
  generate,
  getModel,
  picture,
  startTestEngine,
  type TestEngine,
  temporaryFolder,
} from '../../support/service/engine_harness.ts';

let folder: ReturnType<typeof temporaryFolder>;
let engines: TestEngine[];
const start = async (
  env: Record<string, string> = {},
  limits: Record<string, number> = {},
): Promise<TestEngine> => {
  const engine = await startTestEngine({ folder: folder.path, env, limits });
  engines.push(engine);
  return engine;
};
const photoCount = (): number => readdirSync(join(folder.path, '1/photos')).length;

beforeEach(() => {
  folder = temporaryFolder();
  engines = [];
});
afterEach(async () => {
  for (const engine of engines) await engine.kill();
  folder.remove();
});

it('an engine that is killed goes on where it was: same ids, nothing lost, nothing made twice', async () => {
  const first = await start({ TEST_MILLISECONDS: '100' });
  const ids: string[] = [];
  for (let i = 0; i < 8; i++) {
    const { body } = await generate(
      first,
      { file: blob(await picture(i)), sex: '1' },
      { 'idempotency-key': `photo-${i}` },
    );
    ids.push(body.data.modelId as string);
  }
  await finished(first, ids[0]!);
  await first.kill('SIGKILL');

  const second = await start({ TEST_MILLISECONDS: '100' });
  const again = await generate(
    second,
    { file: blob(await picture(7)), sex: '1' },
    { 'idempotency-key': 'photo-7' },
  );
  expect(again.body.data.modelId).toBe(ids[7]);
  for (const id of ids) {
    const model = await finished(second, id);
    expect(model).toMatchObject({ status: 1, downloadLink: expect.stringContaining(second.url) });
    expect((await fetch(model.downloadLink as string)).status).toBe(200);
  }
  // What is finished needs no photo any more.
  await vi.waitFor(() => expect(photoCount()).toBe(0));
  expect(readdirSync(join(folder.path, '1/incoming'))).toEqual([]);
  expect(readdirSync(join(folder.path, '1/results'))).toHaveLength(8);
});

it('a photo that kills the engine each time is given up, and takes nothing else with it', async () => {
  const slow = { TEST_MILLISECONDS: '1000' };
  let engine = await start(slow);
  const died = (): Promise<unknown> => new Promise((resolve) => engine.child.once('exit', resolve));
  let death = died();
  const [killing, sound] = await Promise.all([picture(1), picture(2)]);
  const killer = await generate(engine, { file: blob(killing), sex: '0', eyelidType: '2' });
  const good = await generate(engine, { file: blob(sound), sex: '1' });
  await death;
  for (let round = 0; round < 2; round++) {
    engine = await start(slow);
    death = died();
    await death;
  }
  engine = await start();
  expect(await finished(engine, killer.body.data.modelId as string)).toMatchObject({
    status: 4,
    failMessage: expect.stringContaining('stopped 3 times'),
  });
  expect(await finished(engine, good.body.data.modelId as string)).toMatchObject({ status: 1 });
});

it('an engine that is asked to stop does not count that against what it was making', async () => {
  let id = '';
  const attempts = (): unknown => {
    using database = new DatabaseSync(join(folder.path, '1/engine.sqlite'), { readOnly: true });
    return database.prepare('SELECT attempts FROM model').all();
  };
  // As often as a model may be cut off.
  for (let round = 0; round < 3; round++) {
    const engine = await start({ TEST_MILLISECONDS: '30000' });
    if (id === '') {
      const { body } = await generate(engine, { file: blob(await picture(1)), sex: '1' });
      id = body.data.modelId as string;
    }
    expect((await getModel(engine, id)).body.data).toMatchObject({ status: 3 });
    await vi.waitFor(() => expect(attempts()).toEqual([{ attempts: 1 }]));
    engine.child.kill('SIGTERM');
    // It waits for the head in the making; only its own patience is cut short here.
    await vi.waitFor(() => expect(attempts()).toEqual([{ attempts: 0 }]));
    await engine.kill('SIGKILL');
  }
  const last = await start();
  expect(await finished(last, id)).toMatchObject({ status: 1 });
});

it('a model that is deleted while it is made is made no further, and its photo goes', async () => {
  const engine = await start({ TEST_MILLISECONDS: '30000' });
  const id = (await generate(engine, { file: blob(await picture(1)), sex: '1' })).body.data.modelId as string;
  const headers = { auth_ak: engine.apiKey };
  const jobs = async (): Promise<unknown> =>
    ((await (await fetch(`${engine.url}/health`, { headers })).json()) as { jobs: unknown }).jobs;
  await vi.waitFor(async () => expect(await jobs()).toEqual({ queued: 0, running: 1 }));
  await fetch(`${engine.url}/open-api/svc/sdk/model/get/${id}`, { method: 'DELETE', headers });
  await vi.waitFor(async () => expect(await jobs()).toEqual({ queued: 0, running: 0 }));
  expect(photoCount()).toBe(0);
});

it('a preview is removed when the engine starts again, made or not', async () => {
  const first = await start({ TEST_MILLISECONDS: '0' });
  const order = async (engine: TestEngine, index: number): Promise<string> => {
    const { body } = await generate(engine, { file: blob(await picture(index)), sex: '1', preview: '1' });
    return body.data.modelId as string;
  };
  const made = await order(first, 1);
  await finished(first, made);
  await first.kill('SIGKILL');
  const second = await start({ TEST_MILLISECONDS: '30000' });
  expect((await getModel(second, made)).body.code).toBe(404);
  const unfinished = await order(second, 2);
  expect((await getModel(second, unfinished)).body.data).toMatchObject({ status: 3 });
  await second.kill('SIGKILL');
  const third = await start();
  expect((await getModel(third, unfinished)).body.code).toBe(404);
  const files = (name: string): string[] => readdirSync(join(folder.path, '1', name));
  await expect.poll(() => [...files('photos'), ...files('results')]).toEqual([]);
});

it('other code makes other results, and the old ones are not served for them', async () => {
  const fields = { file: blob(await picture(1)), sex: '1' };
  const first = await start({ TEST_VERSION: '1' });
  await finished(first, (await generate(first, fields)).body.data.modelId as string);
  await first.kill();
  const second = await start({ TEST_VERSION: '2' });
  await finished(second, (await generate(second, fields)).body.data.modelId as string);
  expect(readdirSync(join(folder.path, '1/results'))).toHaveLength(2);
});

it('results are bounded by size, the least recently used going first', async () => {
  const engine = await start({}, { resultBytes: 12_000 });
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) {
    const { body } = await generate(engine, { file: blob(await picture(i)), sex: '1' });
    ids.push(body.data.modelId as string);
    await finished(engine, ids[i]!);
  }
  expect((await getModel(engine, ids[0]!)).body.code).toBe(404);
  expect((await getModel(engine, ids[2]!)).body.data).toMatchObject({ status: 1 });
});

it('what is older than the rule is forgotten', async () => {
  const first = await start();
  const id = (await generate(first, { file: blob(await picture(1)), sex: '1' })).body.data.modelId as string;
  await finished(first, id);
  await first.kill();
  const second = await start({}, { keep: 1 });
  expect((await getModel(second, id)).body.code).toBe(404);
  // The file goes after its record, in the background.
  await expect.poll(() => readdirSync(join(folder.path, '1/results'))).toEqual([]);
});

it('a damaged database is kept aside and told, never wiped', async () => {
  const first = await start();
  await first.kill('SIGTERM');
  const file = join(folder.path, '1/engine.sqlite');
  writeFileSync(file, 'this was a database once');
  const second = await start();
  expect(second.output()).toContain('kept aside');
  const aside = readdirSync(join(folder.path, '1')).find((name) => name.includes('damaged'));
  expect(readFileSync(join(folder.path, '1', aside!), 'utf8')).toBe('this was a database once');
  expect((await generate(second, { file: blob(await picture(1)), sex: '1' })).status).toBe(200);
});

it('a folder of the first engine, before corrections, goes on', async () => {
  const first = await start();
  const id = (await generate(first, { file: blob(await picture(1)), sex: '1' })).body.data.modelId as string;
  await finished(first, id);
  await first.kill('SIGTERM');
  const database = new DatabaseSync(join(folder.path, '1/engine.sqlite'));
  database.exec(`
    DROP INDEX model_with_others; DROP INDEX model_by_needed_photo;
    DROP INDEX model_by_owner; DROP INDEX model_by_end; DROP TABLE completion; DROP TABLE origin;
    ALTER TABLE image_task DROP COLUMN owner; ALTER TABLE model DROP COLUMN owner;
    ALTER TABLE model DROP COLUMN kind; ALTER TABLE model DROP COLUMN priority;
    ALTER TABLE model DROP COLUMN corrections; ALTER TABLE model DROP COLUMN options;
    ALTER TABLE model DROP COLUMN account; ALTER TABLE model DROP COLUMN others; ALTER TABLE model DROP COLUMN photos;
    ALTER TABLE result DROP COLUMN photos;
    ALTER TABLE model DROP COLUMN anyway; ALTER TABLE model DROP COLUMN preview; PRAGMA user_version = 1`);
  database.close();
  const second = await start();
  expect((await getModel(second, id)).body.data).toMatchObject({ status: 1 });
  expect(
    (
      await generate(second, {
        file: blob(await picture(2)),
        sex: '1',
        corrections: '{}',
        options: '{"smile":1}',
      })
    ).status,
  ).toBe(200);
});

it('two engines on one data folder keep out of each other’s way', async () => {
  const [one, two] = [await start({ TEST_MILLISECONDS: '500' }), await start()];
  const id = (await generate(one, { file: blob(await picture(1)), sex: '1' })).body.data.modelId as string;
  expect((await getModel(two, id)).body.code).toBe(404);
  expect(await finished(one, id)).toMatchObject({ status: 1 });
  expect(readdirSync(folder.path).sort()).toEqual(['1', '2']);
});
