import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { builtInProfileId, type ErasureReceipt } from '#contract';
import { oneAfterAnother, type Said, say } from '#sentences';
import type { Batch } from '../batch/batch.ts';
import { eraseFromBatch } from '../batch/batch_erasure.ts';
import { forgetModels } from '../engine/models/model_forgetting.ts';
import { Failure } from '../failure.ts';
import type { ModelExports } from '../library/export/model_export.ts';
import type { Libraries } from '../library/libraries.ts';
import type { ModelEditing } from '../library/model/model_editing.ts';
import {
  type ErasedModel,
  eraseFromLibraries,
  modelsToErase,
  shelvesNaming,
} from '../library/model/model_erasure.ts';
import { readFileIfThere, syncFolder, writeFileAtomically } from '../storage/atomic_file.ts';
import type { DataLayout } from '../storage/data_folder.ts';
import { tryFileLock, withFileLock } from '../storage/file_lock.ts';
import type { Takes } from '../takes/takes.ts';
import type { TakeExports } from '../takes/takes_calls.ts';

export interface ErasureOptions {
  layout: Pick<DataLayout, 'folder' | 'temporaryFolder' | 'engineFolder'>;
  libraries: Libraries;
  editing: ModelEditing;
  batch: Batch;
  exports: ModelExports;
  takes: Takes;
  takeExports: TakeExports;
  /** Takes names out of the log. @returns How many times one was found. */
  eraseFromLog: (names: readonly string[]) => number;
  /** Writes into the journal that something was erased. */
  receipt: (event: { operation: string; subject: string; message: Said }) => void;
  onDefect: (error: unknown) => void;
  /** Milliseconds since 1970. */
  clock: () => number;
}

/** Erases people: all that the studio has of a head, wherever it lies. */
export interface Erasure {
  /** What else would be removed. `trashedTakes` are removed in any case. */
  before(ids: readonly string[]): Promise<{ heads: number; takes: number; trashedTakes: number }>;
  /**
   * For good.
   *
   * @param withTakes - The takes of these heads too: somebody's voice.
   * @throws Failure `storage` where no head could be removed, `conflict` where another process erases too
   *   long
   */
  erase(ids: readonly string[], withTakes: boolean): Promise<ErasureReceipt>;
  /** Finishes what an earlier run was in the middle of, or could not finish. */
  finish(): Promise<void>;
}

/**
 * Erasures in progress: written before anything is removed, deleted when all is, so that a power cut leaves
 * nothing half erased.
 */
const Intent = z.object({
  schema: z.literal(1),
  takes: z.array(z.string()),
  models: z.array(
    z.object({
      id: z.string(),
      libraryId: z.string(),
      library: z.string(),
      folder: z.string(),
      photoHash: z.string(),
      photoPath: z.string(),
      profileId: z.string(),
      profileName: z.string(),
      remoteModelId: z.string(),
      names: z.array(z.string()),
    }),
  ),
});
type Intent = z.output<typeof Intent>;

