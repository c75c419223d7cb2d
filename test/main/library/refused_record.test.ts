import { Failure } from '@likeness/node-kit/failure.ts';
import { expect, test } from 'vitest';
import { readFolder } from '../../../main/library/index/scan.ts';
import type { readRecord } from '../../../main/library/model/model_folder.ts';
import { putModel, temporaryFolder } from '../../support/heads/heads.ts';

test('a record that the disk refused once is read again, and one that is wrong when it changes', async () => {
  const folder = await temporaryFolder();
  const { id, name } = await putModel(folder);
  const library = { id: 'main', folder };
  const refusedWith =
    (cause?: Error): typeof readRecord =>
    () =>
      Promise.reject(new Failure('storage', 'it can’t be read', { cause }));
  const refused = await readFolder(library, `model ${id}`, undefined, refusedWith(new Error('EIO')));
  expect(refused).toMatchObject({ state: 'broken_record', stamp: '' });
  expect(await readFolder(library, `model ${id}`, '')).toMatchObject({ state: 'ok', record: { name } });

  const wrong = await readFolder(library, `model ${id}`, undefined, refusedWith());
  expect(wrong).toMatchObject({ state: 'broken_record', stamp: expect.stringMatching(/./) });
});
