import { type ResourceLimits, Worker } from 'node:worker_threads';
import { lower, raise } from './thread_priority.ts';
import type { ThreadAnswer, ThreadErrors, ThreadTask } from './thread_task.ts';

export interface ThreadSlotOptions {
  /** The thread's script. */
  entry: string | URL;
  name: string;
  memory: ResourceLimits;
  grace: number;
  errors: ThreadErrors;
  /** A task has ended, successfully or not: the slot is free. */
  onFree: () => void;
}

/** Milliseconds after which a thread without work ends. */
const idleMs = 30_000;

/** A pool's slot for one thread with one task at a time; a crash affects only that task. */
export class ThreadSlot<Order, Lane extends string> {
  readonly #options: ThreadSlotOptions;
  #worker: Worker | null = null;
  /** The worker's thread, if it has a separate priority, and whether that is low. */
  #thread: number | null = null;
  #isLow = false;
  #isYielding = false;
  #task: ThreadTask<Order, Lane> | null = null;
  #keeps: string | undefined;
  /** Ends a task that takes too long. */
  #limit: NodeJS.Timeout | null = null;
  #idle: NodeJS.Timeout | null = null;

  constructor(options: ThreadSlotOptions) {
    this.#options = options;
  }

  get task(): ThreadTask<Order, Lane> | null {
    return this.#task;
  }

  /** The name of the data that the thread keeps for the next task. */
  get keeps(): string | undefined {
    return this.#keeps;
  }

  get hasThread(): boolean {
    return this.#worker !== null;
  }

  /** Gives a free slot a task. */
  take(task: ThreadTask<Order, Lane>): void {
    this.#task = task;
    if (this.#idle) clearTimeout(this.#idle);
    this.#idle = null;
    void this.#begin(task);
  }

  /** Rejects the current task at once. Its thread stays if the task stops by itself within the grace. */
  cancel(why: Error): void {
    const task = this.#task;
    if (!task) return;
    const { cancelled } = task.order;
    if (this.#limit === null) {
      this.#settle(() => task.reject(why)); // not sent to the thread yet
    } else if (cancelled) {
      Atomics.store(cancelled, 0, 1);
      task.onProgress = undefined;
      task.reject(why);
      clearTimeout(this.#limit);
      this.#limit = setTimeout(() => this.giveUp(why), this.#options.grace);
    } else {
      this.giveUp(why);
    }
  }

  /** Ends the current task and its thread; waiting tasks continue in another thread. */
  giveUp(why: Error): void {
    void this.#endThread();
    this.#settle((task) => task.reject(why));
  }

  /** @param mayEnd Called when the thread has been idle for a while. */
  rest(mayEnd: () => boolean): void {
    this.#worker?.unref();
    this.#idle ??= setTimeout(() => {
      this.#idle = null;
      // A thread that stays no longer reserves itself for its data.
      this.#keeps = undefined;
      if (mayEnd()) void this.#endThread();
    }, idleMs).unref();
  }

  /** Lowers the thread's priority while it yields. */
  yieldTo(isSpeaking: boolean): void {
    this.#isYielding = isSpeaking;
    this.#applyPriority();
  }

  async close(): Promise<void> {
    const task = this.#task;
    this.#task = null;
    if (this.#limit) clearTimeout(this.#limit);
    if (this.#idle) clearTimeout(this.#idle);
    task?.reject(this.#options.errors.closed());
    await this.#endThread();
  }

  async #begin(task: ThreadTask<Order, Lane>): Promise<void> {
    const milliseconds = await task.milliseconds();
    if (this.#task !== task) return;
    const { errors } = this.#options;
    this.#limit = setTimeout(() => this.giveUp(errors.tookTooLong(milliseconds)), milliseconds);
    const worker = this.#worker ?? this.#startThread();
    worker.ref();
    worker.postMessage(task.order, task.transfer);
  }

  #startThread(): Worker {
    const { entry, name, memory, errors } = this.#options;
    const worker = new Worker(entry, { name, resourceLimits: memory });
    this.#worker = worker;
    this.#thread = null;
    this.#isLow = false;
    this.#keeps = undefined;
    worker.on('message', (answer: ThreadAnswer) => {
      if (this.#worker === worker) this.#hear(answer);
    });
    const gone = (cause: Error | number): void => {
      if (this.#worker !== worker) return;
      this.#worker = null;
      this.#keeps = undefined;
      this.#settle((task) => task.reject(errors.ended(cause)));
    };
    worker.on('error', (error) => gone(error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', gone);
    return worker;
  }

  /** Detaches the thread; the caller handles its task. */
  #endThread(): Promise<unknown> {
    const worker = this.#worker;
    this.#worker = null;
    this.#keeps = undefined;
    return worker?.terminate() ?? Promise.resolve();
  }

  #hear(answer: ThreadAnswer): void {
    if ('thread' in answer) {
      this.#thread = answer.thread;
      this.#applyPriority();
      return;
    }
    if (this.#task?.order.id !== answer.id) return;
    if ('progress' in answer) {
      this.#task.onProgress?.(answer.progress);
      return;
    }
    this.#settle((task) => {
      if ('error' in answer) return task.reject(this.#options.errors.deserialize(answer.error));
      if (task.affinity !== undefined) this.#keeps = task.affinity;
      task.resolve(answer.value);
    });
  }

  #settle(how: (task: ThreadTask<Order, Lane>) => void): void {
    const task = this.#task;
    this.#task = null;
    if (this.#limit) clearTimeout(this.#limit);
    this.#limit = null;
    if (task) how(task);
    this.#applyPriority();
    this.#options.onFree();
  }

  /** Applies the wanted priority to the thread. A thread whose low priority can't be raised is replaced. */
  #applyPriority(): void {
    const thread = this.#thread;
    if (!this.#worker || thread === null || this.#isLow === this.#isYielding) return;
    if (this.#isYielding) this.#isLow = lower(thread);
    else if (raise(thread)) this.#isLow = false;
    else if (!this.#task) void this.#endThread();
  }
}
