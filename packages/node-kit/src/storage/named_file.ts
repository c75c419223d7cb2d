import { statSync } from 'node:fs';
import { t } from '@likeness/messages';
import { fileErrorCode } from '../error_codes.ts';
import { Failure } from '../failure.ts';
import { storageFailure } from './storage_failure.ts';

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(fileErrorCode(error));

/**
 * Whether a file or folder that a person named exists. `existsSync` also returns false for inaccessible ones.
 *
 * @throws Failure `storage` if that can't be determined
 */
export function isThere(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw storageFailure(error, path);
  }
}

/** As `storageFailure`; a missing file that a person named gives `not_found`. */
export const namedFileFailure = (error: unknown, path: string): unknown =>
  isMissing(error)
    ? new Failure('not_found', t('takes.cannot_read', { path }), {
        hint: t('takes.check_name'),
        cause: error,
      })
    : storageFailure(error, path);
