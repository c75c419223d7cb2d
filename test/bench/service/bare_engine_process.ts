/**
 * The engine without a service: makes the photos of each message, as many at the same time as it was told to, and
 * answers with how many it made.
 */
import { createPortraitEngine } from '@likeness/portrait';
import { each, photo } from './service_calls.ts';

const workers = Number(process.argv[2]);
const engine = createPortraitEngine({
  workers,
  workerUrl: new URL('../../../out/main/portrait-worker.js', import.meta.url),
});

process.on('message', async ({ from, count }: { from: number; count: number }) => {
  await each(count, workers, async (n) => {
    await engine.head({ photo: photo(from + n), sex: 'female' });
  });
  process.send?.(count);
});
process.on('disconnect', () => process.exit());
