import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { t } from '@likeness/messages';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';

/**
 * Returns the target path of a folder that moves into another one; its own path if it is already there.
 *
 * @param from - Absolute.
 * @throws Failure `invalid_input`, or `conflict` if the name exists there.
 */
export function moveTarget(from: string, into: string): string {
  const target = join(resolve(into), basename(from));
  if (target === from) return target;
  if (`${target}/`.startsWith(`${from}/`)) {
    throw new Failure('invalid_input', t('library.into_itself'), { hint: t('library.other_folder') });
  }
  if (existsSync(target)) {
    throw new Failure('conflict', t('library.there_already', { file: basename(target) }), {
      hint: t('library.other_folder'),
    });
  }
  return target;
}

/**
 * Moves a folder; to another disk by a copy, which gets its name when it is complete. The old folder stays
 * for `removeMoved`, until the new path is saved.
 *
 * @param target - Its new path; must not exist yet.
 * @param onProgress - Called after each copied entry.
 * @returns Whether it was copied.
 * @throws Failure `storage`; then the folder is at its old path and no copy remains.
 */
export async function moveFolder(
  from: string,
  target: string,
  onProgress: (done: number, total: number) => void,
): Promise<'renamed' | 'copied'> {
  try {
    await rename(from, target);
    return 'renamed';
  } catch (error) {
    if (fileErrorCode(error) !== 'EXDEV') throw storageFailure(error, target);
  }
  const half = join(dirname(target), `.${basename(target)}.moving-${randomUUID().slice(0, 8)}`);
  try {
    await mkdir(half, { mode: 0o700 });
    const names = await readdir(from);
    for (const [position, name] of names.entries()) {
      await cp(join(from, name), join(half, name), { recursive: true, preserveTimestamps: true });
      onProgress(position + 1, names.length);
    }
    if ((await contentsOf(half)) !== (await contentsOf(from))) {
      throw new Failure('storage', t('library.not_all_copied'), {
        hint: t('library.close_programs'),
        retryable: true,
      });
    }
    await rename(half, target);
    return 'copied';
  } catch (error) {
    await rm(half, { recursive: true, force: true }).catch(() => undefined);
    throw storageFailure(error, target);
  }
}

/** Removes the old folder after a copy. @throws Failure `storage` if a part of it can't be removed. */
export async function removeMoved(from: string, target: string): Promise<void> {
  try {
    await rm(from, { recursive: true, force: true });
  } catch (cause) {
    throw new Failure('storage', t('library.old_not_removed', { target, from }), {
      hint: t('library.remove_by_hand'),
      cause,
    });
  }
}

/** Every file below a folder with its size, in one text. */
async function contentsOf(folder: string): Promise<string> {
  const lines: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const entry = await stat(join(folder, name));
    if (entry.isFile()) lines.push(`${name} ${entry.size}`);
  }
  return lines.sort().join('\n');
}
