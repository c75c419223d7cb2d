import type { Log } from '@likeness/engine/log.ts';
import { endSignalListener } from '@likeness/node-kit/end_signals.ts';
import { openStore } from '../store/open_store.ts';
import { MakerHost } from './maker_host.ts';
import { concurrentHeadsVariable } from './maker_messages.ts';
import { ModelWorker, type ModelWorkerOptions } from './model_worker.ts';

export interface RunWorkerOptions extends Pick<ModelWorkerOptions, 'queue' | 'lease' | 'retryPause'> {
  /** The address of the shared store, in the form of `openStore`. */
  store: string;
  /** Heads made at the same time. */
  cores: number;
  /** Entry file of the process that makes heads. */
  makerEntry: string;
  /** Milliseconds for heads in progress to finish after the signal to end. */
  grace: number;
  log: Log;
}

/**
 * Joins this machine to the queue until a signal to end. It then finishes the work in progress within the
 * grace period. A second signal ends it at once; other workers take over its work.
 *
 * @returns once it has left. Rejects if queue or store are unreachable at the start.
 */
export async function runWorker(options: RunWorkerOptions): Promise<void> {
  const { queue, cores, makerEntry, grace, log, lease, retryPause } = options;
  const store = await openStore(options.store);
  await store.check();
  const maker = new MakerHost(makerEntry, { [concurrentHeadsVariable]: String(cores) });
  const worker = await ModelWorker.start({
    queue,
    store,
    maker,
    slots: cores,
    log,
    ...(lease !== undefined && { lease }),
    ...(retryPause !== undefined && { retryPause }),
  });
  log('info', `takes heads from the queue, ${cores} at the same time`);
  await new Promise<void>((resolve) => {
    const leave = endSignalListener(
      () => {
        log('info', 'takes no more and ends what it is making');
        resolve();
      },
      () => process.exit(1),
    );
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, leave);
  });
  await worker.drain(grace);
  store.close();
}
