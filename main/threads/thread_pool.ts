import { type ResourceLimits, Worker } from 'node:worker_threads';
import { lower, raise } from './thread_priority.ts';

/** What is sent to a thread, with the number that its answers bear. */
export type ThreadOrder<Order> = Order & { id: number };
export type ThreadAnswer =
  | { thread: number | null }
  | { id: number; progress: unknown }
  | { id: number; value: unknown }
  | { id: number; error: unknown };

/** The errors that a pool's tasks reject with: each room has its own. */
export interface ThreadErrors {
  /** What a thread said of its task, as `answerOrders` sent it. */
  told(error: unknown): Error;
  /** A thread died: of this error, or with this exit code. */
  ended(cause: Error | number): Error;
  tookTooLong(milliseconds: number): Error;
  cancelled(): Error;
  closed(): Error;
}

export interface TaskOptions<Lane extends string> {
  lane: Lane;
  /** How long it may take, asked when it begins; then its thread is ended. */
  milliseconds: () => Promise<number>;
  /** What is given to the thread instead of copied. */
  transfer?: readonly ArrayBuffer[];
  /** Ends the thread that is at it. */
  signal?: AbortSignal | undefined;
  /** Nobody waits for it: it comes after what somebody waits for, and waits while somebody speaks. */
  isBackground?: boolean;
  /**
   * The thread keeps something under this name, so the next task of the same name had better go there too.
   */
  affinity?: string | undefined;
  /** What is kept is all that the task has to go by: it waits for the thread that keeps it. */
  isBound?: boolean;
  /** What the thread tells while it works. */
  onProgress?: (progress: unknown) => void;
}

