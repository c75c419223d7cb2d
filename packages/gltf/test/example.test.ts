import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { arkitBlendshapeNames } from '@likeness/proto/blendshapes.ts';
import { parseBinary } from 'fbx-parser';
import { expect, it } from 'vitest';
import { exampleFolder, runExample } from '../../../test/support/run_example.ts';
import { sharedGlb } from '../../../test/support/shared_heads.ts';

it('the example converts a head to FBX', { timeout: 60_000 }, async () => {
  const folder = await exampleFolder();
  await writeFile(join(folder, 'head.glb'), await sharedGlb('default'));
  const { stdout } = await runExample('packages/gltf', folder);
  const [, shapes] = /^head\.fbx: (\d+) face shapes\n$/.exec(stdout) ?? [];
  expect(Number(shapes)).toBeGreaterThanOrEqual(arkitBlendshapeNames.length);
  const fbx = await readFile(join(folder, 'head.fbx'));
  expect(parseBinary(fbx).map(({ name }) => name)).toContain('Objects');
  expect(fbx.includes('jawOpen')).toBe(true);
});
