import { existsSync } from 'node:fs';
import { chmod, copyFile, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Said, say } from '#sentences';
import type { MadeModel, ModelStore } from '../base/model_store.ts';
import { Failure, saidOf } from '../failure.ts';
import { syncFolder } from '../storage/atomic_file.ts';
import { storageFailure } from '../storage/storage_failure.ts';
import { madeOf } from './index/index_entry.ts';
import type { ModelFault } from './index/model_index.ts';
import { readFolder } from './index/scan.ts';
import type { Libraries } from './libraries.ts';
import { newRecord } from './model/likeness_record.ts';
import {
  commitFolder,
  faultOfGlb,
  folderNameOf,
  hashFile,
  incomingFolder,
  incomingIds,
  makeIncoming,
  modelFile,
  modelPart,
  readRecord,
  stampOf,
  thumbnailFile,
  writeFirstRecord,
} from './model/model_folder.ts';
import { photoPath } from './model/portrait_file.ts';

export function createModelStore(libraries: Libraries): ModelStore {
  const { index, options } = libraries;
  /** Where a model of this name lies or will lie. */
  const placeOf = (libraryId: string, modelId: string, name: string): string =>
    join(libraries.folder(libraryId), folderNameOf(name, modelId));

  const takeIn = async (libraryId: string, folder: string): Promise<string | null> => {
    const entry = await readFolder({ id: libraryId, folder: libraries.folder(libraryId) }, folder);
    if (entry === null || entry === 'unchanged') return null;
    index.put([entry]);
    libraries.feed.changed([entry.record.id]);
    return entry.record.id;
  };

  return {
    defaultLibraryId: () => libraries.defaultId(),
    knows: (libraryId) => libraries.list().some(({ id }) => id === libraryId),
    prepare: async (libraryId, modelId) =>
      join(await makeIncoming(await libraries.folderToFill(libraryId), modelId), modelFile),

    async has(libraryId, modelId, name) {
      if (index.place(modelId)) return true;
      const folder = placeOf(libraryId, modelId, name);
      return existsSync(join(folder, modelFile)) && (await takeIn(libraryId, basename(folder))) === modelId;
    },

    async finish(libraryId, model) {
      const library = libraries.folder(libraryId);
      const incoming = incomingFolder(library, model.id);
      const glb = join(incoming, modelFile);
      const folder = placeOf(libraryId, model.id, model.name);
      const now = options.clock();
      try {
        const found = await looked(glb);
        const bytes = (await stat(glb)).size;
        const photo = await keepPhoto(libraries.file(libraryId).keepPhotos, model.photo, incoming);
        if (photo.reference !== null) index.ownReference(model.id, photo.reference);
        // A head without a picture is still a head, also where it can't be shown: it is paid for.
        const fault = found.refused ? found : await drawPicture(incoming, options);
        index.noteFault(model.id, modelPart((await stampOf(incoming)).stamp), fault);
        if (fault.fault !== '')
          options.onTrouble?.(
            new Failure('unsupported', say('takes.of_file', { file: model.name, problem: fault.fault })),
          );
        await writeFirstRecord(
          incoming,
          newRecord({
            id: model.id,
            name: model.name,
            source: 'portrait',
            createdAt: now,
            fileName: model.fileName,
            model: { sha256: model.sha256 || (await hashFile(open(glb), glb)), bytes },
            photo: { sha256: model.photo.sha256, ...photo },
            parameters: model.parameters,
            overridden: model.overridden,
            profile: model.profile,
            remoteModelId: model.remoteModelId,
            timings: model.timings,
            cost: model.cost,
            currency: model.currency,
            tags: model.tags,
          }),
        );
        await removeLeftovers(incoming);
        await commitFolder(incoming, folder, library);
      } catch (error) {
        throw storageFailure(error, folder);
      }
      await takeIn(libraryId, basename(folder));
    },

    async discard(libraryId, modelId) {
      const library = libraries.folder(libraryId);
      await rm(incomingFolder(library, modelId), { recursive: true, force: true });
      await syncFolder(library).catch(() => undefined);
    },

    async portraitOf(modelId) {
      const folder = libraries.modelFolder(modelId);
      const { name, fileName, parameters, tags, photo } = await readRecord(folder);
      const path = photo && (await photoPath(libraries, modelId, folder, photo));
      if (!photo || !path) {
        throw new Failure('not_found', say('library.photo_gone', { name }), {
          hint: say('library.add_photo'),
        });
      }
      return { name, fileName, parameters, tags, photo: { path, sha256: photo.sha256 } };
    },

    unfinished: async (libraryId) => incomingIds(libraries.folder(libraryId)),
    madeBefore: (photoHash, parameters, profileId) =>
      index.madeOf(madeOf(photoHash, parameters, profileId ?? '')),
  };
}

