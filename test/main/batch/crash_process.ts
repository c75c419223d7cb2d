/**
 * A studio's queue in a process of its own, to be killed: takes the photos in where no earlier life of it
 * did, and works the queue off. Settings come as JSON in the first argument.
 */
import { join } from 'node:path';
import { createPaces } from '@likeness/client/transport/pace.ts';
import { Journal } from '@likeness/journal/journal.ts';
import { systemClock } from '@likeness/node-kit/clock.ts';
import { createScrub } from '@likeness/node-kit/storage/scrub.ts';
import { createMeteredClients } from '../../../main/compose/metered_clients.ts';
import { endpointFor } from '../../fixtures/service/endpoint.ts';
import { openQueue } from './open_queue.ts';

/** How the last life ended; the last line that it prints. */
export interface CrashEnd {
  /** Jobs that are not over, and that are done. */
  open: number;
  done: number;
  /** The journal is whole. */
  intact: boolean;
  /** Spent by the journal's account at a price of 1, and still held. */
  spent: number;
  reserved: number;
}

const { folder, photos, service } = JSON.parse(process.argv[2] ?? '') as {
  folder: string;
  photos: string;
  service: { url: string; accessToken: string; apiKey: string };
};

const concurrency = 8;
const defect = (error: unknown): void => {
  console.error(error);
  process.exitCode = 3;
};
const journal = new Journal({
  folder: join(folder, 'journal'),
  clock: Date.now,
  scrub: (text) => text,
  onAppended: () => {},
  processId: process.pid,
  run: String(performance.timeOrigin),
});
const clients = createMeteredClients({
  resolve: async (profileId) => ({
    ...endpointFor(service, { concurrency, profileId }),
    prices: { perSecond: 0, perFrame: 0, perModel: 1, currency: 'USD' },
    monthlyCap: 10_000,
  }),
  journal: journal.shared,
  pace: createPaces(systemClock),
  scrub: createScrub(),
  onTrouble: defect,
});
const queue = await openQueue({
  folder,
  service: await clients.client('p1'),
  profile: { concurrency, polling: { least: 0.01, most: 0.05 } },
  batch: {
    concurrentJobs: () => concurrency,
    onDefect: defect,
  },
});
const { batch } = queue;
process.stdout.write('begun\n');
await batch.resume();

// What a person would do: look in the account with the server, and say what is there.
for (const job of batch.jobs.inState(['uncertain'])) {
  const answer = await fetch(`${service.url}/account/${job.fileName}`);
  const { modelId } = (await answer.json()) as { modelId: string | null };
  if (modelId === null) batch.orders.resolveUncertain([job.id], 'resend', undefined);
  else batch.orders.resolveUncertain([job.id], 'found', modelId);
}
if (batch.jobs.page([], 0, 1).total === 0) {
  await queue.takeIn(photos, 'male');
  await queue.order();
}
await batch.idle();
const { open, jobs } = batch.overview();
await queue.close();
await clients.close();
const { ok: intact } = await journal.verify();
const { spent, reserved } = journal.spending('p1', 'USD');
journal.close();
const end: CrashEnd = { open, done: jobs.done, intact, spent, reserved };
process.stdout.write(`${JSON.stringify(end)}\n`);
