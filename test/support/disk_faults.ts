/** Faults of the disk in this process: the n-th operation of the file system or of SQLite fails. */
import fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';

/**
 * An error of one operation; `SHORT`: a write that takes half of its bytes; `END`: nothing from this operation on
 * reaches the disk, as when the process ends there.
 */
export type Fault = 'EIO' | 'ENOSPC' | 'EACCES' | 'BUSY' | 'SHORT' | 'END';

/** Primary result codes of SQLite, https://www.sqlite.org/rescode.html */
const sqliteCodes: Readonly<Record<Fault, number>> = {
  EIO: 10,
  ENOSPC: 13,
  EACCES: 14,
  BUSY: 5,
  SHORT: 10,
  END: 10,
};
const fileCodes: Readonly<Record<Fault, string>> = {
  EIO: 'EIO',
  ENOSPC: 'ENOSPC',
  EACCES: 'EACCES',
  BUSY: 'EBUSY',
  SHORT: 'EIO',
  END: 'EIO',
};

/** Its classes are native: only their methods can be replaced. */
const sqliteOperations = [
  [DatabaseSync.prototype, 'exec'],
  [StatementSync.prototype, 'get'],
  [StatementSync.prototype, 'all'],
  [StatementSync.prototype, 'run'],
] as const;
const fileOperations = [
  'mkdirSync',
  'rmSync',
  'unlinkSync',
  'openSync',
  'renameSync',
  'copyFileSync',
  'writeFileSync',
  'readdirSync',
  'chmodSync',
] as const;
const promisedOperations = [
  'mkdir',
  'rm',
  'unlink',
  'open',
  'rename',
  'copyFile',
  'link',
  'cp',
  'writeFile',
] as const;
const handleOperations = [
  'write',
  'writev',
  'writeFile',
  'appendFile',
  'sync',
  'datasync',
  'truncate',
] as const;

export interface FaultPlace {
  folder: string;
  fault: Fault;
  /** Which operation below the folder fails, counted from 1. */
  at: number;
}

/**
 * Runs `work` with one fault.
 *
 * @returns whether there were so many operations, so that it did fail
 */
export async function withFault(
  { folder, fault, at }: FaultPlace,
  work: () => Promise<unknown>,
): Promise<boolean> {
  let count = 0;
  const fails = (): boolean => {
    count += 1;
    return fault === 'END' ? count >= at : count === at;
  };
  const errorOf = (operation: string): Error => {
    const code = fileCodes[fault];
    return Object.assign(new Error(`${code}: a fault of a test, ${operation}`), { code });
  };
  const isShort = fault === 'SHORT';
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
      if (!isShort && (isBelow(self) || statements.has(self as object)) && fails())
        throw Object.assign(new Error(`${fault} of a test`), {
          code: 'ERR_SQLITE_ERROR',
          errcode: sqliteCodes[fault],
        });
    });
  }
  for (const name of fileOperations) {
    replace(fs, name, (_, path) => {
      if (!isShort && String(path).startsWith(folder) && fails()) throw errorOf(`${name} '${path}'`);
    });
  }
  const replacePromised = (
    owner: object,
    name: string,
    isOurs: (self: unknown, first: unknown) => boolean,
    after: (result: unknown) => void = () => {},
  ): void => {
    const run = Reflect.get(owner, name) as (...values: unknown[]) => Promise<unknown>;
    Reflect.set(owner, name, async function (this: unknown, ...values: unknown[]): Promise<unknown> {
      const ours = isOurs(this, values[0]);
      if (isShort && ours && name === 'write' && fails()) return run.apply(this, half(values));
      if (!isShort && ours && fails()) throw errorOf(`${name} '${String(values[0]).slice(0, 200)}'`);
      const result = await run.apply(this, values);
      if (ours) after(result);
      return result;
    });
    undo.push(() => void Reflect.set(owner, name, run));
  };
  const handles = new WeakSet<object>();
  for (const name of promisedOperations) {
    replacePromised(
      fs.promises,
      name,
      (_, path) => String(path).startsWith(folder),
      (result) => void (name === 'open' && handles.add(result as object)),
    );
  }
  const handleClass = await fileHandleClass();
  for (const name of handleOperations) {
    replacePromised(handleClass, name, (self) => handles.has(self as object));
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

/** Only an instance leads to the class. */
async function fileHandleClass(): Promise<FileHandle> {
  const handle = await fs.promises.open(process.execPath);
  await handle.close();
  return Object.getPrototypeOf(handle) as FileHandle;
}

/** The values of `write(bytes, { … })` or `write(bytes, offset, length, position)`, for half of the bytes. */
function half([bytes, offset, length, ...rest]: unknown[]): unknown[] {
  if (typeof bytes === 'string') return [bytes.slice(0, bytes.length / 2), offset, length, ...rest];
  const from = typeof offset === 'number' ? offset : 0;
  const size = typeof length === 'number' ? length : (bytes as Uint8Array).byteLength - from;
  return [bytes, from, Math.ceil(size / 2), ...rest];
}
