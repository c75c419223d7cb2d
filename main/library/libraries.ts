import { constants, existsSync, type FSWatcher, mkdirSync, watch } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { EventPayload, Library, Model, ModelFacets, ModelQuery, Readiness } from '#contract';
import { inEnglish, inWords, type Language, say } from '#sentences';
import { Failure } from '../failure.ts';
import { refuseUnboundedGlb } from '../gltf/glb_bounds.ts';
import { type ChangeFeed, createChangeFeed } from './change_feed.ts';
import { moveFolder, removeMoved } from './folder_move.ts';
import { type ModelFault, ModelIndex } from './index/model_index.ts';
import { readFolder, type ScanResult, scanLibrary } from './index/scan.ts';
import { type LibraryFile, openOrMakeLibrary, readLibraryFile, writeLibraryFile } from './library_file.ts';
import {
  type Listed,
  libraryListName,
  libraryListStamp,
  readLibraryList,
  writeLibraryList,
} from './library_list.ts';
import type { LikenessRecord } from './model/likeness_record.ts';
import {
  faultOfGlb,
  incomingIds,
  modelFile,
  modelPart,
  openModelFile,
  readModelFile,
  readRecord,
  stampOf,
  writeRecord,
} from './model/model_folder.ts';

export interface LibrariesOptions {
  /** Where the studio keeps its own: index and list of libraries. The first library is made in it too. */
  dataFolder: string;
  /** Milliseconds since 1970. */
  clock: () => number;
  /** Renders a head as WebP; null where it can't. Default: never can. */
  renderThumbnail?: (modelPath: string) => Promise<Uint8Array | null>;
  /** Looks a head in a folder through, off this thread. Default: on this one. */
  readiness?: (folder: string, modelPath: string) => Promise<Readiness>;
  onChanged?: (payload: EventPayload<'library', 'changed'>) => void;
  onWorking?: (payload: EventPayload<'library', 'working'>) => void;
  /** Problems with a library that nobody asked about at that moment; for the log. */
  onTrouble?: (error: unknown) => void;
  /** In which the first library is named. Default: English. */
  language?: Language;
  /** Notice what is done to the folders from outside. Default true. */
  watch?: boolean;
  /** Whether a folder can be written to. Default: what the system says. */
  canWrite?: (folder: string) => Promise<boolean>;
}

interface Opened extends Listed {
  /** Null while its disk is not there. */
  file: LibraryFile | null;
  /** As it was when its folder was last looked through. */
  writable: boolean;
}

/** A change of a model's record, to be taken back. */
export interface Edited {
  id: string;
  before: LikenessRecord;
}

/** Milliseconds between two looks at all folders, at least. */
const leastPause = 2000;
/** Records that are written at once: each waits for the disk twice. */
const writtenAtOnce = 8;

/** All libraries: their folders, the index over them, and what is told about changes. */
export class Libraries {
  readonly index: ModelIndex;
  readonly options: LibrariesOptions;
  readonly feed: ChangeFeed;
  #libraries: Opened[] = [];
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #scans = new Map<string, Promise<ScanResult>>();
  readonly #again = new Map<string, NodeJS.Timeout>();
  /** Folders in which something happened, by library; null: nobody knows in which. */
  readonly #noticed = new Map<string, Set<string> | null>();
  #editing: Promise<unknown> = Promise.resolve();
  /** Libraries whose folders are on their way elsewhere. */
  readonly #moving = new Map<string, Promise<unknown>>();
  #listWatcher: FSWatcher | undefined;
  #listStamp = '';
  #looking: Promise<void> | undefined;
  #lookAgainAt = 0;
  #closed = false;

  private constructor(options: LibrariesOptions) {
    this.options = options;
    this.index = new ModelIndex(join(options.dataFolder, 'index.db'), options.clock);
    this.feed = createChangeFeed({
      card: (id) => this.index.card(id),
      libraries: () => this.list(),
      emit: (payload) => options.onChanged?.(payload),
    });
  }

