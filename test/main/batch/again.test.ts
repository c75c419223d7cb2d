import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtInProfileId } from '#contract';
import { makeAgain } from '../../../main/batch/again_orders.ts';
import { callsOf, headOf } from './made_head.ts';
import { setStage } from './stage.ts';

const builtIn = { service: { announce: ['head-options'] }, profile: { id: builtInProfileId } };

describe('choices of a head', () => {
  it('go to the built-in engine and are kept with the model', async () => {
    const stage = await setStage(builtIn);
    const id = await headOf(stage, { smile: 1, head: 1 });
    expect(stage.service.last('generate_model').fields.options).toBe('{"smile":1}');
    expect((await stage.libraries.model(id)).options).toEqual({ smile: 1 });
  });

  it('are left out for every other server, and the record says none', async () => {
    const stage = await setStage({ service: { announce: ['head-options'] } });
    const id = await headOf(stage, { smile: 1 });
    expect(stage.service.last('generate_model').fields.options).toBeUndefined();
    expect((await stage.libraries.model(id)).options).toBeNull();
  });
});

describe('making heads again', () => {
  it('takes the place of the old file, with other choices, and leaves the tray alone', async () => {
    const stage = await setStage(builtIn);
    const id = await headOf(stage);
    const calls = callsOf(stage);
    const options = { eyeColour: '#3f78c8' };
    expect(
      await calls.makeAgain({ selection: { ids: [id] }, profileId: builtInProfileId, options, asNew: false }),
    ).toEqual({
      queued: 1,
      left: [],
      withoutPhoto: [],
      fewerPhotos: [],
    });
    expect(stage.batch.importList.selected({ filter: {} })).toEqual([]);
    // While it is on its way it isn't ordered twice.
    expect(
      await calls.makeAgain({ selection: { ids: [id] }, profileId: builtInProfileId, asNew: false }),
    ).toMatchObject({
      queued: 0,
      left: [{ reason: 'in_queue', count: 1 }],
    });
    await stage.rest();
    const { models, total } = stage.libraries.search({}, 0, 10);
    expect([total, models[0]?.id]).toEqual([1, id]);
    expect(await stage.libraries.model(id)).toMatchObject({ options, earlier: [{ id }] });
    const { jobs } = await calls.jobs({ offset: 0, limit: 10, states: ['done'] });
    expect(jobs.find(({ replaces }) => replaces === id)?.modelId).toBe(id);
    // Without choices of its own it is made as it was made last.
    await calls.makeAgain({ selection: { ids: [id] }, profileId: builtInProfileId, asNew: false });
    await stage.rest();
    expect(stage.service.last('generate_model').fields.options).toBe(JSON.stringify(options));
  });

  it('names the jobs of an earlier order, so that a repeated command waits for them', async () => {
    const stage = await setStage(builtIn);
    const id = await headOf(stage);
    const order = { selection: { ids: [id] }, profileId: builtInProfileId, asNew: false };
    const { jobs } = await makeAgain(stage.batch, stage.importer, order);
    expect(await makeAgain(stage.batch, stage.importer, order)).toMatchObject({ jobs: [], inProgress: jobs });
    await stage.rest();
    expect(stage.batch.job(jobs[0] ?? '')?.state).toBe('done');
  });

  it('makes a head of its own where that is wanted', async () => {
    const stage = await setStage(builtIn);
    const id = await headOf(stage);
    await callsOf(stage).makeAgain({
      selection: { ids: [id] },
      profileId: builtInProfileId,
      options: { smile: 1 },
      asNew: true,
    });
    await stage.rest();
    expect(stage.libraries.search({}, 0, 10).total).toBe(2);
    expect((await stage.libraries.model(id)).options).toBeNull();
  });

  it('says which heads have no photo any more', async () => {
    const stage = await setStage(builtIn);
    const id = await headOf(stage);
    await rm(join(stage.libraries.modelFolder(id), 'portrait.png'), { force: true });
    await rm(join(stage.libraries.modelFolder(id), 'portrait.jpg'), { force: true });
    const { name } = await stage.libraries.model(id);
    expect(
      await callsOf(stage).makeAgain({ selection: { ids: [id] }, profileId: builtInProfileId, asNew: false }),
    ).toEqual({ queued: 0, left: [{ reason: 'no_photo', count: 1 }], withoutPhoto: [name], fewerPhotos: [] });
  });

  it('goes on after the studio was killed, and the head that there was stays until then', async () => {
    const stage = await setStage(builtIn);
    const id = await headOf(stage);
    const calls = callsOf(stage);
    calls.pause(undefined);
    await calls.makeAgain({
      selection: { ids: [id] },
      profileId: builtInProfileId,
      options: { smile: 1 },
      asNew: false,
    });
    const later = await stage.restart();
    expect((await later.libraries.model(id)).options).toBeNull();
    later.batch.pause(false);
    await later.rest();
    expect(await later.libraries.model(id)).toMatchObject({ options: { smile: 1 }, earlier: [{ id }] });
  });
});
