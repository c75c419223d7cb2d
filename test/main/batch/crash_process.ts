/**
 * A studio's queue in a process of its own, to be killed: takes the photos in where no earlier life of it did, and
 * works the queue off. Settings come as JSON in the first argument.
 */
import { createUpstreamClient } from '../../../main/upstream/client.ts';
import { endpointFor } from '../../fixtures/service/endpoint.ts';
import { openQueue } from './open_queue.ts';

const { folder, photos, service } = JSON.parse(process.argv[2] ?? '') as {
  folder: string;
  photos: string;
  service: { url: string; accessToken: string; apiKey: string };
};

const concurrency = 8;
const client = createUpstreamClient({
  endpoint: endpointFor(service, { concurrency }),
  retry: { base: 5, most: 20, attempts: 2 },
});
const queue = await openQueue({
  folder,
  service: client,
  profile: { concurrency, polling: { least: 0.01, most: 0.05 } },
  batch: {
    jobsAtOnce: () => concurrency,
    onDefect(error) {
      console.error(error);
      process.exitCode = 3;
    },
  },
});
const { batch } = queue;
process.stdout.write('begun\n');
await batch.resume();

// What a person would do: look in the account with the server, and say what is there.
for (const job of batch.jobs.inState(['uncertain'])) {
  const answer = await fetch(`${service.url}/account/${job.fileName}`);
  const { modelId } = (await answer.json()) as { modelId: string | null };
  if (modelId === null) batch.settleUncertain([job.id], 'resend', undefined);
  else batch.settleUncertain([job.id], 'found', modelId);
}
if (batch.jobs.page([], 0, 1).total === 0) {
  await queue.takeIn(photos, 'male');
  await queue.order();
}
await batch.idle();
const { open, jobs } = batch.overview();
await queue.close();
await client.close();
process.stdout.write(`${JSON.stringify({ open, done: jobs.done })}\n`);
