import { stat } from 'node:fs/promises';
import { threadFailures } from '@likeness/node-kit/threads/thread_failures.ts';
import { ThreadPool } from '@likeness/node-kit/threads/thread_pool.ts';
import type { Readiness } from '#contract';
import type { LibraryOrder } from './library_thread.ts';

/** Checks heads and draws their thumbnails, on worker threads. */
export interface LibraryThreads {
  /** A picture of a GLB, WebP. @throws Failure `unsupported` where it can't be drawn, or not in time. */
  thumbnail(modelPath: string): Promise<Uint8Array>;
  /**
   * What a GLB in a folder can be used for. @throws Failure `unsupported` if it can't be checked, or not in
   * time.
   */
  readiness(folder: string, modelPath: string): Promise<Readiness>;
  /**
   * While somebody speaks: threads run at low priority, one of them pauses, and heads wait a while.
   */
  yieldTo(isSpeaking: boolean): void;
  close(): Promise<void>;
}

/**
 * Milliseconds that a task may take before its thread is ended. On an idle machine one of the engine's heads
 * is drawn in a second; a hostile file could take for ever.
 */
const limits: Readonly<Record<LibraryOrder['kind'], number>> = { thumbnail: 20_000, readiness: 30_000 };

/** Additional milliseconds per megabyte of the file: an artist's head has hundreds. */
const perMegabyte = 200;

/**
 * @param options.entry - The thread's script, `out/main/library-thread.js`.
 * @param options.threads - How many at most.
 * @param options.within - Milliseconds for each kind of task. Default `limits`.
 * @param options.heap - MiB that a thread's objects may take.
 */
export function createLibraryThreads({
  entry,
  threads,
  within = {},
  heap = 1024,
}: {
  entry: string | URL;
  threads: number;
  within?: Partial<typeof limits>;
  heap?: number;
}): LibraryThreads {
  const pool = new ThreadPool<LibraryOrder, 'heads'>({
    entry,
    name: 'library-thread',
    lanes: { heads: threads },
    // Most of a head's memory is in arrays outside V8's heap; a small young generation frees them sooner.
    memory: { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: heap },
    errors: threadFailures,
  });
  const run = (order: LibraryOrder): Promise<unknown> =>
    pool.run(order, {
      lane: 'heads',
      // Nobody waits for a thumbnail that is made along with a head.
      isBackground: true,
      async milliseconds() {
        const bytes = (await stat(order.path).catch(() => null))?.size ?? 0;
        return (within[order.kind] ?? limits[order.kind]) + (perMegabyte * bytes) / 1e6;
      },
    });

  return {
    readiness: async (folder, path) => (await run({ kind: 'readiness', folder, path })) as Readiness,
    thumbnail: async (path) => (await run({ kind: 'thumbnail', path })) as Uint8Array,
    yieldTo: (isSpeaking) => pool.yieldTo(isSpeaking),
    close: () => pool.close(),
  };
}
