import { existsSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { commitFile, removeUnfinished, unfinishedPath } from '@likeness/node-kit/storage/atomic_file.ts';
import { giveToThePerson } from '@likeness/node-kit/storage/private_files.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { SavedFilm } from '@likeness/proto/takes/film_message.ts';
import type { FilmSink } from './film_sink.ts';

/** Maximum bytes of a film, and upper limit for offsets. */
const maxBytes = 2 ** 40;

/** Writes one file, beside its final path and renamed when complete. */
export class FilmFileSink implements FilmSink {
  readonly there = [];
  readonly #path: string;
  readonly #unfinished: string;
  readonly #overwrite: boolean;
  readonly #isPrivate: boolean;
  readonly #file: FileHandle;

  private constructor(
    { path, overwrite, isPrivate }: { path: string; overwrite: boolean; isPrivate: boolean },
    unfinished: string,
    file: FileHandle,
  ) {
    this.#path = path;
    this.#overwrite = overwrite;
    this.#isPrivate = isPrivate;
    this.#unfinished = unfinished;
    this.#file = file;
  }

  /** @throws Failure `conflict` if a file exists and must stay; `storage` */
  static async create(options: {
    path: string;
    overwrite: boolean;
    /** In the studio's own folder. */
    isPrivate: boolean;
  }): Promise<FilmFileSink> {
    const { path, overwrite } = options;
    if (!overwrite && existsSync(path)) throw thereAlready(path);
    const unfinished = unfinishedPath(path);
    try {
      // Leftovers of films whose studio was killed.
      await removeUnfinished(dirname(path));
      return new FilmFileSink(options, unfinished, await open(unfinished, 'wx', 0o600));
    } catch (error) {
      throw storageFailure(error, path);
    }
  }

  async piece(position: number, bytes: Uint8Array): Promise<void> {
    if (position + bytes.length > maxBytes) throw new Failure('invalid_input', t('film.not_of_it'));
    try {
      await this.#file.write(bytes, 0, bytes.length, position);
    } catch (error) {
      throw storageFailure(error, this.#path);
    }
  }

  async frame(): Promise<void> {
    throw new Failure('invalid_input', t('film.not_of_it'));
  }

  async finish(): Promise<SavedFilm> {
    try {
      await this.#file.close();
      if (!this.#isPrivate) await giveToThePerson(this.#unfinished);
    } catch (error) {
      throw storageFailure(error, this.#path);
    }
    if (!this.#overwrite && existsSync(this.#path)) throw thereAlready(this.#path);
    await commitFile(this.#unfinished, this.#path);
    return { files: [], at: this.#path };
  }

  async discard(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.#unfinished, { force: true });
  }
}

export const thereAlready = (path: string): Failure =>
  new Failure('conflict', t('cli.path_there_already', { path: basename(path) }), {
    hint: t('film.other_name'),
  });
