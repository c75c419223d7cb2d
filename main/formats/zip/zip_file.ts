import { type FileHandle, open } from 'node:fs/promises';
import { type ZipEntry, zipDirectory, zipEntry } from './zip_records.ts';

/**
 * A zip archive that is written file by file (APPNOTE 6.3.3, with Zip64). Its files are stored as they are:
 * heads and photos are compressed already.
 */
export class ZipFile {
  readonly #file: FileHandle;
  readonly #entries: ZipEntry[] = [];
  readonly #at: number;
  #offset = 0;

  private constructor(file: FileHandle, at: number) {
    this.#file = file;
    this.#at = at;
  }

  /** @param at - Milliseconds since 1970: the time of every file in it. */
  static async create(path: string, at: number): Promise<ZipFile> {
    return new ZipFile(await open(path, 'wx', 0o600), at);
  }

  /** @param name - Path within the archive, with `/`. @param data - Less than 4 GiB. */
  async add(name: string, data: Uint8Array): Promise<void> {
    const entry = zipEntry({ name, data, offset: this.#offset, at: this.#at });
    this.#entries.push(entry);
    await this.#write(entry.local);
    await this.#write(data);
  }

  /** Writes the directory and closes the file. @returns Bytes of the archive. */
  async finish(): Promise<number> {
    await this.#write(zipDirectory(this.#entries, this.#offset));
    await this.close();
    return this.#offset;
  }

  /** Closes an archive that won't be finished. */
  close(): Promise<void> {
    return this.#file.close();
  }

  async #write(data: Uint8Array): Promise<void> {
    await this.#file.writeFile(data);
    this.#offset += data.byteLength;
  }
}
