import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { oneAfterAnother, type Said } from '#sentences';
import { Failure } from '../../failure.ts';
import { wordsOfFile } from '../model/file_words.ts';
import { type LikenessRecord, newRecord } from '../model/likeness_record.ts';
import {
  modelFile,
  modelFolderNames,
  openModelFile,
  readRecord,
  stampOf,
  writeRecord,
} from '../model/model_folder.ts';
import type { IndexEntry } from './index_entry.ts';
import type { ModelIndex } from './model_index.ts';

/** Folders that are read at once: enough that the disk is never waited for, few enough for open files. */
const atOnce = 24;
/** Models that go into the index in one transaction, short enough that nobody notices the pause. */
const atATime = 250;

export interface ScanResult {
  /** Models found. */
  models: number;
  changed: string[];
  removed: string[];
}

/**
 * Brings the index up to what a library's folders are now. Only folders that look other than when they were
 * read are read again.
 *
 * @param only - Names of the folders that may have changed; default: all.
 * @param onProgress - Told now and then how many of how many folders were looked at.
 * @throws Failure `storage` where the library can't be read at all; then the index stays.
 */
export async function scanLibrary(
  index: ModelIndex,
  library: { id: string; folder: string },
  onProgress: (done: number, total: number) => void = () => {},
  only?: ReadonlySet<string>,
): Promise<ScanResult> {
  const all = await modelFolderNames(library.folder);
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
      names.slice(from, from + atOnce).map((folder) => readFolder(library, folder, known.get(folder)?.stamp)),
    );
    for (const entry of read) {
      if (entry === null) continue;
      models += 1;
      if (entry === 'unchanged') continue;
      const owner = owners.get(entry.record.id);
      if (owner !== undefined && owner !== entry.folder && present.has(owner)) {
        // Somebody copied the folder: the copy becomes a model of its own.
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

/** Looks at one folder; null where it is no model's. */
export async function readFolder(
  library: { id: string; folder: string },
  folder: string,
  knownStamp?: string,
): Promise<IndexEntry | 'unchanged' | null> {
  const path = join(library.folder, folder);
  const { stamp, hasRecord, modelBytes, hasThumbnail } = await stampOf(path);
  if (!hasRecord && modelBytes < 0) return null;
  if (stamp === knownStamp) return 'unchanged';
  let record: LikenessRecord;
  let state: IndexEntry['state'] = 'ok';
  let recordFault: Said = '';
  try {
    record = await readRecord(path);
    if (record.source === 'portrait' && record.engine === '' && modelBytes > 0)
      record = { ...record, ...(await wordsOfFile(openModelFile(path, modelFile))) };
    if (modelBytes < 0) state = 'missing_model';
    else if (modelBytes < 20 || (record.model.bytes > 0 && record.model.bytes !== modelBytes))
      state = 'broken_model';
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    state = 'broken_record';
    recordFault = oneAfterAnother(error.said, error.advice);
    record = newRecord({
      id: createHash('sha256').update(`${library.id}/${folder}`).digest('hex').slice(0, 32),
      name: folder,
      source: 'import',
      createdAt: 0,
    });
  }
  return {
    libraryId: library.id,
    folder,
    stamp,
    state,
    hasThumbnail,
    bytes: Math.max(0, modelBytes),
    record,
    recordFault,
  };
}
