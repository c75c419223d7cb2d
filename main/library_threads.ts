import { stat } from 'node:fs/promises';
import { threadFailures } from '@likeness/node-kit/threads/thread_failures.ts';
import { ThreadPool } from '@likeness/node-kit/threads/thread_pool.ts';
import type { Readiness } from '#contract';
import type { LibraryOrder } from './library_thread.ts';

/** Checks heads and renders their thumbnails, on worker threads. */
export interface LibraryThreads {
  /** Renders a GLB as WebP. @throws Failure `unsupported` if that fails or takes too long. */
  thumbnail(modelPath: string): Promise<Uint8Array>;
  /** Checks what a GLB supports. @throws Failure `unsupported` if it can't be checked, or takes too long. */
  readiness(folder: string, modelPath: string): Promise<Readiness>;
  /** During a live session: threads run at low priority, one of them pauses, and heads wait briefly. */
  yieldTo(isSpeaking: boolean): void;
  close(): Promise<void>;
}

/**
 * Milliseconds after which the thread of a task is ended. On an idle machine one of the engine's heads is
 * rendered in a second; a hostile file could take forever.
 */
const limits: Readonly<Record<LibraryOrder['kind'], number>> = { thumbnail: 20_000, readiness: 30_000 };

/** Additional milliseconds per megabyte of the file: an artist's head has hundreds. */
const perMegabyte = 200;

/**
 * @param options.entry - The thread's script, `out/main/library-thread.js`.
 * @param options.threads - Maximum number.
 * @param options.within - Milliseconds for each kind of task. Default `limits`.
 * @param options.heap - MiB of a thread's heap.
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
