import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hasThreadPriorities, lowThreads } from '../../../test/fixtures/thread_priorities.ts';
import { sharedMadeHead, sharedPhoto } from '../../../test/support/shared_heads.ts';
import { writeGlb } from '../src/gltf/write_glb.ts';
import {
  createPortraitEngine,
  type PortraitEngine,
  PortraitError,
  portraitFailMessage,
} from '../src/index.ts';

let folder: string;
let engine: PortraitEngine | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portrait-'));
});
afterEach(async () => {
  await engine?.close();
  engine = undefined;
  await rm(folder, { recursive: true, force: true });
});

/** For a busy machine: threads start late there. */
const patient = { timeout: 20_000 };

const dying = new URL('./dying_worker.ts', import.meta.url);
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'ok',
    (error: unknown) => (error instanceof PortraitError ? error.code : String(error)),
  );

describe('the engine', () => {
  it('makes a head in a worker thread, and the same bytes of the same photo', async () => {
    const photo = await sharedPhoto('female');
    engine = createPortraitEngine({ workers: 1 });
    const stages: string[] = [];
    const man = await engine.head({ photo, sex: 'male', onStage: (stage) => stages.push(stage) });
    expect(stages[0]).toBe('decode');
    expect(stages.at(-1)).toBe('write');
    expect(man.report.landmarks).toBe(468);
    // Of a file's path, by a worker that has made another head before; and without an engine.
    const path = join(folder, 'photo.png');
    await writeFile(path, photo);
    const woman = await engine.head({ photo: path, sex: 'female' });
    const alone = await writeGlb((await sharedMadeHead('female')).model);
    expect(Buffer.compare(woman.glb, alone)).toBe(0);
    expect(woman.sha256).toBe(createHash('sha256').update(alone).digest('hex'));
    expect(man.sha256).not.toBe(woman.sha256);
  }, 120_000);

  it('loses only the job that a worker died of', async () => {
    engine = createPortraitEngine({ workers: 2, workerUrl: dying });
    const jobs = [4, 1, 5, 6, 1, 7].map((first, i) =>
      codeOf(engine!.head({ photo: Uint8Array.of(first, i), sex: 'female' })),
    );
    expect(await Promise.all(jobs)).toEqual(['ok', 'worker_died', 'ok', 'ok', 'worker_died', 'ok']);
  });

  it('passes on why a photo was refused', async () => {
    engine = createPortraitEngine({ workers: 1, workerUrl: dying });
    expect(await codeOf(engine.head({ photo: Uint8Array.of(3), sex: 'male' }))).toBe('no_face');
  });

  it('stops a job that is running and one that waits, and goes on with the next', async () => {
    engine = createPortraitEngine({ workers: 1, workerUrl: dying });
    const stop = new AbortController();
    const running = codeOf(engine.head({ photo: Uint8Array.of(2), sex: 'male', signal: stop.signal }));
    const waiting = codeOf(engine.head({ photo: Uint8Array.of(4), sex: 'male', signal: stop.signal }));
    const next = codeOf(engine.head({ photo: Uint8Array.of(5), sex: 'male' }));
    setTimeout(() => stop.abort(), 300);
    expect(await Promise.all([running, waiting, next])).toEqual(['cancelled', 'cancelled', 'ok']);
    expect(engine.load).toEqual({ running: 0, waiting: 0, workers: 1 });
  });

  it('keeps the thread of a cancelled job that stops by itself', async () => {
    engine = createPortraitEngine({ workers: 1, workerUrl: dying });
    const threadOf = async (): Promise<number | undefined> =>
      (await engine!.head({ photo: Uint8Array.of(4), sex: 'male' })).glb.at(-1);
    const thread = await threadOf();
    const stop = new AbortController();
    const running = codeOf(engine.head({ photo: Uint8Array.of(8), sex: 'male', signal: stop.signal }));
    await vi.waitFor(() => expect(engine!.load.running).toBe(1), patient);
    stop.abort();
    expect(await running).toBe('cancelled');
    expect(await threadOf()).toBe(thread);
  });

  it('stops the work on a head at its next stage', async () => {
    const photo = await sharedPhoto('female');
    engine = createPortraitEngine({ workers: 1 });
    const stop = new AbortController();
    const stages: string[] = [];
    const onStage = (stage: string): void => {
      stages.push(stage);
      if (stage === 'landmarks') stop.abort();
    };
    expect(await codeOf(engine.head({ photo, sex: 'male', signal: stop.signal, onStage }))).toBe('cancelled');
    await vi.waitFor(() => expect(engine!.load.running).toBe(0), patient);
    expect(stages).toEqual(['decode', 'landmarks']);
  });

  it('answers everything that is open when it closes', async () => {
    engine = createPortraitEngine({ workers: 1, workerUrl: dying });
    const jobs = [2, 4].map((first) => codeOf(engine!.head({ photo: Uint8Array.of(first), sex: 'male' })));
    setTimeout(() => void engine?.close(), 200);
    expect(await Promise.all(jobs)).toEqual(['engine_closed', 'engine_closed']);
  });

  it('yields to who speaks: one worker fewer, the others at a low priority, and back again', async () => {
    engine = createPortraitEngine({ workers: 2, workerUrl: dying });
    const jobs = [2, 2, 4].map((first, i) =>
      codeOf(engine!.head({ photo: Uint8Array.of(first, i), sex: 'male' })),
    );
    await vi.waitFor(() => expect(engine!.load).toEqual({ running: 2, waiting: 1, workers: 2 }), patient);
    // Under way already: they go on, after everybody else.
    engine.yieldTo(true);
    if (hasThreadPriorities) await vi.waitFor(() => expect(lowThreads()).toHaveLength(2), patient);
    engine.yieldTo(false);
    expect(engine.load.running).toBe(2);
    await engine.close();
    await Promise.all(jobs);

    engine = createPortraitEngine({ workers: 2, workerUrl: dying });
    engine.yieldTo(true);
    const later = [2, 2].map((first, i) =>
      codeOf(engine!.head({ photo: Uint8Array.of(first, i), sex: 'male' })),
    );
    await vi.waitFor(() => expect(engine!.load).toEqual({ running: 1, waiting: 1, workers: 2 }), patient);
    if (hasThreadPriorities) await vi.waitFor(() => expect(lowThreads()).toHaveLength(1), patient);
    engine.yieldTo(false);
    expect(engine.load).toEqual({ running: 2, waiting: 0, workers: 2 });
    await engine.close();
    await Promise.all(later);

    // A worker of whom the system gives no priority back is replaced when its job is done.
    engine = createPortraitEngine({ workers: 1, workerUrl: dying });
    engine.yieldTo(true);
    expect(await codeOf(engine.head({ photo: Uint8Array.of(4), sex: 'male' }))).toBe('ok');
    engine.yieldTo(false);
    expect(await codeOf(engine.head({ photo: Uint8Array.of(5), sex: 'male' }))).toBe('ok');
    await vi.waitFor(() => expect(lowThreads()).toEqual([]), patient);
  });

  it('replaces a worker that hangs or dies of a photo, and looks at the next', async () => {
    engine = createPortraitEngine({ workers: 1, workerUrl: dying, within: { outline: 600 } });
    const outline = (photo: string) =>
      engine!.outline({
        photo,
        name: photo,
        crop: null,
        sex: null,
        corrections: null,
        keep: false,
        isBackground: false,
      });
    const asked = [
      outline('for ever'),
      outline('for ever'),
      engine.check('a photo', null),
      engine.check('dies', null),
      engine.check('another photo', null),
    ];
    const codes = await Promise.all(asked.map((task) => codeOf(task)));
    expect(codes).toEqual(['took_too_long', 'took_too_long', 'ok', 'worker_died', 'ok']);
    const words = await asked[0]!.catch((error: PortraitError) => portraitFailMessage(error).text);
    expect(words).toMatch(/^It took longer than/);
    expect(await engine.check('fills', null).catch((error: PortraitError) => error.params.reason)).toMatch(
      /memory/,
    );
    expect(await engine.check('a third photo', null)).toBe('a third photo');
  });

  it('looks at photos beside the heads in the making', async () => {
    engine = createPortraitEngine({ workers: 1, workerUrl: dying });
    const head = codeOf(engine.head({ photo: Uint8Array.of(2), sex: 'male' }));
    expect(await engine.check('a photo', null)).toBe('a photo');
    expect(engine.load.running).toBe(1);
    await engine.close();
    expect(await head).toBe('engine_closed');
  });

  it('yields to who speaks: photos are looked at by one worker, at a low priority, and the background waits', async () => {
    engine = createPortraitEngine({ workers: 1, workerUrl: dying });
    const done: string[] = [];
    const note = (what: string, task: Promise<unknown>): void => {
      task.then(
        () => done.push(what),
        () => undefined,
      );
    };
    const outline = { crop: null, sex: null, corrections: null, keep: false, isBackground: true };
    engine.yieldTo(true);
    note('outline', engine.outline({ ...outline, photo: 'outline', name: 'outline' }));
    await engine.check('photo', null);
    expect(done).toEqual([]);
    // One worker works, the other is left out.
    note('never', engine.check('never', null));
    note('second photo', engine.check('second photo', null));
    if (hasThreadPriorities) await vi.waitFor(() => expect(lowThreads()).toHaveLength(1), patient);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(done).toEqual([]);
    engine.yieldTo(false);
    await vi.waitFor(() => expect(done.toSorted()).toEqual(['outline', 'second photo']), patient);
  });

  it('draws the next stroke where the photo of the last is kept, and says where it is kept no more', async () => {
    engine = createPortraitEngine({ workers: 1, workerUrl: dying });
    const stroke = (photo: string | null, name = 'ada') =>
      engine!.outline({
        photo,
        name,
        crop: null,
        sex: null,
        corrections: null,
        keep: true,
        isBackground: false,
      });
    const { score: thread } = await stroke('photo');
    await Promise.all(['one', 'two'].map((photo) => engine!.check(photo, null)));
    expect((await stroke(null)).score).toBe(thread);
    expect(await codeOf(stroke(null, 'bob'))).toBe('photo_not_kept');
    expect(await codeOf(engine.check('dies', null))).toBe('worker_died');
    expect((await stroke(null)).score).toBe(thread);
  });
});
