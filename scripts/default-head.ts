/**
 * Makes the heads that ship with the studio: `node scripts/default-head.ts <folder>`.
 * `node scripts/default-head.ts --picture docs/heads.png` draws them from four sides.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { renderHead } from '@likeness/head-renderer/rasteriser.ts';
import { defaultHeads } from '@likeness/proto/heads/default_heads.ts';
import { defaultHead } from '@likeness/synthetic-heads';
import { inventedHeadModel } from '@likeness/synthetic-heads/default_head.ts';
import sharp, { type OverlayOptions } from 'sharp';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { picture: { type: 'string' } },
});
const [folder] = positionals;
if (!folder && !values.picture) throw new Error('Name the folder to write to, or --picture and a file.');

if (folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of defaultHeads)
    writeFileSync(
      join(folder, name === 'default' ? 'default-head.glb' : `default-head-${name}.glb`),
      await defaultHead(name),
    );
}
if (values.picture) await drawHeads(values.picture);
// The vision runtime's timers and loopback server would keep the process alive.
process.exit(0);

/** One row per head: front, 45°, profile, back. */
async function drawHeads(file: string): Promise<void> {
  const tile = 320;
  const views = [0, 45, 90, 180];
  const background = [92, 98, 106] as const;
  const tiles: OverlayOptions[] = [];
  for (const [row, name] of defaultHeads.entries()) {
    const model = await inventedHeadModel(name);
    for (const [column, yaw] of views.entries()) {
      // Renders at three times the size first, for smooth edges.
      const size = 3 * tile;
      const { data } = renderHead(model, { yaw, size, background, height: 0.37 });
      // Opaque throughout: strands before the background are blended into it already.
      for (let i = 3; i < data.length; i += 4) data[i] = 255;
      const input = await sharp(data, { raw: { width: size, height: size, channels: 4 } })
        .resize(tile, tile)
        .png()
        .toBuffer();
      tiles.push({ input, left: column * tile, top: row * tile });
    }
  }
  const [r, g, b] = background;
  await sharp({
    create: {
      width: views.length * tile,
      height: defaultHeads.length * tile,
      channels: 3,
      background: { r, g, b },
    },
  })
    .composite(tiles)
    .png({ compressionLevel: 9 })
    .toFile(file);
}
