import { type FSWatcher, watch } from 'node:fs';
import { libraryListName } from './library_list.ts';

export interface LibraryWatcherOptions {
  /**
   * Called after changes in a library's folder.
   *
   * @param only - The changed folders; undefined: unknown.
   */
  onNoticed: (id: string, only: ReadonlySet<string> | undefined) => void;
  /** The list of libraries was written. */
  onListWritten: () => void;
  onTrouble: (error: unknown) => void;
}

/**
 * Milliseconds: an editor or a file manager makes several changes at once, and the scan waits until they are
 * done.
 */
const debounceMs = 400;

/** Watches the libraries' folders and their list for changes from outside. */
export class LibraryWatcher {
  readonly #options: LibraryWatcherOptions;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Changed folders by library; null: unknown which. */
  readonly #noticed = new Map<string, Set<string> | null>();
  #listWatcher: FSWatcher | undefined;
  #closed = false;

  constructor(options: LibraryWatcherOptions) {
    this.#options = options;
  }

  watches(id: string): boolean {
    return this.#watchers.has(id);
  }

  watch(id: string, folder: string): void {
    if (this.watches(id)) return;
    try {
      // A recursive watch on Linux is one watch per folder, thousands in all. So there only the library's
      // folder is watched, and a model's after it is shown (`model`).
      const watcher = watch(
        folder,
        { recursive: process.platform !== 'linux', persistent: false },
        (_event, path) => this.#notice(id, path),
      );
      watcher.on('error', () => this.unwatch(id));
      this.#watchers.set(id, watcher);
    } catch (error) {
      this.#options.onTrouble(error);
    }
  }

  unwatch(id: string): void {
    this.#watchers.get(id)?.close();
    this.#watchers.delete(id);
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  /** @param folder - Contains the list of libraries. */
  watchList(folder: string): void {
    try {
      this.#listWatcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === libraryListName) this.#options.onListWritten();
      });
      this.#listWatcher.on('error', () => this.#listWatcher?.close());
    } catch (error) {
      this.#options.onTrouble(error);
    }
  }

  close(): void {
    this.#closed = true;
    for (const id of this.#watchers.keys()) this.unwatch(id);
    this.#listWatcher?.close();
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #notice(id: string, path: string | null): void {
    const name = path?.split(/[\\/]/, 1)[0];
    // Folders that are being filled, and unfinished files.
    if (name?.startsWith('.')) return;
    const names = this.#noticed.get(id);
    if (name === undefined) this.#noticed.set(id, null);
    else if (names === undefined) this.#noticed.set(id, new Set([name]));
    else names?.add(name);
    this.#scheduleNotification(id);
  }

  #scheduleNotification(id: string): void {
    clearTimeout(this.#timers.get(id));
    if (this.#closed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(id);
      const only = this.#noticed.get(id) ?? undefined;
      this.#noticed.delete(id);
      this.#options.onNoticed(id, only);
    }, debounceMs);
    timer.unref();
    this.#timers.set(id, timer);
  }
}
