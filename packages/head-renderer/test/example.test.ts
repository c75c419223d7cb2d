import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { exampleFolder, runExample } from '../../../test/support/run_example.ts';
import { sharedGlb } from '../../../test/support/shared_heads.ts';

it('the example draws a head before nothing', { timeout: 60_000 }, async () => {
  const folder = await exampleFolder();
  await writeFile(join(folder, 'head.glb'), await sharedGlb('default'));
  const { stdout } = await runExample('packages/head-renderer', folder);
  expect(stdout).toBe('head.png: 256 × 256 pixels\n');
  const alpha = await sharp(join(folder, 'head.png')).extractChannel('alpha').raw().toBuffer();
  const at = (x: number, y: number): number => alpha[256 * y + x]!;
  expect([at(128, 128), at(2, 2), at(253, 2)]).toEqual([255, 0, 0]);
});
