import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultHeadModel } from '../../../../main/engine/portrait/default_head/default_head.ts';
import {
  createPortraitEngine,
  type PortraitEngine,
  PortraitError,
} from '../../../../main/engine/portrait/index.ts';
import { hasThreadPriorities, lowThreads } from '../../../fixtures/thread_priorities.ts';
import { photograph } from './synthetic_photo.ts';

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

const dying = new URL('./dying_worker.ts', import.meta.url);
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'ok',
    (error: unknown) => (error instanceof PortraitError ? error.code : String(error)),
  );

describe('the engine', () => {
  it('makes a head in a worker thread, and takes it from the cache the next time', async () => {
    const { png } = await photograph(await defaultHeadModel());
    engine = await createPortraitEngine({ workers: 1, cacheDir: folder });
    const stages: string[] = [];
    const first = await engine.head({ photo: png, sex: 'female', onStage: (stage) => stages.push(stage) });
    expect(stages[0]).toBe('decode');
    expect(stages.at(-1)).toBe('write');
    expect(first.report.landmarks).toBe(468);
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
    const path = join(folder, 'photo.png');
    await writeFile(path, png);
    const second = await engine.head({ photo: path, sex: 'female' });
    expect(second.sha256).toBe(first.sha256);
    expect(Buffer.compare(second.glb, first.glb)).toBe(0);
    await engine.close();
    // A new engine without the cache makes the same bytes.
    engine = await createPortraitEngine({ workers: 1 });
    const third = await engine.head({ photo: png, sex: 'female' });
    expect(third.sha256).toBe(first.sha256);
    const other = await engine.head({ photo: png, sex: 'male' });
    expect(other.sha256).not.toBe(first.sha256);
  }, 120_000);

  it('makes again what was damaged in the cache', async () => {
    engine = await createPortraitEngine({ workers: 1, cacheDir: folder, workerUrl: dying });
    await engine.head({ photo: Uint8Array.of(9, 9), sex: 'female' });
    for (const name of await readdir(folder))
      if (name.endsWith('.glb')) await writeFile(join(folder, name), 'torn');
    const again = await engine.head({ photo: Uint8Array.of(9, 9), sex: 'female' });
    expect([...again.glb]).toEqual([9, 9, 42]);
  });

  it('loses only the job that a worker died of', async () => {
    engine = await createPortraitEngine({ workers: 2, workerUrl: dying });
    const jobs = [4, 1, 5, 6, 1, 7].map((first, i) =>
      codeOf(engine!.head({ photo: Uint8Array.of(first, i), sex: 'female' })),
    );
    expect(await Promise.all(jobs)).toEqual(['ok', 'worker_died', 'ok', 'ok', 'worker_died', 'ok']);
  });

  it('passes on why a photo was refused', async () => {
    engine = await createPortraitEngine({ workers: 1, workerUrl: dying });
    expect(await codeOf(engine.head({ photo: Uint8Array.of(3), sex: 'male' }))).toBe('no_face');
  });

  it('stops a job that is running and one that waits, and goes on with the next', async () => {
    engine = await createPortraitEngine({ workers: 1, workerUrl: dying });
    const stop = new AbortController();
    const running = codeOf(engine.head({ photo: Uint8Array.of(2), sex: 'male', signal: stop.signal }));
    const waiting = codeOf(engine.head({ photo: Uint8Array.of(4), sex: 'male', signal: stop.signal }));
    const next = codeOf(engine.head({ photo: Uint8Array.of(5), sex: 'male' }));
    setTimeout(() => stop.abort(), 300);
    expect(await Promise.all([running, waiting, next])).toEqual(['cancelled', 'cancelled', 'ok']);
    expect(engine.load).toEqual({ running: 0, waiting: 0, workers: 1 });
  });

  it('answers everything that is open when it closes', async () => {
    engine = await createPortraitEngine({ workers: 1, workerUrl: dying });
    const jobs = [2, 4].map((first) => codeOf(engine!.head({ photo: Uint8Array.of(first), sex: 'male' })));
    setTimeout(() => void engine?.close(), 200);
    expect(await Promise.all(jobs)).toEqual(['engine_closed', 'engine_closed']);
  });

  it('yields to who speaks: one worker fewer, the others at a low priority, and back again', async () => {
    engine = await createPortraitEngine({ workers: 2, workerUrl: dying });
    const jobs = [2, 2, 4].map((first, i) =>
      codeOf(engine!.head({ photo: Uint8Array.of(first, i), sex: 'male' })),
    );
    await vi.waitFor(() => expect(engine!.load).toEqual({ running: 2, waiting: 1, workers: 2 }));
    // Under way already: they go on, after everybody else.
    engine.yieldTo(true);
    if (hasThreadPriorities) await vi.waitFor(() => expect(lowThreads()).toHaveLength(2));
    engine.yieldTo(false);
    expect(engine.load.running).toBe(2);
    await engine.close();
    await Promise.all(jobs);

    engine = await createPortraitEngine({ workers: 2, workerUrl: dying });
    engine.yieldTo(true);
    const later = [2, 2].map((first, i) =>
      codeOf(engine!.head({ photo: Uint8Array.of(first, i), sex: 'male' })),
    );
    await vi.waitFor(() => expect(engine!.load).toEqual({ running: 1, waiting: 1, workers: 2 }));
    if (hasThreadPriorities) await vi.waitFor(() => expect(lowThreads()).toHaveLength(1));
    engine.yieldTo(false);
    expect(engine.load).toEqual({ running: 2, waiting: 0, workers: 2 });
    await engine.close();
    await Promise.all(later);

    // A worker of whom the system gives no priority back is replaced when its job is done.
    engine = await createPortraitEngine({ workers: 1, workerUrl: dying });
    engine.yieldTo(true);
    expect(await codeOf(engine.head({ photo: Uint8Array.of(4), sex: 'male' }))).toBe('ok');
    engine.yieldTo(false);
    expect(await codeOf(engine.head({ photo: Uint8Array.of(5), sex: 'male' }))).toBe('ok');
    await vi.waitFor(() => expect(lowThreads()).toEqual([]));
  });

  it('makes one head of two requests for the same at once', async () => {
    engine = await createPortraitEngine({ workers: 2, workerUrl: dying });
    const [a, b] = await Promise.all(
      [1, 2].map(() => engine!.head({ photo: Uint8Array.of(8), sex: 'male' })),
    );
    expect(a).toBe(b);
  });
});
