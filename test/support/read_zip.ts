import { crc32 } from 'node:zlib';

/**
 * Files of a zip archive by name, read through its directory, each checked against its sum. Stored files
 * only.
 */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const files = new Map<string, Buffer>();
  // Numbers that don't fit lie in the record of Zip64, which ends 20 bytes before this one.
  const wide = end - 76;
  const isWide = wide >= 0 && zip.toString('latin1', wide, wide + 4) === 'PK\x06\x06';
  let at = isWide ? Number(zip.readBigUInt64LE(wide + 48)) : zip.readUInt32LE(end + 16);
  const count = isWide ? Number(zip.readBigUInt64LE(wide + 32)) : zip.readUInt16LE(end + 10);
  for (let left = count; left > 0; left -= 1) {
    if (zip.toString('latin1', at, at + 4) !== 'PK\x01\x02') throw new Error('the directory is broken');
    const [method, sum, size] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 16),
      zip.readUInt32LE(at + 24),
    ];
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const name = zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0));
    const local = zip.readUInt32LE(at + 42);
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const data = zip.subarray(begin, begin + size);
    if (method !== 0 || crc32(data) !== sum) throw new Error(`${name} is broken`);
    files.set(name, data);
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}
