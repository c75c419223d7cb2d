import type { Clock } from '../../base/clock.ts';
import type { Endpoint } from './endpoint.ts';

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

/** A client's part in a pace that it shares: `idle` and `dismiss` are about its own calls. */
export interface JoinedPace extends Pace {
  /** The client is closed. */
  leave(): void;
}

/** A pace that several clients of a profile keep together. */
export interface SharedPace {
  /**
   * @param keepsPlace - As long as this part is there, the others leave one place free for it: a voice must
   *   not wait for somebody's uploads. Where there is one place only, the others wait until this part is
   *   left.
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

/** Milliseconds in which `requestsPerMinute` holds: any span of that length. */
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
 * By hand and not p-queue: a turn that is free costs no timer and no queue (the client may cost 15 % over
 * bare undici, and a loopback call takes 30 µs), and time comes in as an argument.
 */
function createSharedPace(
  { concurrency, requestsPerMinute }: Limits,
  clock: Pick<Clock, 'now' | 'wait'>,
): SharedPace {
  const parts = new Set<Part>();
  const waiting: Waiter[] = [];
  /** When the last requests were started, oldest first; only kept where there is a rate to keep. */
  const starts: number[] = [];
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