/**
 * Looks at what was downloaded before anything decodes it.
 *
 * @throws Failure `upstream_broken` where it is no head at all: it goes, so that a retry fetches it again
 */
async function looked(glb: string): Promise<ModelFault> {
  const fault = await faultOfGlb(open(glb));
  if (fault?.kind !== 'damaged') return { fault: fault?.text ?? '', refused: fault !== null };
  await rm(glb, { force: true });
  throw new Failure('upstream_broken', say('library.no_head', { text: fault.text }), {
    hint: say('library.retry_fetch'),
  });
}

/** Stands in a model's folder while its picture is drawn. */
const drawingMark = '.drawing';

/**
 * Draws a model's picture, once: where an earlier life of the studio ended over it, it is not tried again.
 *
 * @returns Why there is none
 */
async function drawPicture(incoming: string, { renderThumbnail }: Libraries['options']): Promise<ModelFault> {
  const mark = join(incoming, drawingMark);
  const without = (why: Said): ModelFault => ({ fault: say('library.no_picture', { why }), refused: false });
  if (existsSync(mark)) return without(say('library.picture_ended'));
  if (!renderThumbnail) return sound;
  await writeFile(mark, '', { mode: 0o600 });
  try {
    const thumbnail = await renderThumbnail(join(incoming, modelFile));
    if (thumbnail) await writeFile(join(incoming, thumbnailFile), thumbnail, { mode: 0o600 });
    return sound;
  } catch (error) {
    // The studio is closing: the viewer makes one when it is first seen.
    if (error instanceof Failure && error.code === 'cancelled') return sound;
    return without(saidOf(error));
  } finally {
    await rm(mark, { force: true });
  }
}

const sound: ModelFault = { fault: '', refused: false };

/**
 * An earlier life of the process may have ended in the middle of a file, or beside a download that was done.
 */
async function removeLeftovers(incoming: string): Promise<void> {
  const ours = /^(model\.glb|thumbnail\.webp|likeness\.json|portrait\.[a-z0-9]+)$/;
  for (const name of await readdir(incoming)) {
    if (!ours.test(name)) await rm(join(incoming, name), { recursive: true, force: true });
  }
}

async function keepPhoto(
  keep: 'copy' | 'reference',
  photo: MadeModel['photo'],
  incoming: string,
): Promise<{ file: string | null; reference: string | null }> {
  if (keep === 'reference') return { file: null, reference: photo.path };
  const extension = /\.([a-z0-9]{2,5})$/i.exec(photo.path)?.[1]?.toLowerCase() ?? 'img';
  const file = `portrait.${extension}`;
  try {
    await copyFile(photo.path, join(incoming, file));
    // A photo from a read-only disk must not make a folder that can't be erased.
    await chmod(join(incoming, file), 0o600);
    // What took its place meanwhile is not what the head was made of, and nobody's business.
    if ((await hashFile(open(join(incoming, file)), file)) === photo.sha256) return { file, reference: null };
    await rm(join(incoming, file), { force: true });
    return { file: null, reference: null };
  } catch (error) {
    // The head is paid for; a photo that was taken away meanwhile doesn't take it away too.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { file: null, reference: photo.path };
    throw error;
  }
}
