/**
 * The queue's own cost: 5,000 photos against a server that answers at once, 16 under way (`queue_run.ts`). What the
 * calls themselves cost is measured in the same run, by bare undici that sends, asks and fetches as often.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, FormData, request } from 'undici';
import { report } from './limits.ts';
import { concurrency, openQueueRun } from './queue_run.ts';

const items = 5000;
const run = await openQueueRun(items);
const { folder, photos, url } = run;

const thread = process.threadCpuUsage();
const begin = performance.now();
let max = 0;
const watch = setInterval(() => {
  max = Math.max(max, process.memoryUsage.rss());
}, 100);
await run.makeAll();
clearInterval(watch);
const milliseconds = (performance.now() - begin) / items;
const { user, system } = process.threadCpuUsage(thread);
await run.close();

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
await run.remove();

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
