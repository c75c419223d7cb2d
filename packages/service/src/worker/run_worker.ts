import type { Log } from '@likeness/engine/log.ts';
import { endSignalListener } from '@likeness/node-kit/end_signals.ts';
import { openStore } from '../store/open_store.ts';
import { MakerHost } from './maker_host.ts';
import { concurrentHeadsVariable } from './maker_messages.ts';
import { ModelWorker, type ModelWorkerOptions } from './model_worker.ts';

export interface RunWorkerOptions extends Pick<ModelWorkerOptions, 'queue' | 'lease' | 'retryPause'> {
  /** The address of the store that all machines share, as `openStore` takes it. */
  store: string;
  /** Heads at the same time. */
  cores: number;
  /** File of the process that makes heads. */
  makerEntry: string;
  /** Milliseconds that heads in the making have to end when the worker is asked to. */
  grace: number;
  log: Log;
}

/**
 * Joins the queue with this machine, until the signal to end: then what is being made is made to its end, as far as
 * the grace goes. A later signal ends it at once; others go on with what it was making.
 *
 * @returns once it has left. Rejects where queue or store can't be reached at the start.
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
