import { readdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { exampleFolder, runExample } from '../../../test/support/run_example.ts';

it('the example starts an engine that answers, and closes it', async () => {
  const folder = await exampleFolder();
  const { stdout, stderr } = await runExample('packages/engine', folder);
  const [, status, body = '{}'] = /^(\d{3}) (.*)$/m.exec(stdout) ?? [];
  expect(status).toBe('200');
  expect(JSON.parse(body)).toMatchObject({ status: 'ok', version: '1.0.0', pathWord: 'svc' });
  expect(stderr).toBe('');
  expect(await readdir(folder)).toEqual(['engine']);
});
