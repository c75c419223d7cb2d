import { createHash, randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { plainOrder } from '../../../../test/support/model_order.ts';
import { temporaryFolder } from '../../../../test/support/service/engine_harness.ts';
import { type EngineFolder, takeEngineFolder } from '../../src/engine_folder.ts';
import { defaultLimits } from '../../src/http/limits.ts';
import type { HeadMaker } from '../../src/models/head_maker.ts';
import type { ModelChange, ModelOrder } from '../../src/models/model_jobs.ts';
import { ModelQueue } from '../../src/models/model_queue.ts';

let place: ReturnType<typeof temporaryFolder>;
let folder: EngineFolder;
let queue: ModelQueue;
let made: string[];
/** Heads are made once it resolves. */
let mayMake: Promise<void>;
const maker: HeadMaker = {
  version: '1',
  parallel: 1,
  async makeHead({ photo, signal }) {
    await setTimeout(5, undefined, { signal });
    await mayMake;
    made.push(Buffer.from(photo).toString());
    return { glb: Buffer.concat([Buffer.from('glTF'), photo]) };
  },
  photos: {} as HeadMaker['photos'],
  explain: () => null,
  close: async () => {},
};

beforeEach(() => {
  place = temporaryFolder();
  made = [];
  mayMake = Promise.resolve();
  folder = takeEngineFolder(place.path, Date.now);
  queue = new ModelQueue({
    folder,
    loadHeadMaker: async () => maker,
    limits: defaultLimits,
    clock: Date.now,
    onLoad: () => {},
    log: () => {},
  });
});
afterEach(async () => {
  await queue.close();
  await folder.release();
  place.remove();
});

async function submit(photo: string, changes: Partial<ModelOrder> = {}): Promise<string> {
  const path = join(folder.incoming, randomBytes(8).toString('hex'));
  writeFileSync(path, photo);
  const sha256 = createHash('sha256').update(photo).digest('hex');
  return (await queue.submit({ path, sha256 }, { ...plainOrder, ...changes })).id;
}
const over = (id: string, owner: string | null) =>
  vi.waitFor(async () => {
    const model = await queue.find(id, owner);
    expect(model?.state).toBe(1);
    return model!;
  });

it('another owner’s model is as if it were not there', async () => {
  const id = await submit('x', { owner: 'ann' });
  await over(id, 'ann');
  for (const owner of ['bob', null, 'an', '']) {
    expect(await queue.find(id, owner)).toBeNull();
    expect(await queue.remove(id, owner)).toBe(false);
  }
  expect(await queue.find(id, 'ann', 'image')).toBeNull();
  expect(await queue.remove(id, 'ann')).toBe(true);
});

it('the same photo of two owners is made twice: speed would tell one of the other’s', async () => {
  const [a, b] = [await submit('x', { owner: 'ann' }), await submit('x', { owner: 'bob' })];
  const [ann, bob] = [await over(a, 'ann'), await over(b, 'bob')];
  expect(ann.result).not.toBe(bob.result);
  expect(made).toEqual(['x', 'x']);
  await over(await submit('x', { owner: 'bob' }), 'bob');
  expect(made).toHaveLength(2);
});

it('the same idempotency key of two owners is two orders', async () => {
  const a = await submit('x', { owner: 'ann', idempotencyKey: 'k' });
  expect(await submit('x', { owner: 'ann', idempotencyKey: 'k' })).toBe(a);
  expect(await submit('y', { owner: 'bob', idempotencyKey: 'k' })).not.toBe(a);
});

it('owners take turns', async () => {
  const ids = await Promise.all(
    ['a1', 'a2', 'a3', 'b1'].map((photo) => submit(photo, { owner: photo.slice(0, 1) })),
  );
  for (const [at, id] of ids.entries()) await over(id, at < 3 ? 'a' : 'b');
  expect(made.indexOf('b1')).toBeLessThan(made.indexOf('a3'));
});

it('each finished model of an owner is one completion, and a change that is told', async () => {
  const changes: ModelChange[] = [];
  const stop = queue.watch((change) => changes.push(change));
  const a = await submit('x', { owner: 'ann' });
  await over(a, 'ann');
  const b = await submit('x', { owner: 'ann' });
  await over(b, 'ann');
  const mine = await submit('x');
  await over(mine, null);
  const all = await queue.completions(null, 10);
  expect(all.map(({ id, owner, kind }) => ({ id, owner, kind }))).toEqual([
    { id: a, owner: 'ann', kind: 'head' },
    { id: b, owner: 'ann', kind: 'head' },
  ]);
  expect(all[0]!.seconds).toBeGreaterThan(0);
  expect(all[1]!.seconds).toBe(0);
  expect(await queue.completions(all[0]!.cursor, 10)).toEqual([all[1]]);
  expect(changes).toEqual([
    { id: a, owner: 'ann', kind: 'head', state: 1 },
    { id: b, owner: 'ann', kind: 'head', state: 1 },
    { id: mine, owner: null, kind: 'head', state: 1 },
  ]);
  stop();
  expect(await queue.removeAll('ann')).toBe(2);
  expect(await queue.find(a, 'ann')).toBeNull();
  expect(changes).toHaveLength(3);
});

it('the queue is measured by kind: heads and images are two', async () => {
  const gate = Promise.withResolvers<void>();
  mayMake = gate.promise;
  const ids = [await submit('x'), await submit('y', { kind: 'image' }), await submit('z', { kind: 'image' })];
  const { kinds, slots } = await queue.measures();
  expect(slots).toBe(1);
  expect(kinds.head.queued + kinds.head.running).toBe(1);
  expect(kinds.image.queued + kinds.image.running).toBe(2);
  expect(kinds.image.oldestSeconds).toBeLessThan(60);
  gate.resolve();
  for (const [at, id] of ids.entries())
    await vi.waitFor(async () =>
      expect((await queue.find(id, null, at === 0 ? 'head' : 'image'))?.state).toBe(1),
    );
  const none = { queued: 0, running: 0, oldestSeconds: 0 };
  await vi.waitFor(async () => expect((await queue.measures()).kinds).toEqual({ head: none, image: none }));
});

it('a result is read by ranges, and says whose it is', async () => {
  const { file } = await over(await submit('abc', { owner: 'ann' }), 'ann');
  const result = (await queue.result(file))!;
  expect(result).toMatchObject({ owner: 'ann', bytes: 7 });
  const read = async (first: number, last: number) =>
    Buffer.concat(await (await result.open({ first, last })).toArray()).toString();
  expect(await read(0, 6)).toBe('glTFabc');
  expect(await read(4, 5)).toBe('ab');
  expect(await queue.result('nothing')).toBeNull();
});

it('an order is answered, billed and without its photo only when that would survive a power cut', async () => {
  const flush = Promise.withResolvers<void>();
  const photo = join(folder.photos, createHash('sha256').update('x').digest('hex'));
  const waiting = vi.spyOn(folder.wal, 'flushed').mockReturnValue(flush.promise);
  const told: string[] = [];
  queue.watch(({ id }) => told.push(id));
  const order = submit('x', { owner: 'ann' }).then((id) => told.push(`answered ${id}`));
  await vi.waitFor(() => expect(told).toHaveLength(1));
  const completions = queue.completions(null, 10).then((all) => told.push(`billed ${all[0]?.id}`));
  await setTimeout(20);
  expect(told).toHaveLength(1);
  expect(existsSync(photo)).toBe(true);
  flush.resolve();
  await Promise.all([order, completions]);
  expect(told.toSorted()).toEqual([told[0], `answered ${told[0]}`, `billed ${told[0]}`].toSorted());
  await vi.waitFor(() => expect(existsSync(photo)).toBe(false));
  waiting.mockRestore();
});

it('a disk that refuses a flush refuses the order, and its photo goes with the next sweep', async () => {
  const photo = join(folder.photos, createHash('sha256').update('x').digest('hex'));
  const waiting = vi.spyOn(folder.wal, 'flushed').mockRejectedValue(new Error('EIO'));
  await expect(submit('x', { owner: 'ann' })).rejects.toThrow('EIO');
  await vi.waitFor(() => expect(made).toEqual(['x']));
  await expect(queue.completions(null, 10)).rejects.toThrow('EIO');
  waiting.mockRestore();
  await vi.waitFor(async () => expect(await queue.completions(null, 10)).toHaveLength(1));
  await queue.sweep();
  expect(existsSync(photo)).toBe(false);
});

it('one of several photos of a model that waits is kept for it', async () => {
  const [first, second] = ['x', 'y'].map((text) => {
    const path = join(folder.incoming, randomBytes(8).toString('hex'));
    writeFileSync(path, text);
    return { path, sha256: createHash('sha256').update(text).digest('hex') };
  });
  const waits = await submit('z');
  const { id } = await queue.submit({ ...first!, others: [second!] }, plainOrder);
  await queue.dropPhoto(second!.sha256);
  expect(existsSync(join(folder.photos, second!.sha256))).toBe(true);
  await over(waits, null);
  await over(id, null);
  await vi.waitFor(() => expect(existsSync(join(folder.photos, second!.sha256))).toBe(false));
});
