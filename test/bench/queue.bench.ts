/**
 * The queue's own cost: 5,000 photos against a server that answers at once, 16 under way. Every transition is on
 * disk and every head ends as a folder in a real library; only the network is left out.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Batch } from '../../main/batch/batch.ts';
import { createIntakes } from '../../main/batch/batch_calls.ts';
import { Libraries } from '../../main/library/libraries.ts';
import { createModelShelf } from '../../main/library/model_shelf.ts';
import { makeGlb } from '../fixtures/service/glb.ts';
import { putPhotos } from '../main/batch/photos.ts';
import { report } from './limits.ts';

const items = 5000;
const folder = await mkdtemp(join(tmpdir(), 'likeness-bench-queue-'));
const glb = makeGlb();
let ordered = 0;
let shelving = 0;

const libraries = await Libraries.open({
  dataFolder: join(folder, 'library'),
  clock: Date.now,
  watch: false,
});
const shelf = createModelShelf(libraries);
const batch = new Batch({
  folder: join(folder, 'batch'),
  profiles: {
    profile: async (id) => ({
      id,
      name: id,
      concurrency: 16,
      requestsPerMinute: 0,
      polling: { least: 0, most: 0.001 },
      prices: { perModel: 0, currency: 'USD' },
    }),
    service: async () => ({
      async generateModel() {
        ordered += 1;
        return { modelId: `m${ordered}`, waitSeconds: 0 };
      },
      getModel: async () => ({ state: 'ready', waitSeconds: 0, failMessage: '', downloadLink: 'x' }),
      async download(_link, target) {
        await writeFile(target, glb);
        return { bytes: glb.byteLength, sha256: '' };
      },
      extensions: async () => ({ idempotencyKey: true }),
      submitImage: async () => ({ id: '' }),
    }),
  },
  shelf: {
    ...shelf,
    async finish(library, model) {
      const start = performance.now();
      await shelf.finish(library, model);
      shelving += performance.now() - start;
    },
  },
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
  jobsAtOnce: () => 16,
  emit: { changed: () => {} },
});
const intakes = createIntakes(batch, () => {});
await batch.resume();
await putPhotos(join(folder, 'photos'), items);
intakes.begin([{ path: join(folder, 'photos'), name: '', temporary: false }]);
await intakes.settled();
while (batch.overview().checks.pending > 0) await pause(50);
const all = batch.tray.selected({ filter: {} });
batch.tray.tag(
  'tag',
  all.map((photo) => ({ photo, set: { sex: 'female' as const } })),
);

const cpu = process.cpuUsage();
const begin = performance.now();
await batch.start({ filter: {} }, { profileId: 'p', libraryId: libraries.defaultId(), again: false });
let most = 0;
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 100);
await batch.idle();
clearInterval(watch);
const milliseconds = performance.now() - begin;
const used = process.cpuUsage(cpu);
const { jobs } = batch.overview();
if (jobs.done !== items) throw new Error(`${jobs.done} of ${items} were done`);
console.log(
  `${items} items in ${(milliseconds / 1000).toFixed(1)} s; of an item ${((used.user + used.system) / 1000 / items).toFixed(2)} ms CPU, ` +
    `${(shelving / 16 / items).toFixed(2)} ms putting it on the shelf (16 at once)`,
);
report({ name: 'queue, of an item', value: milliseconds / items, unit: 'ms', limit: 3, kind: 'most' });
report({
  name: 'memory of the process, most',
  value: most / 1024 / 1024,
  unit: 'MB',
  limit: 250,
  kind: 'most',
});
await batch.close();
await libraries.close();
await rm(folder, { recursive: true, force: true });
