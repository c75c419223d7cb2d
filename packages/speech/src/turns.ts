import { setImmediate as nextTurn } from 'node:timers/promises';

/** Maximum time of computing without a break for other work, ms. */
const longestStretch = 20;

/** Progress and cancellation of a long computation. */
export interface Attention {
  /** 0..1, not falling. */
  readonly onProgress?: ((share: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Yields to other work now and then; a frequent check only reads the clock. */
export class Turns {
  readonly #attention: Attention;
  #since = performance.now();

  constructor(attention: Attention) {
    this.#attention = attention;
  }

  /** Whether it is time to `give`. */
  get due(): boolean {
    return performance.now() - this.#since > longestStretch;
  }

  /** @throws the signal's reason once it is aborted */
  async give(share: number): Promise<void> {
    this.#attention.onProgress?.(share);
    await nextTurn();
    this.#attention.signal?.throwIfAborted();
    this.#since = performance.now();
  }
}
