/** The tasks of a pool's threads, and their answers. */

/** A task for a thread, with the number that its answers carry. */
export type ThreadOrder<Order> = Order & {
  id: number;
  /** Shared with the thread; 1 where the task was cancelled. Only in pools whose tasks stop by themselves. */
  cancelled?: Int32Array<SharedArrayBuffer>;
};
export type ThreadAnswer =
  | { thread: number | null }
  | { id: number; progress: unknown }
  | { id: number; value: unknown }
  | { id: number; error: unknown };

/** The errors with which a pool's tasks reject; each module has its own. */
export interface ThreadErrors {
  /** Restores a task's error from the form in which `answerOrders` sent it. */
  deserialize(error: unknown): Error;
  /** A thread died: of this error, or with this exit code. */
  ended(cause: Error | number): Error;
  tookTooLong(milliseconds: number): Error;
  cancelled(): Error;
  closed(): Error;
}

export interface TaskOptions<Lane extends string> {
  lane: Lane;
  /** The time limit, called when the task begins; afterwards its thread is ended. */
  milliseconds: () => Promise<number>;
  /** Buffers to transfer to the thread instead of copying. */
  transfer?: readonly ArrayBuffer[];
  /** Ends the task, and its thread where the task doesn't stop by itself. */
  signal?: AbortSignal | undefined;
  /** Background work: it comes after other tasks, and waits while somebody speaks. */
  isBackground?: boolean;
  /** The thread keeps data under this name, so the next task with the same name should use it too. */
  affinity?: string | undefined;
  /** The task needs the data that a thread keeps, so it waits for that thread. */
  isBound?: boolean;
  /** Called with the thread's progress reports. */
  onProgress?: (progress: unknown) => void;
}

/** An order with the receiver of its answer. */
export interface ThreadTask<Order, Lane extends string>
  extends Required<Pick<TaskOptions<Lane>, 'lane' | 'milliseconds'>> {
  order: ThreadOrder<Order>;
  transfer: readonly ArrayBuffer[];
  /** Time of the request, on the clock of `performance.now()`. */
  since: number;
  isBackground: boolean;
  affinity: string | undefined;
  isBound: boolean;
  onProgress: ((progress: unknown) => void) | undefined;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}