  /**
   * Opens all libraries. The index answers at once with what it knew; the folders are looked through meanwhile,
   * see `settled`.
   *
   * @throws Failure `storage` where the data folder can't be used.
   */
  static async open(options: LibrariesOptions): Promise<Libraries> {
    mkdirSync(options.dataFolder, { recursive: true, mode: 0o700 });
    const libraries = new Libraries(options);
    const listed = await readLibraryList(options.dataFolder);
    for (const library of listed) {
      libraries.#libraries.push({ ...library, ...(await stateOf(library.folder, options)) });
    }
    if (listed.length === 0) {
      const folder = join(options.dataFolder, 'Heads');
      const file = await openOrMakeLibrary(
        folder,
        inWords(say('library.my_heads'), options.language ?? 'en'),
      );
      libraries.#libraries.push({
        id: file.id,
        name: file.name,
        folder,
        isDefault: true,
        file,
        writable: true,
      });
      await libraries.#writeList();
    }
    libraries.#listStamp = await libraryListStamp(options.dataFolder);
    for (const { id } of libraries.#libraries) libraries.#attend(id);
    libraries.#watchList();
    return libraries;
  }

  /** Resolves when every scan that was begun is over. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#scans.values());
  }

  list(): Library[] {
    return this.#libraries.map(({ id, name, folder, isDefault, file, writable }) => ({
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

  /** The library that is meant where none is named. */
  defaultId(): string {
    const found = this.#libraries.find(({ isDefault }) => isDefault) ?? this.#libraries[0];
    if (!found) throw noLibrary();
    return found.id;
  }

  /** Absolute path of a library. @throws Failure `not_found`, or `storage` while its disk is not there. */
  folder(id: string): string {
    return this.#available(id).folder;
  }

  /**
   * As `folder`, for what is about to be put into it: waits while the library is moved, and makes sure that its
   * disk is still there. What is written under a mount point without its disk is lost to sight.
   */
  async folderToFill(id: string): Promise<string> {
    await this.#moving.get(id)?.catch(() => undefined);
    const library = this.#available(id);
    const file = await fileOrNull(library.folder, this.options);
    if (file) return library.folder;
    this.#away(id);
    throw notThere(library);
  }

  /** `library.json` of a library. */
  file(id: string): LibraryFile {
    return this.#available(id).file;
  }

  async changeFile(id: string, change: (file: LibraryFile) => LibraryFile): Promise<void> {
    await this.#inTurn(async () => {
      const library = this.#available(id);
      const file = change(library.file);
      await writeLibraryFile(library.folder, file);
      this.#replace(id, { file, name: file.name });
      await this.#writeList();
    });
    this.feed.shelves();
  }

  async makeDefault(id: string): Promise<void> {
    await this.#adoptList();
    this.one(id);
    this.#libraries = this.#libraries.map((library) => ({ ...library, isDefault: library.id === id }));
    await this.#writeList();
    this.feed.libraries();
  }

  /** Opens the library in a folder, or makes one there. */
  async add(folder: string, name?: string): Promise<Library> {
    await this.#adoptList();
    const path = resolve(folder);
    const there = this.#libraries.find((library) => resolve(library.folder) === path);
    if (there?.file) return this.one(there.id);
    const file = await openOrMakeLibrary(path, name ?? (basename(path) || 'Library'));
    if (this.#libraries.some(({ id, folder: other }) => id === file.id && resolve(other) !== path)) {
      const known = this.#libraries.find(({ id }) => id === file.id);
      if (known?.file && existsSync(join(known.folder, 'library.json'))) {
        throw new Failure('conflict', say('library.copy', { name: file.name, folder: known.folder }), {
          hint: say('library.make_own'),
        });
      }
      // It was moved outside the studio.
      this.#replace(file.id, { folder: path, file });
    } else if (there) {
      this.#replace(there.id, { id: file.id, file, name: file.name });
    } else {
      this.#libraries.push({
        id: file.id,
        name: file.name,
        folder: path,
        isDefault: this.#libraries.length === 0,
        file,
        writable: true, // a file of ours has just been read or made there; the scan looks closer
      });
    }
    await this.#writeList();
    this.#attend(file.id);
    await this.scan(file.id);
    return this.one(file.id);
  }

  /** Forgets a library; its folder stays as it is. */
  async remove(id: string): Promise<void> {
    await this.#adoptList();
    this.one(id);
    if (this.#libraries.length === 1) {
      throw new Failure('not_allowed', say('library.last'), {
        hint: say('library.add_first'),
      });
    }
    this.#unwatch(id);
    await this.#scans.get(id)?.catch(() => undefined);
    const wasDefault = this.#libraries.find((library) => library.id === id)?.isDefault;
    this.#libraries = this.#libraries.filter((library) => library.id !== id);
    if (wasDefault && this.#libraries[0]) this.#libraries[0].isDefault = true;
    await this.#writeList();
    this.index.removeLibrary(id);
    this.feed.shelves();
  }

  /**
   * Moves a library's folder into another one, also to another disk. Everything is copied before anything goes.
   *
   * @param into - The folder in which it will lie.
   * @throws Failure `conflict` where something of the name is there; then nothing has changed.
   */
  async move(id: string, into: string): Promise<Library> {
    await this.#adoptList();
    const library = this.#available(id);
    const from = resolve(library.folder);
    const target = join(resolve(into), basename(from));
    if (target === from) return this.one(id);
    if (`${target}/`.startsWith(`${from}/`)) {
      throw new Failure('invalid_input', say('library.into_itself'), {
        hint: say('library.other_folder'),
      });
    }
    if (existsSync(target)) {
      throw new Failure('conflict', say('library.there_already', { file: basename(target) }), {
        hint: say('library.other_folder'),
      });
    }
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
      throw new Failure('conflict', say('library.being_filled'), {
        hint: say('library.wait_or_pause'),
        retryable: true,
      });
    }
    this.#unwatch(id);
    await this.#scans.get(id)?.catch(() => undefined);
    const told = (done: number, total: number): void =>
      this.options.onWorking?.({ what: 'move', done: Math.min(done, total), total: Math.max(1, total) });
    await this.#inTurn(async () => {
      try {
        const how = await moveFolder(from, target, told);
        this.#replace(id, { folder: target });
        await this.#writeList();
        if (how === 'copied') await removeMoved(from, target);
      } finally {
        told(1, 1);
      }
    });
  }

  search(query: ModelQuery, offset: number, limit: number): ReturnType<ModelIndex['search']> {
    return this.index.search(query, offset, limit);
  }

  facets(query: ModelQuery): ModelFacets {
    return this.index.facets(query);
  }

  /** Ids of a selection, in order. */
  selected(selection: { ids: string[] } | { query: ModelQuery }): string[] {
    return 'ids' in selection ? [...new Set(selection.ids)] : this.index.ids(selection.query);
  }

  /** A model as its folder is now. @throws Failure `not_found` */
  async model(id: string): Promise<Model> {
    await this.refresh(id);
    const model = this.index.model(id);
    if (!model) throw noModel();
    return model;
  }

  /** Absolute path of a model's folder. @throws Failure `not_found` */
  modelFolder(id: string): string {
    const placed = this.index.place(id);
    if (!placed) throw noModel();
    return join(this.folder(placed.libraryId), placed.folder);
  }

  /** Looks at a model's file, once for each that it was. @throws Failure `not_found` */
  async modelFault(id: string): Promise<ModelFault> {
    const folder = this.modelFolder(id);
    const { stamp } = await stampOf(folder);
    const known = this.index.fault(id, modelPart(stamp));
    if (known) return known;
    const fault = await faultOfGlb(openModelFile(folder, modelFile));
    const found = { fault: inEnglish(fault?.text ?? ''), refused: fault !== null };
    this.index.noteFault(id, modelPart(stamp), found);
    if (found.refused) this.feed.changed([id]);
    return found;
  }

  /** A model's GLB, looked at: it may be decoded. @throws Failure `not_found`, `storage`, `unsupported` */
  async modelBytes(id: string): Promise<Buffer> {
    const glb = await readModelFile(this.modelFolder(id), modelFile);
    await refuseUnboundedGlb(glb);
    return glb;
  }

  /** Looks at one model's folder again. */
  async refresh(id: string): Promise<void> {
    const placed = this.index.place(id);
    if (!placed) return;
    const library = { id: placed.libraryId, folder: this.folder(placed.libraryId) };
    const entry = await readFolder(library, placed.folder, placed.stamp);
    if (entry === 'unchanged') return;
    if (entry === null) {
      this.index.remove([id]);
      this.feed.removed([id]);
      return;
    }
    this.index.put([entry]);
    this.feed.changed([entry.record.id]);
    if (entry.record.id !== id) this.feed.removed([id]);
  }

  /**
   * Looks through a library's folders; what is under way already is what is waited for.
   *
   * @throws Failure `storage` where its disk is not there.
   */
  scan(
    id: string,
    onProgress?: (done: number, total: number) => void,
    only?: ReadonlySet<string>,
  ): Promise<ScanResult> {
    const running = this.#scans.get(id);
    // What was noticed while a scan is on may have come too late for it.
    if (running !== undefined) return only ? running.then(() => this.scan(id, onProgress, only)) : running;
    const scan = (async () => {
      const library = this.#libraries.find((candidate) => candidate.id === id);
      if (!library) throw noLibrary();
      const file = await readLibraryFile(library.folder);
      if (!file) {
        this.#away(id);
        throw notThere(library);
      }
      const writable = await canWrite(library.folder, this.options);
      this.#replace(id, { file, writable });
      if (library.file === null) this.#watch(id);
      if (library.file === null || library.writable !== writable) this.feed.libraries();
      const result = await scanLibrary(this.index, library, onProgress, only);
      this.feed.changed(result.changed);
      this.feed.removed(result.removed);
      return result;
    })();
    this.#scans.set(id, scan);
    const over = (): boolean => this.#scans.delete(id);
    scan.then(over, over);
    return scan;
  }

  /**
   * Looks for what was changed outside since the last look: a person who comes back to the studio may have been in
   * a file manager, or have plugged a disk in. Asked often, it looks now and then: the fewer, the longer it takes.
   */
  look(): Promise<void> {
    if (this.#looking || performance.now() < this.#lookAgainAt) return this.#looking ?? Promise.resolve();
    const began = performance.now();
    this.#looking = (async () => {
      await this.#adoptList();
      await Promise.allSettled(this.#libraries.map(({ id }) => this.scan(id)));
      const now = performance.now();
      this.#lookAgainAt = now + Math.max(leastPause, 10 * (now - began));
      this.#looking = undefined;
    })();
    return this.#looking;
  }

  /** Forgets what the index knows and reads every folder. */
  async rebuild(id?: string): Promise<number> {
    let models = 0;
    for (const library of this.#libraries.filter((candidate) => id === undefined || candidate.id === id)) {
      await this.#scans.get(library.id)?.catch(() => undefined);
      this.#available(library.id);
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
   * @param change - Gives the new record; null leaves it as it is.
   * @returns What the changed ones were before.
   */
  edit(ids: readonly string[], change: (record: LikenessRecord) => LikenessRecord | null): Promise<Edited[]> {
    return this.#inTurn(async () => {
      const edited: Edited[] = [];
      const refused: unknown[] = [];
      for (let from = 0; from < ids.length; from += writtenAtOnce) {
        const some = ids.slice(from, from + writtenAtOnce);
        const results = await Promise.allSettled(some.map((id) => this.#editOne(id, change)));
        for (const result of results) {
          if (result.status === 'rejected') refused.push(result.reason);
          else if (result.value !== null) edited.push(result.value);
        }
      }
      // One broken folder does not hold up a thousand others; alone, it is what the person wants to hear of.
      if (edited.length === 0 && refused.length > 0) throw refused[0];
      for (const error of refused) this.options.onTrouble?.(error);
      this.feed.changed(edited.map(({ id }) => id));
      this.feed.shelves();
      return edited;
    });
  }

  /** Takes models out of the index whose folders are gone. */
  forget(ids: readonly string[]): void {
    this.index.remove(ids);
    this.index.forget(ids);
    this.feed.removed(ids);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const id of this.#watchers.keys()) this.#unwatch(id);
    this.#listWatcher?.close();
    for (const timer of this.#again.values()) clearTimeout(timer);
    await this.settled();
    await this.#editing;
    this.feed.close();
    this.index.close();
  }

  async #editOne(
    id: string,
    change: (record: LikenessRecord) => LikenessRecord | null,
  ): Promise<Edited | null> {
    const placed = this.index.place(id);
    if (!placed) return null;
    const library = { id: placed.libraryId, folder: this.folder(placed.libraryId) };
    const path = join(library.folder, placed.folder);
    // The file, not the index: somebody may have edited it a moment ago.
    const before = await readRecord(path);
    const after = change(before);
    if (after === null) return null;
    await writeRecord(path, {
      ...after,
      id: before.id,
      schema: before.schema,
      changedAt: this.options.clock(),
    });
    const entry = await readFolder(library, placed.folder);
    if (entry !== null && entry !== 'unchanged') this.index.put([entry]);
    return { id, before };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#editing.then(work);
    this.#editing = result.catch(() => undefined);
    return result;
  }

  #available(id: string): Opened & { file: LibraryFile } {
    const library = this.#libraries.find((candidate) => candidate.id === id);
    if (!library) throw noLibrary();
    const { file } = library;
    if (!file) throw notThere(library);
    return { ...library, file };
  }

  #replace(id: string, changes: Partial<Opened>): void {
    this.#libraries = this.#libraries.map((library) =>
      library.id === id ? { ...library, ...changes } : library,
    );
  }

  async #writeList(): Promise<void> {
    await writeLibraryList(
      this.options.dataFolder,
      this.#libraries.map(({ id, name, folder, isDefault }) => ({ id, name, folder, isDefault })),
    );
    this.#listStamp = await libraryListStamp(this.options.dataFolder);
  }

  /** Takes over what another process of the studio, the command line, has put into the list. */
  async #adoptList(): Promise<void> {
    const stamp = await libraryListStamp(this.options.dataFolder);
    if (stamp === this.#listStamp) return;
    this.#listStamp = stamp;
    const listed = await readLibraryList(this.options.dataFolder);
    if (listed.length === 0) return;
    for (const known of this.#libraries) {
      const now = listed.find(({ id }) => id === known.id);
      if (now?.folder === known.folder) continue;
      this.#unwatch(known.id);
      if (!now) this.index.removeLibrary(known.id);
    }
    const before = this.#libraries;
    this.#libraries = await Promise.all(
      listed.map(async (one) => {
        const known = before.find(({ id, folder }) => id === one.id && folder === one.folder);
        return known?.file
          ? { ...one, file: known.file, writable: known.writable }
          : { ...one, ...(await stateOf(one.folder, this.options)) };
      }),
    );
    for (const { id } of this.#libraries) if (!this.#watchers.has(id)) this.#attend(id);
    this.feed.shelves();
  }

  /** Its disk is gone; the index keeps what was on it. */
  #away(id: string): void {
    this.#unwatch(id);
    this.#replace(id, { file: null });
    this.feed.libraries();
  }

  #watchList(): void {
    if (this.options.watch === false) return;
    try {
      this.#listWatcher = watch(this.options.dataFolder, { persistent: false }, (_event, name) => {
        if (name === libraryListName)
          this.#inTurn(() => this.#adoptList()).catch((error: unknown) => this.options.onTrouble?.(error));
      });
      this.#listWatcher.on('error', () => this.#listWatcher?.close());
    } catch (error) {
      this.options.onTrouble?.(error);
    }
  }

  /** Looks through a library now and whenever something happens in its folder. */
  #attend(id: string): void {
    this.#watch(id);
    this.scan(id).catch((error: unknown) => this.options.onTrouble?.(error));
  }

  #watch(id: string): void {
    const library = this.#libraries.find((candidate) => candidate.id === id);
    if (this.options.watch === false || !library?.file || this.#watchers.has(id)) return;
    try {
      // On Linux a recursive watch is one watch a folder, thousands of them: there the library's own folder is
      // watched, and a model's when it is looked at (`model`).
      const watcher = watch(
        library.folder,
        { recursive: process.platform !== 'linux', persistent: false },
        (_event, path) => this.#notice(id, path),
      );
      watcher.on('error', () => this.#unwatch(id));
      this.#watchers.set(id, watcher);
    } catch (error) {
      this.options.onTrouble?.(error);
    }
  }

  #notice(id: string, path: string | null): void {
    const name = path?.split(/[\\/]/, 1)[0];
    // Folders that are being filled, and unfinished files.
    if (name?.startsWith('.')) return;
    const names = this.#noticed.get(id);
    if (name === undefined) this.#noticed.set(id, null);
    else if (names === undefined) this.#noticed.set(id, new Set([name]));
    else names?.add(name);
    this.#scanSoon(id);
  }

  /** An editor or a file manager does several things at once; the scan waits until it is done. */
  #scanSoon(id: string): void {
    clearTimeout(this.#again.get(id));
    if (this.#closed) return;
    const timer = setTimeout(() => {
      this.#again.delete(id);
      const only = this.#noticed.get(id) ?? undefined;
      this.#noticed.delete(id);
      this.scan(id, undefined, only).catch((error: unknown) => this.options.onTrouble?.(error));
    }, 400);
    timer.unref();
    this.#again.set(id, timer);
  }

  #unwatch(id: string): void {
    this.#watchers.get(id)?.close();
    this.#watchers.delete(id);
    clearTimeout(this.#again.get(id));
    this.#again.delete(id);
  }
}

async function stateOf(
  folder: string,
  options: LibrariesOptions,
): Promise<Pick<Opened, 'file' | 'writable'>> {
  return { file: await fileOrNull(folder, options), writable: await canWrite(folder, options) };
}

const canWrite = (folder: string, options: LibrariesOptions): Promise<boolean> =>
  options.canWrite?.(folder) ??
  access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );

async function fileOrNull(folder: string, { onTrouble }: LibrariesOptions): Promise<LibraryFile | null> {
  try {
    return await readLibraryFile(folder);
  } catch (error) {
    onTrouble?.(error);
    return null;
  }
}

const noLibrary = (): Failure =>
  new Failure('not_found', say('library.gone'), { hint: say('library.choose_other') });

const noModel = (): Failure =>
  new Failure('not_found', say('library.no_model'), {
    hint: say('library.moved_outside'),
  });

const notThere = ({ name, folder }: Listed): Failure =>
  new Failure('storage', say('library.not_at', { name, folder }), {
    hint: say('library.connect_disk'),
    retryable: true,
  });
