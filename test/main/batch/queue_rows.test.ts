import { Failure } from '@likeness/node-kit/failure.ts';
import { describe, expect, it } from 'vitest';
import { fineCheck, putPhotos, setStage } from './stage.ts';

const all = { filter: {} };

describe('what the queue says of its rows', () => {
  it('only what is looked at is being checked; the others wait', async () => {
    let free = (): void => {};
    const held = new Promise<void>((resolve) => {
      free = resolve;
    });
    const stage = await setStage({
      check: async () => {
        await held;
        return fineCheck;
      },
    });
    await stage.run(6);
    await expect.poll(() => stage.batch.overview().jobs.checking).toBe(6);
    const rows = stage.batch.jobs.page(['checking'], 0, 10).jobs.map((job) => stage.batch.shownJob(job));
    // As many as are looked at at once.
    expect(rows.map(({ inLine }) => inLine)).toEqual([false, false, true, true, true, true]);
    const { board } = stage.batch;
    const lines = board.tiles(board.ids({ sort: 'added' })).map(({ line }) => line);
    expect(lines).toEqual([null, null, 1, 2, 3, 4]);
    free();
    await stage.rest();
    expect(stage.batch.overview().jobs.done).toBe(6);
  });

  it.each([
    { announces: true, stage: 'hair', progress: expect.closeTo(0.15 + 0.75 * 0.8, 6) },
    { announces: false, stage: null, progress: expect.any(Number) },
  ])('tells the stage of an engine that announces it ($announces)', async ({ announces, ...shown }) => {
    const stage = await setStage({
      service: {
        announce: announces ? ['model-stage'] : [],
        making: { stage: 'hair', progress: 0.8 },
        processingAnswers: 10,
      },
    });
    const [id = ''] = await stage.run(1);
    await expect.poll(() => stage.service.count('get_model')).toBeGreaterThan(2);
    expect(stage.batch.job(id)).toMatchObject(shown);
    await stage.rest();
    expect(stage.batch.job(id)).toMatchObject({ state: 'done', stage: null });
  });
});

describe('a connection without a key', () => {
  const mustHaveKey = async (id: string, secret: string): Promise<void> => {
    if (id === 'keyless') throw new Failure('key_missing', `No ${secret}.`);
  };

  it('takes no orders, whichever way they come, and nothing is queued', async () => {
    const stage = await setStage({ service: { failure: () => 'no face' } });
    Object.assign(stage.options.profiles, { mustHaveKey });
    const [id = ''] = await stage.run(1);
    await stage.rest();
    expect(stage.batch.job(id)?.state).toBe('failed');
    await putPhotos(stage.photos, 1, 5);
    await stage.takeIn(stage.photos, 'male');
    const missing = { code: 'key_missing' };
    const libraryId = stage.libraries.defaultId();
    await expect(
      stage.batch.orders.start(all, { profileId: 'keyless', libraryId, again: false }),
    ).rejects.toMatchObject(missing);
    await expect(stage.batch.orders.retry(null, { profileId: 'keyless' })).rejects.toMatchObject(missing);
    await stage.rest();
    expect(stage.batch.jobs.page([], 0, 10).total).toBe(1);
    expect(stage.batch.overview().open).toBe(0);
    expect(stage.batch.job(id)).toMatchObject({ state: 'failed', profileId: 'p1' });
  });
});
