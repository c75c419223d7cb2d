import { basename, join, resolve } from 'node:path';
import { refuseUnboundedGlb } from '@likeness/gltf/glb_bounds.ts';
import { t } from '@likeness/messages';
import { createMutex } from '@likeness/node-kit/async/mutex.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import type { EventPayload, Library, Model, ModelQuery, Readiness } from '#contract';
import { moveFolder, moveTarget, removeMoved } from './folder_move.ts';
import { ModelIndex } from './index/model_index.ts';
import { readFolder, type ScanResult } from './index/scan.ts';
import { createLibraryFeed, type LibraryFeed } from './library_feed.ts';
import { type LibraryFile, openOrMakeLibrary, writeLibraryFile } from './library_file.ts';
import { LibraryRegistry, type LibraryRegistryOptions, noLibrary, notThere } from './library_registry.ts';
import { LibraryScanner } from './library_scanner.ts';
import { LibraryWatcher } from './library_watcher.ts';
import type { LikenessRecord } from './model/likeness_record.ts';
import { incomingIds, modelFile, readModelFile } from './model/model_folder.ts';
import { type Edited, editRecords } from './record_edits.ts';

/** `dataFolder` also contains the index. */
export interface LibrariesOptions extends LibraryRegistryOptions {
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Renders a head as WebP; null if that fails. Default: always null. */
  renderThumbnail?: (modelPath: string) => Promise<Uint8Array | null>;
  /** Checks a head in a folder on another thread. Default: on this one. */
  readiness?: (folder: string, modelPath: string) => Promise<Readiness>;
  onChanged?: (payload: EventPayload<'library', 'changed'>) => void;
  onWorking?: (payload: EventPayload<'library', 'working'>) => void;
  /** The current version of the built-in engine: `portrait-13`. Default: none. */
  engine?: string;
  /** Watch the folders for changes from outside. Default true. */
  watch?: boolean;
}

/** All libraries: their folders, their index and their change events. */
export class Libraries {
  readonly index: ModelIndex;
  readonly options: LibrariesOptions;
  readonly feed: LibraryFeed;
  /** Told after a head got another file, with the version that it had. */
  onReplaced: ((id: string, version: string) => void) | undefined;
  /** See {@link LibraryRegistry.isUnusable}. */
  readonly isUnusable: boolean;
  readonly #registry: LibraryRegistry;
  readonly #watcher: LibraryWatcher;
  readonly #scanner: LibraryScanner;
  readonly #inTurn = createMutex();
  /** Libraries whose folders are being moved. */
  readonly #moving = new Map<string, Promise<unknown>>();
  #closed = false;

