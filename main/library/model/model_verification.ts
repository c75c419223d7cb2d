import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Message, t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { removeUnfinished } from '@likeness/node-kit/storage/atomic_file.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { LibraryProblem } from '#contract';
import type { Libraries } from '../libraries.ts';
import {
  faultOfGlb,
  hashFile,
  modelFile,
  modelFolderNames,
  openModelFile,
  readRecord,
} from './model_folder.ts';
import { photoPath } from './portrait_file.ts';

/**
 * Reads every file of a library and finds missing, broken and changed ones.
 *
 * @returns The number of models, and the problems.
 * @throws Failure `storage` if the library's disk is disconnected.
 */
export async function verifyLibrary(
  libraries: Libraries,
  libraryId: string,
): Promise<{ models: number; problems: LibraryProblem[] }> {
  await libraries.scan(libraryId);
  const library = libraries.folder(libraryId);
  const byFolder = new Map(libraries.index.placed(libraryId).map((placed) => [placed.folder, placed.id]));
  const names = await modelFolderNames(library);
  const problems: LibraryProblem[] = [];
  for (const [position, folder] of names.entries()) {
    const modelId = byFolder.get(folder) ?? null;
    // Leftovers of a crash during an edit; newer ones may belong to a running edit.
    await removeUnfinished(join(library, folder), libraries.options.clock()).catch(() => 0);
    for (const [problem, hint] of await faultsOf(libraries, join(library, folder), modelId)) {
      problems.push({ modelId, libraryId, folder, problem, hint });
    }
    if (position % 20 === 19 || position === names.length - 1) {
      libraries.options.onWorking?.({ what: 'verify', done: position + 1, total: names.length });
    }
  }
  return { models: byFolder.size, problems };
}

type Fault = [problem: Message, hint: Message];

async function faultsOf(libraries: Libraries, folder: string, modelId: string | null): Promise<Fault[]> {
  if (modelId === null) {
    return [[t('verify.no_model'), t('verify.take_out')]];
  }
  const faults: Fault[] = [];
  const record = await readRecord(folder).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    faults.push([error.userMessage, error.advice]);
    return null;
  });
  const glb = join(folder, modelFile);
  try {
    const fault = await faultOfGlb(openModelFile(folder, modelFile));
    if (fault) faults.push([t('verify.model_fault', { text: fault.text }), t('verify.make_again')]);
    else if (
      record &&
      record.model.sha256 !== '' &&
      (await hashFile(openModelFile(folder, modelFile), glb)) !== record.model.sha256
    )
      faults.push([t('verify.changed'), t('verify.on_purpose')]);
  } catch (error) {
    // It may be intact: do not advise to make it again.
    const failure = storageFailure(error, glb);
    if (!(failure instanceof Failure)) throw failure;
    faults.push([t('verify.model_fault', { text: failure.userMessage }), failure.advice]);
  }
  for (const photo of record ? [record.photo, ...record.others] : []) {
    if (!photo?.file && !photo?.reference) continue;
    const path = await photoPath(libraries, modelId, folder, photo);
    if (path === null || !(await hashFile(open(path), path).catch(() => null))) {
      faults.push([t('verify.photo_missing'), t('verify.put_back')]);
    }
  }
  return faults;
}
