import { randomUUID } from 'node:crypto';
import { chmod, copyFile, open, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { ModelCard } from '#contract';
import { readFolder } from '../index/scan.ts';
import type { Libraries } from '../libraries.ts';
import { newRecord } from './likeness_record.ts';
import {
  commitFolder,
  faultOfGlb,
  folderNameOf,
  hashFile,
  incomingFolder,
  makeIncoming,
  modelFile,
  thumbnailFile,
  writeFirstRecord,
} from './model_folder.ts';

/** A file to import: its path, and the user's name for it. */
export interface ImportedFile {
  path: string;
  name: string;
}

/**
 * Copies the user's GLB or VRM into a library.
 *
 * @throws Failure `invalid_input` if it is neither, `storage` if it can't be copied.
 */
export async function importModel(
  libraries: Libraries,
  libraryId: string,
  file: ImportedFile,
): Promise<ModelCard> {
  const { options, index } = libraries;
  const fault = await faultOfGlb(open(file.path));
  if (fault) {
    throw new Failure('invalid_input', t('library.not_imported', { name: file.name, text: fault.text }), {
      hint: t('library.export_as_glb'),
    });
  }
  const id = randomUUID();
  const library = await libraries.folderToFill(libraryId);
  const name =
    basename(file.name)
      .replace(/\.[^.]*$/, '')
      .trim() || 'Imported';
  const folder = join(library, folderNameOf(name, id));
  try {
    const incoming = await makeIncoming(library, id);
    const glb = join(incoming, modelFile);
    await copyFile(file.path, glb);
    await chmod(glb, 0o600);
    const thumbnail = await options.renderThumbnail?.(glb).catch(() => null);
    if (thumbnail) await writeFile(join(incoming, thumbnailFile), thumbnail, { mode: 0o600 });
    await writeFirstRecord(
      incoming,
      newRecord({
        id,
        name: name.slice(0, 120),
        source: 'import',
        createdAt: options.clock(),
        fileName: basename(file.name),
        model: { sha256: await hashFile(open(glb), glb), bytes: (await stat(glb)).size },
      }),
    );
    await commitFolder(incoming, folder, library);
  } catch (error) {
    await rm(incomingFolder(library, id), { recursive: true, force: true }).catch(() => undefined);
    throw storageFailure(error, folder);
  }
  const entry = await readFolder({ id: libraryId, folder: library }, basename(folder));
  if (entry !== null && entry !== 'unchanged') index.put([entry]);
  libraries.feed.changed([id]);
  const card = index.card(id);
  if (!card) throw new Failure('storage', t('library.went_missing', { name: file.name }));
  return card;
}
