import { parentPort } from 'node:worker_threads';
import type { Said } from '#sentences';
import { Failure, saidOf } from '../failure.ts';
import type { ThreadAnswer, ThreadOrder } from './thread_pool.ts';
import { ownThread } from './thread_priority.ts';

/** What a thread's work gives, and what of it is handed over instead of copied. */
export interface Handed {
  value: unknown;
  transfer?: readonly ArrayBuffer[];
}

/**
 * Answers what a `ThreadPool` sends to this thread.
 *
 * @param saidOfOwn - A sentence for an error that has one of its own; undefined: its message.
 */
export function answerOrders<Order extends object>(
  work: (order: Order) => Promise<Handed>,
  saidOfOwn: (error: unknown) => Said | undefined = () => undefined,
): void {
  parentPort?.postMessage({ thread: ownThread() } satisfies ThreadAnswer);
  parentPort?.on('message', (order: ThreadOrder<Order>) => {
    const answer = (message: ThreadAnswer, transfer: readonly ArrayBuffer[] = []): void =>
      parentPort?.postMessage(message, transfer);
    work(order).then(
      ({ value, transfer }) => answer({ id: order.id, value }, transfer),
      (error: unknown) => {
        const { code, advice } =
          error instanceof Failure ? error : ({ code: 'unsupported', advice: '' } satisfies Partial<Failure>);
        answer({ id: order.id, error: saidOfOwn(error) ?? saidOf(error), code, hint: advice });
      },
    );
  });
}