interface Task<Order, Lane extends string>
  extends Required<Pick<TaskOptions<Lane>, 'lane' | 'milliseconds'>> {
  order: ThreadOrder<Order>;
  transfer: readonly ArrayBuffer[];
  /** When it was asked for, on the clock of `performance.now()`. */
  since: number;
  isBackground: boolean;
  affinity: string | undefined;
  isBound: boolean;
  onProgress: ((progress: unknown) => void) | undefined;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

interface WorkerSlot<Order, Lane extends string> {
  worker: Worker | null;
  /** The worker's thread, where it has a priority of its own, and whether that is low. */
  thread: number | null;
  isLow: boolean;
  task: Task<Order, Lane> | null;
  /** The name of what the thread keeps for the next task. */
  keeps: string | undefined;
  /** Ends the task that takes too long. */
  limit: NodeJS.Timeout | null;
  idle: NodeJS.Timeout | null;
}

/**
 * Threads that take orders one at a time each, so that the process itself is never held up. By hand: piscina
 * and tinypool know no priority of a running thread, which must fall while somebody speaks, and no work that
 * waits until nobody does.
 */
export interface ThreadPool<Order, Lane extends string> {
  /** @throws as `ThreadErrors` has it */
  run(order: Order, options: TaskOptions<Lane>): Promise<unknown>;
  /** Tasks of a lane. */
  load(lane: Lane): { running: number; waiting: number };
  /** Whether a thread keeps something under this name. */
  isKept(affinity: string): boolean;
  /**
   * While somebody speaks threads have low priority, one of each lane rests, and the background waits a
   * while.
   */
  yieldTo(isSpeaking: boolean): void;
  close(): Promise<void>;
}

/** Milliseconds after which a thread without work ends. */
const idleMs = 30_000;
/**
 * Milliseconds that what is in the background waits for others at most: a head's own window may speak for
 * hours.
 */
const yieldsFor = 20_000;

/**
 * @param options.entry - The thread's script. It answers each order with `ThreadAnswer`s: see `answerOrders`.
 * @param options.lanes - Kinds of tasks, and how many of each run at once. A thread takes tasks of any lane.
 * @param options.memory - Of a thread's objects, after which it alone ends where they came one by one; one
 *   that is too large by itself would end the process. Typed arrays are beside that. `glbLimits` keeps far
 *   from both.
 * @param options.kept - Threads that stay although they have nothing to do. Default 0.
 */
export function createThreadPool<Order extends object, Lane extends string>({
  entry,
  name,
  lanes,
  memory,
  kept = 0,
  errors,
}: {
  entry: string | URL;
  name: string;
  lanes: Readonly<Record<Lane, number>>;
  memory: ResourceLimits;
  kept?: number;
  errors: ThreadErrors;
}): ThreadPool<Order, Lane> {
  type Slot = WorkerSlot<Order, Lane>;
  const count = Object.values<number>(lanes).reduce((sum, places) => sum + Math.max(1, places), 0);
  const slots: Slot[] = Array.from({ length: count }, () => ({
    worker: null,
    thread: null,
    isLow: false,
    task: null,
    keeps: undefined,
    limit: null,
    idle: null,
  }));
  const waiting: Task<Order, Lane>[] = [];
  let nextId = 1;
  let closed = false;
  let isYielding = false;
  let look: NodeJS.Timeout | null = null;

  const running = (lane: Lane): number => slots.filter(({ task }) => task?.lane === lane).length;

  /** Parts from a slot's thread; what it was at is the caller's matter. */
  const endThread = (slot: Slot): Promise<unknown> => {
    const { worker } = slot;
    slot.worker = null;
    slot.keeps = undefined;
    return worker?.terminate() ?? Promise.resolve();
  };

  /**
   * Gives a thread the priority that it is to have now. One whose low priority can't be taken back is
   * replaced.
   */
  const settlePriority = (slot: Slot): void => {
    const { worker, thread } = slot;
    if (!worker || thread === null || slot.isLow === isYielding) return;
    if (isYielding) slot.isLow = lower(thread);
    else if (raise(thread)) slot.isLow = false;
    else if (!slot.task) void endThread(slot);
  };

  const settle = (slot: Slot, how: (task: Task<Order, Lane>) => void): void => {
    const { task, limit } = slot;
    slot.task = null;
    if (limit) clearTimeout(limit);
    slot.limit = null;
    if (task) how(task);
    settlePriority(slot);
    pump();
  };

  const take = (slot: Slot, worker: Worker, answer: ThreadAnswer): void => {
    if (slot.worker !== worker) return;
    if ('thread' in answer) {
      slot.thread = answer.thread;
      settlePriority(slot);
      return;
    }
    if (slot.task?.order.id !== answer.id) return;
    if ('progress' in answer) slot.task.onProgress?.(answer.progress);
    else
      settle(slot, (task) => {
        if ('error' in answer) return task.reject(errors.told(answer.error));
        if (task.affinity !== undefined) slot.keeps = task.affinity;
        task.resolve(answer.value);
      });
  };

  const start = (slot: Slot): Worker => {
    const worker = new Worker(entry, { name, resourceLimits: memory });
    Object.assign(slot, { worker, thread: null, isLow: false, keeps: undefined });
    worker.on('message', (answer: ThreadAnswer) => take(slot, worker, answer));
    // A thread that dies takes its own task with it and no other.
    const gone = (cause: Error | number): void => {
      if (slot.worker !== worker) return;
      slot.worker = null;
      slot.keeps = undefined;
      settle(slot, (task) => task.reject(errors.ended(cause)));
    };
    worker.on('error', (error) => gone(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', gone);
    return worker;
  };

  /** Ends what is under way in a slot; whatever waits goes on in a thread of its own. */
  const giveUp = (slot: Slot, why: Error): void => {
    void endThread(slot);
    settle(slot, (task) => task.reject(why));
  };

  const begin = async (slot: Slot, task: Task<Order, Lane>): Promise<void> => {
    const milliseconds = await task.milliseconds();
    if (slot.task !== task) return;
    slot.limit = setTimeout(() => giveUp(slot, errors.tookTooLong(milliseconds)), milliseconds);
    const worker = slot.worker ?? start(slot);
    worker.ref();
    worker.postMessage(task.order, task.transfer);
  };

  const rest = (slot: Slot): void => {
    slot.worker?.unref();
    slot.idle ??= setTimeout(() => {
      slot.idle = null;
      // A thread that stays is no longer spared for what it keeps.
      slot.keeps = undefined;
      if (slots.filter(({ worker }) => worker).length > kept) void endThread(slot);
    }, idleMs).unref();
  };

  /**
   * In the order in which they are to be done; what has waited for long enough is in the background no more.
   */
  const inOrder = (): Task<Order, Lane>[] => {
    const before = performance.now() - yieldsFor;
    const isUrgent = ({ isBackground, since }: Task<Order, Lane>): boolean =>
      !isBackground || since <= before;
    const urgent = waiting.filter(isUrgent);
    return isYielding ? urgent : [...urgent, ...waiting.filter((task) => !isUrgent(task))];
  };

  /**
   * A free slot for a task: where something is kept for it, else one that is warm and keeps nothing for
   * another.
   */
  const slotFor = ({ affinity, isBound }: Task<Order, Lane>): Slot | undefined => {
    const keeper = affinity === undefined ? undefined : slots.find(({ keeps }) => keeps === affinity);
    if (keeper && (isBound || !keeper.task)) return keeper.task ? undefined : keeper;
    const free = slots.filter(({ task }) => !task);
    return (
      free.find(({ worker, keeps }) => worker && keeps === undefined) ??
      free.find(({ worker }) => !worker) ??
      free[0]
    );
  };

  const pump = (): void => {
    if (closed) return;
    for (const task of inOrder()) {
      const places = Math.max(1, lanes[task.lane] - (isYielding ? 1 : 0));
      if (running(task.lane) >= places) continue;
      const slot = slotFor(task);
      if (!slot) continue;
      waiting.splice(waiting.indexOf(task), 1);
      slot.task = task;
      if (slot.idle) clearTimeout(slot.idle);
      slot.idle = null;
      void begin(slot, task);
    }
    for (const slot of slots) if (!slot.task && slot.worker) rest(slot);
  };

  return {
    run: (order, options) =>
      new Promise((resolve, reject) => {
        const { signal } = options;
        if (closed || signal?.aborted) {
          reject(closed ? errors.closed() : errors.cancelled());
          return;
        }
        const cancel = (): void => {
          const slot = slots.find((one) => one.task === task);
          if (slot) giveUp(slot, errors.cancelled());
          else if (waiting.includes(task)) {
            waiting.splice(waiting.indexOf(task), 1);
            task.reject(errors.cancelled());
          }
        };
        const task: Task<Order, Lane> = {
          order: { ...order, id: nextId++ },
          lane: options.lane,
          milliseconds: options.milliseconds,
          transfer: options.transfer ?? [],
          since: performance.now(),
          isBackground: options.isBackground ?? false,
          affinity: options.affinity,
          isBound: options.isBound ?? false,
          onProgress: options.onProgress,
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
    load: (lane) => ({
      running: running(lane),
      waiting: waiting.filter((task) => task.lane === lane).length,
    }),
    isKept: (affinity) => slots.some(({ keeps }) => keeps === affinity),
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
      for (const task of waiting.splice(0)) task.reject(errors.closed());
      await Promise.all(
        slots.map(async (slot) => {
          const { task, limit, idle } = slot;
          slot.task = null;
          if (limit) clearTimeout(limit);
          if (idle) clearTimeout(idle);
          task?.reject(errors.closed());
          await endThread(slot);
        }),
      );
    },
  };
}
