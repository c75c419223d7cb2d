import { join } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { readFileIfThere, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
import { withFileLock } from '@likeness/node-kit/storage/file_lock.ts';
import { giveToOwnerOf } from '@likeness/node-kit/storage/file_owner.ts';
import { z } from 'zod';
import { ServiceKey } from './service_key.ts';

const KeyFile = z.strictObject({ version: z.literal(1), keys: z.array(ServiceKey).max(100_000) });

export const keyFilePath = (folder: string): string => join(folder, 'keys.json');

/**
 * Reads all keys of a service's folder, revoked ones included. The file may also come from elsewhere, such as
 * a file that many machines share.
 *
 * @throws Failure `storage` if it can't be read, instead of returning no keys
 */
export async function readKeys(folder: string): Promise<readonly ServiceKey[]> {
  const path = keyFilePath(folder);
  const bytes = await readFileIfThere(path);
  if (!bytes) return [];
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw unreadable(path, 'JSON');
  }
  const { data, error } = KeyFile.safeParse(value);
  if (data) return data.keys;
  throw unreadable(path, error.issues[0]?.path.join('.') || 'version');
}

/**
 * Changes the keys while holding the file's lock. An administrator may be root while the service seldom is,
 * so the files get the owner of the folder.
 *
 * @returns The second value that `change` returns besides the keys
 */
export function changeKeys<T>(
  folder: string,
  change: (keys: readonly ServiceKey[]) => { keys: readonly ServiceKey[]; result: T },
): Promise<T> {
  const lock = join(folder, 'keys.lock');
  return withFileLock(lock, async () => {
    giveToOwnerOf(folder, lock);
    const { keys, result } = change(await readKeys(folder));
    await writeFileAtomically(keyFilePath(folder), `${JSON.stringify({ version: 1, keys }, null, 2)}\n`, {
      verify: (unfinished) => giveToOwnerOf(folder, unfinished),
    });
    return result;
  });
}

const unreadable = (file: string, where: string): Failure =>
  new Failure('storage', t('service.keys_unreadable', { file, where }), {
    hint: t('service.keys_restore'),
  });
