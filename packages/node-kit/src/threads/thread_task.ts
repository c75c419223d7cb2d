/** What a pool's thread is given to do, and what it answers. */

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
  deserialize(error: unknown): Error;
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

/** An order with whom its answer goes to. */
export interface ThreadTask<Order, Lane extends string>
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
