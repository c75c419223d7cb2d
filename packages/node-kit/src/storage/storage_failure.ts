import { basename } from 'node:path';
import { type Message, t } from '@likeness/messages';
import { fileErrorCode, sqliteCode } from '../error_codes.ts';
import { Failure } from '../failure.ts';

/**
 * Primary result codes of SQLite, https://www.sqlite.org/rescode.html (extended codes carry them in the low
 * byte).
 */
const sqlite = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
} as const;

/**
 * Turns an error of the file system or of SQLite into a Failure with a message. Other errors (a constraint, a
 * defect of ours) are returned unchanged, so that `throw storageFailure(error, path)` never hides anything.
 *
 * @param path - The file or folder at fault; only its name is shown.
 */
export function storageFailure(error: unknown, path: string): unknown {
  if (error instanceof Failure) return error;
  const name = basename(path) || path;
  const failed = (message: Message, hint: Message, retryable = false): Failure =>
    new Failure('storage', message, { hint, retryable, cause: error });

  const full = (): Failure => failed(t('storage.full', { name }), t('storage.free_space'), true);
  const readOnly = (): Failure => failed(t('storage.read_only', { name }), t('storage.give_access'));
  const unreadable = (): Failure => failed(t('storage.disk_failed', { name }), t('storage.check_disk'));

  switch (sqliteCode(error)) {
    case null:
      break;
    case sqlite.full:
      return full();
    case sqlite.readOnly:
      return readOnly();
    case sqlite.cantOpen:
      return failed(t('storage.cannot_open', { name }), t('storage.check_folder'));
    case sqlite.ioError:
      return unreadable();
    case sqlite.busy:
    case sqlite.locked:
      return failed(t('storage.in_use', { name }), t('storage.close_copies'), true);
    case sqlite.corrupt:
    case sqlite.notADatabase:
      return failed(t('storage.damaged', { name }), t('storage.restore'));
    default:
      return error;
  }

  switch (fileErrorCode(error)) {
    case 'ENOSPC':
      return full();
    case 'EDQUOT':
      return failed(t('storage.quota', { name }), t('storage.free_quota'), true);
    case 'EFBIG':
      return failed(t('storage.beyond_file_limit', { name }), t('storage.larger_files'));
    // Reading needs access too: only a read-only disk proves that writing failed.
    case 'EACCES':
    case 'EPERM':
      return failed(t('storage.no_access', { name }), t('storage.give_access'));
    case 'EROFS':
      return readOnly();
    case 'EIO':
      return unreadable();
    case 'EBUSY':
      return failed(t('storage.in_use', { name }), t('storage.close_holder'), true);
    case 'EMFILE':
    case 'ENFILE':
      return failed(t('storage.too_many_open', { name }), t('storage.wait_for_work'), true);
    case 'ENOENT':
      return failed(t('storage.missing', { name }), t('storage.check_connected'));
    case 'ENOTDIR':
      return failed(t('storage.in_the_way', { name }), t('storage.move_elsewhere'));
    case 'EISDIR':
      return failed(t('storage.is_folder', { name }), t('storage.move_or_name'));
    case 'EEXIST':
    case 'ENOTEMPTY':
      return failed(t('storage.there_already', { name }), t('storage.move_elsewhere'));
    case 'ENAMETOOLONG':
      return failed(t('storage.name_too_long', { name: name.slice(0, 60) }), t('storage.shorter_name'));
    default:
      return error;
  }
}

/**
 * As {@link storageFailure}, for the boundary to a person: an error of SQLite that no room has turned into a message,
 * such as one of reading. Other errors are returned unchanged.
 */
export const databaseFailure = (error: unknown): unknown =>
  sqliteCode(error) === null ? error : storageFailure(error, 'database');
