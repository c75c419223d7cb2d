import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { takeFiles } from '../take_record.ts';
import { editedName } from './edited_sounds.ts';

/** What was recorded never changes: two takes may share it on disk. */
const shared: ReadonlySet<string> = new Set([takeFiles.audio, takeFiles.face, takeFiles.second]);

/**
 * A take's folder once more, with its edits and tries. Recorded sound and faces take no room of their own where the
 * disk knows links.
 *
 * @param to is made @throws Failure `storage`
 */
export async function linkTake(from: string, to: string): Promise<void> {
  try {
    await mkdir(to, { recursive: true, mode: 0o700 });
    for (const entry of await readdir(from, { withFileTypes: true })) {
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isDirectory()) await linkTake(source, target);
      else if (entry.isFile() && !editedName.test(entry.name) && !entry.name.startsWith('.'))
        await linkFile(source, target, shared.has(entry.name));
    }
  } catch (error) {
    throw storageFailure(error, to);
  }
}

async function linkFile(from: string, to: string, isShared: boolean): Promise<void> {
  if (isShared) {
    const isLinked = await link(from, to).then(
      () => true,
      () => false,
    );
    if (isLinked) return;
  }
  await copyFile(from, to, constants.COPYFILE_EXCL);
}
