import { crc32 } from 'node:zlib';

/** A file's records in a zip archive: one before its data, one in the directory at the end. */
export interface ZipEntry {
  local: Buffer;
  central: Buffer;
}

export interface ZipEntryOptions {
  /** Path within the archive, with `/`. */
  name: string;
  data: Uint8Array;
  /** Bytes of the archive before it. */
  offset: number;
  /** When the file was changed: milliseconds since 1970. */
  at: number;
  /** What the place of the data in the archive is a multiple of, bytes. USDZ is read where it lies and asks for 64. */
  alignment?: number;
}

/** Says that an extra field is there to fill space, as Pixar's writer of USDZ does. */
const paddingId = 0x1986;

/** Records of a file that is stored as it is (APPNOTE 6.3.3, without Zip64). */
export function zipEntry({ name, data, offset, at, alignment = 1 }: ZipEntryOptions): ZipEntry {
  const bytes = Buffer.from(name, 'utf8');
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0); // version needed
  common.writeUInt16LE(0x0800, 2); // names are UTF-8
  common.writeUInt16LE(0, 4); // stored
  common.writeUInt32LE(dosTime(new Date(at)), 6);
  common.writeUInt32LE(crc32(data), 10);
  common.writeUInt32LE(data.byteLength, 14);
  common.writeUInt32LE(data.byteLength, 18);
  common.writeUInt16LE(bytes.length, 22);

  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x0201_4b50, 0);
  entry.writeUInt16LE(0x0314, 4); // made on Unix, 2.0
  common.copy(entry, 6);
  entry.writeUInt32LE(0o100644 * 0x1_0000, 38);
  entry.writeUInt32LE(offset, 42);

  const padding = paddingField((offset + 30 + bytes.length) % alignment, alignment);
  common.writeUInt16LE(padding.length, 24);
  return {
    local: Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, bytes, padding]),
    central: Buffer.concat([entry, bytes]),
  };
}

/** @param past - Bytes by which the data would miss its place. */
function paddingField(past: number, alignment: number): Buffer {
  if (past === 0) return Buffer.alloc(0);
  let length = alignment - past;
  // A field has a head of four bytes.
  if (length < 4) length += alignment;
  const field = Buffer.alloc(length);
  field.writeUInt16LE(paddingId, 0);
  field.writeUInt16LE(length - 4, 2);
  return field;
}

/** What an archive of these files ends on. @param offset - Bytes before it. */
export function zipDirectory(entries: readonly ZipEntry[], offset: number): Buffer {
  const directory = Buffer.concat(entries.map(({ central }) => central));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([directory, end]);
}

/** Date in the upper, time in the lower half; two-second steps from 1980. */
function dosTime(date: Date): number {
  const year = Math.max(0, date.getUTCFullYear() - 1980);
  const day = (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return ((day << 16) | time) >>> 0;
}
