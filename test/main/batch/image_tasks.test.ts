import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ImageSubmission } from '#contract';
import { batchCalls } from '../../../main/batch/batch_calls.ts';
import { answer } from '../../fixtures/service/behaviours.ts';
import { putPhotos, setStage } from './stage.ts';

const all = { filter: {} };

async function callsWith(photos: number) {
  const stage = await setStage();
  await putPhotos(join(stage.folder, 'drop'), photos);
  stage.importer.begin([{ path: join(stage.folder, 'drop'), name: '', temporary: false }]);
  await stage.importer.settled();
  const told: (ImageSubmission | null)[] = [];
  const onTold: ((underWay: ImageSubmission | null) => void)[] = [];
  const calls = batchCalls({
    batch: stage.batch,
    importer: stage.importer,
    choose: async () => null,
    takeDropped: () => [],
    onImages(underWay) {
      told.push(underWay);
      for (const listener of onTold) listener(underWay);
    },
  });
  return { stage, calls, told, onTold };
}

it('images tell how far they are, one by one, and of those that were not taken', async () => {
  const { stage, calls, told } = await callsWith(3);
  stage.service.script('submit_image', answer(400, 'no'));
  expect(await calls.submitImages({ selection: all, profileId: 'p1' })).toEqual({ submitted: 2, failed: 1 });
  expect(told).toEqual([
    { total: 3, submitted: 0, failed: 0 },
    { total: 3, submitted: 0, failed: 1 },
    { total: 3, submitted: 1, failed: 1 },
    { total: 3, submitted: 2, failed: 1 },
    null,
  ]);
  expect(await calls.imageTasks({ offset: 0, limit: 10 })).toMatchObject({ total: 3, submission: null });
});

it('a series of images can be cancelled: what is under way ends, the rest is not sent', async () => {
  const { stage, calls, onTold } = await callsWith(5);
  onTold.push((underWay) => {
    if (underWay?.submitted === 2) void calls.cancelImages(undefined);
  });
  const series = calls.submitImages({ selection: all, profileId: 'p1' });
  await expect(calls.submitImages({ selection: all, profileId: 'p1' })).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(await series).toEqual({ submitted: 2, failed: 0 });
  expect(stage.service.count('submit_image')).toBe(2);
});
