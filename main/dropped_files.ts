import { rm } from 'node:fs/promises';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { GivenFile } from './base/given_file.ts';

/**
 * Files from drops and uploads. The page never names a path: it gets an id for each dropped file and passes
 * that on.
 */
export interface DroppedFiles {
  /** @param randomId - An id that can't be guessed. */
  register(file: GivenFile): string;
  /** Returns a file; each id works once. @throws Failure `not_found` */
  take(ids: readonly string[]): GivenFile[];
  /** Removes uploads that were never imported. */
  close(): Promise<void>;
}

/** Maximum number of waiting files; beyond that the oldest are dropped. */
const maxWaiting = 50_000;

export function createDroppedFiles(randomId: () => string): DroppedFiles {
  const waiting = new Map<string, GivenFile>();
  const discard = ({ path, temporary }: GivenFile): Promise<void> =>
    temporary ? rm(path, { force: true }).catch(() => undefined) : Promise.resolve();

  return {
    register(file) {
      const id = randomId();
      waiting.set(id, file);
      for (const [oldest, forgotten] of waiting) {
        if (waiting.size <= maxWaiting) break;
        waiting.delete(oldest);
        void discard(forgotten);
      }
      return id;
    },
    take(ids) {
      const files = ids.map((id) => {
        const file = waiting.get(id);
        if (!file) {
          throw new Failure('not_found', t('dropped_files.files_gone'), {
            hint: t('dropped_files.drop_again'),
          });
        }
        return file;
      });
      for (const id of ids) waiting.delete(id);
      return files;
    },
    async close() {
      await Promise.all([...waiting.values()].map(discard));
      waiting.clear();
    },
  };
}
