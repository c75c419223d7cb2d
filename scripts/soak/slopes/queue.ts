/** A studio's queue that makes thousands of heads by a server that answers at once. */
import { openQueueRun } from '../../../test/bench/queue_run.ts';
import { collectGarbage, printSlopes, type Sample, sampleOf } from './samples.ts';

export async function queueSlopes(photos: number): Promise<void> {
  const run = await openQueueRun(photos);
  const samples: Sample[] = [];
  const sampling = setInterval(() => {
    collectGarbage();
    samples.push(sampleOf(run.done(), process.pid, process.memoryUsage.rss()));
  }, 1000);
  await run.makeAll();
  clearInterval(sampling);
  printSlopes(`${photos} photos through the queue`, samples, ['ten thousand', 10_000]);
  await run.close();
  await run.remove();
}
