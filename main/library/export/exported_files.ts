import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** How long an exported file waits for its download, milliseconds. */
const keptMs = 60 * 60 * 1000;

/** Exported files that wait for their download, in a separate folder. */
export class ExportedFiles {
  readonly #folder: string;
  readonly #clock: () => number;
  readonly #made = new Map<string, { path: string; at: number; ids: ReadonlySet<string> }>();

  constructor(folder: string, clock: () => number) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** Returns a path for a new file. */
  async newFile(extension: string): Promise<{ exportId: string; path: string }> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await this.#forgetOld();
    const exportId = randomUUID();
    return { exportId, path: join(this.#folder, `${exportId}.${extension}`) };
  }

  /** The file is written and contains these models. */
  keep({ exportId, path }: { exportId: string; path: string }, ids: readonly string[]): void {
    this.#made.set(exportId, { path, at: this.#clock(), ids: new Set(ids) });
  }

  /** Absolute path; null if it no longer exists. */
  file(exportId: string): string | null {
    return this.#made.get(exportId)?.path ?? null;
  }

  /** Removes those of these models and leftovers of an earlier run. @returns How many files. */
  async erase(ids: readonly string[]): Promise<number> {
    for (const [exportId, { ids: inside }] of this.#made)
      if (ids.some((id) => inside.has(id))) this.#made.delete(exportId);
    const kept = this.#paths();
    const names = await readdir(this.#folder).catch(() => []);
    const gone = names.map((name) => join(this.#folder, name)).filter((path) => !kept.has(path));
    for (const path of gone) await rm(path, { recursive: true, force: true });
    return gone.length;
  }

  /** Removes all of them. */
  async close(): Promise<void> {
    await Promise.all([...this.#paths()].map((path) => rm(path, { force: true })));
    this.#made.clear();
  }

  async #forgetOld(): Promise<void> {
    for (const [id, { path, at }] of this.#made) {
      if (this.#clock() - at < keptMs) continue;
      this.#made.delete(id);
      await rm(path, { force: true });
    }
    // Leftovers of an earlier run.
    const kept = this.#paths();
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      if (!kept.has(path) && this.#clock() - (await stat(path)).mtimeMs > keptMs)
        await rm(path, { force: true });
    }
  }

  #paths(): Set<string> {
    return new Set([...this.#made.values()].map(({ path }) => path));
  }
}
