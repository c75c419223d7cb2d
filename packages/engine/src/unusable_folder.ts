import { type Both, inBoth, type KeyedMessage, t } from '@likeness/messages';
import { fileErrorCode, sqliteCode } from '@likeness/node-kit/error_codes.ts';

/** The engine's folder can't be used now. Nothing in it was changed. */
export class UnusableFolder extends Error {
  override readonly name = 'UnusableFolder';
  readonly text: Both;

  constructor(text: KeyedMessage, cause?: unknown) {
    const both = inBoth(text);
    super(both.en, { cause });
    this.text = both;
  }
}

/** Faults by the primary result code of SQLite (https://www.sqlite.org/rescode.html) or the system's error code. */
const faults: readonly { codes: readonly (string | number)[]; fault: string }[] = [
  { codes: [13, 'ENOSPC'], fault: 'full' }, // SQLITE_FULL
  { codes: [8, 3, 'EACCES', 'EPERM', 'EROFS'], fault: 'no_access' }, // SQLITE_READONLY, SQLITE_PERM
  { codes: [14], fault: 'cannot_open' }, // SQLITE_CANTOPEN
  { codes: ['EDQUOT'], fault: 'quota' },
  { codes: [5, 6, 'EBUSY'], fault: 'in_use' }, // SQLITE_BUSY, SQLITE_LOCKED
  { codes: [10, 'EIO'], fault: 'disk_failed' }, // SQLITE_IOERR
  { codes: ['ENOENT', 'ENOTDIR', 'EEXIST', 'EISDIR', 'ELOOP'], fault: 'missing' },
];

/** Explains an error of the file system or of SQLite; returns any other error unchanged. */
export function unusable(error: unknown, path: string): unknown {
  const code = sqliteCode(error) ?? fileErrorCode(error);
  if (error instanceof UnusableFolder || code === '') return error;
  const fault = faults.find(({ codes }) => codes.includes(code))?.fault ?? 'other';
  const { message } = error as Error;
  return new UnusableFolder(t('engine_folder.unusable', { path, fault, message }), error);
}

export const usedElsewhere = (path: string): UnusableFolder =>
  new UnusableFolder(t('engine_folder.unusable', { path, fault: 'in_use', message: '' }));

/** Records of a later version may have meanings that this version doesn't know. */
export const newerRecords = (path: string, version: number, known: number): UnusableFolder =>
  new UnusableFolder(t('engine_folder.newer', { path, version, known }));
