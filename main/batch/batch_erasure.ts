import type { Batch } from './batch.ts';
import { removePreviews } from './photos/photo_preview.ts';

/** Counts of the data that the queue removed for erased heads. */
export interface BatchErasure {
  photos: number;
  jobs: number;
  previews: number;
  /** Image tasks whose file name was removed. */
  imageTasks: number;
  /** Unfinished jobs of the same photos: they keep their data. */
  openJobs: number;
  /** False if the database was busy during the clean-up: try again. */
  isClean: boolean;
}

/**
 * Removes heads and their photos from the queue: rows, thumbnails, the studio's copies. May be repeated.
 *
 * @param erased - With the SHA-256 of their photos, as hex; empty if a head has none.
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
