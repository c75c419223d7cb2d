/**
 * A studio's queue in a process of its own, to be killed: takes the photos in where no earlier life of it did, and
 * works the queue off. Settings come as JSON in the first argument.
 */

import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Batch } from '../../../main/batch/batch.ts';
import { createIntakes } from '../../../main/batch/batch_calls.ts';
import { Libraries } from '../../../main/library/libraries.ts';
import { createModelShelf } from '../../../main/library/model_shelf.ts';
import { createUpstreamClient } from '../../../main/upstream/client.ts';
import { endpointFor } from '../../fixtures/service/endpoint.ts';

const { folder, photos, service } = JSON.parse(process.argv[2] ?? '') as {
  folder: string;
  photos: string;
  service: { url: string; accessToken: string; apiKey: string };
};

const client = createUpstreamClient({
  endpoint: endpointFor(service, { concurrency: 8 }),
  retry: { base: 5, most: 20, attempts: 2 },
});
const libraries = await Libraries.open({
  dataFolder: join(folder, 'library'),
  clock: Date.now,
  watch: false,
});
const batch = new Batch({
  folder: join(folder, 'batch'),
  profiles: {
    profile: async (id) => ({
      id,
      name: id,
      concurrency: 8,
      requestsPerMinute: 0,
      polling: { least: 0.01, most: 0.05 },
      prices: { perModel: 1, currency: 'USD' },
    }),
    service: async () => client,
  },
  shelf: createModelShelf(libraries),
  checker: {
    parallel: 2,
    check: async () => ({ width: 1, height: 1, findings: [], face: null, suggestedCrop: null }),
  },
  clock: {
    now: Date.now,
    elapsed: () => performance.now(),
    wait: (milliseconds, signal) =>
      pause(milliseconds, undefined, { signal }).catch(() => {
        throw signal.reason;
      }),
  },
  random: Math.random,
  jobsAtOnce: () => 8,
  onDefect(error) {
    console.error(error);
    process.exitCode = 3;
  },
});
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
  const intakes = createIntakes(batch, () => {});
  intakes.begin([{ path: photos, name: '', temporary: false }]);
  await intakes.settled();
  const all = batch.tray.selected({ filter: {} });
  batch.tray.tag(
    'tag',
    all.map((photo) => ({ photo, set: { sex: 'male' as const } })),
  );
  await batch.start({ filter: {} }, { profileId: 'p', libraryId: libraries.defaultId(), again: false });
}
await batch.idle();
const { open, jobs } = batch.overview();
await batch.close();
await client.close();
await libraries.close();
process.stdout.write(`${JSON.stringify({ open, done: jobs.done })}\n`);
