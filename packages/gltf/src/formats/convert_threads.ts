import { threadFailures } from '@likeness/node-kit/threads/thread_failures.ts';
import { ThreadPool } from '@likeness/node-kit/threads/thread_pool.ts';
import type { Converted, ConvertOrder } from './convert.ts';
import type { TakeOrder } from './convert_take.ts';
import { type HandedFace, handedBuffers, handedFace } from './handed_face.ts';

/** Converts heads and takes on a worker thread. */
export interface ConvertThreads {
  /** @param glb - Copied, so that it may be used again. @throws Failure as `convertHead`; `cancelled` */
  convert(glb: Uint8Array, order: ConvertOrder, signal?: AbortSignal): Promise<Converted>;
  /**
   * @param head - A GLB, copied; null only where the form holds none. @returns The whole file.
   * @throws Failure as `convertTake`; `cancelled`
   */
  convertTake(head: Uint8Array | null, take: TakeOrder, signal?: AbortSignal): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** An order to a conversion thread. */
export type ConvertThreadOrder =
  | { glb: Uint8Array; order: ConvertOrder }
  | { head: Uint8Array | null; take: Omit<TakeOrder, 'face'> & { face: HandedFace } };

/**
 * Timeout for a head, milliseconds, plus an allowance per megabyte of its file and per frame of a take.
 */
const limit = { head: 60_000, megabyte: 1000, frame: 5 };

/**
 * @param options.entry - The thread's script, `out/main/convert-thread.js`.
 * @param options.heap - MiB that a thread's objects may take.
 */
export function createConvertThreads({
  entry,
  heap = 2048,
}: {
  entry: string | URL;
  heap?: number;
}): ConvertThreads {
  // One head at a time: a large one takes a gigabyte of memory.
  const pool = new ThreadPool<ConvertThreadOrder, 'convert'>({
    entry,
    name: 'convert-thread',
    lanes: { convert: 1 },
    memory: { maxOldGenerationSizeMb: heap },
    errors: threadFailures,
  });
  return {
    async convert(glb, order, signal) {
      const milliseconds = limit.head + (limit.megabyte * glb.byteLength) / 1e6;
      return (await pool.run(
        { glb, order },
        { lane: 'convert', milliseconds: async () => milliseconds, signal },
      )) as Converted;
    },
    async convertTake(head, take, signal) {
      const milliseconds =
        limit.head + (limit.megabyte * (head?.byteLength ?? 0)) / 1e6 + limit.frame * take.face.frames.length;
      const face = handedFace(take.face);
      return (await pool.run(
        { head, take: { ...take, face } },
        { lane: 'convert', milliseconds: async () => milliseconds, signal, transfer: handedBuffers(face) },
      )) as Uint8Array;
    },
    close: () => pool.close(),
  };
}
