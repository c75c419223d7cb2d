/** A worker as `likeness service worker` runs it, with the quick maker: queue, store, cores, lease in milliseconds. */
import { join } from 'node:path';
import { runWorker } from '../../src/worker/run_worker.ts';

const [queue = '', store = '', cores = '1', lease = '1000'] = process.argv.slice(2);
await runWorker({
  queue,
  store,
  cores: Number(cores),
  lease: Number(lease),
  retryPause: 100,
  makerEntry: process.env.TEST_MAKER ?? join(import.meta.dirname, 'fake_maker_entry.ts'),
  grace: 10_000,
  log: (level, message, error) =>
    process.stderr.write(
      `${level} ${message}${error ? ` ${error instanceof Error ? error.stack : error}` : ''}\n`,
    ),
});
