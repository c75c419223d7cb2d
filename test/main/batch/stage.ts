import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUpstreamClient } from '@likeness/client/client.ts';
import type { Clock } from '@likeness/node-kit/clock.ts';
import { afterEach } from 'vitest';
import type { BatchOverview, EventPayload } from '#contract';
import { endpointFor } from '../../fixtures/service/endpoint.ts';
import {
  type ScriptedService,
  type ScriptedServiceOptions,
  startScriptedService,
} from '../../fixtures/service/scripted_service.ts';
import { openQueue, type Queue, type QueueOptions } from './open_queue.ts';
import { putPhotos } from './photos.ts';

export { fineCheck } from './open_queue.ts';
export { photoBytes, putPhotos } from './photos.ts';

const endings: (() => Promise<unknown>)[] = [];

/** Runs after the test, last registered first. */
export function atEnd(ending: () => Promise<unknown>): void {
  endings.push(ending);
}

afterEach(async () => {
  for (const ending of endings.splice(0).reverse()) await ending();
});

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'likeness-batch-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface Stage
  extends Pick<Queue, 'batch' | 'options' | 'importer' | 'libraries' | 'order' | 'profile' | 'takeIn'> {
  service: ScriptedService;
  folder: string;
  photos: string;
  events: EventPayload<'batch', 'changed'>[];
  finished: EventPayload<'batch', 'finished'>[];
  defects: unknown[];
  /** Has the server asked what it announces, so that the next question is for a model. */
  askedForExtensions(): Promise<void>;
  /** Takes photos in, says that all are female, and queues them. */
  run(count: number, order?: { again?: boolean; profileId?: string }): Promise<string[]>;
  /** Resolves when the queue has come to rest. */
  rest(): Promise<BatchOverview>;
  /** Ends the batch and opens it again on the same disk, as after a restart. */
  restart(): Promise<Stage>;
}

export interface StageOptions extends Pick<QueueOptions, 'batch' | 'profile' | 'check'> {
  service?: ScriptedServiceOptions;
  /** What the connection allows; default: 16 requests at once. */
  limits?: { concurrency: number; requestsPerMinute: number };
  /** Of the connection's client. */
  clientClock?: Pick<Clock, 'now' | 'wait'>;
  /** Default: a temporary one. */
  folder?: string;
}

/** A batch at work: real disk, real HTTP on loopback to a scripted service, a real library. */
export async function setStage(options: StageOptions = {}): Promise<Stage> {
  const service = await startScriptedService({ waitTime: 0, ...options.service });
  atEnd(() => service.close());
  return openStage(service, options.folder ?? (await temporaryFolder()), options);
}

async function openStage(service: ScriptedService, folder: string, options: StageOptions): Promise<Stage> {
  const client = createUpstreamClient({
    endpoint: endpointFor(service, options.limits ?? { concurrency: 16 }),
    ...(options.clientClock && { clock: options.clientClock }),
    retry: { base: 5, most: 20, attempts: 2 },
  });
  const events: Stage['events'] = [];
  const finished: Stage['finished'] = [];
  const defects: unknown[] = [];
  const queue = await openQueue({
    ...options,
    folder,
    service: client,
    batch: {
      emit: { changed: (payload) => events.push(payload), finished: (payload) => finished.push(payload) },
      onDefect: (error) => defects.push(error),
      ...options.batch,
    },
  });
  const { batch } = queue;
  const close = async (): Promise<void> => {
    await queue.close();
    await client.close();
  };
  atEnd(close);
  await batch.resume();
  const photos = join(folder, 'photos');
  return {
    ...queue,
    service,
    folder,
    photos,
    events,
    finished,
    defects,
    async askedForExtensions() {
      await client.extensions({ sure: true });
    },
    async run(count, order = {}) {
      await putPhotos(photos, count);
      await queue.takeIn(photos, 'female');
      return queue.order(order);
    },
    async rest() {
      await batch.idle();
      return batch.overview();
    },
    async restart() {
      await close();
      return openStage(service, folder, options);
    },
  };
}
