/**
 * Portraits of nobody for the benchmarks: the default head with faces of several widths. They are drawn by a
 * process of their own, so that the memory it takes is not measured.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderHead } from '@likeness/head-renderer/rasteriser.ts';
import { meanFace } from '@likeness/portrait/topology/mean_face.ts';
import { defaultHeadModel } from '@likeness/synthetic-heads/default_head.ts';
import sharp from 'sharp';

/** The photos of the folder that LIKENESS_PORTRAITS names, or `count` drawn portraits of 720 × 860 pixels. */
export function portraits(count: number): Uint8Array[] {
  const folder = process.env.LIKENESS_PORTRAITS;
  if (folder) return photosIn(folder);
  const drawn = mkdtempSync(join(tmpdir(), 'likeness-portraits-'));
  try {
    const { status } = spawnSync(process.execPath, [import.meta.filename, drawn, String(count)], {
      stdio: 'inherit',
    });
    if (status !== 0) throw new Error('The portraits could not be drawn.');
    return photosIn(drawn);
  } finally {
    rmSync(drawn, { recursive: true });
  }
}

const photosIn = (folder: string): Uint8Array[] =>
  readdirSync(folder)
    .filter((name) => /\.(jpe?g|png)$/i.test(name))
    .map((name) => new Uint8Array(readFileSync(join(folder, name))));

if (import.meta.main) {
  const [folder, count] = process.argv.slice(2);
  for (let k = 0; k < Number(count); k++) {
    const face = meanFace.map((v, i) => (i % 3 === 0 ? v * (0.96 + (0.096 * k) / Number(count)) : v));
    const { data, width, height } = renderHead(await defaultHeadModel('female', face), {
      size: 860,
      width: 720,
      middle: 0.15,
      unlit: true,
      background: [172, 178, 184],
    });
    const image = sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();
    writeFileSync(join(folder!, `${k}.jpg`), await image.jpeg({ quality: 90 }).toBuffer());
  }
}