  private constructor(options: LibrariesOptions, registry: LibraryRegistry) {
    this.options = options;
    this.#registry = registry;
    this.isUnusable = registry.isUnusable;
    const path = this.isUnusable ? ':memory:' : join(options.dataFolder, 'index.db');
    this.index = new ModelIndex(path, options.clock, options.engine);
    const onTrouble = (error: unknown): void => options.onTrouble?.(error);
    this.feed = createLibraryFeed({
      card: (id) => this.index.card(id),
      libraries: () => this.list(),
      emit: (payload) => options.onChanged?.(payload),
      onDefect: onTrouble,
    });
    this.#watcher = new LibraryWatcher({
      onNoticed: (id, only) => {
        this.scan(id, undefined, only).catch(onTrouble);
      },
      onListWritten: () => {
        this.#inTurn(() => this.#adoptList()).catch(onTrouble);
      },
      onTrouble,
    });
    this.#scanner = new LibraryScanner({
      registry,
      index: this.index,
      feed: this.feed,
      onBack: (id) => this.#watch(id),
      onAway: (id) => this.#away(id),
    });
  }

  /**
   * Opens all libraries. The index answers at once with its stored data; a scan of the folders runs
   * meanwhile, see `settled`.
   * @throws Failure `storage` if the list or the index can't be read.
   */
  static async open(options: LibrariesOptions): Promise<Libraries> {
    const libraries = new Libraries(options, await LibraryRegistry.open(options));
    if (libraries.isUnusable) return libraries;
    for (const { id } of libraries.#registry.all()) libraries.#attend(id);
    if (options.watch !== false) libraries.#watcher.watchList(options.dataFolder);
    return libraries;
  }

  /** Resolves when every running scan has finished. */
  settled(): Promise<void> {
    return this.#scanner.settled();
  }

  list(): Library[] {
    return this.#registry.all().map(({ id, name, folder, isDefault, file, writable }) => ({
      id,
      name: file?.name ?? name,
      folder,
      isDefault,
      available: file !== null,
      writable: file !== null && writable,
      keepPhotos: file?.keepPhotos ?? 'copy',
      ...this.index.sums(id),
    }));
  }

  one(id: string): Library {
    const found = this.list().find((library) => library.id === id);
    if (!found) throw noLibrary();
    return found;
  }

  /** The default library. */
  defaultId(): string {
    return this.#registry.defaultId();
  }

  /** Absolute path of a library. @throws Failure `not_found`, or `storage` while its disk is not there. */
  folder(id: string): string {
    return this.#registry.available(id).folder;
  }

  /**
   * As `folder`, for a write: waits while the library is moved, and checks that its disk is still connected.
   * Files written under a mount point without its disk would be hidden later.
   */
  async folderToFill(id: string): Promise<string> {
    await this.#moving.get(id)?.catch(() => undefined);
    const library = this.#registry.available(id);
    if (await this.#registry.isThere(library.folder)) return library.folder;
    this.#away(id);
    throw notThere(library);
  }

  /** `library.json` of a library. */
  file(id: string): LibraryFile {
    return this.#registry.available(id).file;
  }

  async changeFile(id: string, change: (file: LibraryFile) => LibraryFile): Promise<void> {
    await this.#inTurn(async () => {
      const library = this.#registry.available(id);
      const file = change(library.file);
      await writeLibraryFile(library.folder, file);
      this.#registry.replace(id, { file, name: file.name });
      await this.#registry.write();
    });
    this.feed.collections();
  }

  async makeDefault(id: string): Promise<void> {
    await this.#adoptList();
    this.one(id);
    this.#registry.makeDefault(id);
    await this.#registry.write();
    this.feed.libraries();
  }

  /** Opens the library in a folder, or creates one there. */
  async add(folder: string, name?: string): Promise<Library> {
    await this.#adoptList();
    const path = resolve(folder);
    const there = this.#registry.at(path);
    if (there?.file) return this.one(there.id);
    const file = await openOrMakeLibrary(path, name ?? (basename(path) || 'Library'));
    this.#registry.enter(path, file);
    await this.#registry.write();
    this.#attend(file.id);
    await this.scan(file.id);
    return this.one(file.id);
  }

  /** Removes a library from the list; its folder stays unchanged. */
  async remove(id: string): Promise<void> {
    await this.#adoptList();
    this.one(id);
    if (this.#registry.all().length === 1) {
      throw new Failure('not_allowed', t('library.last'), {
        hint: t('library.add_first'),
      });
    }
    this.#watcher.unwatch(id);
    await this.#scanner.idle(id);
    this.#registry.remove(id);
    await this.#registry.write();
    this.index.removeLibrary(id);
    this.feed.collections();
  }

  /**
   * Moves a library's folder into another one, also to another disk. Files are copied first, then deleted.
   *
   * @param into - The new parent folder.
   * @throws Failure `conflict` if the name exists there; then nothing has changed.
   */
  async move(id: string, into: string): Promise<Library> {
    await this.#adoptList();
    const library = this.#registry.available(id);
    const from = resolve(library.folder);
    const target = moveTarget(from, into);
    if (target === from) return this.one(id);
    const moving = this.#move(id, from, target);
    this.#moving.set(id, moving);
    try {
      await moving;
    } finally {
      this.#moving.delete(id);
      this.#watch(id);
      this.feed.libraries();
    }
    return this.one(id);
  }

  async #move(id: string, from: string, target: string): Promise<void> {
    if ((await incomingIds(from)).length > 0) {
      throw new Failure('conflict', t('library.being_filled'), {
        hint: t('library.wait_or_pause'),
        retryable: true,
      });
    }
    this.#watcher.unwatch(id);
    await this.#scanner.idle(id);
    const reportProgress = (done: number, total: number): void =>
      this.options.onWorking?.({ what: 'move', done: Math.min(done, total), total: Math.max(1, total) });
    await this.#inTurn(async () => {
      try {
        const how = await moveFolder(from, target, reportProgress);
        this.#registry.replace(id, { folder: target });
        await this.#registry.write();
        if (how === 'copied') await removeMoved(from, target);
      } finally {
        reportProgress(1, 1);
      }
    });
  }

  search(query: ModelQuery, offset: number, limit: number): ReturnType<ModelIndex['search']> {
    return this.index.search(query, offset, limit);
  }

  /** Ids of a selection, in order. */
  selected(selection: { ids: string[] } | { query: ModelQuery }): string[] {
    return 'ids' in selection ? [...new Set(selection.ids)] : this.index.ids(selection.query);
  }

  /** Reads a model from its folder. @throws Failure `not_found` */
  async model(id: string): Promise<Model> {
    await this.#scanner.refresh(id);
    const model = this.index.model(id);
    if (!model) throw noModel();
    return model;
  }

  /** Absolute path of a model's folder. @throws Failure `not_found` */
  modelFolder(id: string): string {
    const placed = this.index.locate(id);
    if (!placed) throw noModel();
    return join(this.folder(placed.libraryId), placed.folder);
  }

  /**
   * Returns a model's GLB after a check: it may be decoded. @throws Failure `not_found`, `storage`,
   * `unsupported`
   */
  async modelBytes(id: string): Promise<Buffer> {
    const glb = await readModelFile(this.modelFolder(id), modelFile);
    await refuseUnboundedGlb(glb);
    return glb;
  }

  /**
   * Scans a library's folders, or waits for the running scan.
   *
   * @throws Failure `storage` if its disk is not connected.
   */
  scan(
    id: string,
    onProgress?: (done: number, total: number) => void,
    only?: ReadonlySet<string>,
  ): Promise<ScanResult> {
    return this.#scanner.scan(id, onProgress, only);
  }

  /**
   * Checks for outside changes since the last scan: a user who returns to the studio may have used a file
   * manager or connected a disk. Frequent calls are throttled, the more so the longer a scan takes.
   */
  checkFolders(): Promise<void> {
    return this.#scanner.lookThrough(() => this.#adoptList());
  }

  /** Clears the index and reads every folder. */
  async rebuild(id?: string): Promise<number> {
    let models = 0;
    for (const library of this.#registry.all().filter((known) => id === undefined || known.id === id)) {
      await this.#scanner.idle(library.id);
      this.#registry.available(library.id);
      this.index.removeLibrary(library.id);
      const result = await this.scan(library.id, (done, total) =>
        this.options.onWorking?.({ what: 'rebuild', done, total }),
      );
      models += result.models;
    }
    return models;
  }

  /**
   * Changes records, on disk first and then in the index.
   *
   * @param change - Returns the new record; null leaves it unchanged.
   * @returns The changed records' previous states.
   */
  edit(ids: readonly string[], change: (record: LikenessRecord) => LikenessRecord | null): Promise<Edited[]> {
    return this.#inTurn(async () => {
      const { edited, refused } = await editRecords(ids, {
        index: this.index,
        folderOf: (libraryId) => this.folder(libraryId),
        change,
        clock: this.options.clock,
      });
      // For a single model, report its broken folder.
      if (edited.length === 0 && refused.length > 0) throw refused[0];
      for (const error of refused) this.options.onTrouble?.(error);
      this.feed.changed(edited.map(({ id }) => id));
      this.feed.collections();
      return edited;
    });
  }

  /** Runs an action on models' folders, in sequence with edits of their records. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(work);
  }

  /** Reads a model's folder again after a change by the studio. */
  async rescanModel(id: string): Promise<void> {
    const placed = this.index.locate(id);
    if (!placed) return;
    const library = { id: placed.libraryId, folder: this.folder(placed.libraryId) };
    const entry = await readFolder(library, placed.folder);
    if (entry !== null && entry !== 'unchanged') this.index.put([entry]);
    this.feed.changed([id]);
  }

  /** Removes models from the index whose folders no longer exist. */
  forget(ids: readonly string[]): void {
    this.index.remove(ids);
    this.index.forget(ids);
    this.feed.removed(ids);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#watcher.close();
    try {
      await this.settled();
      await this.#inTurn(async () => undefined);
      this.feed.close();
    } finally {
      this.index.close();
    }
  }

  /** Loads changes that another process of the studio, the command line, made to the list. */
  async #adoptList(): Promise<void> {
    const changed = await this.#registry.adopt();
    if (changed === null) return;
    for (const { id, isGone } of changed) {
      this.#watcher.unwatch(id);
      if (isGone) this.index.removeLibrary(id);
    }
    for (const { id } of this.#registry.all()) if (!this.#watcher.watches(id)) this.#attend(id);
    this.feed.collections();
  }

  /** Its disk is disconnected; the index keeps its models. */
  #away(id: string): void {
    this.#watcher.unwatch(id);
    this.#registry.replace(id, { file: null });
    this.feed.libraries();
  }

  /** Scans a library now and after each change in its folder. */
  #attend(id: string): void {
    this.#watch(id);
    this.scan(id).catch((error: unknown) => this.options.onTrouble?.(error));
  }

  #watch(id: string): void {
    const library = this.#registry.find(id);
    if (this.options.watch !== false && library?.file) this.#watcher.watch(id, library.folder);
  }
}

const noModel = (): Failure =>
  new Failure('not_found', t('library.no_model'), {
    hint: t('library.moved_outside'),
  });
