import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach } from 'vitest';
import type { BatchOverview, EventPayload } from '#contract';
import { Batch, type BatchOptions } from '../../../main/batch/batch.ts';
import { createIntakes } from '../../../main/batch/batch_calls.ts';
import type { Intakes } from '../../../main/batch/intake.ts';
import type { PhotoCheck } from '../../../main/batch/photo_tray.ts';
import type { BatchProfile, Clock } from '../../../main/batch/ports.ts';
import { Libraries } from '../../../main/library/libraries.ts';
import { createModelShelf } from '../../../main/library/model_shelf.ts';
import { createUpstreamClient, type UpstreamClient } from '../../../main/upstream/client.ts';
import { endpointFor } from '../../fixtures/service/endpoint.ts';
import {
  type ScriptedService,
  type ScriptedServiceOptions,
  startScriptedService,
} from '../../fixtures/service/scripted_service.ts';

import { putPhotos } from './photos.ts';

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

export const realClock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  wait: (milliseconds, signal) =>
    pause(milliseconds, undefined, { signal }).catch(() => {
      throw signal.reason;
    }),
};

export const fineCheck: PhotoCheck = {
  width: 100,
  height: 100,
  findings: [],
  face: null,
  suggestedCrop: null,
};

export interface Stage {
  service: ScriptedService;
  folder: string;
  photos: string;
  batch: Batch;
  intakes: Intakes;
  libraries: Libraries;
  profile: BatchProfile;
  events: EventPayload<'batch', 'changed'>[];
  finished: EventPayload<'batch', 'finished'>[];
  defects: unknown[];
  /** Takes photos in, says that all are female, and queues them. */
  run(count: number, order?: { again?: boolean; profileId?: string }): Promise<string[]>;
  /** Resolves when the queue has come to rest. */
  rest(): Promise<BatchOverview>;
  /** Ends the batch and opens it again on the same disk, as after a restart. */
  restart(): Promise<Stage>;
}

export interface StageOptions {
  service?: ScriptedServiceOptions;
  batch?: Partial<BatchOptions>;
  profile?: Partial<BatchProfile>;
  /** What each photo's check says. */
  check?: (path: string) => PhotoCheck | Promise<PhotoCheck>;
}

/** A batch at work: real disk, real HTTP on loopback to a scripted service, a real library. */
export async function setStage(options: StageOptions = {}): Promise<Stage> {
  const service = await startScriptedService({ waitTime: 0, ...options.service });
  atEnd(() => service.close());
  return openStage(service, await temporaryFolder(), options);
}

async function openStage(service: ScriptedService, folder: string, options: StageOptions): Promise<Stage> {
  const profile: BatchProfile = {
    id: 'p1',
    name: 'Scripted',
    concurrency: 4,
    requestsPerMinute: 0,
    polling: { least: 0.02, most: 0.1 },
    prices: { perModel: 0.5, currency: 'USD' },
    ...options.profile,
  };
  const client: UpstreamClient = createUpstreamClient({
    endpoint: endpointFor(service, { concurrency: 16 }),
    retry: { base: 5, most: 20, attempts: 2 },
  });
  const libraries = await Libraries.open({
    dataFolder: join(folder, 'library'),
    clock: Date.now,
    watch: false,
  });
  const events: Stage['events'] = [];
  const finished: Stage['finished'] = [];
  const defects: unknown[] = [];
  const batch = new Batch({
    folder: join(folder, 'batch'),
    profiles: {
      profile: async (id) => ({ ...profile, id, name: id === 'p1' ? profile.name : id }),
      service: async () => client,
    },
    shelf: createModelShelf(libraries),
    checker: { parallel: 2, check: async (path) => options.check?.(path) ?? fineCheck },
    clock: realClock,
    random: Math.random,
    emit: { changed: (payload) => events.push(payload), finished: (payload) => finished.push(payload) },
    onDefect: (error) => defects.push(error),
    ...options.batch,
  });
  const intakes = createIntakes(batch, () => {});
  await batch.resume();
  let closed = false;
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await batch.close();
    await client.close();
    await libraries.close();
  };
  atEnd(close);
  const stage: Stage = {
    service,
    folder,
    photos: join(folder, 'photos'),
    batch,
    intakes,
    libraries,
    profile,
    events,
    finished,
    defects,
    async run(count, order = {}) {
      await putPhotos(stage.photos, count);
      intakes.begin([{ path: stage.photos, name: '', temporary: false }]);
      await intakes.settled();
      const all = { filter: {} };
      batch.tray.tag(
        'tag',
        batch.tray.selected(all).map((photo) => ({ photo, set: { sex: 'female' as const } })),
      );
      const { queued } = await batch.start(all, {
        profileId: order.profileId ?? 'p1',
        libraryId: libraries.defaultId(),
        again: order.again ?? false,
      });
      return queued;
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
  return stage;
}