export function createErasure(options: ErasureOptions): Erasure {
  const { layout, libraries, editing, batch, takes, clock } = options;
  const intentFile = join(layout.folder, 'erasing.json');
  const lockFile = join(layout.folder, 'erasing.lock');
  let last: Promise<unknown> = Promise.resolve();

  const takesOf = async (ids: readonly string[]): Promise<{ listed: string[]; trashed: string[] }> => {
    const of = (await takes.ofModels(new Set(ids))).map(({ id }) => id);
    const isListed = new Set(takes.list().map(({ id }) => id));
    return { listed: of.filter((id) => isListed.has(id)), trashed: of.filter((id) => !isListed.has(id)) };
  };

  /** May be repeated at any point. */
  const carryOut = async ({ models, takes: takeIds }: Intent): Promise<ErasureReceipt> => {
    const library = await eraseFromLibraries(libraries, models);
    const gone = models.filter(({ id }) => !library.failed.has(id));
    const ids = gone.map(({ id }) => id);
    const photos = [...new Set(gone.map(({ photoHash }) => photoHash).filter((hash) => hash !== ''))];
    const names = [
      ...new Set(
        gone.flatMap((model) => [...model.names, ...(model.photoPath ? [basename(model.photoPath)] : [])]),
      ),
    ];
    editing.forget(ids);
    const queue = await eraseFromBatch(batch, gone);
    const erasedTakes = await takes.erase(takeIds);
    const links = await takes.forgetModels(new Set(ids));
    const exports =
      (await options.exports.erase(ids)) +
      (await options.takeExports.erase({ takes: new Set(takeIds), models: new Set(ids) }));
    const uploads = await removeUploads(join(layout.temporaryFolder, 'uploads'), new Set(photos));
    const engine = forgetModels(layout.engineFolder, {
      models: gone
        .filter(({ profileId, remoteModelId }) => profileId === builtInProfileId && remoteModelId !== '')
        .map(({ remoteModelId }) => remoteModelId),
      photos,
    });
    const logNames = options.eraseFromLog(names);
    // By id only: a receipt proves the erasing and says nothing about the person.
    for (const id of ids) {
      options.receipt({
        operation: 'erase',
        subject: id,
        message: say('erasure.done'),
      });
    }
    const removed: ErasureReceipt['removed'] = [
      { what: 'heads', count: ids.length },
      { what: 'photos', count: queue.photos },
      { what: 'previews', count: queue.previews },
      { what: 'jobs', count: queue.jobs },
      { what: 'image_tasks', count: queue.imageTasks },
      { what: 'uploads', count: uploads },
      { what: 'exports', count: exports },
      { what: 'takes', count: erasedTakes },
      { what: 'take_links', count: links },
      { what: 'engine', count: engine.removed },
      { what: 'log_names', count: logNames },
      { what: 'set_aside', count: library.setAside },
    ];
    const [why] = library.failed.values();
    return {
      at: clock(),
      ids,
      erased: ids.length,
      removed: removed.filter(({ count }) => count > 0),
      kept: [
        ...keptAfter({ gone, names, photos, links, openJobs: queue.openJobs }),
        ...(['journal', 'saved_exports', 'backups'] as const).map((what) => ({ what, count: 0, names: [] })),
      ],
      failed: library.failed.size,
      problem:
        why === undefined ? '' : why instanceof Failure ? oneAfterAnother(why.said, why.advice) : String(why),
      isFinished: library.isClean && queue.isClean && engine.isClean,
    };
  };

  const keptAfter = (after: {
    gone: readonly ErasedModel[];
    names: readonly string[];
    photos: readonly string[];
    links: number;
    openJobs: number;
  }): ErasureReceipt['kept'] => {
    const { gone, names, photos } = after;
    const servers = gone.filter(({ profileId }) => profileId !== '' && profileId !== builtInProfileId);
    const isNaming = (text: string): boolean =>
      names.some((name) => text.toLowerCase().includes(name.toLowerCase()));
    const shelves =
      shelvesNaming(libraries, names) +
      takes.list().filter(({ name, notes }) => isNaming(`${name}\n${notes}`)).length;
    const found = [
      { what: 'takes' as const, count: after.links, names: [] },
      { what: 'open_jobs' as const, count: after.openJobs, names: [] },
      {
        what: 'same_photo' as const,
        count: photos.reduce((sum, hash) => sum + libraries.index.ofPhoto(hash), 0),
        names: [],
      },
      { what: 'originals' as const, count: photos.length, names: [] },
      {
        what: 'servers' as const,
        count: servers.length,
        names: [...new Set(servers.map(({ profileName }) => profileName))],
      },
      { what: 'shelves' as const, count: shelves, names: [] },
    ];
    return found.filter(({ count }) => count > 0);
  };

  const run = async (intent: Intent): Promise<ErasureReceipt> => {
    const receipt = await carryOut(intent);
    if (receipt.isFinished) {
      await rm(intentFile, { force: true });
      await syncFolder(layout.folder);
    }
    return receipt;
  };

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };

  return {
    async before(ids) {
      const { listed, trashed } = await takesOf(ids);
      return {
        heads: modelsToErase(libraries, ids).length,
        takes: listed.length,
        trashedTakes: trashed.length,
      };
    },
    erase: (ids, withTakes) =>
      inTurn(() =>
        withFileLock(lockFile, async () => {
          const begun = await readIntent(intentFile);
          const { listed, trashed } = await takesOf(ids);
          const intent: Intent = {
            schema: 1,
            models: [...(begun?.models ?? []), ...modelsToErase(libraries, ids)],
            takes: [...(begun?.takes ?? []), ...trashed, ...(withTakes ? listed : [])],
          };
          await writeFileAtomically(intentFile, JSON.stringify(intent));
          const receipt = await run(intent);
          if (receipt.failed > 0 && receipt.erased === 0) {
            throw new Failure(
              'storage',
              say('erasure.failed', { failed: receipt.failed, problem: receipt.problem }),
              {
                hint: say('erasure.close_programs'),
                retryable: true,
              },
            );
          }
          return receipt;
        }),
      ),
    finish: () =>
      inTurn(async () => {
        if (!(await readFileIfThere(intentFile))) return;
        // Another process is doing it: nothing to finish here.
        const lock = tryFileLock(lockFile);
        if (!lock) return;
        try {
          const intent = await readIntent(intentFile);
          if (intent) await run(intent);
        } catch (error) {
          options.onDefect(error);
        } finally {
          lock.release();
        }
      }),
  };
}

async function readIntent(file: string): Promise<Intent | null> {
  const bytes = await readFileIfThere(file);
  if (!bytes) return null;
  try {
    return Intent.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    // Written by a newer studio, which will finish it.
    return null;
  }
}

/** Photos of these hashes that were dropped and that nobody has taken in yet. @returns How many. */
async function removeUploads(folder: string, hashes: ReadonlySet<string>): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const hash = createHash('sha256');
    const isRead = await pipeline(createReadStream(path), hash).then(
      () => true,
      () => false,
    );
    if (!isRead || !hashes.has(hash.digest('hex'))) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
}
