import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { validateGlb } from '@likeness/gltf';
import { expect, it } from 'vitest';
import { exampleFolder, runExample } from '../../../test/support/run_example.ts';

it('the example makes a head that the Khronos validator accepts', { timeout: 120_000 }, async () => {
  const folder = await exampleFolder();
  const { stdout } = await runExample('packages/synthetic-heads', folder);
  const glb = await readFile(join(folder, 'man.glb'));
  expect(stdout).toBe(`man.glb: ${glb.length} bytes\n`);
  expect((await validateGlb(glb, 10)).issues).toMatchObject({ numErrors: 0, numWarnings: 0 });
});
