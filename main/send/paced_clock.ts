import type { Clock } from '@likeness/node-kit/clock.ts';

export interface PacedClockOptions {
  /** Monotonic milliseconds. */
  elapsed: Clock['elapsed'];
  after: Clock['after'];
  /** Calls back after pending events are processed. */
  soon: (callback: () => void) => void;
}

/** Timers count whole milliseconds: the rest before a deadline is spent polling. */
const timerStep = 1;
/** Maximum milliseconds by which a tick may be early. */
const early = 0.2;

interface Beat {
  start: number;
  /** Milliseconds. */
  period: number;
  /** Time of the next tick. */
  count: number;
  tick: (at: number) => void;
}

/**
 * Ticks at exact rates with one timer. Deadlines are absolute, so rates don't drift; ticks missed while the
 * process was blocked are skipped.
 */
export class PacedClock {
  readonly #options: PacedClockOptions;
  readonly #beats = new Set<Beat>();
  #cancel: (() => void) | null = null;
  #isTurning = false;
  #turn = 0;

  constructor(options: PacedClockOptions) {
    this.#options = options;
  }

  /** @param tick receives its deadline by the clock @returns a function that unsubscribes */
  every(rate: number, tick: (at: number) => void): () => void {
    const beat: Beat = { start: this.#options.elapsed(), period: 1000 / rate, count: 0, tick };
    this.#beats.add(beat);
    this.#wait();
    return () => {
      this.#beats.delete(beat);
      this.#wait();
    };
  }

  #wait(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#turn += 1;
    if (this.#isTurning || this.#beats.size === 0) return;
    const next = Math.min(...[...this.#beats].map(deadline));
    const left = next - this.#options.elapsed();
    if (left > timerStep + early) {
      this.#cancel = this.#options.after(Math.floor(left - timerStep), () => this.#run());
      return;
    }
    const turn = this.#turn;
    this.#options.soon(() => {
      if (turn === this.#turn) this.#run();
    });
  }

  #run(): void {
    this.#isTurning = true;
    try {
      for (const beat of [...this.#beats]) this.#tick(beat);
    } finally {
      this.#isTurning = false;
      this.#wait();
    }
  }

  #tick(beat: Beat): void {
    const now = this.#options.elapsed();
    if (deadline(beat) > now + early || !this.#beats.has(beat)) return;
    const passed = Math.floor((now + early - beat.start) / beat.period);
    const at = beat.start + passed * beat.period;
    beat.count = passed + 1;
    beat.tick(at);
  }
}

const deadline = ({ start, period, count }: Beat): number => start + count * period;
