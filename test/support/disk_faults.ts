/** Faults of the disk in this process: the n-th operation of the file system or of SQLite fails, once. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

export type Fault = 'EIO' | 'ENOSPC' | 'EACCES' | 'BUSY';

/** Primary result codes of SQLite, https://www.sqlite.org/rescode.html */
const sqliteCodes: Readonly<Record<Fault, number>> = { EIO: 10, ENOSPC: 13, EACCES: 14, BUSY: 5 };
const fileCodes: Readonly<Record<Fault, string>> = {
  EIO: 'EIO',
  ENOSPC: 'ENOSPC',
  EACCES: 'EACCES',
  BUSY: 'EBUSY',
};

/** Its classes are native: only their methods can be replaced. */
const sqliteOperations = [
  [DatabaseSync.prototype, 'exec'],
  [StatementSync.prototype, 'get'],
  [StatementSync.prototype, 'all'],
  [StatementSync.prototype, 'run'],
] as const;
const fileOperations = ['mkdirSync', 'rmSync', 'openSync', 'renameSync', 'readdirSync', 'chmodSync'] as const;

/**
 * Runs `work` with one fault.
 *
 * @param at - Which operation below the folder fails, counted from 1.
 * @returns whether there were so many operations, so that it did fail
 */
export async function withFault(
  { folder, fault, at }: { folder: string; fault: Fault; at: number },
  work: () => Promise<unknown>,
): Promise<boolean> {
  let count = 0;
  const fails = (): boolean => {
    count += 1;
    return count === at;
  };
  const undo: (() => void)[] = [];
  const replace = (
    owner: object,
    name: string,
    check: (self: unknown, first: unknown) => void,
    after: (self: unknown, result: unknown) => void = () => {},
  ): void => {
    const run = Reflect.get(owner, name) as (...values: unknown[]) => unknown;
    Reflect.set(owner, name, function (this: unknown, ...values: unknown[]): unknown {
      check(this, values[0]);
      const result = run.apply(this, values);
      after(this, result);
      return result;
    });
    undo.push(() => void Reflect.set(owner, name, run));
  };
  const isBelow = (database: unknown): boolean =>
    database instanceof DatabaseSync && database.location()?.startsWith(folder) === true;
  const statements = new WeakSet<object>();
  replace(
    DatabaseSync.prototype,
    'prepare',
    () => {},
    (database, statement) => void (isBelow(database) && statements.add(statement as object)),
  );
  for (const [owner, name] of sqliteOperations) {
    replace(owner, name, (self) => {
      if ((isBelow(self) || statements.has(self as object)) && fails())
        throw Object.assign(new Error(`${fault} of a test`), {
          code: 'ERR_SQLITE_ERROR',
          errcode: sqliteCodes[fault],
        });
    });
  }
  for (const name of fileOperations) {
    replace(fs, name, (_, path) => {
      const code = fileCodes[fault];
      if (String(path).startsWith(folder) && fails())
        throw Object.assign(new Error(`${code}: a fault of a test, ${name} '${path}'`), { code });
    });
  }
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    for (const step of undo) step();
    syncBuiltinESMExports();
  }
  return count >= at;
}
