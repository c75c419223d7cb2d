import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exampleFolder, runExample } from '../../../test/support/run_example.ts';
import { hasServiceRun } from '../src/service_folder.ts';

it('the example starts a service that answers, and closes it', async () => {
  const folder = await exampleFolder();
  const { stdout } = await runExample('packages/service', folder);
  expect(stdout).toBe('200 {"status":"ok"} no key yet\n');
  expect(hasServiceRun(join(folder, 'service'))).toBe(true);
  expect(existsSync(join(folder, 'service', 'keys.json'))).toBe(false);
});
