import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { type ZipEntry, zipDirectory, zipEntry, zipSum } from './zip_records.ts';

/** Maximum size of a file without Zip64. */
const maxBytes = 2 ** 32 - 1;

const piecesOf = (path: string): AsyncIterable<Buffer> =>
  createReadStream(path, { highWaterMark: 1024 * 1024 });

/**
 * A zip archive written file by file (APPNOTE 6.3.3, with Zip64). Files are stored uncompressed: heads and
 * photos are already compressed.
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
    await this.#write(this.#entry(name, zipSum(data)).local);
    await this.#write(data);
  }

  /**
   * Adds a file piece by piece. Reads it twice, because its checksum precedes it. @throws Error from 4 GiB on
   */
  async addFile(name: string, path: string): Promise<void> {
    let [size, crc] = [0, 0];
    for await (const piece of piecesOf(path)) {
      size += piece.byteLength;
      crc = crc32(piece, crc);
    }
    if (size >= maxBytes) throw new Error(`${name} is larger than a file in a zip archive may be (4 GB).`);
    await this.#write(this.#entry(name, { size, crc }).local);
    for await (const piece of piecesOf(path)) await this.#write(piece);
  }

  #entry(name: string, sum: { size: number; crc: number }): ZipEntry {
    const entry = zipEntry({ name, ...sum, offset: this.#offset, at: this.#at });
    this.#entries.push(entry);
    return entry;
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
