import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { validateGlb } from '@likeness/gltf';
import { expect, it } from 'vitest';
import { exampleFolder, runExample } from '../../../test/support/run_example.ts';

const photo = join(import.meta.dirname, '../../../test/fixtures/portraits/default_0_0.jpg');

it('the example makes a head that the Khronos validator accepts', { timeout: 120_000 }, async () => {
  const folder = await exampleFolder();
  await copyFile(photo, join(folder, 'portrait.jpg'));
  const { stdout } = await runExample('packages/portrait', folder);
  const glb = await readFile(join(folder, 'head.glb'));
  expect(stdout).toMatch(new RegExp(`^head\\.glb: ${glb.length} bytes, warnings: `));
  expect((await validateGlb(glb, 10)).issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
});

it('the example says why a file is no photo', { timeout: 60_000 }, async () => {
  const folder = await exampleFolder();
  await writeFile(join(folder, 'portrait.jpg'), 'a letter');
  const { stdout, stderr } = await runExample('packages/portrait', folder);
  expect([stdout, stderr]).toEqual(['', expect.stringContaining('not a picture that can be read')]);
});
