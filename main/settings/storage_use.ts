import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import type { DataLayout } from '@likeness/node-kit/storage/data_folder.ts';
import { liesWithin } from '@likeness/node-kit/storage/inside_folder.ts';
import { StoragePart, type StorageUse } from '#contract';

export interface StorageUseOptions {
  layout: DataLayout;
  /** Folders of all libraries, those on other disks included. */
  libraryFolders: () => readonly string[];
  /** Milliseconds since 1970. */
  clock: () => number;
}

/** A copy that was written within this time may still be downloaded. Milliseconds. */
const inUseMs = 10 * 60 * 1000;

/** Measures the data folder and the libraries, and clears caches. */
export interface StorageMeter {
  measure(): Promise<StorageUse>;
  /** Removes copies that exports left. Returns the bytes that were freed. */
  clearCaches(): Promise<number>;
}

export function createStorageMeter({ layout, libraryFolders, clock }: StorageUseOptions): StorageMeter {
  // Uploads stay: an import of thousands of photos reads its last ones after many minutes.
  const cacheFolders = ['exports', 'take-exports'].map((name) => join(layout.temporaryFolder, name));
  const isClearable = ({ path, changedAt }: FoundFile): boolean =>
    clock() - changedAt > inUseMs && cacheFolders.some((folder) => liesWithin(path, folder));
  const folders: readonly (readonly [StoragePart, string])[] = [
    ['library', layout.libraryFolder],
    ['takes', layout.takesFolder],
    ['photos', layout.batchFolder],
    ['engine', layout.engineFolder],
    ['caches', layout.temporaryFolder],
    ['logs', layout.logsFolder],
    ['journal', layout.journalFolder],
  ];
  const partOf = (path: string): StoragePart =>
    folders.find(([, folder]) => liesWithin(path, folder))?.[0] ?? 'other';
  return {
    async measure() {
      const sums = new Map(StoragePart.options.map((part) => [part, { part, bytes: 0, files: 0 }]));
      const unreadable: string[] = [];
      let clearable = 0;
      const elsewhere = libraryFolders().filter((folder) => !liesWithin(folder, layout.folder));
      for (const root of [layout.folder, ...elsewhere])
        for await (const file of filesIn(root, unreadable)) {
          const sum = sums.get(root === layout.folder ? partOf(file.path) : 'library')!;
          sum.bytes += file.bytes;
          sum.files += 1;
          if (isClearable(file)) clearable += file.bytes;
        }
      return { parts: [...sums.values()], clearable, unreadable };
    },
    async clearCaches() {
      let freed = 0;
      for (const folder of cacheFolders)
        for await (const file of filesIn(folder, [])) {
          if (!isClearable(file)) continue;
          // A program may have it open (Windows); the next start of the studio removes it.
          const removed = await rm(file.path).then(
            () => true,
            () => false,
          );
          if (removed) freed += file.bytes;
        }
      return freed;
    },
  };
}

interface FoundFile {
  path: string;
  bytes: number;
  /** Milliseconds since 1970. */
  changedAt: number;
}

/** All files below a folder, without following links. Folders that can't be read are added to `unreadable`. */
async function* filesIn(root: string, unreadable: string[]): AsyncGenerator<FoundFile> {
  const waiting = [root];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop())
    try {
      for await (const entry of await opendir(folder)) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) waiting.push(path);
        else if (entry.isFile()) {
          const found = await stat(path).catch(() => null); // removed meanwhile
          if (found) yield { path, bytes: found.size, changedAt: found.mtimeMs };
        }
      }
    } catch (error) {
      const isRemoved = fileErrorCode(error) === 'ENOENT' && folder !== root;
      if (!isRemoved) unreadable.push(folder);
    }
}
