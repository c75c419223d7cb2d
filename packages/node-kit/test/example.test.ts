import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exampleFolder, runExample } from '../../../test/support/run_example.ts';

it('the example writes a file and reads it back', async () => {
  const folder = await exampleFolder();
  const { stdout } = await runExample('packages/node-kit', folder);
  const names = await readdir(folder);
  expect(names).toHaveLength(1);
  expect(await readFile(join(folder, String(names[0])), 'utf8')).toBe('{"rating":5}');
  expect(stdout).toBe(`${names[0]} {"rating":5}\nnull\n`);
});
