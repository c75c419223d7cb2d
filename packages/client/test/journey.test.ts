import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inEnglish } from '@likeness/messages';
import { expect, test } from 'vitest';
import { expectNoSecret, setStage } from './harness.ts';

/** A photo's whole way, as the batch queue goes it. */
test('three photos become two heads and one honest failure', async () => {
  const { service, client, folder, photoPath, exchanges } = await setStage({
    service: { processingAnswers: 2, failure: (index) => (index === 1 ? 'no face found' : null) },
  });
  const outcomes: string[] = [];
  for (const sex of ['female', 'male', 'female'] as const) {
    const { modelId } = await client.generateModel({ file: { path: photoPath }, sex });
    let model = await client.getModel(modelId);
    while (model.state === 'processing') model = await client.getModel(modelId);
    if (model.state === 'failed') {
      outcomes.push(inEnglish(model.failMessage));
      continue;
    }
    const target = join(folder, `${modelId}.glb`);
    const { sha256 } = await client.download(model.downloadLink, target);
    expect(
      createHash('sha256')
        .update(await readFile(target))
        .digest('hex'),
    ).toBe(sha256);
    outcomes.push('head');
  }
  expect(outcomes).toEqual(['head', 'no face found', 'head']);
  expect([service.count('generate_model'), service.count('get_model'), service.count('download')]).toEqual([
    3, 9, 2,
  ]);
  expect([...service.models.values()].map(({ sex }) => sex)).toEqual(['1', '0', '1']);
  expect(exchanges.reduce((sum, { billedModels }) => sum + billedModels, 0)).toBe(3);
  expect(exchanges.every(({ outcome }) => outcome === 'ok')).toBe(true);
  expectNoSecret(JSON.stringify(exchanges), service);
  expect(JSON.stringify(exchanges)).not.toContain(folder);
});
