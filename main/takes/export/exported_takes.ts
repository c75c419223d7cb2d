import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Personal data in an exported file: takes, and heads in a GLB or FBX; empty is the default one. */
export interface ExportedFrom {
  takes: readonly string[];
  models: readonly string[];
}

/** Exported files for the page to download. */
export class ExportedTakes {
  readonly #folder: string;
  readonly #randomId: () => string;
  readonly #files = new Map<string, { path: string; from: ExportedFrom }>();
  /** Folders in use. */
  readonly #open = new Set<string>();

  /** @param folder for files that may be removed while the studio is not running */
  constructor(folder: string, randomId: () => string) {
    this.#folder = folder;
    this.#randomId = randomId;
  }

  /** Absolute path; null if there is none. */
  file(exportId: string): string | null {
    return this.#files.get(exportId)?.path ?? null;
  }

  /** Creates a folder, which stays if `work` adds a file of it, and is deleted if it fails. */
  async inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
    const folder = join(this.#all, this.#randomId());
    this.#open.add(folder);
    try {
      return await work(folder);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      for (const [exportId, { path }] of this.#files)
        if (dirname(path) === folder) this.#files.delete(exportId);
      throw error;
    } finally {
      this.#open.delete(folder);
    }
  }

  async add(path: string, from: ExportedFrom): Promise<{ exportId: string; bytes: number }> {
    const exportId = this.#randomId();
    this.#files.set(exportId, { path, from });
    return { exportId, bytes: (await stat(path)).size };
  }

  /** Removes exports of these takes or heads, and leftovers of an earlier run. @returns How many files. */
  async erase(gone: { takes: ReadonlySet<string>; models: ReadonlySet<string> }): Promise<number> {
    for (const [exportId, { from }] of this.#files) {
      const isGone =
        from.takes.some((id) => gone.takes.has(id)) || from.models.some((id) => gone.models.has(id));
      if (isGone) this.#files.delete(exportId);
    }
    const kept = new Set([...[...this.#files.values()].map(({ path }) => dirname(path)), ...this.#open]);
    const paths = new Set([...this.#files.values()].map(({ path }) => path));
    let removed = 0;
    for (const name of await readdir(this.#all).catch(() => [])) {
      const folder = join(this.#all, name);
      if (this.#open.has(folder)) continue;
      const files = await readdir(folder).catch(() => []);
      const without = files.filter((file) => !paths.has(join(folder, file)));
      removed += without.length;
      for (const file of without) await rm(join(folder, file), { recursive: true, force: true });
      if (!kept.has(folder)) await rm(folder, { recursive: true, force: true });
    }
    return removed;
  }

  /** Removes the exports of this run. */
  async close(): Promise<void> {
    const folders = new Set([...this.#files.values()].map(({ path }) => dirname(path)));
    this.#files.clear();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }

  get #all(): string {
    return join(this.#folder, 'take-exports');
  }
}
