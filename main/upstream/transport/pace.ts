import type { Clock } from '../../base/clock.ts';
import type { Endpoint } from './endpoint.ts';

/** Priorities in the queue: a live voice before a click, a click before a batch's upload. */
export const priorities = { live: 2, question: 1, upload: 0 } as const;

/** Limits a profile's concurrent requests and requests per minute. */
export interface Pace {
  /**
   * Runs a task when it is its turn: by priority, then first come, first served.
   *
   * @throws The signal's reason where it is aborted while waiting.
   */
  run<T>(task: () => Promise<T>, priority: number, signal?: AbortSignal): Promise<T>;
  /** Waits for a turn, which lasts until the returned function is called; calling it again does nothing. */
  enter(priority: number, signal?: AbortSignal): Promise<() => void>;
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>;
  /** Sends home all who wait. */
  dismiss(reason: Error): void;
}

/** A client's share of a common pace: `idle` and `dismiss` apply to its own calls. */
export interface JoinedPace extends Pace {
  /** The client is closed. */
  leave(): void;
}

/** A pace shared by several clients of a profile. */
export interface SharedPace {
  /**
   * @param keepsPlace - While this client is joined, the others leave one slot free for it: a voice must not
   *   wait for uploads. If there is only one slot, the others wait until this client leaves.
   */
  join(keepsPlace?: boolean): JoinedPace;
}

/** Somebody's part in a pace. */
interface Part {
  keepsPlace: boolean;
  running: number;
  onIdle: (() => void)[];
}

interface Waiter {
  part: Part;
  priority: number;
  admit: () => void;
  dismiss: (reason: Error) => void;
}

/** Length of the sliding window of `requestsPerMinute`, milliseconds. */
const minute = 60_000;

type Limits = Pick<Endpoint, 'concurrency' | 'requestsPerMinute'>;

/** The paces of all profiles: one each, for as long as its limits are the same. */
export function createPaces(
  clock: Pick<Clock, 'now' | 'wait'>,
): (profileId: string, limits: Limits) => SharedPace {
  const paces = new Map<string, Limits & { pace: SharedPace }>();
  return (profileId, { concurrency, requestsPerMinute }) => {
    const known = paces.get(profileId);
    if (known?.concurrency === concurrency && known.requestsPerMinute === requestsPerMinute)
      return known.pace;
    const pace = createSharedPace({ concurrency, requestsPerMinute }, clock);
    paces.set(profileId, { concurrency, requestsPerMinute, pace });
    return pace;
  };
}

/** The pace of a single client. */
export const createPace = (limits: Limits, clock: Pick<Clock, 'now' | 'wait'>): Pace =>
  createSharedPace(limits, clock).join();

/**
 * Written by hand instead of p-queue: a free turn costs no timer and no queue (the client may cost 15 % over
 * bare undici, and a loopback call takes 30 µs), and the clock is an argument.
 */
function createSharedPace(
  { concurrency, requestsPerMinute }: Limits,
  clock: Pick<Clock, 'now' | 'wait'>,
): SharedPace {
  const parts = new Set<Part>();
  const waiting: Waiter[] = [];
  /** Start times of the last requests, oldest first; only kept if there is a rate limit. */
  const starts: number[] = [];
  let running = 0;
  let pausing = false;

  /** Milliseconds until the rate lets another one start; 0: now. */
  const untilRate = (): number => {
    if (requestsPerMinute === 0) return 0;
    const now = clock.now();
    // A clock that was set back must not block the queue for as long.
    while (starts.length > 0 && ((starts[0] ?? 0) <= now - minute || (starts[0] ?? 0) > now)) starts.shift();
    return starts.length < requestsPerMinute ? 0 : (starts[0] ?? 0) + minute - now;
  };

  const hasPlace = (part: Part): boolean => {
    if (running >= concurrency || part.keepsPlace) return running < concurrency;
    let kept = false;
    let others = running;
    for (const other of parts) {
      if (!other.keepsPlace) continue;
      kept = true;
      others -= other.running;
    }
    return !kept || others < concurrency - 1;
  };

  const take = (part: Part): void => {
    running++;
    part.running++;
    if (requestsPerMinute > 0) starts.push(clock.now());
  };

  const admit = (): void => {
    for (;;) {
      const next = waiting.findIndex(({ part }) => hasPlace(part));
      const waiter = waiting[next];
      if (!waiter) break;
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
      waiting.splice(next, 1);
      take(waiter.part);
      waiter.admit();
    }
  };

  const tellIdle = (part: Part): void => {
    if (part.running > 0 || waiting.some((waiter) => waiter.part === part)) return;
    for (const resolve of part.onIdle.splice(0)) resolve();
  };

  const wait = (part: Part, priority: number, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const waiter: Waiter = {
        part,
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
        tellIdle(part);
      };
      signal?.addEventListener('abort', abort, { once: true });
      const later = waiting.findIndex((other) => other.priority < priority);
      waiting.splice(later === -1 ? waiting.length : later, 0, waiter);
      admit();
    });

  return {
    join(keepsPlace = false) {
      const part: Part = { keepsPlace, running: 0, onIdle: [] };
      parts.add(part);
      const mayStart = (): boolean =>
        hasPlace(part) && untilRate() === 0 && !waiting.some((waiter) => hasPlace(waiter.part));
      const over = (): void => {
        running--;
        part.running--;
        admit();
        tellIdle(part);
      };
      return {
        async run(task, priority, signal) {
          if (mayStart()) take(part);
          else await wait(part, priority, signal);
          try {
            return await task();
          } finally {
            over();
          }
        },
        async enter(priority, signal) {
          if (mayStart()) take(part);
          else await wait(part, priority, signal);
          let left = false;
          return () => {
            if (!left) over();
            left = true;
          };
        },
        idle: () =>
          new Promise((resolve) => {
            part.onIdle.push(resolve);
            tellIdle(part);
          }),
        dismiss(reason) {
          for (const waiter of waiting.filter((one) => one.part === part)) {
            waiting.splice(waiting.indexOf(waiter), 1);
            waiter.dismiss(reason);
          }
          admit();
          tellIdle(part);
        },
        leave() {
          parts.delete(part);
          admit();
        },
      };
    },
  };
}
