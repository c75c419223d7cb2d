import type { Batch } from './batch.ts';
import { removePreviews } from './photos/photo_preview.ts';

/** What the queue removed of erased heads. */
export interface BatchErasure {
  photos: number;
  jobs: number;
  previews: number;
  /** Image tasks that no longer say what the file was called. */
  imageTasks: number;
  /** Jobs of the same photos that are not finished: they keep what they need. */
  openJobs: number;
  /** False where something was in the way of cleaning the database: try again. */
  isClean: boolean;
}

/**
 * Forgets heads and the photos that they were made of: rows, small pictures, the studio's own copies. May be
 * repeated.
 *
 * @param erased - With the SHA-256 of their photos, hex; empty where there was none.
 */
export async function eraseFromBatch(
  batch: Batch,
  erased: readonly { id: string; photoHash: string; otherHashes: readonly string[] }[],
): Promise<BatchErasure> {
  const hashes = new Set(
    erased.flatMap(({ photoHash, otherHashes }) => [photoHash, ...otherHashes]).filter((hash) => hash !== ''),
  );
  const { jobs, photos, imageTasks } = batch.forget(
    erased.map(({ id }) => id),
    [...hashes],
  );
  const needed = new Set([...hashes].filter((hash) => batch.importList.find(hash) !== null));
  const previews = removePreviews(batch.previewsFolder, (hash) => hashes.has(hash) && !needed.has(hash));
  const openJobs = [...needed].reduce((sum, hash) => sum + batch.openJobsOf(hash), 0);
  return { photos, jobs, previews, imageTasks, openJobs, isClean: await batch.wipeDeleted() };
}
