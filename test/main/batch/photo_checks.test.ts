import { inEnglish } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { expect, it, vi } from 'vitest';
import { photoCalls } from '../../../main/batch/photos/photo_calls.ts';
import { warningOf } from '../../../main/batch/photos/photo_findings.ts';
import type { PortraitChecker } from '../../../main/batch/ports.ts';
import { fineCheck, putPhotos, type Stage, setStage } from './stage.ts';

/** A checker behind an engine that can be away. */
function absentable(): PortraitChecker & { isAway: boolean } {
  const away = <T>(value: T): T => {
    if (checker.isAway) throw new Failure('unreachable', 'The engine is not running');
    return value;
  };
  const checker = {
    parallel: 2,
    isAway: true,
    check: async () => away(fineCheck),
    outline: async () => away({ rings: [], score: 1, sure: true, cutOff: false }),
    crop: async () => away(Uint8Array.of(1, 2, 3)),
  };
  return checker;
}

async function takeIn(stage: Stage): Promise<string> {
  await putPhotos(stage.photos, 1);
  await stage.takeIn(stage.photos, 'female');
  return stage.batch.importList.selected({ filter: {} })[0]?.id ?? '';
}

it('a photo that nobody could look at says so, and is looked at when the engine is back', async () => {
  const checker = absentable();
  const stage = await setStage({ batch: { checker } });
  const id = await takeIn(stage);
  const found = () =>
    stage.batch
      .photo(id)
      ?.findings.map(({ message }) => inEnglish(message))
      .join();
  await vi.waitFor(() => expect(found()).toMatch(/The engine is not running/));
  expect(stage.batch.photo(id)?.check).toBe('warning');
  checker.isAway = false;
  stage.batch.checks.retry();
  await vi.waitFor(() => expect(stage.batch.photo(id)?.check).toBe('ok'));
  expect(found()).toBe('');
  expect(stage.defects).toEqual([]);
});

it('an outline that nobody could look for is looked for when the engine is back', async () => {
  const checker = absentable();
  const unclear = { rings: [], score: 0.5, sure: false, cutOff: false };
  const outline = vi.fn(async () => {
    if (checker.isAway) throw new Failure('unreachable', 'The engine is not running');
    return unclear;
  });
  const stage = await setStage({ batch: { checker: { ...checker, check: async () => fineCheck, outline } } });
  const id = await takeIn(stage);
  await vi.waitFor(() => expect(outline).toHaveBeenCalledOnce());
  expect(stage.batch.photo(id)?.check).toBe('ok');
  checker.isAway = false;
  stage.batch.checks.retry();
  await vi.waitFor(() => expect(stage.batch.photo(id)?.check).toBe('warning'));
  expect(stage.batch.photo(id)?.findings.map(({ code }) => code)).toEqual(['uncertain_outline']);
});

it('a photo whose crop is undone or redone is checked again', async () => {
  const noFace = warningOf('no_face', 'No face');
  const begun: (() => void)[] = [];
  const check: PortraitChecker['check'] = (_path, crop) =>
    new Promise((resolve) => {
      begun.push(() => resolve({ ...fineCheck, findings: crop ? [noFace] : [] }));
    });
  const stage = await setStage({ batch: { checker: { ...absentable(), check } } });
  const calls = photoCalls(stage.batch, stage.importer);
  const id = await takeIn(stage);
  const state = (): unknown => stage.batch.photo(id)?.check;
  const checked = async (expected: string): Promise<void> => {
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    expect(state()).toBe('pending');
    begun.pop()?.();
    await vi.waitFor(() => expect(state()).toBe(expected));
  };
  await checked('ok');
  calls.tag({ selection: { ids: [id] }, set: { crop: { x: 0, y: 0, width: 0.5, height: 0.5 } } });
  await checked('warning');
  calls.undo();
  await checked('ok');
  calls.redo();
  // The crop changes during its check: what that finds is not the photo's.
  await vi.waitFor(() => expect(begun).toHaveLength(1));
  calls.undo();
  begun.pop()?.();
  await checked('ok');
});

it('a part that nobody can cut now waits in the queue, and is sent when somebody can', async () => {
  const checker = absentable();
  const stage = await setStage({ batch: { checker } });
  const id = await takeIn(stage);
  const crop = { x: 0.1, y: 0.1, width: 0.5, height: 0.5 };
  const photos = stage.batch.importList.selected({ ids: [id] });
  stage.batch.importList.tag(
    'tag',
    photos.map((photo) => ({ photo, set: { crop } })),
  );
  await stage.order();
  await vi.waitFor(() =>
    expect(inEnglish(stage.batch.overview().holdReason)).toMatch(/The engine is not running/),
  );
  expect(stage.service.count('generate_model')).toBe(0);
  checker.isAway = false;
  stage.batch.tryNow();
  expect(await stage.rest()).toMatchObject({ jobs: { done: 1, failed: 0 } });
});
