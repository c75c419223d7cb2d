import { randomBytes } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '@likeness/messages';
import { isDiskFull } from '@likeness/node-kit/error_codes.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { commitFile, readFileIfThere, writeFileAtomically } from '@likeness/node-kit/storage/atomic_file.ts';
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
 * so the files get the owner of the folder. On a full disk the reserved space is used: a key must always be
 * revocable.
 *
 * @returns The second value that `change` returns besides the keys
 */
export async function changeKeys<T>(
  folder: string,
  change: (keys: readonly ServiceKey[]) => { keys: readonly ServiceKey[]; result: T },
): Promise<T> {
  const lock = join(folder, 'keys.lock');
  return withFileLock(lock, async () => {
    giveToOwnerOf(folder, lock);
    const { keys, result } = change(await readKeys(folder));
    const text = `${JSON.stringify({ version: 1, keys }, null, 2)}\n`;
    try {
      await writeFileAtomically(keyFilePath(folder), text, {
        verify: (unfinished) => giveToOwnerOf(folder, unfinished),
      });
    } catch (error) {
      if (!(error instanceof Failure && isDiskFull(error.cause))) throw error;
      await writeIntoReserve(folder, text).catch(() => {
        throw error;
      });
    }
    await reserveKeySpace(folder);
    return result;
  });
}

/** Makes the reserved file the key file. It is not freed in between: others would fill the disk again. */
async function writeIntoReserve(folder: string, text: string): Promise<void> {
  const reserve = reservePath(folder);
  const file = await open(reserve, 'r+');
  try {
    await file.writeFile(text);
    await file.truncate(Buffer.byteLength(text));
  } finally {
    await file.close();
  }
  await commitFile(reserve, keyFilePath(folder));
}

const reservePath = (folder: string): string => join(folder, 'keys.reserve');
/** Bytes for new keys. */
const minReserveBytes = 16 * 1024;

/** Keeps space for one more copy of the key file; without effect while the disk is full. */
export async function reserveKeySpace(folder: string): Promise<void> {
  const path = reservePath(folder);
  const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(() => null))?.size ?? 0;
  const needed = minReserveBytes + (await sizeOf(keyFilePath(folder)));
  if ((await sizeOf(path)) >= needed) return;
  // Twice as much, so that not every new key writes it again. Random: a compressing disk would keep zeros for nothing.
  await writeFileAtomically(path, randomBytes(2 * needed), {
    verify: (unfinished) => giveToOwnerOf(folder, unfinished),
  }).catch(() => {});
}

const unreadable = (file: string, where: string): Failure =>
  new Failure('storage', t('service.keys_unreadable', { file, where }), {
    hint: t('service.keys_restore'),
  });
