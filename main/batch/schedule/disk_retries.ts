import { joinMessages } from '@likeness/messages';
import type { Clock } from '@likeness/node-kit/clock.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { databaseFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { BlockReasons } from './block_reasons.ts';

/** Milliseconds until a refused access to the disk is repeated. */
const retryPause = 2000;

/** Repeats what the disk refused, and shows why everything waits meanwhile. */
export class DiskRetries {
  readonly #options: { readonly clock: Pick<Clock, 'wait'> };
  readonly #blockReasons: BlockReasons;

  constructor(options: { readonly clock: Pick<Clock, 'wait'> }, blockReasons: BlockReasons) {
    this.#options = options;
    this.#blockReasons = blockReasons;
  }

  /** @throws what `work` throws, if the disk is not its cause, and the reason of `signal` */
  async run<T>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T> {
    for (;;) {
      try {
        const result = await work();
        this.#blockReasons.diskTakes();
        return result;
      } catch (thrown) {
        const error = databaseFailure(thrown);
        if (!(error instanceof Failure) || error.code !== 'storage') throw thrown;
        const reason = joinMessages(error.userMessage, error.advice);
        this.#blockReasons.diskRefuses({ reason, code: error.code, needsPerson: false });
        await this.#options.clock.wait(retryPause, signal);
      }
    }
  }
}
