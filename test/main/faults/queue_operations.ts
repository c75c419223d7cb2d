/** Work that is paid for, as operations that a failing disk may interrupt. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createUpstreamClient } from '@likeness/client/client.ts';
import { systemClock } from '@likeness/node-kit/clock.ts';
import { endpointFor } from '../../fixtures/service/endpoint.ts';
import { type ScriptedService, startScriptedService } from '../../fixtures/service/scripted_service.ts';
import type { FaultedOperation } from '../../support/fault_sweep.ts';
import { openQueue, type Queue } from '../batch/open_queue.ts';
import { putPhotos } from '../batch/photos.ts';

/** Milliseconds that a blocked queue gets to go on, before the studio is closed. */
const patience = 400;

/** A clock on which nothing is waited for longer than 20 ms. */
const hasty = {
  ...systemClock,
  wait: (milliseconds: number, signal: AbortSignal) => systemClock.wait(Math.min(milliseconds, 20), signal),
};

/** Three photos, ordered from a scripted server that takes no idempotency keys. */
export async function batchOfThree(): Promise<FaultedOperation & { close(): Promise<void> }> {
  const service: ScriptedService = await startScriptedService({ waitTime: 0 });
  const withQueue = async <T>(folder: string, use: (queue: Queue) => Promise<T>): Promise<T> => {
    const client = createUpstreamClient({
      endpoint: endpointFor(service, { concurrency: 16 }),
      retry: { base: 5, most: 20, attempts: 2 },
    });
    const batch = { clock: hasty, emit: { changed: () => {}, finished: () => {} }, onDefect: () => {} };
    try {
      const queue = await openQueue({ folder, service: client, batch });
      try {
        await queue.batch.resume();
        return await use(queue);
      } finally {
        await queue.close();
      }
    } finally {
      await client.close();
    }
  };
  return {
    name: 'a batch of three photos',
    close: () => service.close(),
    async prepare(folder) {
      await putPhotos(join(folder, 'photos'), 3);
      await withQueue(folder, async () => undefined);
    },
    async work(folder) {
      service.requests.length = 0;
      await withQueue(folder, async (queue) => {
        await queue.takeIn(join(folder, 'photos'), 'female');
        await queue.order();
        await Promise.race([queue.batch.idle(), wait(patience, undefined, { ref: false })]);
      });
    },
    check: (folder) =>
      withQueue(folder, async ({ batch, libraries }) => {
        await batch.idle();
        const { jobs } = batch.overview();
        const heads = libraries.search({}, 0, 10).models;
        const ordered = service.requests.filter(({ operation }) => operation === 'generate_model');
        const photos = new Set(ordered.map(({ file }) => Buffer.from(file?.bytes ?? '').toString('latin1')));
        const problems: string[] = [];
        if (photos.size !== ordered.length)
          problems.push(`${ordered.length} orders of ${photos.size} photos`);
        if (jobs.failed > 0) problems.push(`${jobs.failed} jobs ended as failed`);
        const accounted = jobs.done + jobs.uncertain;
        if (accounted < photos.size)
          problems.push(`${accounted} of ${photos.size} ordered are accounted for`);
        if (heads.length !== jobs.done || heads.some(({ state }) => state !== 'ok'))
          problems.push(`${heads.length} heads of ${jobs.done} that are done`);
        return problems;
      }),
  };
}
