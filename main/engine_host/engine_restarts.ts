import { backoffPause } from '@likeness/node-kit/backoff.ts';
import type { Clock } from '@likeness/node-kit/clock.ts';

/** Delay before each consecutive restart. After the last, the engine counts as failed. */
const restartBackoff = { first: 250, longest: 4000 };
const maxRestartsInRow = 5;
/** A run of this many milliseconds ends the row. */
const steadyAfter = 60_000;

/** Decides when an engine that crashed restarts: with growing delays, and finally not at all. */
export class EngineRestarts {
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  #count = 0;
  /** Exits in a row, without a steady run or a finished head between them. */
  #failuresInRow = 0;
  #cancel: (() => void) | null = null;

  constructor(clock: Pick<Clock, 'now' | 'after'>) {
    this.#clock = clock;
  }

  /** Restarts since the user started the engine. */
  get count(): number {
    return this.#count;
  }

  /** Whether a restart is pending. */
  get isPending(): boolean {
    return this.#cancel !== null;
  }

  /** Records the end of a run that began then. @returns consecutive exits, and whether they are too many */
  ended(startedAt: number): { inRow: number; isTooMany: boolean } {
    if (this.#clock.now() - startedAt >= steadyAfter) this.#failuresInRow = 0;
    this.#failuresInRow += 1;
    return { inRow: this.#failuresInRow, isTooMany: this.#failuresInRow > maxRestartsInRow };
  }

  /** A head was finished: the cause of earlier crashes does not stop the engine from working. */
  finishedWork(): void {
    this.#failuresInRow = 0;
  }

  schedule(launch: () => void): void {
    this.#cancel = this.#clock.after(backoffPause(this.#failuresInRow, restartBackoff), () => {
      this.#cancel = null;
      this.#count += 1;
      launch();
    });
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** The user starts the engine: earlier crashes no longer count. */
  reset(): void {
    this.#failuresInRow = 0;
    this.#count = 0;
  }
}
