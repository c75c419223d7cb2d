/** A photo is one record: wherever it is, it has one state, and no state is a dead end. */

import { systemClock } from '@likeness/node-kit/clock.ts';
import { describe, expect, it, vi } from 'vitest';
import { builtInProfileId } from '#contract';
import { photoStateOf } from '../../../main/batch/photos/photo_state.ts';
import { envelope, stall } from '../../fixtures/service/behaviours.ts';
import { fineCheck, putPhotos, type Stage, setStage } from './stage.ts';

const all = { filter: {} };
const trayOf = ({ batch }: Stage): string[] => batch.importList.selected(all).map(({ fileName }) => fileName);
const statesOf = ({ batch }: Stage): string[] =>
  batch.importList.selected(all).map(({ id }) => batch.photo(id)?.state ?? '');

describe('the state of a photo', () => {
  it('is told by its check and its newest job', () => {
    const photo = { isImported: true, sex: 'female', check: 'ok' } as const;
    expect(photoStateOf(photo, null)).toBe('ready');
    expect(photoStateOf({ ...photo, sex: null }, null)).toBe('needs');
    expect(photoStateOf({ ...photo, check: 'blocked' }, null)).toBe('needs');
    // In the tray again, after it was cancelled or failed.
    expect(photoStateOf(photo, 'cancelled')).toBe('ready');
    expect(photoStateOf({ ...photo, sex: null }, 'failed')).toBe('needs');
    const queued = { ...photo, isImported: false };
    expect(
      (['queued', 'checking', 'waiting', 'uncertain', 'done', 'failed', 'cancelled'] as const).map((job) =>
        photoStateOf(queued, job),
      ),
    ).toEqual(['waiting', 'making', 'making', 'needs', 'done', 'failed', 'cancelled']);
  });
});

describe('cancelling', () => {
  it('puts photos of which nothing was sent back as they were, ready to be made', async () => {
    const stage = await setStage();
    stage.batch.pause(true);
    const ids = await stage.run(3);
    const [photo] = stage.batch.jobs.page([], 0, 1).jobs;
    expect(trayOf(stage)).toEqual([]);
    expect(stage.batch.photo(photo!.photoId)?.state).toBe('waiting');
    expect(await stage.batch.orders.cancel(null)).toEqual({ cancelled: 3, back: 3 });
    expect(trayOf(stage)).toEqual(['photo-000.jpg', 'photo-001.jpg', 'photo-002.jpg']);
    expect(statesOf(stage)).toEqual(['ready', 'ready', 'ready']);
    expect(stage.batch.photo(photo!.photoId)).toMatchObject({ sex: 'female', name: 'photo-000' });
    // Told to the page as one change of the list and of its sums.
    await vi.waitFor(() =>
      expect(stage.events.at(-1)).toMatchObject({ overview: { photos: 3, open: 0 }, removedPhotos: [] }),
    );

    expect(await stage.order()).toHaveLength(3);
    expect(await stage.rest()).toMatchObject({ photos: 0, jobs: { done: 3, cancelled: 0 } });
    expect(ids.map((id) => stage.batch.job(id))).toEqual([null, null, null]);
    expect(stage.batch.photo(photo!.photoId)?.state).toBe('done');
  });

  it('of one job gives back its photo alone; made after all from its row, the photo leaves the tray', async () => {
    const stage = await setStage();
    stage.batch.pause(true);
    const [first = ''] = await stage.run(2);
    expect(await stage.batch.orders.cancel([first])).toEqual({ cancelled: 1, back: 1 });
    expect(trayOf(stage)).toEqual(['photo-000.jpg']);
    expect(await stage.batch.orders.retry([first])).toBe(1);
    expect(trayOf(stage)).toEqual([]);
    stage.batch.pause(false);
    expect(await stage.rest()).toMatchObject({ jobs: { done: 2 } });
  });

  it('does not order a photo twice that was queued anew and is tried again from its old row', async () => {
    const stage = await setStage();
    stage.service.script('generate_model', envelope(null, { code: 4001, message: 'not allowed' }));
    const [failed = ''] = await stage.run(1);
    await stage.rest();
    stage.batch.importList.enter([stage.batch.job(failed)!.photoId]);
    stage.batch.pause(true);
    const [job = ''] = await stage.order();
    expect(stage.batch.job(failed)).toBeNull();
    await stage.batch.orders.cancel([job]);
    expect(await stage.order()).toHaveLength(1);
    expect(await stage.batch.orders.retry([job])).toBe(0);
    expect(stage.batch.overview()).toMatchObject({ open: 1 });
  });

  it('leaves what a server has got in the queue, and gives back what the built-in engine has', async () => {
    for (const [profileId, back] of [
      ['p1', 0],
      [builtInProfileId, 1],
    ] as const) {
      const stage = await setStage({ profile: { id: profileId } });
      await stage.askedForExtensions();
      stage.service.always('get_model', stall());
      const [id = ''] = await stage.run(1, { profileId });
      await vi.waitFor(() => expect(stage.batch.job(id)?.state).toBe('waiting'));
      expect(await stage.batch.orders.cancel([id])).toEqual({ cancelled: 1, back });
      expect(trayOf(stage)).toHaveLength(back);
      expect(stage.batch.photo(stage.batch.job(id)!.photoId)?.state).toBe(back ? 'ready' : 'cancelled');
      expect(stage.batch.jobs.get(id)?.orderState).toBe('made');
    }
  });

  it('of a head that is made again adds nothing to the tray', async () => {
    const stage = await setStage();
    stage.batch.pause(true);
    const [id = ''] = await stage.run(1);
    const { position: _, ...job } = stage.batch.jobs.get(id)!;
    await stage.batch.orders.add(
      [{ ...job, id: 'again', modelId: 'again', idempotencyKey: 'again', fromList: false }],
      'p1',
    );
    expect(await stage.batch.orders.cancel(['again'])).toEqual({ cancelled: 1, back: 0 });
    expect(trayOf(stage)).toEqual([]);
  });
});

