/** The primary SQLite result code of an error that `node:sqlite` threw; null for any other error. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null;
  return error.errcode & 0xff;
}

/** The `code` of a file system error (`ENOENT`, `ENOSPC`, …); empty for any other error. */
export function fileErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** SQLITE_CORRUPT and SQLITE_NOTADB, https://www.sqlite.org/rescode.html */
const damaged: ReadonlySet<number | null> = new Set([11, 26]);

/** True if a file is not a database, or a corrupt one. All other SQLite errors may be temporary. */
export const isDamagedDatabase = (error: unknown): boolean => damaged.has(sqliteCode(error));

/** SQLITE_FULL, https://www.sqlite.org/rescode.html */
const sqliteFull = 13;

/** Whether a full disk prevented writing a file or a database. */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(fileErrorCode(error)) || sqliteCode(error) === sqliteFull;

/** SQLITE_BUSY, SQLITE_LOCKED, SQLITE_READONLY, SQLITE_IOERR, SQLITE_CANTOPEN */
const sqliteTroubles: ReadonlySet<number | null> = new Set([5, 6, 8, 10, 14]);
const fileTroubles: ReadonlySet<string> = new Set([
  'EIO',
  'EROFS',
  'EACCES',
  'EPERM',
  'EBUSY',
  'EMFILE',
  'ENFILE',
]);

/** Whether a disk is full or failed in a way that may pass: an operator can end it, the same call works again. */
export const isDiskTrouble = (error: unknown): boolean =>
  isDiskFull(error) || sqliteTroubles.has(sqliteCode(error)) || fileTroubles.has(fileErrorCode(error));
