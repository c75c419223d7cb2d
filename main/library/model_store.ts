import { existsSync } from 'node:fs';
import { chmod, copyFile, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Message, t } from '@likeness/messages';
import { Failure, messageOf } from '@likeness/node-kit/failure.ts';
import { readPart } from '@likeness/node-kit/read_part.ts';
import { syncFolder } from '@likeness/node-kit/storage/atomic_file.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { MadeModel, ModelStore } from '../base/model_store.ts';
import { madeOf } from './index/index_entry.ts';
import type { ModelFault } from './index/model_index.ts';
import { entryOf, readFolder } from './index/scan.ts';
import type { Libraries } from './libraries.ts';
import { unusableLibraryId } from './library_registry.ts';
import { giveFile } from './model/earlier_versions.ts';
import { type FileMetadata, noMetadata, readFileMetadata } from './model/file_metadata.ts';
import { type LikenessRecord, type Making, newRecord } from './model/likeness_record.ts';
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
  /** Returns the folder path of a model with this name. */
  const folderFor = (libraryId: string, modelId: string, name: string): string =>
    join(libraries.folder(libraryId), folderNameOf(name, modelId));

  const takeIn = async (libraryId: string, folder: string): Promise<string | null> => {
    const entry = await readFolder({ id: libraryId, folder: libraries.folder(libraryId) }, folder);
    if (entry === null || entry === 'unchanged') return null;
    index.put([entry]);
    libraries.feed.changed([entry.record.id]);
    return entry.record.id;
  };

  /** Checks a downloaded file and renders its picture. */
  const prepareFiles = async (incoming: string, { name }: MadeModel): Promise<PreparedFile> => {
    const file = await looked(join(incoming, modelFile));
    // A head without a picture is still a paid head.
    const fault = file.fault.refused ? file.fault : await drawPicture(incoming, options);
    if (fault.fault !== '')
      options.onTrouble?.(
        new Failure('unsupported', t('takes.of_file', { file: name, problem: fault.fault })),
      );
    return { ...file, fault };
  };

  const makingIn = async (
    incoming: string,
    model: MadeModel,
    { words, bytes }: PreparedFile,
  ): Promise<Making> => {
    const glb = join(incoming, modelFile);
    const { parameters, overridden, profile, remoteModelId, photoUses, timings, cost, currency } = model;
    return {
      ...{ photoUses, parameters, overridden, profile, remoteModelId, timings, cost, currency },
      model: { sha256: model.sha256 || (await hashFile(open(glb), glb)), bytes },
      making: '',
      madeAt: options.clock(),
      ...words,
    };
  };

  return {
    defaultLibraryId: () => libraries.defaultId(),
    knows: (libraryId) =>
      libraries.isUnusable
        ? libraryId !== unusableLibraryId
        : libraries.list().some(({ id }) => id === libraryId),
    prepare: async (libraryId, modelId) =>
      join(await makeIncoming(await libraries.folderToFill(libraryId), modelId), modelFile),

    async has(libraryId, modelId, name, replaces) {
      if (replaces !== null && index.locate(replaces)) return index.record(replaces)?.making === modelId;
      if (index.locate(modelId)) return true;
      const folder = folderFor(libraryId, modelId, name);
      return existsSync(join(folder, modelFile)) && (await takeIn(libraryId, basename(folder))) === modelId;
    },

    async finish(libraryId, model) {
      const library = libraries.folder(libraryId);
      const incoming = incomingFolder(library, model.id);
      const { replaces } = model;
      // The model was erased meanwhile but is paid for: the head becomes a new model.
      const id = replaces !== null && index.locate(replaces) ? replaces : model.id;
      const folder = id === model.id ? folderFor(libraryId, id, model.name) : libraries.modelFolder(id);
      /** Path of the file after the rename, when the folder has its final name. */
      let record: LikenessRecord | null = null;
      let fault: ModelFault;
      try {
        const file = await prepareFiles(incoming, model);
        fault = file.fault;
        const making = await makingIn(incoming, model, file);
        if (id === model.id) {
          const keep = libraries.file(libraryId).keepPhotos;
          const photo = await keepPhoto(keep, model.photo, join(incoming, 'portrait'));
          const others: LikenessRecord['others'] = [];
          for (const [index, { fileName, crop, ...other }] of model.others.entries()) {
            const kept = await keepPhoto(keep, other, join(incoming, `portrait-${index + 2}`));
            others.push({ sha256: other.sha256, fileName, crop, ...kept });
          }
          for (const { reference } of [photo, ...others])
            if (reference !== null) index.ownReference(id, reference);
          const filled = firstRecord(model, making, photo, others);
          await writeFirstRecord(incoming, filled);
          await removeLeftovers(incoming);
          if (await commitFolder(incoming, folder, library)) record = filled;
        } else {
          await libraries.inTurn(() =>
            giveFile(libraries, id, { folder: incoming, making: { ...making, making: model.id } }),
          );
          await rm(incoming, { recursive: true, force: true });
        }
      } catch (error) {
        throw storageFailure(error, folder);
      }
      const outside = await stampOf(folder);
      if (record !== null) {
        const entry = entryOf({ libraryId, folder: basename(folder) }, outside, record);
        await index.putSoon({ ...entry, found: fault });
        libraries.feed.changed([id]);
        return;
      }
      index.noteFault(id, modelPart(outside.stamp), fault);
      if (id === model.id) await takeIn(libraryId, basename(folder));
      else await libraries.rescanModel(id);
    },

    async discard(libraryId, modelId) {
      const library = libraries.folder(libraryId);
      await rm(incomingFolder(library, modelId), { recursive: true, force: true });
      await syncFolder(library).catch(() => undefined);
    },

    async portraitOf(modelId) {
      const folder = libraries.modelFolder(modelId);
      const record = await readRecord(folder);
      const { name, fileName, parameters, tags, photo, overridden } = record;
      const gone = (): Failure =>
        new Failure('not_found', t('library.photo_gone', { name }), { hint: t('library.add_photo') });
      const path = photo && (await photoPath(libraries, modelId, folder, photo));
      if (!photo || !path) throw gone();
      const others: MadeModel['others'] = [];
      for (const other of record.others) {
        const otherPath = await photoPath(libraries, modelId, folder, other);
        if (otherPath)
          others.push({ path: otherPath, sha256: other.sha256, fileName: other.fileName, crop: other.crop });
      }
      const libraryId = index.locate(modelId)!.libraryId;
      return {
        name,
        fileName,
        parameters,
        tags,
        overridden,
        libraryId,
        photo: { path, sha256: photo.sha256 },
        others,
        othersGone: record.others.length - others.length,
      };
    },

    selected: (selection) => libraries.selected(selection),
    nameOf: (modelId) => index.model(modelId)?.name ?? null,
    unfinished: async (libraryId) => incomingIds(libraries.folder(libraryId)),
    madeBefore: (person, parameters, profileId) => index.madeOf(madeOf(person, parameters, profileId ?? '')),
  };
}

