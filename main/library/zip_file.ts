import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { Failure } from '../failure.ts';

/**
 * A zip archive that is written file by file (APPNOTE 6.3.3, without Zip64). Its files are stored as they are: heads
 * and photos are compressed already.
 */
export class ZipFile {
  readonly #file: FileHandle;
  readonly #directory: Buffer[] = [];
  readonly #stamp: number;
  #offset = 0;

  private constructor(file: FileHandle, at: number) {
    this.#file = file;
    this.#stamp = dosTime(new Date(at));
  }

  /** @param at - Milliseconds since 1970: the time of every file in it. */
  static async create(path: string, at: number): Promise<ZipFile> {
    return new ZipFile(await open(path, 'wx', 0o600), at);
  }

  /** @param name - Path within the archive, with `/`. @throws Failure `unsupported` beyond 4 GiB or 65,535 files. */
  async add(name: string, data: Uint8Array): Promise<void> {
    if (this.#offset + data.byteLength > 0xfff0_0000 || this.#directory.length >= 65_535) {
      throw new Failure('unsupported', 'This is more than one zip archive can hold (4 GiB, 65,535 files).', {
        hint: 'Export fewer models at a time.',
      });
    }
    const bytes = Buffer.from(name, 'utf8');
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version needed
    common.writeUInt16LE(0x0800, 2); // names are UTF-8
    common.writeUInt16LE(0, 4); // stored
    common.writeUInt32LE(this.#stamp, 6);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(data.byteLength, 14);
    common.writeUInt32LE(data.byteLength, 18);
    common.writeUInt16LE(bytes.length, 22);
    common.writeUInt16LE(0, 24);

    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x0201_4b50, 0);
    entry.writeUInt16LE(0x0314, 4); // made on Unix, 2.0
    common.copy(entry, 6);
    entry.writeUInt32LE(0o100644 * 0x1_0000, 38);
    entry.writeUInt32LE(this.#offset, 42);
    this.#directory.push(entry, bytes);
    await this.#write(Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, bytes]));
    await this.#write(data);
  }

  /** Writes the directory and closes the file. @returns Bytes of the archive. */
  async finish(): Promise<number> {
    const directory = Buffer.concat(this.#directory);
    const end = Buffer.alloc(22);
    const files = this.#directory.length / 2;
    end.writeUInt32LE(0x0605_4b50, 0);
    end.writeUInt16LE(files, 8);
    end.writeUInt16LE(files, 10);
    end.writeUInt32LE(directory.length, 12);
    end.writeUInt32LE(this.#offset, 16);
    await this.#write(directory);
    await this.#write(end);
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

/** Date in the upper, time in the lower half; two-second steps from 1980. */
function dosTime(date: Date): number {
  const year = Math.max(0, date.getUTCFullYear() - 1980);
  const day = (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return ((day << 16) | time) >>> 0;
}
