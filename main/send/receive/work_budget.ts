/**
 * Limits the work that a sender can cause. Unused work is kept for a second, so that a burst passes; after
 * that, work is granted at an even rate.
 */
export class WorkBudget {
  readonly #perSecond: number;
  #left: number;
  #at = Number.NaN;

  /** @param perSecond in any unit, such as microseconds */
  constructor(perSecond: number) {
    this.#perSecond = perSecond;
    this.#left = perSecond;
  }

  /** Whether work is left now. @param now monotonic milliseconds */
  hasLeft(now: number): boolean {
    const granted = Number.isNaN(this.#at) ? 0 : ((now - this.#at) / 1000) * this.#perSecond;
    this.#left = Math.min(this.#perSecond, this.#left + granted);
    this.#at = now;
    return this.#left > 0;
  }

  /** May exceed the rest: the excess is subtracted later. */
  use(work: number): void {
    this.#left -= work;
  }
}
