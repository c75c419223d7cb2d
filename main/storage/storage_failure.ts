import { basename } from 'node:path';
import { Failure } from '../failure.ts';

/** Primary result codes of SQLite, https://www.sqlite.org/rescode.html (extended codes carry them in the low byte). */
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

/** The primary SQLite result code of an error that `node:sqlite` threw; null for any other error. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}

/** True where a database file is not one, or is one that lost its inner order. */
export function isDamagedDatabase(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === sqlite.corrupt || code === sqlite.notADatabase;
}

/** The `code` of a file system error (`ENOENT`, `ENOSPC`, …); empty for any other error. */
export function fileErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * Puts an error of the file system or of SQLite into words. What is not about storage (a constraint, a defect of
 * ours) comes back unchanged, so that `throw storageFailure(error, path)` never hides anything.
 *
 * @param path - The file or folder it happened to; only its own name is shown.
 */
export function storageFailure(error: unknown, path: string): unknown {
  if (error instanceof Failure) return error;
  const name = basename(path) || path;
  const say = (message: string, hint: string, retryable = false): Failure =>
    new Failure('storage', message, { hint, retryable, cause: error });

  const full = (): Failure =>
    say(
      `The disk is full: “${name}” could not be written.`,
      'Free some space on the disk that holds the data folder, then try again.',
      true,
    );
  const readOnly = (): Failure =>
    say(
      `“${name}” can't be written: the folder or the disk is read-only, or belongs to somebody else.`,
      'Give your user write access to the data folder, or choose another one with LIKENESS_HOME.',
    );
  const unreadable = (): Failure =>
    say(
      `The disk could not read or write “${name}”.`,
      'Check the disk and its connection; the file was left as it is.',
    );

  switch (sqliteCode(error)) {
    case null:
      break;
    case sqlite.full:
      return full();
    case sqlite.readOnly:
      return readOnly();
    case sqlite.cantOpen:
      return say(
        `“${name}” can't be opened.`,
        'Check that the data folder exists and that your user may read and write it.',
      );
    case sqlite.ioError:
      return unreadable();
    case sqlite.busy:
    case sqlite.locked:
      return say(
        `“${name}” is in use by another program.`,
        'Close other copies of Likeness Studio that use this data folder, then try again.',
        true,
      );
    case sqlite.corrupt:
    case sqlite.notADatabase:
      return say(
        `“${name}” is damaged.`,
        'It was left as it is. Restore it from a backup, or move it out of the data folder to start a new one.',
      );
    default:
      return error;
  }

  switch (fileErrorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
    case 'EFBIG':
      return full();
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return readOnly();
    case 'EIO':
      return unreadable();
    case 'EBUSY':
      return say(
        `“${name}” is in use by another program.`,
        'Close the program that holds it, then try again.',
        true,
      );
    case 'EMFILE':
    case 'ENFILE':
      return say(
        `“${name}” can't be opened: too many files are open.`,
        'Wait for running work to end, then try again.',
        true,
      );
    case 'ENOENT':
      return say(
        `“${name}” is not there, or the folder that should hold it is gone.`,
        'Check that the data folder exists and its disk is connected.',
      );
    case 'ENOTDIR':
    case 'EISDIR':
    case 'EEXIST':
      return say(
        `“${name}” is in the way: a file stands where a folder is needed, or the other way round.`,
        'Move it elsewhere, then try again.',
      );
    case 'ENAMETOOLONG':
      return say(`The name “${name.slice(0, 60)}…” is too long for this disk.`, 'Use a shorter name.');
    default:
      return error;
  }
}
