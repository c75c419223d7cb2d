/**
 * A studio's queue with many photos, against a server that answers at once (`queue_server.ts`). All that the studio does
 * is in it: every transition and every call's journal entry on disk, real HTTP, every head a folder in a real library.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createPaces } from '@likeness/client/transport/pace.ts';
import { Journal } from '@likeness/journal/journal.ts';
import { systemClock } from '@likeness/node-kit/clock.ts';
import { createScrub } from '@likeness/node-kit/storage/scrub.ts';
import { createMeteredClients } from '../../main/compose/metered_clients.ts';
import { newProfile } from '../../preload/contract.ts';
import { openQueue } from '../main/batch/open_queue.ts';
import { putPhotos } from '../main/batch/photos.ts';

/** Heads under way at the same time. */
export const concurrency = 16;

export interface QueueRun {
  folder: string;
  /** Folder of the photos. */
  photos: string;
  /** The server's address. */
  url: string;
  /** Heads that are made. */
  done(): number;
  /** Orders a head of each photo. @throws Error if one was not made, or its calls are not in the journal */
  makeAll(): Promise<void>;
  close(): Promise<void>;
  /** Ends the server and removes the folder. */
  remove(): Promise<void>;
}

/** Opens a queue whose photos are checked and have a sex. */
export async function openQueueRun(items: number): Promise<QueueRun> {
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

  return {
    folder,
    photos,
    url,
    done: () => batch.overview().jobs.done,
    async makeAll() {
      await queue.order();
      await batch.idle();
      const { jobs } = batch.overview();
      if (jobs.done !== items) throw new Error(`${jobs.done} of ${items} were done`);
      if (journal.size < items * 3) throw new Error('calls without a journal entry');
    },
    async close() {
      await queue.close();
      await clients.close();
      journal.close();
    },
    async remove() {
      server.disconnect();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
