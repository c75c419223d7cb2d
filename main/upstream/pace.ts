import type { Endpoint } from './endpoint.ts';
import type { Clock } from './retry.ts';

/** Who goes first when several wait: a live voice before a click, a click before a batch's upload. */
export const priorities = { live: 2, question: 1, upload: 0 } as const;

/** How many requests of a profile are under way at once, and how many are started in a minute. */
export interface Pace {
  /**
   * Runs a task when it is its turn. Those who wait go by priority, then in the order in which they came.
   *
   * @throws The signal's reason where it is aborted while waiting.
   */
  run<T>(task: () => Promise<T>, priority: number, signal?: AbortSignal): Promise<T>;
  /** Waits for a turn that lasts until the returned function is called (once or more). */
  enter(priority: number, signal?: AbortSignal): Promise<() => void>;
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>;
  /** Sends home all who wait. */
  dismiss(reason: Error): void;
}

interface Waiter {
  priority: number;
  admit: () => void;
  dismiss: (reason: Error) => void;
}

/** Milliseconds in which `requestsPerMinute` holds: any span of that length. */
const minute = 60_000;

/**
 * By hand and not p-queue: a turn that is free costs no timer and no queue (the client may cost 15 % over bare
 * undici, and a loopback call takes 30 µs), and time comes in as an argument.
 */
export function createPace(
  { concurrency, requestsPerMinute }: Pick<Endpoint, 'concurrency' | 'requestsPerMinute'>,
  clock: Clock,
): Pace {
  const waiting: Waiter[] = [];
  /** When the last requests were started, oldest first; only kept where there is a rate to keep. */
  const starts: number[] = [];
  const onIdle: (() => void)[] = [];
  let running = 0;
  let pausing = false;

  /** Milliseconds until the rate lets another one start; 0: now. */
  const untilRate = (): number => {
    if (requestsPerMinute === 0) return 0;
    const now = clock.now();
    // A clock that was set back must not hold the line for as long.
    while (starts.length > 0 && ((starts[0] ?? 0) <= now - minute || (starts[0] ?? 0) > now)) starts.shift();
    return starts.length < requestsPerMinute ? 0 : (starts[0] ?? 0) + minute - now;
  };

  const take = (): void => {
    running++;
    if (requestsPerMinute > 0) starts.push(clock.now());
  };

  const admit = (): void => {
    while (waiting.length > 0 && running < concurrency) {
      const pause = untilRate();
      if (pause > 0) {
        if (pausing) return;
        pausing = true;
        void clock.wait(pause).then(() => {
          pausing = false;
          admit();
        });
        return;
      }
      take();
      waiting.shift()?.admit();
    }
    if (running === 0 && waiting.length === 0) for (const resolve of onIdle.splice(0)) resolve();
  };

  const leave = (): void => {
    running--;
    admit();
  };

  const wait = (priority: number, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const waiter: Waiter = {
        priority,
        admit: () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
        dismiss: (reason) => {
          signal?.removeEventListener('abort', abort);
          reject(reason);
        },
      };
      const abort = (): void => {
        waiting.splice(waiting.indexOf(waiter), 1);
        reject(signal?.reason);
        admit();
      };
      signal?.addEventListener('abort', abort, { once: true });
      const later = waiting.findIndex((other) => other.priority < priority);
      waiting.splice(later === -1 ? waiting.length : later, 0, waiter);
      admit();
    });

  const mayStart = (): boolean => waiting.length === 0 && running < concurrency && untilRate() === 0;

  return {
    async run(task, priority, signal) {
      if (mayStart()) take();
      else await wait(priority, signal);
      try {
        return await task();
      } finally {
        leave();
      }
    },
    async enter(priority, signal) {
      if (mayStart()) take();
      else await wait(priority, signal);
      let left = false;
      return () => {
        if (!left) leave();
        left = true;
      };
    },
    idle: () =>
      new Promise((resolve) => {
        onIdle.push(resolve);
        admit();
      }),
    dismiss(reason) {
      for (const waiter of waiting.splice(0)) waiter.dismiss(reason);
      admit();
    },
  };
}