describe('a photo that failed', () => {
  it('comes back into the tray, and its failure ends with that', async () => {
    const stage = await setStage();
    stage.service.script('generate_model', envelope(null, { code: 4001, message: 'not allowed' }));
    const [id = ''] = await stage.run(1);
    await stage.rest();
    const { photoId } = stage.batch.job(id)!;
    expect(stage.batch.photo(photoId)?.state).toBe('failed');
    expect(stage.batch.orders.bringBack([id])).toEqual([photoId]);
    expect(statesOf(stage)).toEqual(['ready']);
    expect(stage.batch.overview()).toMatchObject({ photos: 1, jobs: { failed: 0 } });
    expect(stage.batch.importList.indexOf(photoId, {})).toBe(0);
    expect(stage.batch.importList.indexOf(photoId, { sex: 'male' })).toBe(-1);
  });

  it('keeps its row while what was paid for is not fetched, and is fetched when it is queued again', async () => {
    const stage = await setStage();
    await stage.askedForExtensions();
    stage.service.always('get_model', stall());
    const [id = ''] = await stage.run(1);
    await vi.waitFor(() => expect(stage.batch.job(id)?.state).toBe('waiting'));
    await stage.batch.orders.cancel([id]);
    expect(stage.batch.orders.bringBack([id])).toHaveLength(1);
    expect(stage.batch.job(id)).toMatchObject({ state: 'cancelled', orderState: 'made' });
    expect(await stage.order()).toEqual([id]);
    expect(stage.service.count('generate_model')).toBe(1);
  });
});

