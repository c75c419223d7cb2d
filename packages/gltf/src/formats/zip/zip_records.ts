import { crc32 } from 'node:zlib';

/** Returns the size and checksum for a file's records. */
export const zipSum = (data: Uint8Array): { size: number; crc: number } => ({
  size: data.byteLength,
  crc: crc32(data),
});

/** A file's records in a zip archive: one before its data, one in the directory at the end. */
export interface ZipEntry {
  local: Buffer;
  central: Buffer;
}

export interface ZipEntryOptions {
  /** Path within the archive, with `/`. */
  name: string;
  /** Bytes of the file, and their CRC-32. */
  size: number;
  crc: number;
  /** Bytes of the archive before it. */
  offset: number;
  /** When the file was changed: milliseconds since 1970. */
  at: number;
  /** Alignment of the data in the archive, bytes. USDZ is read in place and requires 64. */
  alignment?: number;
}

/** Id of an extra field for padding, as in Pixar's USDZ writer. */
const paddingId = 0x1986;

/** From these values on, a number goes into a field of Zip64 (APPNOTE 6.3.3, 4.5.3). */
const wide = { offset: 0xffff_ffff, count: 0xffff } as const;
/** The version of the format that a reader must know for Zip64: 4.5. */
const zip64Version = 45;
const zip64FieldId = 0x0001;

/**
 * Returns the records of an uncompressed file of less than 4 GiB (APPNOTE 6.3.3), with Zip64 if its offset is
 * beyond that.
 *
 * Written by hand, for USDZ and the library's archives alike: yazl supports no alignment and scans all files
 * for each (two minutes for 65,540), fflate writes no Zip64.
 */
export function zipEntry({ name, size, crc, offset, at, alignment = 1 }: ZipEntryOptions): ZipEntry {
  const bytes = Buffer.from(name, 'utf8');
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0); // version needed
  common.writeUInt16LE(0x0800, 2); // names are UTF-8
  common.writeUInt16LE(0, 4); // stored
  common.writeUInt32LE(dosTime(new Date(at)), 6);
  common.writeUInt32LE(crc, 10);
  common.writeUInt32LE(size, 14);
  common.writeUInt32LE(size, 18);
  common.writeUInt16LE(bytes.length, 22);

  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x0201_4b50, 0);
  entry.writeUInt16LE(0x0314, 4); // made on Unix, 2.0
  common.copy(entry, 6);
  entry.writeUInt32LE(0o100644 * 0x1_0000, 38);
  entry.writeUInt32LE(Math.min(offset, wide.offset), 42);
  const wideOffset = offset < wide.offset ? Buffer.alloc(0) : zip64Offset(offset);
  if (wideOffset.length > 0) entry.writeUInt16LE(zip64Version, 6);
  entry.writeUInt16LE(wideOffset.length, 30);

  const padding = paddingField((offset + 30 + bytes.length) % alignment, alignment);
  common.writeUInt16LE(padding.length, 24);
  return {
    local: Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, bytes, padding]),
    central: Buffer.concat([entry, bytes, wideOffset]),
  };
}

/** @param past - Bytes by which the data would miss its alignment. */
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

/** Extra field of the directory: a file's offset beyond 4 GiB. */
function zip64Offset(offset: number): Buffer {
  const field = Buffer.alloc(12);
  field.writeUInt16LE(zip64FieldId, 0);
  field.writeUInt16LE(8, 2);
  field.writeBigUInt64LE(BigInt(offset), 4);
  return field;
}

/** Returns the end of an archive of these files. @param offset - Bytes before it. */
export function zipDirectory(entries: readonly ZipEntry[], offset: number): Buffer {
  const directory = Buffer.concat(entries.map(({ central }) => central));
  const isWide = entries.length >= wide.count || offset >= wide.offset || directory.length >= wide.offset;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(Math.min(entries.length, wide.count), 8);
  end.writeUInt16LE(Math.min(entries.length, wide.count), 10);
  end.writeUInt32LE(Math.min(directory.length, wide.offset), 12);
  end.writeUInt32LE(Math.min(offset, wide.offset), 16);
  return Buffer.concat([
    directory,
    ...(isWide ? [zip64End(entries.length, directory.length, offset)] : []),
    end,
  ]);
}

/** The end of the directory with numbers of 64 bits, and where that lies. */
function zip64End(count: number, bytes: number, offset: number): Buffer {
  const end = Buffer.alloc(56 + 20);
  end.writeUInt32LE(0x0606_4b50, 0);
  end.writeBigUInt64LE(44n, 4); // bytes that follow in this record
  end.writeUInt16LE(0x0300 | zip64Version, 12); // made on Unix
  end.writeUInt16LE(zip64Version, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(bytes), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.writeUInt32LE(0x0706_4b50, 56);
  end.writeBigUInt64LE(BigInt(offset + bytes), 64);
  end.writeUInt32LE(1, 72); // one disk
  return end;
}

/** Date in the upper, time in the lower half; two-second steps from 1980. */
function dosTime(date: Date): number {
  const year = Math.max(0, date.getUTCFullYear() - 1980);
  const day = (year << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  return ((day << 16) | time) >>> 0;
}
