import { randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineFolder } from '../engine_folder.ts';
import type { ImageUpload } from '../http/image_upload.ts';
import type { EngineLimits } from '../http/limits.ts';
import type { ModelJobs, ModelOrder } from './model_jobs.ts';

export type ImageTaskOrder = Pick<ModelOrder, 'owner' | 'priority' | 'idempotencyKey' | 'charge'>;

/** The images submitted through A2. */
export interface ImageTasks {
  /** Takes ownership of the image and records it. @returns The task's id. */
  submit(upload: ImageUpload, order: ImageTaskOrder): Promise<string>;
  /** Whether the images are processed into models, for a price. */
  readonly areMade: boolean;
  /** Forgets what is too old. */
  sweep(): Promise<void>;
}

/**
 * The images submitted through A2: checked, stored, found by id. The interface has no operation for their
 * state or result, so they are not processed. They expire by age and by total size.
 *
 * @param clock Milliseconds since 1970 UTC.
 * @param dropPhoto Deletes a photo's file unless something else needs it.
 */
export function createImageTasks(
  { database, wal, photos }: Pick<EngineFolder, 'database' | 'wal' | 'photos'>,
  limits: Pick<EngineLimits, 'keep' | 'imageTaskBytes'>,
  clock: () => number,
  dropPhoto: (photo: string) => Promise<void>,
): ImageTasks {
  const insert = database.prepare(
    'INSERT INTO image_task (id, photo, media_type, width, height, bytes, created_at, owner) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const newestFirst = database.prepare(
    'SELECT id, photo, bytes, created_at FROM image_task ORDER BY sequence DESC',
  );
  const remove = database.prepare('DELETE FROM image_task WHERE id = ?');

  async function sweep(): Promise<void> {
    const before = clock() - limits.keep;
    let total = 0;
    for (const [index, row] of newestFirst.all().entries()) {
      const { id, photo, bytes, created_at } = row as {
        id: string;
        photo: string;
        bytes: number;
        created_at: number;
      };
      total += bytes;
      if (created_at >= before && (total <= limits.imageTaskBytes || index === 0)) continue;
      remove.run(id);
      await dropPhoto(photo);
    }
  }

  return {
    areMade: false,
    async submit({ path, sha256, bytes, header }, { owner }) {
      const id = randomUUID();
      const photo = join(photos, sha256);
      if (!existsSync(photo)) renameSync(path, photo);
      insert.run(id, sha256, header.mediaType, header.width, header.height, bytes, clock(), owner ?? '');
      await sweep();
      await wal.flushed();
      return id;
    },
    sweep,
  };
}

/**
 * Image tasks of a service: each becomes a head of the person in the image. The interface's task has no
 * parameters, so the defaults are female, eyelids as detected, and quality rules that only warn.
 */
export const imageTasksAsModels = (queue: Pick<ModelJobs, 'submit'>): ImageTasks => ({
  areMade: true,
  async submit(upload, order) {
    const { id } = await queue.submit(upload, {
      ...order,
      kind: 'image',
      sex: 1,
      eyelidType: null,
      corrections: null,
      options: null,
      anyway: true,
    });
    return id;
  },
  // Swept with the models.
  sweep: async () => {},
});
