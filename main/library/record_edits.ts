import { join } from 'node:path';
import type { ModelIndex } from './index/model_index.ts';
import { readFolder } from './index/scan.ts';
import type { LikenessRecord } from './model/likeness_record.ts';
import { readRecord, writeRecord } from './model/model_folder.ts';

/** A change of a model's record, for undo. */
export interface Edited {
  id: string;
  before: LikenessRecord;
}

export interface RecordEdit {
  index: ModelIndex;
  /** Absolute path of a library. */
  folderOf: (libraryId: string) => string;
  /** Returns the new record; null leaves it unchanged. */
  change: (record: LikenessRecord) => LikenessRecord | null;
  /** Milliseconds since 1970. */
  clock: () => number;
}

/** Number of records written concurrently: each waits for the disk twice. */
const maxConcurrentWrites = 8;

/**
 * Changes records, on disk first and then in the index, several at a time.
 *
 * @returns The changes, and why others failed: one broken folder does not stop a thousand others.
 */
export async function editRecords(
  ids: readonly string[],
  edit: RecordEdit,
): Promise<{ edited: Edited[]; refused: unknown[] }> {
  const edited: Edited[] = [];
  const refused: unknown[] = [];
  for (let from = 0; from < ids.length; from += maxConcurrentWrites) {
    const some = ids.slice(from, from + maxConcurrentWrites);
    for (const result of await Promise.allSettled(some.map((id) => editOne(id, edit)))) {
      if (result.status === 'rejected') refused.push(result.reason);
      else if (result.value !== null) edited.push(result.value);
    }
  }
  return { edited, refused };
}

async function editOne(id: string, { index, folderOf, change, clock }: RecordEdit): Promise<Edited | null> {
  const placed = index.locate(id);
  if (!placed) return null;
  const library = { id: placed.libraryId, folder: folderOf(placed.libraryId) };
  const path = join(library.folder, placed.folder);
  // Read the file, not the index: the user may have just edited it.
  const before = await readRecord(path);
  const after = change(before);
  if (after === null) return null;
  await writeRecord(path, { ...after, id: before.id, schema: before.schema, changedAt: clock() });
  const entry = await readFolder(library, placed.folder);
  if (entry !== null && entry !== 'unchanged') index.put([entry]);
  return { id, before };
}
