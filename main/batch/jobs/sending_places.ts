import type { Clock } from '../../base/clock.ts';

/** What limits a profile's submits. */
export interface SendingLimits {
  id: string;
  concurrency: number;
  requestsPerMinute: number;
}

/**
 * Places to send from, as many a profile as it allows requests at once, and no more starts in a minute than it
 * allows. A submit is written down as begun only when it has a place, so that few are in doubt after a crash.
 */
export class SendingPlaces {
  readonly #clock: Pick<Clock, 'elapsed' | 'wait'>;
  readonly #taken = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();
  /** When the next may start, on the clock that only goes forward. */
  readonly #nextStart = new Map<string, number>();

  constructor(clock: Pick<Clock, 'elapsed' | 'wait'>) {
    this.#clock = clock;
  }

  /** @returns What to call to leave the place. @throws the signal's reason */
  async enter(
    { id, concurrency, requestsPerMinute }: SendingLimits,
    signal: AbortSignal,
  ): Promise<() => void> {
    while ((this.#taken.get(id) ?? 0) >= concurrency) await this.#freed(id, signal);
    this.#taken.set(id, (this.#taken.get(id) ?? 0) + 1);
    let left = false;
    const leave = (): void => {
      if (left) return;
      left = true;
      this.#taken.set(id, (this.#taken.get(id) ?? 1) - 1);
      this.#waiting.get(id)?.shift()?.();
    };
    try {
      if (requestsPerMinute > 0) {
        const now = this.#clock.elapsed();
        const start = Math.max(now, this.#nextStart.get(id) ?? 0);
        this.#nextStart.set(id, start + 60_000 / requestsPerMinute);
        if (start > now) await this.#clock.wait(start - now, signal);
      }
      signal.throwIfAborted();
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  #freed(id: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = this.#waiting.get(id) ?? [];
      this.#waiting.set(id, queue);
      const proceed = (): void => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        const at = queue.indexOf(proceed);
        if (at >= 0) queue.splice(at, 1);
        // The place that was meant for this one goes to the next.
        else queue.shift()?.();
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      queue.push(proceed);
    });
  }
}