const firstRecord = (
  { id, name, fileName, photo: { sha256 }, tags }: MadeModel,
  making: Making,
  photo: { file: string | null; reference: string | null },
  others: LikenessRecord['others'],
): LikenessRecord =>
  newRecord({
    ...making,
    id,
    name,
    source: 'portrait',
    createdAt: making.madeAt,
    fileName,
    photo: { sha256, ...photo },
    others,
    tags,
  });

/** A downloaded GLB after its check. */
interface PreparedFile {
  fault: ModelFault;
  words: FileMetadata;
  bytes: number;
}

/**
 * Checks a download before it is decoded.
 *
 * @throws Failure `upstream_broken` if it is not a head: it is deleted, so that a retry downloads it again
 */
async function looked(glb: string): Promise<PreparedFile> {
  let words = noMetadata;
  let bytes = 0;
  const fault = await faultOfGlb(open(glb), async (file) => {
    words = await readFileMetadata((length) => readPart(file, 0, length));
    bytes = (await file.stat()).size;
  });
  if (fault?.kind !== 'damaged')
    return { fault: { fault: fault?.text ?? '', refused: fault !== null }, words, bytes };
  await rm(glb, { force: true });
  throw new Failure('upstream_broken', t('library.no_head', { text: fault.text }), {
    hint: t('library.retry_fetch'),
  });
}

/**
 * Marker in a model's folder while its picture is rendered: empty at the first attempt, with text at the
 * second.
 */
const drawingMark = '.drawing';

/**
 * Renders a model's picture. If the studio exited during the first attempt, it is repeated, because the cause
 * may be a power cut. After two exits, the file is the cause.
 *
 * @returns Why there is none
 */
async function drawPicture(incoming: string, { renderThumbnail }: Libraries['options']): Promise<ModelFault> {
  const mark = join(incoming, drawingMark);
  const without = (why: Message): ModelFault => ({ fault: t('library.no_picture', { why }), refused: false });
  const ended = await stat(mark).catch(() => undefined);
  if (ended && ended.size > 0) return without(t('library.picture_ended'));
  if (!renderThumbnail) return sound;
  await writeFile(mark, ended ? 'again' : '', { mode: 0o600 });
  try {
    const thumbnail = await renderThumbnail(join(incoming, modelFile));
    if (thumbnail) await writeFile(join(incoming, thumbnailFile), thumbnail, { mode: 0o600 });
    return sound;
  } catch (error) {
    // The studio is closing: the viewer makes one at the first display.
    if (error instanceof Failure && error.code === 'cancelled') return sound;
    return without(messageOf(error));
  } finally {
    await rm(mark, { force: true });
  }
}

const sound: ModelFault = { fault: '', refused: false };

/** An earlier process may have exited while it wrote a file, or after a finished download. */
async function removeLeftovers(incoming: string): Promise<void> {
  const ours = /^(model\.glb|thumbnail\.webp|likeness\.json|portrait(-[2-8])?\.[a-z0-9]+)$/;
  for (const name of await readdir(incoming)) {
    if (!ours.test(name)) await rm(join(incoming, name), { recursive: true, force: true });
  }
}

/** @param path - Absolute, without the ending. */
async function keepPhoto(
  keep: 'copy' | 'reference',
  photo: MadeModel['photo'],
  path: string,
): Promise<{ file: string | null; reference: string | null }> {
  if (keep === 'reference') return { file: null, reference: photo.path };
  const extension = /\.([a-z0-9]{2,5})$/i.exec(photo.path)?.[1]?.toLowerCase() ?? 'img';
  const target = `${path}.${extension}`;
  const file = basename(target);
  try {
    await copyFile(photo.path, target);
    // A photo from a read-only disk must not make a folder that can't be erased.
    await chmod(target, 0o600);
    // A file that replaced it meanwhile is not the head's photo and must not be copied.
    if ((await hashFile(open(target), file)) === photo.sha256) return { file, reference: null };
    await rm(target, { force: true });
    return { file: null, reference: null };
  } catch (error) {
    // The head is paid for: a missing photo must not lose it.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { file: null, reference: photo.path };
    throw error;
  }
}
