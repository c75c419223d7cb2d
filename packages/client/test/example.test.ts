import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startScriptedService } from '../../../test/fixtures/service/scripted_service.ts';
import { exampleFolder, runExample } from '../../../test/support/run_example.ts';
import { photo } from './harness.ts';

it('the example orders a head, waits for it and downloads it', async () => {
  const service = await startScriptedService({ processingAnswers: 1 });
  onTestFinished(() => service.close());
  const folder = await exampleFolder();
  await writeFile(join(folder, 'portrait.jpg'), photo);
  const { stdout } = await runExample('packages/client', folder, {
    env: { SERVER_URL: service.url, SERVER_KEY: service.apiKey },
  });
  expect(stdout).toBe(`head.glb: ${service.glb.length} bytes\n`);
  expect(await readFile(join(folder, 'head.glb'))).toEqual(service.glb);
  expect(service.last('generate_model').file?.bytes).toEqual(photo);
  expect(service.count('get_model')).toBe(2);
});
