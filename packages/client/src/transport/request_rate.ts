import type { Clock } from '@likeness/node-kit/clock.ts';

/** Milliseconds in which `requestsPerMinute` applies: any span of that length. */
const minute = 60_000;

/** Limits the number of requests started in a minute. */
export class RequestRate {
  /** 0: no limit. */
  readonly #perMinute: number;
  readonly #clock: Pick<Clock, 'now'>;
  /** Start times of the last requests, oldest first; kept only if there is a limit. */
  readonly #starts: number[] = [];

  constructor(perMinute: number, clock: Pick<Clock, 'now'>) {
    this.#perMinute = perMinute;
    this.#clock = clock;
  }

  /** Milliseconds until another one may start; 0: now. */
  untilNext(): number {
    if (this.#perMinute === 0) return 0;
    const now = this.#clock.now();
    const starts = this.#starts;
    // After the clock was set back, future times must not block requests.
    while (starts.length > 0 && ((starts[0] ?? 0) <= now - minute || (starts[0] ?? 0) > now)) starts.shift();
    return starts.length < this.#perMinute ? 0 : (starts[0] ?? 0) + minute - now;
  }

  started(): void {
    if (this.#perMinute > 0) this.#starts.push(this.#clock.now());
  }
}
