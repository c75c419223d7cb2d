import { backoffPause } from '@likeness/node-kit/backoff.ts';
import type { Clock } from '@likeness/node-kit/clock.ts';

/** Before each restart in a row. After the last, the engine counts as failed. */
const restartBackoff = { first: 250, longest: 4000 };
const maxRestartsInRow = 5;
/** A run of this many milliseconds ends the row. */
const steadyAfter = 60_000;

/** When an engine that ended by itself is started again: later each time, and at last not any more. */
export class EngineRestarts {
  readonly #clock: Pick<Clock, 'now' | 'after'>;
  #count = 0;
  /** Exits in a row, without a steady run or a finished head between them. */
  #failuresInRow = 0;
  #cancel: (() => void) | null = null;

  constructor(clock: Pick<Clock, 'now' | 'after'>) {
    this.#clock = clock;
  }

  /** Restarts since the person started the engine. */
  get count(): number {
    return this.#count;
  }

  /** Whether one is to come. */
  get isPending(): boolean {
    return this.#cancel !== null;
  }

  /** A run ended that began then. @returns exits in a row, and whether they are too many */
  ended(startedAt: number): { inRow: number; isTooMany: boolean } {
    if (this.#clock.now() - startedAt >= steadyAfter) this.#failuresInRow = 0;
    this.#failuresInRow += 1;
    return { inRow: this.#failuresInRow, isTooMany: this.#failuresInRow > maxRestartsInRow };
  }

  /** A head was finished: what ended the engine before does not stop it from working. */
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

  /** The person starts the engine: nothing of before counts. */
  reset(): void {
    this.#failuresInRow = 0;
    this.#count = 0;
  }
}
