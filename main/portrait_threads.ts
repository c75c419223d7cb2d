import { Worker } from 'node:worker_threads';
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
  idle: NodeJS.Timeout | null;
}

/** Checks photos and draws thumbnails on threads of their own. */
export interface PortraitThreads extends PortraitChecker {
  /** A picture of a GLB, WebP. @throws Failure `unsupported` where it can't be drawn. */
  thumbnail(modelPath: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Milliseconds after which a thread without work ends: its networks take some 150 MB. */
const idleMs = 30_000;

/**
 * @param options.entry - The thread's script, `out/main/portrait-thread.js`.
 * @param options.threads - How many at most.
 */
export function createPortraitThreads({
  entry,
  threads,
}: {
  entry: string | URL;
  threads: number;
}): PortraitThreads {
  const seats: Seat[] = Array.from({ length: Math.max(1, threads) }, () => ({
    worker: null,
    task: null,
    idle: null,
  }));
  const waiting: Task[] = [];
  let nextId = 1;
  let closed = false;

  const settle = (seat: Seat, how: (task: Task) => void): void => {
    const { task } = seat;
    seat.task = null;
    if (task) how(task);
    pump();
  };

  const start = (seat: Seat): Worker => {
    const worker = new Worker(entry, { name: 'portrait-thread' });
    seat.worker = worker;
    worker.on('message', (answer: ThreadAnswer) => {
      if (seat.worker !== worker || seat.task?.order.id !== answer.id) return;
      settle(seat, (task) => {
        if ('error' in answer) task.reject(new Failure('unsupported', answer.error));
        else task.resolve(answer.value);
      });
    });
    // A thread that dies takes its own task with it and no other.
    const gone = (reason: string): void => {
      if (seat.worker !== worker) return;
      seat.worker = null;
      settle(seat, (task) => task.reject(new Error(`The thread that looks at photos ended: ${reason}`)));
    };
    worker.on('error', (error) => gone(error instanceof Error ? error.message : String(error)));
    worker.on('exit', (code) => gone(`code ${code}`));
    return worker;
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
        const worker = seat.worker ?? start(seat);
        worker.ref();
        worker.postMessage(task.order);
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
    thumbnail: async (path) => (await run({ kind: 'thumbnail', path })) as Uint8Array,
    async close() {
      closed = true;
      const stopped = new Failure('cancelled', 'The studio is closing.');
      for (const task of waiting.splice(0)) task.reject(stopped);
      await Promise.all(
        seats.map(async (seat) => {
          const { worker, task, idle } = seat;
          seat.worker = null;
          seat.task = null;
          if (idle) clearTimeout(idle);
          task?.reject(stopped);
          await worker?.terminate();
        }),
      );
    },
  };
}
