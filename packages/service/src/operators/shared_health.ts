import { setTimeout as pause } from 'node:timers/promises';

/** The parts that all nodes share. */
export type SharedPart = 'queue' | 'store';

export interface SharedHealthOptions {
  /** Rejects if the part can't be used. */
  checks: Readonly<Record<SharedPart, () => Promise<unknown>>>;
  /** Milliseconds between two checks. @default 1500 */
  interval?: number | undefined;
  /** Milliseconds for an answer. @default 1000 */
  patience?: number | undefined;
  onChanged: (part: SharedPart, isReachable: boolean) => void;
}

/** Checks in a row that fail before a part counts as unreachable. */
const maxFailures = 2;

/** Knows within five seconds whether queue and store can be reached, so that calls needn't wait to find out. */
export class SharedHealth {
  readonly #options: Required<Pick<SharedHealthOptions, 'patience'>> & SharedHealthOptions;
  readonly #failures: Record<SharedPart, number> = { queue: 0, store: 0 };
  readonly #isAsking: Record<SharedPart, boolean> = { queue: false, store: false };
  readonly #timer: NodeJS.Timeout;

  constructor(options: SharedHealthOptions) {
    this.#options = { ...options, patience: options.patience ?? 1000 };
    this.#timer = setInterval(() => {
      void this.#ask('queue');
      void this.#ask('store');
    }, options.interval ?? 1500).unref();
  }

  /** The part that can't be reached; null if both can. */
  get unreachable(): SharedPart | null {
    if (this.#failures.queue >= maxFailures) return 'queue';
    return this.#failures.store >= maxFailures ? 'store' : null;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #ask(part: SharedPart): Promise<void> {
    const { checks, patience } = this.#options;
    // A check that still waits for its answer counts as another one without.
    if (this.#isAsking[part]) return this.#note(part, false);
    this.#isAsking[part] = true;
    const answer = checks[part]()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.#isAsking[part] = false;
      });
    this.#note(part, await Promise.race([answer, pause(patience, false, { ref: false })]));
  }

  #note(part: SharedPart, isReachable: boolean): void {
    const before = this.#failures[part] < maxFailures;
    this.#failures[part] = isReachable ? 0 : this.#failures[part] + 1;
    const now = this.#failures[part] < maxFailures;
    if (now !== before) this.#options.onChanged(part, now);
  }
}
