import { randomUUID } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineFolder } from '../engine_folder.ts';
import type { ImageUpload } from '../http/image_upload.ts';
import type { EngineLimits } from '../http/limits.ts';

export type ImageTasks = ReturnType<typeof createImageTasks>;

/**
 * The images submitted through A2: checked, kept, known by an id. The interface has no operation for their
 * state or result, so they are not processed; they are forgotten by age and by total size.
 *
 * @param clock Milliseconds since 1970 UTC.
 * @param dropPhoto Deletes a photo's file unless something else needs it.
 */
export function createImageTasks(
  { database, photos }: Pick<EngineFolder, 'database' | 'photos'>,
  limits: Pick<EngineLimits, 'keep' | 'imageTaskBytes'>,
  clock: () => number,
  dropPhoto: (photo: string) => void,
) {
  const insert = database.prepare(
    'INSERT INTO image_task (id, photo, media_type, width, height, bytes, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const newestFirst = database.prepare(
    'SELECT id, photo, bytes, created_at FROM image_task ORDER BY sequence DESC',
  );
  const remove = database.prepare('DELETE FROM image_task WHERE id = ?');

  function sweep(): void {
    const before = clock() - limits.keep;
    let total = 0;
    for (const [place, row] of newestFirst.all().entries()) {
      const { id, photo, bytes, created_at } = row as {
        id: string;
        photo: string;
        bytes: number;
        created_at: number;
      };
      total += bytes;
      if (created_at >= before && (total <= limits.imageTaskBytes || place === 0)) continue;
      remove.run(id);
      dropPhoto(photo);
    }
  }

  return {
    /** Takes the image over and records it. @returns The task's id. */
    submit({ path, sha256, bytes, header }: ImageUpload): string {
      const id = randomUUID();
      const photo = join(photos, sha256);
      if (!existsSync(photo)) renameSync(path, photo);
      insert.run(id, sha256, header.mediaType, header.width, header.height, bytes, clock());
      sweep();
      return id;
    },
    sweep,
  };
}
