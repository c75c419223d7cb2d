import { rm } from 'node:fs/promises';
import { ZipFile } from '@likeness/gltf/formats/zip/zip_file.ts';
import { t } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { storageFailure } from '@likeness/node-kit/storage/storage_failure.ts';
import type { SavedFilm } from '@likeness/proto/takes/film_message.ts';
import type { FilmSink } from './film_sink.ts';

/** Writes an image sequence for a page that can download one file: frames and audio in an archive. */
export class FilmArchiveSink implements FilmSink {
  readonly there = [];
  readonly #path: string;
  readonly #stem: string;
  readonly #sound: string;
  readonly #archive: ZipFile;
  #next = 0;

  private constructor(
    { path, stem, sound }: { path: string; stem: string; sound: string },
    archive: ZipFile,
  ) {
    this.#path = path;
    this.#stem = stem;
    this.#sound = sound;
    this.#archive = archive;
  }

  /** @param sound path of a WAV file @param now milliseconds since 1970 @throws Failure `storage` */
  static async create(options: {
    path: string;
    stem: string;
    sound: string;
    now: number;
  }): Promise<FilmArchiveSink> {
    try {
      return new FilmArchiveSink(options, await ZipFile.create(options.path, options.now));
    } catch (error) {
      throw storageFailure(error, options.path);
    }
  }

  async piece(): Promise<void> {
    throw new Failure('invalid_input', t('film.not_of_it'));
  }

  async frame(index: number, bytes: Uint8Array): Promise<void> {
    if (index !== this.#next) throw new Failure('invalid_input', t('film.not_of_it'));
    this.#next += 1;
    try {
      await this.#archive.add(`${this.#stem}_${String(index).padStart(6, '0')}.png`, bytes);
    } catch (error) {
      throw storageFailure(error, this.#path);
    }
  }

  async finish(): Promise<SavedFilm> {
    try {
      await this.#archive.addFile(`${this.#stem}.wav`, this.#sound);
      await this.#archive.finish();
    } catch (error) {
      throw storageFailure(error, this.#path);
    }
    return { files: [], at: this.#path };
  }

  async discard(): Promise<void> {
    await this.#archive.close().catch(() => undefined);
    await rm(this.#path, { force: true });
  }
}
