import { stat } from 'node:fs/promises';
import type { Readiness } from '#contract';
import type { PhotoCheck } from './batch/photos/photo_row.ts';
import type { FoundOutline, PortraitChecker } from './batch/ports.ts';
import type { PortraitOrder } from './portrait_thread.ts';
import { createThreadPool } from './threads/thread_pool.ts';

/** Checks photos and heads and draws thumbnails on threads of their own. */
export interface PortraitThreads extends PortraitChecker {
  /** A picture of a GLB, WebP. @throws Failure `unsupported` where it can't be drawn, or not in time. */
  thumbnail(modelPath: string): Promise<Uint8Array>;
  /** What a GLB in a folder is fit for. @throws Failure `unsupported` where it can't be said, or not in time. */
  readiness(folder: string, modelPath: string): Promise<Readiness>;
  /**
   * While somebody speaks: threads get a core when nobody else wants it, one of them is left out, and what nobody
   * asked for by hand waits.
   */
  yieldTo(isSpeaking: boolean): void;
  close(): Promise<void>;
}

/**
 * Milliseconds that a task may take before its thread is ended. A head of the engine's is drawn in one second and a
 * photo checked in two, on a machine that does nothing else; a file from elsewhere may be made to take for ever.
 */
const limits: Readonly<Record<PortraitOrder['kind'], number>> = {
  thumbnail: 20_000,
  readiness: 30_000,
  check: 60_000,
  outline: 120_000,
};
/** What nobody waits for: it comes by itself with a head. */
const background: ReadonlySet<PortraitOrder['kind']> = new Set(['thumbnail', 'readiness']);

/** As much longer for each megabyte of a model's file: an artist's head has hundreds. */
const perMegabyte = 200;

/**
 * @param options.entry - The thread's script, `out/main/portrait-thread.js`.
 * @param options.threads - How many at most.
 * @param options.within - Milliseconds for each kind of task. Default `limits`.
 * @param options.heap - MiB that a thread's objects may take.
 */
export function createPortraitThreads({
  entry,
  threads,
  within = {},
  heap = 1024,
}: {
  entry: string | URL;
  threads: number;
  within?: Partial<Record<PortraitOrder['kind'], number>>;
  heap?: number;
}): PortraitThreads {
  // Its networks take some 150 MB a thread.
  const pool = createThreadPool<PortraitOrder>({ entry, name: 'portrait-thread', threads, heap });
  const run = (order: PortraitOrder): Promise<unknown> =>
    pool.run(order, {
      isBackground: background.has(order.kind),
      async milliseconds() {
        const bytes = 'path' in order ? ((await stat(order.path).catch(() => null))?.size ?? 0) : 0;
        return (within[order.kind] ?? limits[order.kind]) + (perMegabyte * bytes) / 1e6;
      },
    });

  return {
    parallel: pool.parallel,
    check: async (path, crop) => (await run({ kind: 'check', path, crop })) as PhotoCheck,
    outline: async (order) => (await run({ kind: 'outline', ...order })) as FoundOutline,
    readiness: async (folder, path) => (await run({ kind: 'readiness', folder, path })) as Readiness,
    thumbnail: async (path) => (await run({ kind: 'thumbnail', path })) as Uint8Array,
    yieldTo: (isSpeaking) => pool.yieldTo(isSpeaking),
    close: () => pool.close(),
  };
}
