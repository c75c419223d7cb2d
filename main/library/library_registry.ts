import { constants, existsSync, mkdirSync } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Language, t, translate } from '@likeness/messages';
import { Failure, messageOf } from '@likeness/node-kit/failure.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import { type LibraryFile, openOrMakeLibrary, readLibraryFile } from './library_file.ts';
import { type Listed, libraryListStamp, readLibraryList, writeLibraryList } from './library_list.ts';

export interface LibraryRegistryOptions {
  /** Contains the list of libraries, and the first library. */
  dataFolder: string;
  /** Language of the first library's name. Default: English. */
  language?: Language;
  /** Whether a folder is writable. Default: asks the system. */
  canWrite?: (folder: string) => Promise<boolean>;
  /** Background problems of a library, for the log. */
  onTrouble?: (error: unknown) => void;
}

/** Represents all libraries if none can be opened. */
export const unusableLibraryId = 'unusable';

/** A library of the list, and the data read from its folder. */
export interface KnownLibrary extends Listed {
  /** Null while its disk is disconnected. */
  file: LibraryFile | null;
  /** As it was when its folder was last looked through. */
  writable: boolean;
}

/** The list of libraries, in memory and on disk. The command line may write it beside a running studio. */
export class LibraryRegistry {
  readonly #options: LibraryRegistryOptions;
  #libraries: readonly KnownLibrary[] = [];
  /** Size and time of each folder's `library.json` when `isThere` last read it. */
  readonly #readFiles = new Map<string, string>();
  #stamp = '';
  /** Why no library can be opened; null where they can. */
  #unusable: Failure | null = null;

  private constructor(options: LibraryRegistryOptions) {
    this.#options = options;
  }

