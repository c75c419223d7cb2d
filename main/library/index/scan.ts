import { createHash, randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { joinMessages } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { type LikenessRecord, newRecord } from '../model/likeness_record.ts';
import {
  type FolderStamp,
  modelFolderNames,
  readModelMetadata,
  readRecord,
  stampOf,
  writeRecord,
} from '../model/model_folder.ts';
import type { IndexEntry } from './index_entry.ts';
import type { ModelIndex } from './model_index.ts';

/**
 * Folders that are read concurrently: enough to keep the disk busy, few enough for the limit of open files.
 */
const atOnce = 64;
/** Models that go into the index in one transaction, short enough that nobody notices the pause. */
const atATime = 500;

export interface ScanResult {
  /** Models found. */
  models: number;
  changed: string[];
  removed: string[];
}

/**
 * Updates the index from a library's folders. Only folders whose stamp changed are read again.
 *
 * @param only - Names of the folders that may have changed; default: all.
 * @param onProgress - Called at intervals with the numbers of checked and of all folders.
 * @throws Failure `storage` if the library can't be read; then the index stays unchanged.
 */
export async function scanLibrary(
  index: ModelIndex,
  library: { id: string; folder: string },
  onProgress: (done: number, total: number) => void = () => {},
  only?: ReadonlySet<string>,
): Promise<ScanResult> {
  const all = await modelFolderNames(library.folder);
  const root = await realpath(library.folder);
  const names = only ? all.filter((name) => only.has(name)) : all;
  const known = new Map(index.placed(library.id).map((placed) => [placed.folder, placed]));
  const owners = new Map([...known.values()].map(({ id, folder }) => [id, folder]));
  const present = new Set(all);
  const changed: string[] = [];
  let models = 0;
  let entries: IndexEntry[] = [];
  const flush = (): void => {
    index.put(entries);
    changed.push(...entries.map(({ record }) => record.id));
    entries = [];
  };
  for (let from = 0; from < names.length; from += atOnce) {
    const read = await Promise.all(
      names
        .slice(from, from + atOnce)
        .map((folder) => readFolder({ ...library, root }, folder, known.get(folder)?.stamp)),
    );
    for (const entry of read) {
      if (entry === null) continue;
      models += 1;
      if (entry === 'unchanged') continue;
      const owner = owners.get(entry.record.id);
      if (owner !== undefined && owner !== entry.folder && present.has(owner)) {
        // The user copied the folder: the copy becomes a separate model.
        const copied = entry.record.id;
        entry.record = { ...entry.record, id: randomUUID() };
        index.copyReference(copied, entry.record.id);
        await writeRecord(join(library.folder, entry.folder), entry.record).catch(() => undefined);
        entry.stamp = (await stampOf(join(library.folder, entry.folder))).stamp;
      }
      owners.set(entry.record.id, entry.folder);
      entries.push(entry);
    }
    if (entries.length >= atATime) flush();
    onProgress(Math.min(from + atOnce, names.length), names.length);
  }
  flush();
  const kept = new Set(changed);
  const removed = [...known.values()]
    .filter(({ folder, id }) => !present.has(folder) && !kept.has(id) && (only?.has(folder) ?? true))
    .map(({ id }) => id);
  index.remove(removed);
  return { models, changed, removed };
}

/**
 * Reads one folder; null if it is not a model.
 *
 * @param library.root - The library's real path, if known.
 * @param read - Reads its record.
 */
export async function readFolder(
  library: { id: string; folder: string; root?: string },
  folder: string,
  knownStamp?: string,
  read: typeof readRecord = readRecord,
): Promise<IndexEntry | 'unchanged' | null> {
  const path = join(library.folder, folder);
  const outside = await stampOf(path);
  const { stamp, hasRecord, modelBytes } = outside;
  if (!hasRecord && modelBytes < 0) return null;
  if (stamp === knownStamp) return 'unchanged';
  let record: LikenessRecord;
  try {
    record = await read(path, library.root);
    if (record.source === 'portrait' && record.engine === '' && modelBytes > 0)
      record = { ...record, ...(await readModelMetadata(path, library.root)) };
    return entryOf({ libraryId: library.id, folder }, outside, record);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    record = newRecord({
      id: createHash('sha256').update(`${library.id}/${folder}`).digest('hex').slice(0, 32),
      name: folder,
      source: 'import',
      createdAt: 0,
    });
    return {
      ...entryOf({ libraryId: library.id, folder }, outside, record),
      // What the disk refused once is read again by the next scan; what was read and is wrong, when it changes.
      ...(error.cause !== undefined && { stamp: '' }),
      state: 'broken_record',
      recordFault: joinMessages(error.userMessage, error.advice),
    };
  }
}

/** A model whose record is known. */
export function entryOf(
  location: Pick<IndexEntry, 'libraryId' | 'folder'>,
  { stamp, modelBytes, hasThumbnail }: FolderStamp,
  record: LikenessRecord,
): IndexEntry {
  const { bytes } = record.model;
  const isBroken = modelBytes < 20 || (bytes > 0 && bytes !== modelBytes);
  return {
    ...location,
    stamp,
    state: modelBytes < 0 ? 'missing_model' : isBroken ? 'broken_model' : 'ok',
    hasThumbnail,
    bytes: Math.max(0, modelBytes),
    record,
    recordFault: '',
  };
}
