import type { Clock } from '@likeness/node-kit/clock.ts';
import type { Endpoint } from './endpoint.ts';
import { RequestRate } from './request_rate.ts';

/** Priorities in the queue: a live voice before a click, a click before a batch's upload. */
export const priorities = { live: 2, question: 1, upload: 0 } as const;

/** Limits a profile's concurrent requests and requests per minute. */
export interface Pace {
  /**
   * Runs a task when it is its turn: by priority, then first come, first served.
   *
   * @throws The signal's reason if it is aborted while waiting.
   */
  run<T>(task: () => Promise<T>, priority: number, signal?: AbortSignal): Promise<T>;
  /** Waits for a turn, which lasts until the returned function is called; calling it again does nothing. */
  enter(priority: number, signal?: AbortSignal): Promise<() => void>;
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>;
  /** Rejects all waiting calls. */
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
   * @param reservesSlot - While this client is joined, the others leave one slot free for it: a voice must not
   *   wait for uploads. If there is only one slot, the others wait until this client leaves.
   */
  join(reservesSlot?: boolean): JoinedPace;
}

/** One client's part in a pace. */
interface Part {
  reservesSlot: boolean;
  running: number;
  onIdle: (() => void)[];
}

interface Waiter {
  part: Part;
  priority: number;
  admit: () => void;
  dismiss: (reason: Error) => void;
}

type Limits = Pick<Endpoint, 'concurrency' | 'requestsPerMinute'>;

/** Creates the paces of all profiles: one for each, while its limits stay the same. */
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
 * Written by hand instead of p-queue, with the clock as an argument. An immediate turn costs no timer and no
 * queue: the client may cost 15 % over bare undici, and a loopback call takes 30 µs.
 */
function createSharedPace(limits: Limits, clock: Pick<Clock, 'now' | 'wait'>): SharedPace {
  const turns = new Turns(limits, clock);
  return {
    join(reservesSlot = false) {
      const part = turns.join(reservesSlot);
      return {
        async run(task, priority, signal) {
          if (!turns.takeIfFree(part)) await turns.wait(part, priority, signal);
          try {
            return await task();
          } finally {
            turns.over(part);
          }
        },
        async enter(priority, signal) {
          if (!turns.takeIfFree(part)) await turns.wait(part, priority, signal);
          let left = false;
          return () => {
            if (!left) turns.over(part);
            left = true;
          };
        },
        idle: () => turns.idle(part),
        dismiss: (reason) => turns.dismiss(part, reason),
        leave: () => turns.leave(part),
      };
    },
  };
}

/** Grants turns to all parts of a pace. */
class Turns {
  readonly #concurrency: number;
  readonly #rate: RequestRate;
  readonly #clock: Pick<Clock, 'wait'>;
  readonly #parts = new Set<Part>();
  readonly #waiting: Waiter[] = [];
  #running = 0;
  #isPausing = false;

  constructor({ concurrency, requestsPerMinute }: Limits, clock: Pick<Clock, 'now' | 'wait'>) {
    this.#concurrency = concurrency;
    this.#rate = new RequestRate(requestsPerMinute, clock);
    this.#clock = clock;
  }

  join(reservesSlot: boolean): Part {
    const part: Part = { reservesSlot, running: 0, onIdle: [] };
    this.#parts.add(part);
    return part;
  }

  leave(part: Part): void {
    this.#parts.delete(part);
    this.#admit();
  }

  /** @returns Whether this part gets a turn immediately */
  takeIfFree(part: Part): boolean {
    const isFree =
      this.#hasSlot(part) &&
      this.#rate.untilNext() === 0 &&
      !this.#waiting.some((waiter) => this.#hasSlot(waiter.part));
    if (isFree) this.#take(part);
    return isFree;
  }

  /** Resolves with the turn. @throws The signal's reason if it is aborted before */
  wait(part: Part, priority: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
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
        this.#remove(waiter);
        reject(signal?.reason);
        this.#admit();
        this.#notifyIdle(part);
      };
      signal?.addEventListener('abort', abort, { once: true });
      const later = this.#waiting.findIndex((other) => other.priority < priority);
      this.#waiting.splice(later === -1 ? this.#waiting.length : later, 0, waiter);
      this.#admit();
    });
  }

  /** Ends a turn of this part. */
  over(part: Part): void {
    this.#running--;
    part.running--;
    this.#admit();
    this.#notifyIdle(part);
  }

  /** Rejects the waiting calls of this part. */
  dismiss(part: Part, reason: Error): void {
    for (const waiter of this.#waiting.filter((one) => one.part === part)) {
      this.#remove(waiter);
      waiter.dismiss(reason);
    }
    this.#admit();
    this.#notifyIdle(part);
  }

  idle(part: Part): Promise<void> {
    return new Promise((resolve) => {
      part.onIdle.push(resolve);
      this.#notifyIdle(part);
    });
  }

  /** Grants as many turns to waiting calls as the limits allow. */
  #admit(): void {
    for (;;) {
      const waiter = this.#waiting.find(({ part }) => this.#hasSlot(part));
      if (!waiter) return;
      const pause = this.#rate.untilNext();
      if (pause > 0) {
        this.#admitAfter(pause);
        return;
      }
      this.#remove(waiter);
      this.#take(waiter.part);
      waiter.admit();
    }
  }

  #admitAfter(milliseconds: number): void {
    if (this.#isPausing) return;
    this.#isPausing = true;
    void this.#clock.wait(milliseconds).then(() => {
      this.#isPausing = false;
      this.#admit();
    });
  }

  #hasSlot(part: Part): boolean {
    if (this.#running >= this.#concurrency || part.reservesSlot) return this.#running < this.#concurrency;
    let kept = false;
    let others = this.#running;
    for (const other of this.#parts) {
      if (!other.reservesSlot) continue;
      kept = true;
      others -= other.running;
    }
    return !kept || others < this.#concurrency - 1;
  }

  #take(part: Part): void {
    this.#running++;
    part.running++;
    this.#rate.started();
  }

  #remove(waiter: Waiter): void {
    this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
  }

  #notifyIdle(part: Part): void {
    if (part.running > 0 || this.#waiting.some((waiter) => waiter.part === part)) return;
    for (const resolve of part.onIdle.splice(0)) resolve();
  }
}
