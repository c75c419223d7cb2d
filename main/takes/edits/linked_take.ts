import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { takeFiles } from '../take_record.ts';
import { editedName } from './edited_sounds.ts';

/** Recorded files never change, so two takes may share them on disk. */
const shared: ReadonlySet<string> = new Set([takeFiles.audio, takeFiles.face, takeFiles.second]);

/**
 * Copies a take's folder with its edits and overdubs. Recorded audio and faces are hard links if the disk
 * supports them.
 *
 * @param to is created @throws Failure `storage`
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
