import { createThreadPool } from '../thread_pool.ts';
import type { Converted, ConvertOrder } from './convert.ts';

/** Turns heads into other forms on a thread of its own. */
export interface ConvertThreads {
  /** @param glb - Copied, so that it may be used again. @throws Failure as `convertHead`; `cancelled` */
  convert(glb: Uint8Array, order: ConvertOrder, signal?: AbortSignal): Promise<Converted>;
  close(): Promise<void>;
}

/** Milliseconds that a head may take, and as much longer for each megabyte of its file. */
const limit = { head: 60_000, megabyte: 1000 };

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
  const pool = createThreadPool<{ glb: Uint8Array; order: ConvertOrder }>({
    entry,
    name: 'convert-thread',
    threads: 1,
    heap,
  });
  return {
    async convert(glb, order, signal) {
      const milliseconds = limit.head + (limit.megabyte * glb.byteLength) / 1e6;
      return (await pool.run(
        { glb, order },
        { milliseconds: async () => milliseconds, ...(signal && { signal }) },
      )) as Converted;
    },
    close: () => pool.close(),
  };
}
