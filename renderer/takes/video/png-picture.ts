import type { PictureSize } from './film-pixels.ts';

/** A PNG file of straight RGBA. By hand: a canvas keeps colours multiplied by alpha, and loses most of thin ones. */
export async function pngOf(
  picture: Uint8Array,
  { width, height }: PictureSize,
): Promise<Uint8Array<ArrayBuffer>> {
  const head = new Uint8Array(13);
  const view = new DataView(head.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  // 8 bits, RGBA, deflate, the five filters, not interlaced.
  head.set([8, 6, 0, 0, 0], 8);
  const parts = [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', head),
    // What the numbers mean: sRGB, perceptual.
    chunk('sRGB', Uint8Array.of(0)),
    chunk('IDAT', await deflated(filteredUp(picture, width, height))),
    chunk('IEND', new Uint8Array(0)),
  ];
  const file = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

/** Each row as the difference from the one above it (filter 2): a still background becomes zeros. */
function filteredUp(picture: Uint8Array, width: number, height: number): Uint8Array<ArrayBuffer> {
  const row = width * 4;
  const filtered = new Uint8Array((row + 1) * height);
  for (let y = 0; y < height; y++) {
    const to = y * (row + 1);
    filtered[to] = 2;
    const from = y * row;
    for (let x = 0; x < row; x++)
      filtered[to + 1 + x] = picture[from + x]! - (y > 0 ? picture[from - row + x]! : 0);
  }
  return filtered;
}

/** In the zlib format, as PNG wants it. */
async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function chunk(name: string, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(body.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.length);
  for (let at = 0; at < 4; at++) bytes[4 + at] = name.charCodeAt(at);
  bytes.set(body, 8);
  view.setUint32(body.length + 8, crc32(bytes.subarray(4, body.length + 8)));
  return bytes;
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** PNG's own (ISO 3309). */
function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = crcTable[(value ^ byte) & 255]! ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
