import { Worker } from 'node:worker_threads';
import type { StudioErrorCode } from '#contract';
import { type Said, say } from '#sentences';
import { Failure, saidOf } from '../failure.ts';
import { lower, raise } from './thread_priority.ts';

/** What is sent to a thread, with the number that its answer bears. */
export type ThreadOrder<Order> = Order & { id: number };
export type ThreadAnswer =
  | { thread: number | null }
  | { id: number; value: unknown }
  | { id: number; error: Said; code: StudioErrorCode; hint: Said };

interface Task<Order> {
  order: ThreadOrder<Order>;
  transfer: readonly ArrayBuffer[];
  milliseconds: () => Promise<number>;
  /** When it was asked for, on the clock of `performance.now()`. */
  since: number;
  /** It can wait while somebody speaks. */
  isBackground: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

interface WorkerSlot<Order> {
  worker: Worker | null;
  /** The worker's thread, where it has a priority of its own, and whether that is low. */
  thread: number | null;
  isLow: boolean;
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
      isBackground?: boolean;
    },
  ): Promise<unknown>;
  /** While somebody speaks threads have low priority, one of them rests, and what is in the background waits a while. */
  yieldTo(isSpeaking: boolean): void;
  close(): Promise<void>;
}

/** Milliseconds after which a thread without work ends. */
const idleMs = 30_000;
/** Milliseconds that what is in the background waits at most: a head's own window may speak for hours. */
const yieldsFor = 20_000;

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
  const slots: WorkerSlot<Order>[] = Array.from({ length: Math.max(1, threads) }, () => ({
    worker: null,
    thread: null,
    isLow: false,
    task: null,
    limit: null,
    idle: null,
  }));
  const waiting: Task<Order>[] = [];
  let nextId = 1;
  let closed = false;
  let isYielding = false;
  let look: NodeJS.Timeout | null = null;

  /** Gives a thread the priority that it is to have now. One whose low priority can't be taken back is replaced. */
  const settlePriority = (slot: WorkerSlot<Order>): void => {
    const { worker, thread } = slot;
    if (!worker || thread === null || slot.isLow === isYielding) return;
    if (isYielding) slot.isLow = lower(thread);
    else if (raise(thread)) slot.isLow = false;
    else if (!slot.task) {
      slot.worker = null;
      void worker.terminate();
    }
  };

  const settle = (slot: WorkerSlot<Order>, how: (task: Task<Order>) => void): void => {
    const { task, limit } = slot;
    slot.task = null;
    if (limit) clearTimeout(limit);
    slot.limit = null;
    if (task) how(task);
    settlePriority(slot);
    pump();
  };

  const start = (slot: WorkerSlot<Order>): Worker => {
    const worker = new Worker(entry, { name, resourceLimits: { maxOldGenerationSizeMb: heap } });
    Object.assign(slot, { worker, thread: null, isLow: false });
    worker.on('message', (answer: ThreadAnswer) => {
      if ('thread' in answer) {
        if (slot.worker !== worker) return;
        slot.thread = answer.thread;
        settlePriority(slot);
        return;
      }
      if (slot.worker !== worker || slot.task?.order.id !== answer.id) return;
      settle(slot, (task) => {
        if ('error' in answer) task.reject(new Failure(answer.code, answer.error, { hint: answer.hint }));
        else task.resolve(answer.value);
      });
    });
    // A thread that dies takes its own task with it and no other.
    const gone = (reason: Said): void => {
      if (slot.worker !== worker) return;
      slot.worker = null;
      settle(slot, (task) => task.reject(new Failure('unsupported', say('photo.thread_ended', { reason }))));
    };
    worker.on('error', (error) => gone(saidOf(error)));
    worker.on('exit', (code) => gone(say('engine.exit_code_brief', { code })));
    return worker;
  };

  /** Ends what is under way in a slot; whatever waits goes on in a thread of its own. */
  const giveUp = (slot: WorkerSlot<Order>, why: Failure): void => {
    const { worker } = slot;
    slot.worker = null;
    void worker?.terminate();
    settle(slot, (task) => task.reject(why));
  };

  const begin = async (slot: WorkerSlot<Order>, task: Task<Order>): Promise<void> => {
    const milliseconds = await task.milliseconds();
    if (slot.task !== task) return;
    slot.limit = setTimeout(
      () =>
        giveUp(
          slot,
          new Failure(
            'unsupported',
            say('photo.took_too_long', { seconds: Math.round(milliseconds / 1000) }),
          ),
        ),
      milliseconds,
    );
    const worker = slot.worker ?? start(slot);
    worker.ref();
    worker.postMessage(task.order, task.transfer);
  };

  const rest = (slot: WorkerSlot<Order>): void => {
    slot.worker?.unref();
    slot.idle = setTimeout(() => {
      const { worker } = slot;
      slot.worker = null;
      void worker?.terminate();
    }, idleMs);
    slot.idle.unref();
  };

  /** Takes what is to be done next. */
  const next = (): Task<Order> | undefined => {
    if (!isYielding) return waiting.shift();
    if (slots.filter(({ task }) => task).length >= Math.max(1, slots.length - 1)) return undefined;
    const before = performance.now() - yieldsFor;
    const at = waiting.findIndex(({ isBackground, since }) => !isBackground || since <= before);
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  };

  const pump = (): void => {
    for (const slot of slots) {
      if (slot.task || closed) continue;
      if (slot.idle) clearTimeout(slot.idle);
      slot.idle = null;
      const task = next();
      if (task) {
        slot.task = task;
        void begin(slot, task);
      } else if (slot.worker) rest(slot);
    }
  };

  return {
    parallel: slots.length,
    run: (order, { milliseconds, transfer = [], signal, isBackground = false }) =>
      new Promise((resolve, reject) => {
        const cancelled = new Failure('cancelled', say('thread.cancelled'));
        if (closed || signal?.aborted) {
          reject(closed ? new Failure('cancelled', say('studio.closing')) : cancelled);
          return;
        }
        const cancel = (): void => {
          const slot = slots.find((one) => one.task === task);
          if (slot) giveUp(slot, cancelled);
          else if (waiting.includes(task)) {
            waiting.splice(waiting.indexOf(task), 1);
            task.reject(cancelled);
          }
        };
        const task: Task<Order> = {
          order: { ...order, id: nextId++ },
          transfer,
          milliseconds,
          since: performance.now(),
          isBackground,
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
    yieldTo(isSpeaking) {
      isYielding = isSpeaking;
      for (const slot of slots) settlePriority(slot);
      if (look) clearInterval(look);
      look = isSpeaking ? setInterval(pump, yieldsFor / 10).unref() : null;
      pump();
    },
    async close() {
      closed = true;
      if (look) clearInterval(look);
      const stopped = new Failure('cancelled', say('studio.closing'));
      for (const task of waiting.splice(0)) task.reject(stopped);
      await Promise.all(
        slots.map(async (slot) => {
          const { worker, task, limit, idle } = slot;
          slot.worker = null;
          slot.task = null;
          if (limit) clearTimeout(limit);
          if (idle) clearTimeout(idle);
          task?.reject(stopped);
          await worker?.terminate();
        }),
      );
    },
  };
}
