/** A record that the disk refuses once is not broken for good. */
import { afterEach, expect, test, vi } from 'vitest';
import { putModel, setStage } from '../../support/heads/heads.ts';

const disk = vi.hoisted(() => ({ fails: false }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const open = (...values: [string, number, (error: Error | null, file?: number) => void]): void => {
    if (disk.fails && values[0].endsWith('likeness.json')) {
      values[2](Object.assign(new Error('EIO'), { code: 'EIO' }));
    } else fs.open(...values);
  };
  return { ...fs, open };
});
afterEach(() => {
  disk.fails = false;
});

test('it is read again by the next scan', async () => {
  const { folder, libraries } = await setStage();
  await putModel(folder, { name: 'One' });
  disk.fails = true;
  await libraries.rebuild();
  expect(libraries.search({ state: 'broken_record' }, 0, 10).total).toBe(1);
  disk.fails = false;
  await libraries.scan(libraries.list()[0]!.id);
  expect(libraries.search({}, 0, 10).models.map(({ name, state }) => [name, state])).toEqual([['One', 'ok']]);
});
