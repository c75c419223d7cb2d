import { stat } from 'node:fs/promises';
import { t } from '@likeness/messages';
import { Failure, messageOf } from '@likeness/node-kit/failure.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { takeGone } from '../list/take_failures.ts';
import { maxBytesOf, type TakeRecord, takeFiles } from '../take_record.ts';
import type { Takes } from '../takes.ts';

/**
 * Returns the absolute path of a take's recorded audio.
 *
 * @throws Failure `not_found`; `storage` if the file is far larger than the take's length allows
 */
export async function takeSoundPath(takes: Pick<Takes, 'file' | 'record'>, id: string): Promise<string> {
  const path = await takes.file(id, 'audio');
  if (path === null) throw takeGone();
  await refuseOversizedSound(path, takes.record(id));
  return path;
}

/**
 * Checked before reading: a sparse file needs no disk space but gigabytes of memory. @throws Failure
 * `storage`
 */
export async function refuseOversizedSound(
  path: string,
  record: Pick<TakeRecord, 'state' | 'seconds' | 'sampleRate'>,
): Promise<void> {
  // During recording, the record has no length yet.
  if (record.state === 'recording') return;
  const { size } = await stat(path).catch((error: unknown) => {
    throw storageFailure(error, path);
  });
  if (size > maxBytesOf(record, 'audio')) throw tooLarge(size, record);
}

const tooLarge = (size: number, { seconds }: Pick<TakeRecord, 'seconds'>): Failure =>
  new Failure(
    'storage',
    t('takes.sound_too_large', { megabytes: Math.ceil(size / 1e6), seconds: seconds.toFixed(1) }),
    { hint: t('verify_take.from_a_copy') },
  );

/** Describes why a take's audio can't be read. */
export const unreadableSound = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure('unsupported', t('takes.of_file', { file: takeFiles.audio, problem: messageOf(error) }), {
        hint: t('verify_take.from_a_copy'),
        cause: error,
      });
