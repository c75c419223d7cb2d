import { expect, it } from 'vitest';
import { exampleFolder, runExample } from '../../../test/support/run_example.ts';

it('the example appends two entries and verifies them', async () => {
  const { stdout } = await runExample('packages/journal', await exampleFolder());
  expect(stdout).toMatch(/^1 import [0-9a-f]{64}\n2 erase [0-9a-f]{64}\n2 entries, unchanged\n$/);
});
