import { join } from 'node:path';
import { systemClock } from '@likeness/node-kit/clock.ts';
import { cropped } from '@likeness/portrait/photo/photo.ts';
import { Batch } from '../../../main/batch/batch.ts';
import { createImporter } from '../../../main/batch/batch_calls.ts';
import type { BatchOptions } from '../../../main/batch/batch_options.ts';
import type { Importer } from '../../../main/batch/photos/importer.ts';
import type { PhotoCheck } from '../../../main/batch/photos/photo_row.ts';
import type { BatchProfile, ModelService } from '../../../main/batch/ports.ts';
import { Libraries } from '../../../main/library/libraries.ts';
import { createModelStore } from '../../../main/library/model_store.ts';

export const fineCheck: PhotoCheck = {
  width: 100,
  height: 100,
  findings: [],
  face: null,
  suggestedCrop: null,
};

export interface QueueOptions {
  /** Where the queue and its library keep their files. */
  folder: string;
  service: ModelService;
  profile?: Partial<BatchProfile>;
  batch?: Partial<BatchOptions>;
  /** What each photo's check says; default: that it is fine. */
  check?: (path: string) => PhotoCheck | Promise<PhotoCheck>;
}

export interface Queue {
  batch: Batch;
  /** What the batch was opened with; it looks again at each use. */
  options: BatchOptions;
  importer: Importer;
  libraries: Libraries;
  profile: BatchProfile;
  /** Takes a folder of photos in and says the sex of everything in the tray. */
  takeIn(photos: string, sex: 'female' | 'male'): Promise<void>;
  /** Queues all that is in the tray. @returns Ids of the jobs. */
  order(more?: { again?: boolean; profileId?: string }): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * A queue over a real library as a studio composes it, but for what looks at photos; `resume` begins its
 * work.
 */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  const { folder, service } = options;
  const profile: BatchProfile = {
    id: 'p1',
    name: 'Scripted',
    concurrency: 4,
    polling: { least: 0.02, most: 0.1 },
    prices: { perModel: 0.5, currency: 'USD' },
    ...options.profile,
  };
  const libraries = await Libraries.open({
    dataFolder: join(folder, 'library'),
    clock: Date.now,
    watch: false,
  });
  const batchOptions: BatchOptions = {
    folder: join(folder, 'batch'),
    profiles: {
      profile: async (id) => ({ ...profile, id, name: id === profile.id ? profile.name : id }),
      service: async () => service,
    },
    modelStore: createModelStore(libraries),
    checker: {
      parallel: 2,
      check: async (path) => options.check?.(path) ?? fineCheck,
      outline: async () => ({ rings: [], score: 1, sure: true, cutOff: false }),
      crop: cropped,
    },
    clock: systemClock,
    random: Math.random,
    ...options.batch,
  };
  let batch: Batch;
  try {
    batch = new Batch(batchOptions);
  } catch (error) {
    await libraries.close();
    throw error;
  }
  const importer = createImporter(batch, () => {});
  const all = { filter: {} };
  let closed = false;
  return {
    batch,
    options: batchOptions,
    importer,
    libraries,
    profile,
    async takeIn(photos, sex) {
      importer.begin([{ path: photos, name: '', temporary: false }]);
      await importer.settled();
      batch.importList.tag(
        'tag',
        batch.importList.selected(all).map((photo) => ({ photo, set: { sex } })),
      );
    },
    async order({ again = false, profileId = profile.id } = {}) {
      const libraryId = libraries.defaultId();
      return (await batch.orders.start(all, { profileId, libraryId, again })).queued;
    },
    async close() {
      if (closed) return;
      closed = true;
      try {
        await batch.close();
      } finally {
        await libraries.close();
      }
    },
  };
}
