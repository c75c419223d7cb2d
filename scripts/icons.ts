/**
 * `node scripts/icons.ts`: draws every icon of the installers from `build/icon.svg`. The results are committed,
 * so that packing needs no drawing; run it after changing the SVG.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';

const folder = join(import.meta.dirname, '../build');
const source = join(folder, 'icon.svg');

/** Chromium's and freedesktop's sizes. */
const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512];
const windowsSizes = [16, 20, 24, 32, 40, 48, 64, 128, 256];
/** Apple's types for PNG data, each with its size in pixels (the `@2x` ones among them). */
const appleTypes: [string, number][] = [
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
];
/** Apple's icons leave a margin: the tile is 824 of 1024 wide. */
const appleTile = 824 / 1024;

/** Drawn from the vectors at exactly this size, not scaled down from a larger picture. */
const draw = (size: number): Sharp => sharp(source, { density: (72 * size) / 1024 }).resize(size, size);
const png = (size: number): Promise<Buffer> => draw(size).png({ compressionLevel: 9 }).toBuffer();

async function applePng(size: number): Promise<Buffer> {
  const tile = Math.round(size * appleTile);
  const before = Math.floor((size - tile) / 2);
  const after = size - tile - before;
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  return draw(tile)
    .extend({ top: before, left: before, bottom: after, right: after, background })
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** A device-independent bitmap as icons hold it: 32-bit BGRA, bottom row first, then an empty mask. */
async function bitmap(size: number): Promise<Buffer> {
  const pixels = await draw(size).ensureAlpha().raw().toBuffer();
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(size, 4);
  header.writeInt32LE(size * 2, 8); // colours and mask
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  const colours = Buffer.alloc(size * size * 4);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const from = (y * size + x) * 4;
      const to = ((size - 1 - y) * size + x) * 4;
      colours[to] = pixels[from + 2] ?? 0;
      colours[to + 1] = pixels[from + 1] ?? 0;
      colours[to + 2] = pixels[from] ?? 0;
      colours[to + 3] = pixels[from + 3] ?? 0;
    }
  }
  const maskRow = Math.ceil(size / 32) * 4;
  return Buffer.concat([header, colours, Buffer.alloc(maskRow * size)]);
}

/** The installer compiler reads PNG within an .ico for the largest size only. */
async function windowsIcon(): Promise<Buffer> {
  const images = await Promise.all(windowsSizes.map((size) => (size === 256 ? png(size) : bitmap(size))));
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  images.forEach((image, index) => {
    const size = windowsSizes[index] ?? 0;
    const at = 6 + 16 * index;
    head.writeUInt8(size % 256, at); // 0 means 256
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(image.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += image.length;
  });
  return Buffer.concat([head, ...images]);
}

async function appleIcon(): Promise<Buffer> {
  const entries = await Promise.all(
    appleTypes.map(async ([type, size]) => {
      const image = await applePng(size);
      const head = Buffer.alloc(8);
      head.write(type, 0, 'latin1');
      head.writeUInt32BE(image.length + 8, 4);
      return Buffer.concat([head, image]);
    }),
  );
  const head = Buffer.alloc(8);
  head.write('icns', 0, 'latin1');
  head.writeUInt32BE(
    entries.reduce((sum, entry) => sum + entry.length, 8),
    4,
  );
  return Buffer.concat([head, ...entries]);
}

mkdirSync(join(folder, 'icons'), { recursive: true });
for (const size of linuxSizes) writeFileSync(join(folder, 'icons', `${size}x${size}.png`), await png(size));
writeFileSync(join(folder, 'icon.ico'), await windowsIcon());
writeFileSync(join(folder, 'icon.icns'), await appleIcon());
