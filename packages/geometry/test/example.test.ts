import { expect, it } from 'vitest';
import { exampleFolder, runExample } from '../../../test/support/run_example.ts';

it('the example subdivides a square', async () => {
  const { stdout } = await runExample('packages/geometry', await exampleFolder());
  expect(stdout).toBe('9 vertices, normal 0 0 1\n');
});
