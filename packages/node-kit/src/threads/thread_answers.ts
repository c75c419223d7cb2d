import { parentPort } from 'node:worker_threads';
import { ownThread } from './thread_priority.ts';
import type { ThreadAnswer, ThreadOrder } from './thread_task.ts';

/** The result of a thread's work, and the buffers to transfer instead of copying. */
export interface Handed {
  value: unknown;
  transfer?: readonly ArrayBuffer[];
}

/**
 * Answers the orders of a `ThreadPool` in this thread.
 *
 * @param work - `report` reports its progress. In a pool with a `grace` it asks `isCancelled` now and then, and throws.
 * @param toTell - Converts an error for the pool's `ThreadErrors.deserialize`: to plain values, because an
 * Error loses its own fields.
 */
export function answerOrders<Order extends object>(
  work: (order: Order, report: (progress: unknown) => void, isCancelled: () => boolean) => Promise<Handed>,
  toTell: (error: unknown) => unknown,
): void {
  parentPort?.postMessage({ thread: ownThread() } satisfies ThreadAnswer);
  parentPort?.on('message', (order: ThreadOrder<Order>) => {
    const { id, cancelled } = order;
    const isCancelled = (): boolean => cancelled !== undefined && Atomics.load(cancelled, 0) === 1;
    const answer = (message: ThreadAnswer, transfer: readonly ArrayBuffer[] = []): void =>
      parentPort?.postMessage(message, transfer);
    work(order, (progress) => answer({ id, progress }), isCancelled).then(
      ({ value, transfer }) => answer({ id, value }, transfer),
      (error: unknown) => answer({ id, error: toTell(error) }),
    );
  });
}
