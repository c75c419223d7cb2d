import type { Clock } from '@likeness/node-kit/clock.ts';

/** Milliseconds in which `requestsPerMinute` holds: any span of that length. */
const minute = 60_000;

/** How many requests are started in a minute. */
export class RequestRate {
  /** 0: as many as there are. */
  readonly #perMinute: number;
  readonly #clock: Pick<Clock, 'now'>;
  /** When the last requests were started, oldest first; only kept where there is a rate to keep. */
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
    // A clock that was set back must not hold the line for as long.
    while (starts.length > 0 && ((starts[0] ?? 0) <= now - minute || (starts[0] ?? 0) > now)) starts.shift();
    return starts.length < this.#perMinute ? 0 : (starts[0] ?? 0) + minute - now;
  }

  started(): void {
    if (this.#perMinute > 0) this.#starts.push(this.#clock.now());
  }
}
