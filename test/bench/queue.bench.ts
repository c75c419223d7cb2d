/**
 * The queue's own cost: 5,000 photos against a server that answers at once, 16 under way. All that the studio
 * does is in it: every transition and every call's journal entry on disk, real HTTP, every head a folder in a
 * real library. What the calls themselves cost is measured in the same run, by bare undici that sends, asks
 * and fetches as often.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createPaces } from '@likeness/client/transport/pace.ts';
import { Journal } from '@likeness/journal/journal.ts';
import { systemClock } from '@likeness/node-kit/clock.ts';
import { createScrub } from '@likeness/node-kit/storage/scrub.ts';
import { Agent, FormData, request } from 'undici';
import { createMeteredClients } from '../../main/compose/metered_clients.ts';
import { newProfile } from '../../preload/contract.ts';
import { openQueue } from '../main/batch/open_queue.ts';
import { putPhotos } from '../main/batch/photos.ts';
import { report } from './limits.ts';

const items = 5000;
const concurrency = 16;
const folder = await mkdtemp(join(tmpdir(), 'likeness-bench-queue-'));
const photos = join(folder, 'photos');
await putPhotos(photos, items);

const server = fork(new URL('queue_server.ts', import.meta.url));
const [port] = (await once(server, 'message')) as [number];
const url = `http://127.0.0.1:${port}`;

const journal = new Journal({
  folder: join(folder, 'journal'),
  clock: Date.now,
  scrub: (text) => text,
  onAppended: () => {},
  processId: process.pid,
  run: 'bench',
});
const clients = createMeteredClients({
  scrub: createScrub(),
  resolve: async (profileId) => ({
    ...newProfile,
    profileId,
    profileName: 'Bench',
    groupBUrl: url,
    concurrency,
    prices: { perSecond: 0, perFrame: 0, perModel: 0.01, currency: 'USD' },
    monthlyCap: 1000,
    secret: () => Promise.resolve('bench-key-0123456789abcdef'),
  }),
  journal: journal.shared,
  pace: createPaces(systemClock),
  onTrouble(error) {
    throw error;
  },
});
const queue = await openQueue({
  folder,
  service: await clients.client('p1'),
  profile: { concurrency, polling: { least: 0, most: 0.001 } },
  batch: { concurrentJobs: () => concurrency, emit: { changed: () => {} } },
});
const { batch } = queue;
await batch.resume();
await queue.takeIn(photos, 'female');
while (batch.overview().checks.pending > 0) await pause(50);

const thread = process.threadCpuUsage();
const begin = performance.now();
await queue.order();
let max = 0;
const watch = setInterval(() => {
  max = Math.max(max, process.memoryUsage.rss());
}, 100);
await batch.idle();
clearInterval(watch);
const milliseconds = (performance.now() - begin) / items;
const { user, system } = process.threadCpuUsage(thread);
const { jobs } = batch.overview();
if (jobs.done !== items) throw new Error(`${jobs.done} of ${items} were done`);
if (journal.size < items * 3) throw new Error('calls without a journal entry');
await queue.close();
await clients.close();
journal.close();

const bare = await bareCalls();
console.log(
  `${items} items, of an item: ${milliseconds.toFixed(2)} ms through the queue, ${bare.toFixed(2)} ms through bare undici`,
);
report({
  name: 'main thread busy, for an item',
  value: (user + system) / 1000 / items,
  unit: 'ms',
  limit: 4,
  kind: 'most',
});
report({
  name: 'queue, overhead of an item',
  value: milliseconds - bare,
  unit: 'ms',
  limit: 3,
  kind: 'most',
});
report({
  name: 'memory of the process, most',
  value: max / 1024 / 1024,
  unit: 'MB',
  limit: 250,
  kind: 'most',
});
server.disconnect();
await rm(folder, { recursive: true, force: true });

/**
 * Sends each photo, asks once, fetches the head into a file; as many at once. @returns Milliseconds of an
 * item.
 */
async function bareCalls(): Promise<number> {
  const agent = new Agent({ allowH2: false, connections: concurrency });
  const names = await readdir(photos);
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let name = names.pop(); name !== undefined; name = names.pop()) {
        const form = new FormData();
        form.append('sex', '1');
        form.append('file', new Blob([await readFile(join(photos, name))], { type: 'image/jpeg' }), name);
        const ordered = await request(`${url}/generate`, { dispatcher: agent, method: 'POST', body: form });
        const { data: order } = (await ordered.body.json()) as { data: { modelId: string } };
        const asked = await request(`${url}/get/${order.modelId}`, { dispatcher: agent });
        const { data } = (await asked.body.json()) as { data: { downloadLink: string } };
        const file = await request(data.downloadLink, { dispatcher: agent });
        await writeFile(join(folder, `${name}.glb`), Buffer.from(await file.body.arrayBuffer()));
      }
    }),
  );
  await agent.close();
  return (performance.now() - begin) / items;
}
