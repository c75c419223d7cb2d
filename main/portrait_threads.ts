import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import type { Readiness } from '#contract';
import type { PhotoCheck } from './batch/photo_tray.ts';
import type { FoundOutline, PortraitChecker } from './batch/ports.ts';
import { Failure } from './failure.ts';
import type { ThreadAnswer, ThreadOrder } from './portrait_thread.ts';

type Order = ThreadOrder extends infer O ? (O extends { id: number } ? Omit<O, 'id'> : never) : never;

interface Task {
  order: ThreadOrder;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

interface Seat {
  worker: Worker | null;
  task: Task | null;
  /** Ends the task that takes too long. */
  limit: NodeJS.Timeout | null;
  idle: NodeJS.Timeout | null;
}

/** Checks photos and heads and draws thumbnails on threads of their own. */
export interface PortraitThreads extends PortraitChecker {
  /** A picture of a GLB, WebP. @throws Failure `unsupported` where it can't be drawn, or not in time. */
  thumbnail(modelPath: string): Promise<Uint8Array>;
  /** What a GLB in a folder is fit for. @throws Failure `unsupported` where it can't be said, or not in time. */
  readiness(folder: string, modelPath: string): Promise<Readiness>;
  close(): Promise<void>;
}

/** Milliseconds after which a thread without work ends: its networks take some 150 MB. */
const idleMs = 30_000;

/**
 * Milliseconds that a task may take before its thread is ended. A head of the engine's is drawn in one second and a
 * photo checked in two, on a machine that does nothing else; a file from elsewhere may be made to take for ever.
 */
const limits: Readonly<Record<ThreadOrder['kind'], number>> = {
  thumbnail: 20_000,
  readiness: 30_000,
  check: 60_000,
  outline: 120_000,
};
/** As much longer for each megabyte of a model's file: an artist's head has hundreds. */
const perMegabyte = 200;

/**
 * @param options.entry - The thread's script, `out/main/portrait-thread.js`.
 * @param options.threads - How many at most.
 * @param options.within - Milliseconds for each kind of task. Default `limits`.
 * @param options.heap - MiB that a thread's objects may take, after which it alone ends where they came one by one; one
 *   that is too large by itself would end the process. Typed arrays are beside that. `glbLimits` keeps far from both.
 */
export function createPortraitThreads({
  entry,
  threads,
  within = {},
  heap = 1024,
}: {
  entry: string | URL;
  threads: number;
  within?: Partial<Record<ThreadOrder['kind'], number>>;
  heap?: number;
}): PortraitThreads {
  const seats: Seat[] = Array.from({ length: Math.max(1, threads) }, () => ({
    worker: null,
    task: null,
    limit: null,
    idle: null,
  }));
  const waiting: Task[] = [];
  let nextId = 1;
  let closed = false;

  const settle = (seat: Seat, how: (task: Task) => void): void => {
    const { task, limit } = seat;
    seat.task = null;
    if (limit) clearTimeout(limit);
    seat.limit = null;
    if (task) how(task);
    pump();
  };

  const start = (seat: Seat): Worker => {
    const worker = new Worker(entry, {
      name: 'portrait-thread',
      resourceLimits: { maxOldGenerationSizeMb: heap },
    });
    seat.worker = worker;
    worker.on('message', (answer: ThreadAnswer) => {
      if (seat.worker !== worker || seat.task?.order.id !== answer.id) return;
      settle(seat, (task) => {
        if ('error' in answer) task.reject(new Failure(answer.code, answer.error, { hint: answer.hint }));
        else task.resolve(answer.value);
      });
    });
    // A thread that dies takes its own task with it and no other.
    const gone = (reason: string): void => {
      if (seat.worker !== worker) return;
      seat.worker = null;
      settle(seat, (task) =>
        task.reject(new Failure('unsupported', `The thread that looked at it ended: ${reason}`)),
      );
    };
    worker.on('error', (error) => gone(error instanceof Error ? error.message : String(error)));
    worker.on('exit', (code) => gone(`code ${code}`));
    return worker;
  };

  /** Ends what takes too long; whatever waits goes on in a thread of its own. */
  const giveUp = (seat: Seat, milliseconds: number): void => {
    const { worker } = seat;
    seat.worker = null;
    void worker?.terminate();
    settle(seat, (task) =>
      task.reject(
        new Failure('unsupported', `It took longer than ${Math.round(milliseconds / 1000)} seconds.`),
      ),
    );
  };

  const begin = async (seat: Seat, task: Task): Promise<void> => {
    const { order } = task;
    const megabytes = 'path' in order ? ((await stat(order.path).catch(() => null))?.size ?? 0) / 1e6 : 0;
    if (seat.task !== task) return;
    const milliseconds = (within[order.kind] ?? limits[order.kind]) + perMegabyte * megabytes;
    seat.limit = setTimeout(() => giveUp(seat, milliseconds), milliseconds);
    const worker = seat.worker ?? start(seat);
    worker.ref();
    worker.postMessage(order);
  };

  const rest = (seat: Seat): void => {
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

  const run = (order: Order): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (closed) {
        reject(new Failure('cancelled', 'The studio is closing.'));
        return;
      }
      waiting.push({ order: { ...order, id: nextId++ }, resolve, reject });
      pump();
    });

  return {
    parallel: seats.length,
    check: async (path, crop) => (await run({ kind: 'check', path, crop })) as PhotoCheck,
    outline: async (order) => (await run({ kind: 'outline', ...order })) as FoundOutline,
    readiness: async (folder, path) => (await run({ kind: 'readiness', folder, path })) as Readiness,
    thumbnail: async (path) => (await run({ kind: 'thumbnail', path })) as Uint8Array,
    async close() {
      closed = true;
      const stopped = new Failure('cancelled', 'The studio is closing.');
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
