import type { ModelIndex } from './index/model_index.ts';
import { readFolder, type ScanResult, scanLibrary } from './index/scan.ts';
import type { LibraryFeed } from './library_feed.ts';
import { readLibraryFile } from './library_file.ts';
import { type LibraryRegistry, noLibrary, notThere } from './library_registry.ts';

export interface LibraryScannerOptions {
  registry: LibraryRegistry;
  index: ModelIndex;
  feed: LibraryFeed;
  /** A library's disk was connected again. */
  onBack: (id: string) => void;
  /** A library's disk was disconnected. */
  onAway: (id: string) => void;
}

/** Minimum milliseconds between two scans of all folders. */
const minPause = 2000;

type OnProgress = (done: number, total: number) => void;

/** Scans the libraries' folders, with one scan per library at a time, and updates the index. */
export class LibraryScanner {
  readonly #options: LibraryScannerOptions;
  readonly #scans = new Map<string, Promise<ScanResult>>();
  #looking: Promise<void> | undefined;
  #lookAgainAt = 0;

  constructor(options: LibraryScannerOptions) {
    this.#options = options;
  }

  /** Resolves when every running scan has finished. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#scans.values());
  }

  /** Resolves when the library's running scan, if any, has finished. */
  async idle(id: string): Promise<void> {
    await this.#scans.get(id)?.catch(() => undefined);
  }

  /**
   * Scans a library, or waits for its running scan.
   *
   * @throws Failure `storage` if its disk is disconnected.
   */
  scan(id: string, onProgress?: OnProgress, only?: ReadonlySet<string>): Promise<ScanResult> {
    const running = this.#scans.get(id);
    // A change during a scan may have come too late for it.
    if (running !== undefined) return only ? running.then(() => this.scan(id, onProgress, only)) : running;
    const scan = this.#scan(id, onProgress, only);
    this.#scans.set(id, scan);
    const over = (): boolean => this.#scans.delete(id);
    scan.then(over, over);
    return scan;
  }

  /** Reads one model's folder again. @throws Failure `storage` if its library's disk is disconnected. */
  async refresh(id: string): Promise<void> {
    const { registry, index, feed } = this.#options;
    const placed = index.locate(id);
    if (!placed) return;
    const library = { id: placed.libraryId, folder: registry.available(placed.libraryId).folder };
    const entry = await readFolder(library, placed.folder, placed.stamp);
    if (entry === 'unchanged') return;
    if (entry === null) {
      index.remove([id]);
      feed.removed([id]);
      return;
    }
    index.put([entry]);
    feed.changed([entry.record.id]);
    if (entry.record.id !== id) feed.removed([id]);
  }

  /**
   * Scans all libraries. Frequent calls are throttled, the more so the longer a scan takes.
   *
   * @param before - Runs before each such scan.
   */
  lookThrough(before: () => Promise<void>): Promise<void> {
    if (this.#looking || performance.now() < this.#lookAgainAt) return this.#looking ?? Promise.resolve();
    const began = performance.now();
    this.#looking = (async () => {
      try {
        await before();
        await Promise.allSettled(this.#options.registry.all().map(({ id }) => this.scan(id)));
      } finally {
        const now = performance.now();
        this.#lookAgainAt = now + Math.max(minPause, 10 * (now - began));
        this.#looking = undefined;
      }
    })();
    return this.#looking;
  }

  async #scan(
    id: string,
    onProgress: OnProgress | undefined,
    only: ReadonlySet<string> | undefined,
  ): Promise<ScanResult> {
    const { registry, index, feed, onBack, onAway } = this.#options;
    const library = registry.find(id);
    if (!library) throw noLibrary();
    const file = await readLibraryFile(library.folder);
    if (!file) {
      onAway(id);
      throw notThere(library);
    }
    const writable = await registry.canWrite(library.folder);
    registry.replace(id, { file, writable });
    if (library.file === null) onBack(id);
    if (library.file === null || library.writable !== writable) feed.libraries();
    const result = await scanLibrary(index, library, onProgress, only);
    feed.changed(result.changed);
    feed.removed(result.removed);
    return result;
  }
}
