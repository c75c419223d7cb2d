import { Worker } from 'node:worker_threads';
import type { StudioErrorCode } from '#contract';
import { type Said, say } from '#sentences';
import { Failure, saidOf } from './failure.ts';

/** What is sent to a thread, with the number that its answer bears. */
export type ThreadOrder<Order> = Order & { id: number };
export type ThreadAnswer =
  | { id: number; value: unknown }
  | { id: number; error: Said; code: StudioErrorCode; hint: Said };

interface Task<Order> {
  order: ThreadOrder<Order>;
  transfer: readonly ArrayBuffer[];
  milliseconds: () => Promise<number>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

interface Seat<Order> {
  worker: Worker | null;
  task: Task<Order> | null;
  /** Ends the task that takes too long. */
  limit: NodeJS.Timeout | null;
  idle: NodeJS.Timeout | null;
}

/** Threads that take orders one at a time each, so that main is never held up. */
export interface ThreadPool<Order> {
  /** How many at most. */
  readonly parallel: number;
  /**
   * @param options.milliseconds - How long it may take, asked when it begins; then its thread is ended.
   * @param options.transfer - What is given to the thread instead of copied.
   * @param options.signal - Ends the thread that is at it.
   * @throws Failure as the thread says; `unsupported` where it ends or takes too long; `cancelled`
   */
  run(
    order: Order,
    options: {
      milliseconds: () => Promise<number>;
      transfer?: readonly ArrayBuffer[];
      signal?: AbortSignal | undefined;
    },
  ): Promise<unknown>;
  close(): Promise<void>;
}

/** Milliseconds after which a thread without work ends. */
const idleMs = 30_000;

/**
 * @param options.entry - The thread's script. It answers each order with a `ThreadAnswer`: see `answerOrders`.
 * @param options.heap - MiB that a thread's objects may take, after which it alone ends where they came one by one; one
 *   that is too large by itself would end the process. Typed arrays are beside that. `glbLimits` keeps far from both.
 */
export function createThreadPool<Order extends object>({
  entry,
  name,
  threads,
  heap,
}: {
  entry: string | URL;
  name: string;
  threads: number;
  heap: number;
}): ThreadPool<Order> {
  const seats: Seat<Order>[] = Array.from({ length: Math.max(1, threads) }, () => ({
    worker: null,
    task: null,
    limit: null,
    idle: null,
  }));
  const waiting: Task<Order>[] = [];
  let nextId = 1;
  let closed = false;

  const settle = (seat: Seat<Order>, how: (task: Task<Order>) => void): void => {
    const { task, limit } = seat;
    seat.task = null;
    if (limit) clearTimeout(limit);
    seat.limit = null;
    if (task) how(task);
    pump();
  };

  const start = (seat: Seat<Order>): Worker => {
    const worker = new Worker(entry, { name, resourceLimits: { maxOldGenerationSizeMb: heap } });
    seat.worker = worker;
    worker.on('message', (answer: ThreadAnswer) => {
      if (seat.worker !== worker || seat.task?.order.id !== answer.id) return;
      settle(seat, (task) => {
        if ('error' in answer) task.reject(new Failure(answer.code, answer.error, { hint: answer.hint }));
        else task.resolve(answer.value);
      });
    });
    // A thread that dies takes its own task with it and no other.
    const gone = (reason: Said): void => {
      if (seat.worker !== worker) return;
      seat.worker = null;
      settle(seat, (task) => task.reject(new Failure('unsupported', say('photo.thread_ended', { reason }))));
    };
    worker.on('error', (error) => gone(saidOf(error)));
    worker.on('exit', (code) => gone(say('engine.exit_code_brief', { code })));
    return worker;
  };

  /** Ends what is under way in a seat; whatever waits goes on in a thread of its own. */
  const giveUp = (seat: Seat<Order>, why: Failure): void => {
    const { worker } = seat;
    seat.worker = null;
    void worker?.terminate();
    settle(seat, (task) => task.reject(why));
  };

  const begin = async (seat: Seat<Order>, task: Task<Order>): Promise<void> => {
    const milliseconds = await task.milliseconds();
    if (seat.task !== task) return;
    seat.limit = setTimeout(
      () =>
        giveUp(
          seat,
          new Failure(
            'unsupported',
            say('photo.took_too_long', { seconds: Math.round(milliseconds / 1000) }),
          ),
        ),
      milliseconds,
    );
    const worker = seat.worker ?? start(seat);
    worker.ref();
    worker.postMessage(task.order, task.transfer);
  };

  const rest = (seat: Seat<Order>): void => {
    seat.worker?.unref();
    seat.idle = setTimeout(() => {
      const { worker } = seat;
      seat.worker = null;
      void worker?.terminate();
    }, idleMs);
    seat.idle.unref();
  };

  const pump = (): void => {
    for (const seat of seats) {
      if (seat.task || closed) continue;
      if (seat.idle) clearTimeout(seat.idle);
      seat.idle = null;
      const task = waiting.shift();
      if (task) {
        seat.task = task;
        void begin(seat, task);
      } else if (seat.worker) rest(seat);
    }
  };

  return {
    parallel: seats.length,
    run: (order, { milliseconds, transfer = [], signal }) =>
      new Promise((resolve, reject) => {
        const cancelled = new Failure('cancelled', say('thread.cancelled'));
        if (closed || signal?.aborted) {
          reject(closed ? new Failure('cancelled', say('studio.closing')) : cancelled);
          return;
        }
        const cancel = (): void => {
          const seat = seats.find((one) => one.task === task);
          if (seat) giveUp(seat, cancelled);
          else if (waiting.includes(task)) {
            waiting.splice(waiting.indexOf(task), 1);
            task.reject(cancelled);
          }
        };
        const task: Task<Order> = {
          order: { ...order, id: nextId++ },
          transfer,
          milliseconds,
          resolve: (value) => {
            signal?.removeEventListener('abort', cancel);
            resolve(value);
          },
          reject: (error) => {
            signal?.removeEventListener('abort', cancel);
            reject(error);
          },
        };
        signal?.addEventListener('abort', cancel, { once: true });
        waiting.push(task);
        pump();
      }),
    async close() {
      closed = true;
      const stopped = new Failure('cancelled', say('studio.closing'));
      for (const task of waiting.splice(0)) task.reject(stopped);
      await Promise.all(
        seats.map(async (seat) => {
          const { worker, task, limit, idle } = seat;
          seat.worker = null;
          seat.task = null;
          if (limit) clearTimeout(limit);
          if (idle) clearTimeout(idle);
          task?.reject(stopped);
          await worker?.terminate();
        }),
      );
    },
  };
}