  /**
   * Reads the list; creates a first library if there is none. If the folder can't be created or written (its
   * disk is disconnected or full), the studio runs without libraries.
   *
   * @throws Failure `storage` if the list exists but can't be read, or a newer studio wrote it
   */
  static async open(options: LibraryRegistryOptions): Promise<LibraryRegistry> {
    const registry = new LibraryRegistry(options);
    try {
      mkdirSync(options.dataFolder, { recursive: true, mode: 0o700 });
    } catch (error) {
      registry.#giveUp(error);
      return registry;
    }
    const listed = await readLibraryList(options.dataFolder);
    registry.#libraries = await Promise.all(
      listed.map(async (library) => ({ ...library, ...(await registry.#stateOf(library.folder)) })),
    );
    if (listed.length === 0) await registry.#makeFirst().catch((error: unknown) => registry.#giveUp(error));
    registry.#stamp = await libraryListStamp(options.dataFolder);
    return registry;
  }

  /** No library can be opened, so their content is unknown. */
  get isUnusable(): boolean {
    return this.#unusable !== null;
  }

  all(): readonly KnownLibrary[] {
    return this.#libraries;
  }

  find(id: string): KnownLibrary | undefined {
    return this.#libraries.find((library) => library.id === id);
  }

  /** The default library. @throws Failure `not_found` */
  defaultId(): string {
    if (this.#unusable) throw this.#unusable;
    const found = this.#libraries.find(({ isDefault }) => isDefault) ?? this.#libraries[0];
    if (!found) throw noLibrary();
    return found.id;
  }

  /** @throws Failure `not_found`, or `storage` while its disk is disconnected. */
  available(id: string): KnownLibrary & { file: LibraryFile } {
    if (this.#unusable) throw this.#unusable;
    const library = this.find(id);
    if (!library) throw noLibrary();
    const { file } = library;
    if (!file) throw notThere(library);
    return { ...library, file };
  }

  /** In memory; `write` puts it on disk. */
  replace(id: string, changes: Partial<KnownLibrary>): void {
    this.#libraries = this.#libraries.map((library) =>
      library.id === id ? { ...library, ...changes } : library,
    );
  }

  /** The library in a folder. @param folder - Absolute. */
  at(folder: string): KnownLibrary | undefined {
    return this.#libraries.find((library) => resolve(library.folder) === folder);
  }

  /**
   * Adds the library of a folder.
   *
   * @param folder - Absolute.
   * @throws Failure `conflict` if it is a copy of a known one.
   */
  enter(folder: string, file: LibraryFile): void {
    const known = this.find(file.id);
    const there = this.at(folder);
    if (known && resolve(known.folder) !== folder) {
      if (known.file && existsSync(join(known.folder, 'library.json'))) {
        throw new Failure('conflict', t('library.copy', { name: file.name, folder: known.folder }), {
          hint: t('library.make_own'),
        });
      }
      // It was moved outside the studio.
      this.replace(file.id, { folder, file });
    } else if (there) {
      this.replace(there.id, { id: file.id, file, name: file.name });
    } else {
      // Writable: a file of ours has just been read or made there; the scan looks closer.
      const isDefault = this.#libraries.length === 0;
      this.#add({ id: file.id, name: file.name, folder, isDefault, file, writable: true });
    }
  }

  /** If it was the default, the first remaining library becomes the default. */
  remove(id: string): void {
    const wasDefault = this.find(id)?.isDefault === true;
    this.#libraries = this.#libraries
      .filter((library) => library.id !== id)
      .map((library, index) => (wasDefault && index === 0 ? { ...library, isDefault: true } : library));
  }

  makeDefault(id: string): void {
    this.#libraries = this.#libraries.map((library) => ({ ...library, isDefault: library.id === id }));
  }

  async write(): Promise<void> {
    if (this.#unusable) throw this.#unusable;
    await writeLibraryList(
      this.#options.dataFolder,
      this.#libraries.map(({ id, name, folder, isDefault }) => ({ id, name, folder, isDefault })),
    );
    this.#stamp = await libraryListStamp(this.#options.dataFolder);
  }

  /**
   * Loads changes that another process of the studio, the command line, made to the list.
   *
   * @returns The previous libraries that were removed or moved; null if nothing changed.
   */
  async adopt(): Promise<{ id: string; isGone: boolean }[] | null> {
    const stamp = await libraryListStamp(this.#options.dataFolder);
    if (stamp === this.#stamp || this.#unusable) return null;
    this.#stamp = stamp;
    const listed = await readLibraryList(this.#options.dataFolder);
    if (listed.length === 0) return null;
    const before = this.#libraries;
    this.#libraries = await Promise.all(
      listed.map(async (one) => {
        const known = before.find(({ id, folder }) => id === one.id && folder === one.folder);
        return known?.file
          ? { ...one, file: known.file, writable: known.writable }
          : { ...one, ...(await this.#stateOf(one.folder)) };
      }),
    );
    return before.flatMap(({ id, folder }) => {
      const now = listed.find((one) => one.id === id);
      return now?.folder === folder ? [] : [{ id, isGone: now === undefined }];
    });
  }

  /** Whether `library.json` is still in a folder. Read again only where it was changed since. */
  async isThere(folder: string): Promise<boolean> {
    const file = await lstat(join(folder, 'library.json')).catch(() => null);
    const stamp = file && `${file.dev}:${file.ino}:${file.mtimeMs}:${file.size}`;
    if (stamp !== null && this.#readFiles.get(folder) === stamp) return true;
    if ((await this.fileIn(folder)) === null) return false;
    if (stamp !== null) this.#readFiles.set(folder, stamp);
    return true;
  }

  /** Reads `library.json` in a folder; null if it can't be read, which is reported. */
  async fileIn(folder: string): Promise<LibraryFile | null> {
    this.#readFiles.delete(folder);
    try {
      return await readLibraryFile(folder);
    } catch (error) {
      this.#options.onTrouble?.(error);
      return null;
    }
  }

  canWrite(folder: string): Promise<boolean> {
    return (
      this.#options.canWrite?.(folder) ??
      access(folder, constants.W_OK).then(
        () => true,
        () => false,
      )
    );
  }

  #add(library: KnownLibrary): void {
    this.#libraries = [...this.#libraries, library];
  }

  async #stateOf(folder: string): Promise<Pick<KnownLibrary, 'file' | 'writable'>> {
    return { file: await this.fileIn(folder), writable: await this.canWrite(folder) };
  }

  #giveUp(error: unknown): void {
    const { dataFolder, onTrouble } = this.#options;
    const problem = messageOf(storageFailure(error, dataFolder));
    this.#unusable = new Failure('storage', t('library.folder_unusable', { folder: dataFolder, problem }), {
      hint: t('library.repair_and_start'),
      retryable: true,
      cause: error,
    });
    this.#libraries = [
      {
        id: unusableLibraryId,
        name: basename(dataFolder),
        folder: dataFolder,
        isDefault: true,
        file: null,
        writable: false,
      },
    ];
    onTrouble?.(this.#unusable);
  }

  async #makeFirst(): Promise<void> {
    const { dataFolder, language = 'en' } = this.#options;
    const folder = join(dataFolder, 'Heads');
    const file = await openOrMakeLibrary(folder, translate(t('library.my_heads'), language));
    this.#add({ id: file.id, name: file.name, folder, isDefault: true, file, writable: true });
    await this.write();
  }
}

export const noLibrary = (): Failure =>
  new Failure('not_found', t('library.gone'), { hint: t('library.choose_other') });

export const notThere = ({ name, folder }: Listed): Failure =>
  new Failure('storage', t('library.not_at', { name, folder }), {
    hint: t('library.connect_disk'),
    retryable: true,
  });