describe('a pause', () => {
  it('ends with the last job, so that what is queued next begins', async () => {
    const stage = await setStage();
    stage.batch.pause(true);
    await stage.run(2);
    await stage.batch.orders.cancel(null);
    expect(stage.batch.overview()).toMatchObject({ paused: false, open: 0 });
    await stage.order();
    expect(await stage.rest()).toMatchObject({ jobs: { done: 2 } });
  });

  it('stays while something waits, and one that a studio of before left behind ends at the start', async () => {
    const stage = await setStage();
    stage.batch.pause(true);
    const [first = ''] = await stage.run(2);
    await stage.batch.orders.cancel([first]);
    expect(stage.batch.overview()).toMatchObject({ paused: true, open: 1 });
    await stage.batch.orders.cancel(null);
    stage.batch.pause(true);
    const again = await stage.restart();
    expect(again.batch.overview().paused).toBe(false);
  });
});

describe('how a batch ended', () => {
  it('counts its own heads: those of before stay in the list', async () => {
    const stage = await setStage();
    stage.service.script('generate_model', envelope(null, { code: 4001, message: 'not allowed' }));
    const ids = await stage.run(3);
    await stage.rest();
    await vi.waitFor(() => expect(stage.finished).toMatchObject([{ done: 2, failed: 1 }]));
    const failed = ids.find((id) => stage.batch.job(id)?.state === 'failed')!;
    expect(await stage.batch.orders.retry([failed])).toBe(1);
    await stage.rest();
    await vi.waitFor(() => expect(stage.finished).toHaveLength(2));
    expect(stage.finished[1]).toMatchObject({ done: 1, failed: 0 });
    expect(stage.batch.overview()).toMatchObject({ jobs: { done: 3 }, batch: { done: 1, total: 1 } });
  });

  it('takes no time while it rests', async () => {
    let later = 0;
    const clock = { ...systemClock, elapsed: () => systemClock.elapsed() + later };
    const stage = await setStage({ batch: { clock } });
    stage.batch.pause(true);
    await stage.run(1);
    later = 3_600_000;
    stage.batch.pause(false);
    await stage.rest();
    await vi.waitFor(() => expect(stage.finished).toHaveLength(1));
    expect(stage.finished[0]!.seconds).toBeLessThan(600);
  });
});

describe('what the page is told', () => {
  it('a photo that goes with its person leaves the list in the same event, and comes back when undone', async () => {
    const stage = await setStage({ check: () => fineCheck });
    await putPhotos(stage.photos, 2);
    await stage.takeIn(stage.photos, 'female');
    const [front, other] = stage.batch.importList.selected(all).map(({ id }) => id);
    await vi.waitFor(() => expect(stage.events.at(-1)?.overview.photos).toBe(2));
    stage.events.length = 0;
    const tell = stage.batch.feed.photos;
    tell(stage.batch.importList.people.join([{ ids: [front!, other!], front: front! }]));
    await vi.waitFor(() => expect(stage.events).toHaveLength(1));
    expect(stage.events[0]).toMatchObject({
      overview: { photos: 1 },
      photos: [{ id: front, others: [{ id: other }] }],
      removedPhotos: [other],
    });
    stage.events.length = 0;
    tell(stage.batch.importList.undo().ids);
    await vi.waitFor(() => expect(stage.events).toHaveLength(1));
    expect(stage.events[0]).toMatchObject({ overview: { photos: 2 }, removedPhotos: [] });
    expect(stage.events[0]!.photos.map(({ id }) => id).toSorted()).toEqual([front, other].toSorted());
  });
});

describe('undo in the tray', () => {
  it('leaves photos alone that were queued since', async () => {
    const stage = await setStage();
    await putPhotos(stage.photos, 2);
    await stage.takeIn(stage.photos, 'female');
    const [first, second] = stage.batch.importList.selected(all);
    stage.batch.importList.tag('tag', [{ photo: second!, set: { sex: 'male' } }]);
    stage.batch.importList.tag('tag', [{ photo: first!, set: { sex: 'male' } }]);
    stage.batch.pause(true);
    const order = { profileId: 'p1', libraryId: stage.libraries.defaultId(), again: false };
    await stage.batch.orders.start({ ids: [first!.id] }, order);
    expect(stage.batch.importList.undo().ids).toEqual([second!.id]);
    expect([first, second].map((photo) => stage.batch.importList.get(photo!.id)?.sex)).toEqual([
      'male',
      'female',
    ]);
  });
});
