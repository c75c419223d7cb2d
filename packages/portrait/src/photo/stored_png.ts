import { crc32, deflateSync } from 'node:zlib';

/** Rows of 8-bit RGB or RGBA. */
export interface PixelRows {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  /** Bytes from one row to the next. */
  readonly stride: number;
  readonly data: Uint8Array;
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Bytes of a stored block of deflate, and before it. */
const maxBlock = 65_535;
const blockHead = 5;

/**
 * A PNG that is not compressed, with an ICC profile: for readers in the same process. Takes no more memory than the file
 * itself, unlike an encoder.
 */
export function storedPng(rows: PixelRows, profile: Uint8Array | undefined): Buffer {
  const { width, height, channels } = rows;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, channels === 3 ? 2 : 6], 8);
  const colours = profile
    ? [chunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)]))]
    : [];
  const before = Buffer.concat([signature, chunk('IHDR', header), ...colours]);
  const after = chunk('IEND', Buffer.alloc(0));
  const bytes = height * (1 + width * channels);
  const length = 2 + bytes + blockHead * Math.ceil(bytes / maxBlock) + 4;
  const png = Buffer.allocUnsafe(before.length + 12 + length + after.length);
  before.copy(png);
  png.writeUInt32BE(length, before.length);
  png.write('IDAT', before.length + 4, 'latin1');
  const start = before.length + 8;
  storeRows(rows, bytes, png.subarray(start, start + length));
  png.writeUInt32BE(crc32(png.subarray(start - 4, start + length)), start + length);
  after.copy(png, start + length + 4);
  return png;
}

function chunk(type: string, data: Buffer): Buffer {
  const out = Buffer.alloc(data.length + 12);
  out.writeUInt32BE(data.length);
  out.write(type, 4, 'latin1');
  data.copy(out, 8);
  out.writeUInt32BE(crc32(out.subarray(4, -4)), data.length + 8);
  return out;
}

/** Writes rows, each after a filter byte of 0, as a zlib stream of stored blocks (RFC 1950, RFC 1951). */
function storeRows({ width, height, channels, stride, data }: PixelRows, bytes: number, out: Buffer): void {
  out.set([0x78, 0x01]);
  let at = 2;
  let left = bytes;
  let inBlock = 0;
  // Adler-32, whose sums are reduced before they leave 32 bits.
  let [low, high] = [1, 0];
  const row = new Uint8Array(1 + width * channels);
  for (let y = 0; y < height; y++) {
    row.set(data.subarray(y * stride, y * stride + width * channels), 1);
    for (let from = 0; from < row.length; ) {
      if (inBlock === 0) {
        inBlock = Math.min(maxBlock, left);
        out[at] = Number(inBlock === left);
        out.writeUInt16LE(inBlock, at + 1);
        out.writeUInt16LE(inBlock ^ 0xffff, at + 3);
        at += blockHead;
      }
      const count = Math.min(inBlock, row.length - from, 3800);
      for (let i = from; i < from + count; i++) {
        low += row[i]!;
        high += low;
      }
      low %= 65_521;
      high %= 65_521;
      out.set(row.subarray(from, from + count), at);
      at += count;
      from += count;
      inBlock -= count;
      left -= count;
    }
  }
  out.writeUInt32BE(((high << 16) | low) >>> 0, at);
}
