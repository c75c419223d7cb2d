import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '@likeness/messages';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { readInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { z } from 'zod';
import { ModelQuery } from '#contract';

const fileName = 'library.json';
const fileVersion = 1;
const maxBytes = 16 * 1024 * 1024;
const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

/** `library.json`: data of a whole library. It is stored in its folder, so that it moves with it. */
export const LibraryFile = z.object({
  schema: z.number().int().min(1).max(fileVersion),
  id,
  name: z.string().min(1).max(120),
  keepPhotos: z.enum(['copy', 'reference']).catch('copy'),
  collections: z.array(z.object({ id, name: z.string().min(1).max(120) })).catch([]),
  savedSearches: z.array(z.object({ id, name: z.string().min(1).max(120), query: ModelQuery })).catch([]),
});
export type LibraryFile = z.output<typeof LibraryFile>;

/**
 * Reads the library in a folder; null if there is none yet.
 *
 * @throws Failure `storage` if the file is foreign or from a newer studio.
 */
export async function readLibraryFile(folder: string): Promise<LibraryFile | null> {
  const path = join(folder, fileName);
  const bytes = await readInside(folder, path, maxBytes).catch((error: unknown) => {
    if (fileErrorCode(error) === 'ENOENT') return null;
    throw storageFailure(error, path);
  });
  if (!bytes) return null;
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    value = null;
  }
  const parsed = LibraryFile.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Failure('storage', t('library.file_unreadable', { fileName, folder }), {
    hint: t('library.restore_or_remove'),
  });
}

export const writeLibraryFile = (folder: string, file: LibraryFile): Promise<void> =>
  writeFileAtomically(join(folder, fileName), `${JSON.stringify(file, null, 2)}\n`);

/** Opens the library in a folder, or creates one there. @throws Failure `storage` */
export async function openOrMakeLibrary(folder: string, name: string): Promise<LibraryFile> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw storageFailure(error, folder);
  }
  const there = await readLibraryFile(folder);
  if (there) return there;
  const made: LibraryFile = {
    schema: fileVersion,
    id: randomUUID(),
    name,
    keepPhotos: 'copy',
    collections: [],
    savedSearches: [],
  };
  await writeLibraryFile(folder, made);
  return made;
}
