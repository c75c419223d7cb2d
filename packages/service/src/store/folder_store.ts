import { randomUUID } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileErrorCode } from '@likeness/node-kit/error_codes.ts';
import { BlobGone, type BlobStore, checkBlobName, type ListedBlob, StoreUnreachable } from './blob_store.ts';

/** Folder for unfinished files; a crash leaves them, `list` skips them. */
const unfinished = '.unfinished';
/** Marks a folder as a store: an unmounted share leaves a folder without the marker. */
const marker = '.likeness-store';
/** Error codes of file systems without hard links. */
const noLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** A store in a folder: on this machine, or on a share of all machines. */
export class FolderStore implements BlobStore {
  readonly #folder: string;
  /** Subfolders known to exist. */
  readonly #there = new Set<string>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param folder Absolute path; it must exist. A new one is marked as a store. */
  static async open(folder: string): Promise<FolderStore> {
    const mark = await open(join(folder, marker), 'a', 0o600);
    await mark.close();
    return new FolderStore(folder);
  }

  put(name: string, bytes: Uint8Array): Promise<boolean> {
    return this.#write(name, async (part) => {
      const file = await open(part, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
    });
  }

  async putFile(name: string, path: string): Promise<boolean> {
    return this.put(name, await readFile(path));
  }

  async open(name: string, range?: { first: number; last: number }): Promise<Readable> {
    const path = this.#pathOf(name);
    const file = await open(path, 'r').catch((error: unknown) => this.#fail(error, name));
    return createReadStream(path, { fd: file, ...(range && { start: range.first, end: range.last }) });
  }

  load(name: string): Promise<Buffer> {
    return readFile(this.#pathOf(name)).catch((error: unknown) => this.#fail(error, name));
  }

  async remove(name: string): Promise<void> {
    await rm(this.#pathOf(name), { force: true }).catch((error: unknown) => this.#fail(error, name));
  }

  async *list(prefix: string): AsyncIterable<ListedBlob> {
    const inside = join(this.#folder, checkBlobName(prefix));
    let entries: Dirent[];
    try {
      entries = await readdir(inside, { recursive: true, withFileTypes: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      return await this.#fail(error, prefix);
    }
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const found = await stat(path).catch(() => null);
      if (!found) continue;
      const name = path
        .slice(this.#folder.length + 1)
        .split(/[\\/]/)
        .join('/');
      yield { name, writtenAt: found.mtimeMs };
    }
  }

  async check(): Promise<void> {
    await stat(join(this.#folder, marker)).catch((error: unknown) => {
      throw new StoreUnreachable('the store', error);
    });
  }

  close(): void {}

  /** Writes under a temporary name first, so that a file with its final name is complete. */
  async #write(name: string, write: (part: string) => Promise<void>): Promise<boolean> {
    const path = this.#pathOf(name);
    const part = join(this.#folder, unfinished, randomUUID());
    try {
      await this.check();
      const isNew = await this.#inFolders([unfinished, dirname(name)], part, async () => {
        await write(part);
        return this.#name(part, path);
      });
      // If a share was unmounted meanwhile, the file went into the empty mount point: check that the store is
      // there.
      await this.check();
      return isNew;
    } catch (error) {
      return await this.#fail(error, name);
    } finally {
      await unlink(part).catch(() => {});
    }
  }

  /**
   * Creating a link succeeds once, even if several processes try at the same moment; a rename would replace.
   */
  async #name(part: string, path: string): Promise<boolean> {
    try {
      await link(part, path);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') return false;
      if (!noLinks.has(code)) throw error;
      if (await stat(path).catch(() => null)) return false;
      await rename(part, path);
    }
    await syncFolder(dirname(path));
    return true;
  }

  /** Creates known folders again only if they turn out to be gone. */
  async #inFolders(names: readonly string[], part: string, make: () => Promise<boolean>): Promise<boolean> {
    if (names.every((name) => this.#there.has(name))) {
      try {
        return await make();
      } catch (error) {
        if (fileErrorCode(error) !== 'ENOENT') throw error;
        await this.check();
        await unlink(part).catch(() => {});
      }
    }
    for (const name of names) await this.#makeFolders(name);
    const isNew = await make();
    for (const name of names) this.#there.add(name);
    return isNew;
  }

  /** Creates folders inside the store, never the store itself. */
  async #makeFolders(name: string): Promise<void> {
    let path = this.#folder;
    for (const part of name.split('/')) {
      path = join(path, part);
      await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      });
    }
  }

  #pathOf(name: string): string {
    return join(this.#folder, checkBlobName(name));
  }

  /** Throws the error that callers of the store expect. */
  async #fail(error: unknown, name: string): Promise<never> {
    if (error instanceof StoreUnreachable) throw error;
    const { code } = error as NodeJS.ErrnoException;
    // A full disk keeps its own error.
    if (code === 'ENOSPC') throw error;
    if (code !== 'ENOENT') throw new StoreUnreachable('the store', error);
    // Distinguishes one missing file from a missing store.
    await this.check();
    throw new BlobGone(`there is no ${name}`);
  }
}

/** Makes the name survive a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null);
  // Some systems and shares can't open folders.
  await handle?.sync().catch(() => {});
  await handle?.close();
}
