import { readFile, writeFile } from 'node:fs/promises';
import { thumbnail } from '@likeness/head-renderer';
import sharp from 'sharp';

const { width, height, data } = await thumbnail(await readFile(process.argv[2] ?? 'head.glb'), 256);
const png = await sharp(data, { raw: { width, height, channels: 4 } })
  .png()
  .toBuffer();
await writeFile('head.png', png);
console.log(`head.png: ${width} × ${height} pixels`);
