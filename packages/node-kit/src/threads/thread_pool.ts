import type { ResourceLimits } from 'node:worker_threads';
import { ThreadSlot } from './thread_slot.ts';
import type { TaskOptions, ThreadErrors, ThreadTask } from './thread_task.ts';

export interface ThreadPoolOptions<Lane extends string> {
  /** The threads' script. It answers each order with `ThreadAnswer`s: see `answerOrders`. */
  entry: string | URL;
  name: string;
  /** Kinds of tasks, and their maximum numbers at once. A thread takes tasks of any lane. */
  lanes: Readonly<Record<Lane, number>>;
  /**
   * Limit on a thread's JavaScript objects. A thread that exceeds it step by step ends alone; a single
   * allocation beyond it ends the process. Typed arrays don't count. `glbLimits` keeps far from both.
   */
  memory: ResourceLimits;
  /** Idle threads that stay. Default 0. */
  kept?: number;
  /**
   * Milliseconds that a cancelled task has to stop by itself: then its thread stays, with its compiled code. Default 0:
   * the thread is ended.
   */
  grace?: number;
  errors: ThreadErrors;
}

/** Longest delay of background tasks, milliseconds: a head's own window may speak for hours. */
const yieldsFor = 20_000;

/**
 * Threads that each work on one order at a time, so that they never block the process itself.
 *
 * Written by hand, because piscina and tinypool can't lower the priority of a running thread while somebody
 * speaks. They can't defer work until then either.
 */
export class ThreadPool<Order extends object, Lane extends string> {
  readonly #lanes: Readonly<Record<Lane, number>>;
  readonly #kept: number;
  readonly #grace: number;
  readonly #errors: ThreadErrors;
  readonly #slots: readonly ThreadSlot<Order, Lane>[];
  readonly #waiting: ThreadTask<Order, Lane>[] = [];
  #nextId = 1;
  #isClosed = false;
  #isYielding = false;
  /** While somebody speaks, checks for tasks that have waited long enough. */
  #checkTimer: NodeJS.Timeout | null = null;

  constructor({ lanes, kept = 0, grace = 0, ...options }: ThreadPoolOptions<Lane>) {
    this.#lanes = lanes;
    this.#kept = kept;
    this.#grace = grace;
    this.#errors = options.errors;
    const count = Object.values<number>(lanes).reduce((sum, slots) => sum + Math.max(1, slots), 0);
    const slotOptions = { ...options, grace, onFree: () => this.#pump() };
    this.#slots = Array.from({ length: count }, () => new ThreadSlot<Order, Lane>(slotOptions));
  }

  /** @throws the errors of `ThreadErrors` */
  run(order: Order, options: TaskOptions<Lane>): Promise<unknown> {
    const { signal } = options;
    if (this.#isClosed) return Promise.reject(this.#errors.closed());
    if (signal?.aborted) return Promise.reject(this.#errors.cancelled());
    return new Promise((resolve, reject) => {
      const cancel = (): void => this.#cancel(task);
      const task: ThreadTask<Order, Lane> = {
        order: {
          ...order,
          id: this.#nextId++,
          ...(this.#grace > 0 && { cancelled: new Int32Array(new SharedArrayBuffer(4)) }),
        },
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
      this.#waiting.push(task);
      this.#pump();
    });
  }

  /** Returns the numbers of a lane's tasks. */
  load(lane: Lane): { running: number; waiting: number } {
    return {
      running: this.#running(lane),
      waiting: this.#waiting.filter((task) => task.lane === lane).length,
    };
  }

  /** Whether a thread keeps data under this name. */
  isKept(affinity: string): boolean {
    return this.#slots.some(({ keeps }) => keeps === affinity);
  }

  /**
   * While somebody speaks, threads have low priority, each lane has one slot less, and background tasks are
   * delayed.
   */
  yieldTo(isSpeaking: boolean): void {
    this.#isYielding = isSpeaking;
    for (const slot of this.#slots) slot.yieldTo(isSpeaking);
    if (this.#checkTimer) clearInterval(this.#checkTimer);
    this.#checkTimer = isSpeaking ? setInterval(() => this.#pump(), yieldsFor / 10).unref() : null;
    this.#pump();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#checkTimer) clearInterval(this.#checkTimer);
    for (const task of this.#waiting.splice(0)) task.reject(this.#errors.closed());
    await Promise.all(this.#slots.map((slot) => slot.close()));
  }

  /** Assigns waiting tasks to free slots; the other slots rest. */
  #pump(): void {
    if (this.#isClosed) return;
    for (const task of this.#inOrder()) {
      if (this.#running(task.lane) >= this.#slotCount(task.lane)) continue;
      const slot = this.#slotFor(task);
      if (!slot) continue;
      this.#waiting.splice(this.#waiting.indexOf(task), 1);
      slot.take(task);
    }
    for (const slot of this.#slots) {
      if (!slot.task && slot.hasThread) slot.rest(() => this.#hasThreadToSpare());
    }
  }

  /**
   * Waiting tasks in their order of execution; background tasks that have waited long enough count as normal
   * ones.
   */
  #inOrder(): ThreadTask<Order, Lane>[] {
    const before = performance.now() - yieldsFor;
    const isUrgent = ({ isBackground, since }: ThreadTask<Order, Lane>): boolean =>
      !isBackground || since <= before;
    const urgent = this.#waiting.filter(isUrgent);
    return this.#isYielding ? urgent : [...urgent, ...this.#waiting.filter((task) => !isUrgent(task))];
  }

  #running(lane: Lane): number {
    return this.#slots.filter(({ task }) => task?.lane === lane).length;
  }

  /** Number of a lane's tasks that may run now. */
  #slotCount(lane: Lane): number {
    return Math.max(1, this.#lanes[lane] - (this.#isYielding ? 1 : 0));
  }

  /**
   * Returns a free slot for a task: the one that keeps its data, otherwise a warm one that keeps no data for
   * another task.
   */
  #slotFor({ affinity, isBound }: ThreadTask<Order, Lane>): ThreadSlot<Order, Lane> | undefined {
    const keeper = affinity === undefined ? undefined : this.#slots.find(({ keeps }) => keeps === affinity);
    if (keeper && (isBound || !keeper.task)) return keeper.task ? undefined : keeper;
    const free = this.#slots.filter(({ task }) => !task);
    return (
      free.find(({ hasThread, keeps }) => hasThread && keeps === undefined) ??
      free.find(({ hasThread }) => !hasThread) ??
      free[0]
    );
  }

  #hasThreadToSpare(): boolean {
    return this.#slots.filter(({ hasThread }) => hasThread).length > this.#kept;
  }

  /** Stops a task that runs, or removes it from the queue. */
  #cancel(task: ThreadTask<Order, Lane>): void {
    const slot = this.#slots.find((one) => one.task === task);
    if (slot) slot.cancel(this.#errors.cancelled());
    else if (this.#waiting.includes(task)) {
      this.#waiting.splice(this.#waiting.indexOf(task), 1);
      task.reject(this.#errors.cancelled());
    }
  }
}
