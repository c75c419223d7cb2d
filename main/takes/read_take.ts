import { dirname, join } from 'node:path';
import { type Message, t } from '@likeness/messages';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { messageOf } from '@likeness/node-kit/failure.ts';
import { readInside } from '@likeness/node-kit/storage/inside_folder.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { z } from 'zod';
import { Take as ListedTake } from '#contract';
import { asTake } from './listed_take.ts';
import { maxTakeBytes, TakeRecord, takeFiles } from './take_record.ts';

export const isTakeName = (name: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(name);

/**
 * Reads a take's record from its folder. Rejects if it is invalid or can't be listed.
 */
export async function recordIn(folder: string): Promise<TakeRecord> {
  const path = join(folder, takeFiles.record);
  const text = (await readInside(dirname(folder), path, maxTakeBytes.record)).toString('utf8');
  const record = TakeRecord.parse(JSON.parse(text));
  ListedTake.parse(asTake(record));
  return record;
}

/** Reads a file of a take; null if there is none. @throws Failure `storage` */
export async function readTakeFile(
  folder: string,
  what: Exclude<keyof typeof maxTakeBytes, 'record'>,
): Promise<Buffer | null> {
  const path = join(folder, takeFiles[what]);
  try {
    return await readInside(dirname(folder), path, maxTakeBytes[what]);
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return null;
    throw storageFailure(error, path);
  }
}

/** Why a take can't be read, as a sentence. */
export function reasonOf(error: unknown): Message {
  if (error instanceof z.ZodError) {
    const { path, message } = error.issues[0] ?? { path: [], message: '' };
    return t('takes.not_as_it_should', { field: path.join('.'), problem: message });
  }
  if (error instanceof SyntaxError) return t('takes.no_json');
  const code = fileErrorCode(error);
  if (code === 'ENOENT') return t('takes.file_missing');
  return messageOf(error);
}
