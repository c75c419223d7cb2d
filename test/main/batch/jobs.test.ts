import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inEnglish } from '@likeness/messages';
import { systemClock } from '@likeness/node-kit/clock.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { describe, expect, it, vi } from 'vitest';
import { jobStates } from '#contract';
import { mayMove } from '../../../main/batch/jobs/job_state.ts';
import { answer, delayed, envelope, json, reset, stall } from '../../fixtures/service/behaviours.ts';
import { fasterClock } from '../../support/faster_clock.ts';
import { glbOf, pointsOf } from '../../support/heads/hostile_glb.ts';
import { sized } from '../../support/sizes.ts';
import { fineCheck, photoBytes, setStage } from './stage.ts';

describe('a batch', () => {
  it('makes a head of every photo, with the settings it was queued with', async () => {
    const stage = await setStage();
    const [first] = await stage.run(5);
    const overview = await stage.rest();
    expect(overview).toMatchObject({
      open: 0,
      jobs: { done: 5 },
      batch: { total: 5, finished: 5 },
      photos: 0,
    });
    expect(stage.service.models.size).toBe(5);
    expect([...stage.service.models.values()].every(({ sex }) => sex === '1')).toBe(true);
    expect(stage.libraries.search({}, 0, 10).total).toBe(5);
    const model = await stage.libraries.model(stage.batch.job(first ?? '')?.modelId ?? '');
    expect(model).toMatchObject({
      sex: 'female',
      state: 'ok',
      cost: 0.5,
      currency: 'USD',
      hasPortrait: true,
    });
    expect(stage.finished).toMatchObject([{ done: 5, failed: 0 }]);
    expect(stage.defects).toEqual([]);
  });

  it('does not send again what the library has, unless asked', async () => {
    const stage = await setStage();
    await stage.run(2);
    await stage.rest();
    expect(await stage.run(3)).toHaveLength(1);
    await stage.rest();
    expect(stage.service.models.size).toBe(3);
    const again = await stage.run(3, { again: true });
    expect(again).toHaveLength(3);
    await stage.rest();
    expect(stage.service.models.size).toBe(6);
  });

  it('is not stopped by one bad photo, and can retry that one alone', async () => {
    const stage = await setStage({
      service: { failure: (index) => (index === 1 ? 'no face was found' : null) },
      profile: { concurrency: 1 },
      batch: { concurrentJobs: () => 1 },
    });
    await stage.run(4);
    expect(await stage.rest()).toMatchObject({ jobs: { done: 3, failed: 1 } });
    const [failed] = stage.batch.jobs.inState(['failed']);
    expect(failed).toMatchObject({ message: 'no face was found', fileName: 'photo-001.jpg' });
    expect(await stage.batch.orders.retry(null)).toBe(1);
    expect(await stage.rest()).toMatchObject({ jobs: { done: 4, failed: 0 } });
    // A new order, since the first one failed for good.
    expect(stage.service.models.size).toBe(5);
  });

  it('fetches what is paid for instead of ordering it again', async () => {
    const stage = await setStage();
    stage.service.always('download', answer(500, 'broken'));
    await stage.run(1);
    const [job] = stage.batch.jobs.page([], 0, 1).jobs;
    await vi.waitFor(() => expect(stage.batch.jobs.get(job?.id ?? '')?.state).toBe('downloading'));
    await stage.batch.orders.cancel(null);
    stage.service.always('download', answer(200, stage.service.glb, { 'content-type': 'model/gltf-binary' }));
    expect(await stage.run(1)).toEqual([job?.id]);
    expect(await stage.rest()).toMatchObject({ jobs: { done: 1, cancelled: 0 } });
    expect(stage.service.count('generate_model')).toBe(1);
  });

  it('fails where what comes is no head, and fetches it again without another order', async () => {
    const stage = await setStage();
    const { clock } = stage.options;
    stage.options.clock = { ...clock, wait: (ms, signal) => clock.wait(Math.min(ms, 10), signal) };
    const glbType = { 'content-type': 'model/gltf-binary' };
    stage.service.always('download', answer(200, glbOf('no JSON at all'), glbType));
    await stage.run(1);
    expect(await stage.rest()).toMatchObject({ jobs: { failed: 1 } });
    const [failed] = stage.batch.jobs.inState(['failed']);
    expect(inEnglish(failed?.message ?? '')).toBe(
      'The downloaded file is not a head. The file has a JSON chunk that is not JSON.',
    );
    expect(failed?.remoteModelId).not.toBe('');
    expect(stage.libraries.search({}, 0, 10).total).toBe(0);
    stage.service.always('download', answer(200, stage.service.glb, glbType));
    expect(await stage.batch.orders.retry(null)).toBe(1);
    expect(await stage.rest()).toMatchObject({ jobs: { done: 1, failed: 0 } });
    expect(stage.service.count('generate_model')).toBe(1);
    // Each of the eight times another link was asked for: one may lead to a better file.
    expect(stage.service.count('download')).toBe(8 + 1);
  });

  it('shelves a head that asks for more than there is, says so, and goes on', async () => {
    const stage = await setStage();
    const glbType = { 'content-type': 'model/gltf-binary' };
    stage.service.script('download', answer(200, glbOf(pointsOf(140_000_000)), glbType));
    await stage.run(3);
    expect(await stage.rest()).toMatchObject({ jobs: { done: 3, failed: 0 } });
    const { models } = stage.libraries.search({ state: 'broken_model' }, 0, 10);
    expect(models).toEqual([expect.objectContaining({ fault: expect.stringMatching(/vertex data/) })]);
    expect(stage.libraries.search({ state: 'ok' }, 0, 10).total).toBe(2);
  });

  it('fails a photo that was changed or removed after it was queued, and sends nothing of it', async () => {
    const stage = await setStage();
    stage.batch.pause(true);
    await stage.run(2);
    await writeFile(join(stage.photos, 'photo-000.jpg'), photoBytes(99));
    await rm(join(stage.photos, 'photo-001.jpg'));
    stage.batch.pause(false);
    await stage.rest();
    const messages = stage.batch.jobs.inState(['failed']).map(({ message }) => message);
    expect(messages).toEqual([
      expect.stringContaining('was changed'),
      expect.stringContaining('no longer where'),
    ]);
    expect(stage.service.count('generate_model')).toBe(0);
  });

  it('stops a photo that the check blocks, before it is sent', async () => {
    const blocking = {
      ...fineCheck,
      findings: [
        {
          code: 'no_face',
          severity: 'blocking',
          message: 'No face.',
          figure: 0,
          limit: 1,
          unit: 'faces',
        } as const,
      ],
    };
    const stage = await setStage({ check: (path) => (path.endsWith('0.jpg') ? blocking : fineCheck) });
    await stage.run(2);
    await stage.rest();
    await stage.batch.close();
    expect(stage.service.count('generate_model')).toBe(1);
  });
});

describe('an answer that was lost', () => {
  it('is uncertain, is never repeated by itself, and waits for the person', async () => {
    const stage = await setStage();
    stage.service.script('generate_model', reset());
    const [id = ''] = await stage.run(1);
    await stage.rest();
    expect(stage.batch.job(id)).toMatchObject({ state: 'uncertain', hint: expect.stringMatching(/account/) });
    const again = await stage.restart();
    await again.rest();
    expect(again.service.count('generate_model')).toBe(1);
    again.batch.orders.resolveUncertain([id], 'resend', undefined);
    expect(await again.rest()).toMatchObject({ jobs: { done: 1 } });
    expect(again.service.count('generate_model')).toBe(2);
  });

  it('goes on with the model that the person found, or is given up', async () => {
    const stage = await setStage();
    stage.service.script('generate_model', reset(), reset());
    const [first = '', second = ''] = await stage.run(2);
    await stage.rest();
    stage.service.models.set('seen-1', {
      id: 'seen-1',
      sex: '1',
      eyelidType: '',
      fileName: '',
      asked: 0,
      idempotencyKey: null,
    });
    expect(() => stage.batch.orders.resolveUncertain([first, second], 'found', 'seen-1')).toThrow(
      /one photo/,
    );
    stage.batch.orders.resolveUncertain([first], 'found', 'seen-1');
    stage.batch.orders.resolveUncertain([second], 'give_up', undefined);
    expect(await stage.rest()).toMatchObject({ jobs: { done: 1, failed: 1, uncertain: 0 } });
    expect(stage.service.count('generate_model')).toBe(2);
  });

  it('is repeated by itself under its key where the server announces keys', async () => {
    const clock = fasterClock(20);
    const stage = await setStage({ service: { announce: ['idempotency-key'] }, batch: { clock } });
    // The order is taken, and the answer lost.
    stage.service.script('generate_model', async (turn) => {
      stage.service.models.set('kept', {
        id: 'kept',
        sex: '1',
        eyelidType: '',
        fileName: '',
        asked: 0,
        idempotencyKey: String(turn.request.headers['idempotency-key']),
      });
      turn.incoming.socket.resetAndDestroy();
    });
    await stage.run(1);
    expect(await stage.rest()).toMatchObject({ jobs: { done: 1 } });
    expect(stage.service.count('generate_model')).toBeGreaterThanOrEqual(2);
    expect(stage.service.models.size).toBe(1);
  });
});

describe('what comes between', () => {
  it.each([
    ['in time', 1],
    // A timer counts whole milliseconds, and the system's clock may lag behind it.
    ['early', 0.9],
  ])(
    'the network is gone: everything waits, says why, and goes on by itself; timers fire %s',
    async (_, share) => {
      const clock = fasterClock(20);
      const wait: typeof clock.wait = (milliseconds, signal) => clock.wait(milliseconds * share, signal);
      const stage = await setStage({ batch: { clock: { ...clock, wait } } });
      let gone = true;
      const { service } = stage.options.profiles;
      stage.options.profiles.service = async (id) => {
        if (gone) throw new Failure('unreachable', 'No network.', { retryable: true });
        return service(id);
      };
      await stage.run(2);
      await vi.waitFor(() =>
        expect(stage.batch.overview()).toMatchObject({ holdReason: 'No network.', jobs: { queued: 2 } }),
      );
      gone = false;
      await vi.waitFor(() => expect(stage.batch.overview().jobs.done).toBe(2), { timeout: 20_000 });
      expect(stage.batch.overview().holdReason).toBe('');
    },
  );

  it('the server restarts and forgets nothing: questions go on', async () => {
    const stage = await setStage();
    await stage.askedForExtensions();
    stage.service.script('get_model', answer(503), reset(), answer(503), reset(), answer(502));
    await stage.run(1);
    expect(await stage.rest()).toMatchObject({ jobs: { done: 1 } });
    expect(stage.service.count('generate_model')).toBe(1);
  });

  it('the disk is full when the head arrives: it is fetched when there is room', async () => {
    let full = true;
    const stage = await setStage();
    const { modelStore, clock } = stage.options;
    const { prepare } = modelStore;
    modelStore.prepare = async (library, model) => {
      if (full)
        throw new Failure('storage', 'The disk is full.', { hint: 'Free some space.', retryable: true });
      return prepare(library, model);
    };
    const { wait: really } = clock;
    stage.options.clock = { ...clock, wait: (ms, signal) => really(Math.min(ms, 50), signal) };
    await stage.run(1);
    await vi.waitFor(() => expect(inEnglish(stage.batch.overview().holdReason)).toMatch(/disk is full/));
    full = false;
    await vi.waitFor(() => expect(stage.batch.overview().jobs.done).toBe(1), { timeout: 20_000 });
    expect(stage.service.count('generate_model')).toBe(1);
  });

  it('the clock is put back by a day: questions are not put off', async () => {
    let offset = 0;
    const stage = await setStage({
      batch: {
        clock: { ...systemClock, now: () => Date.now() + offset },
      },
      service: { processingAnswers: 4 },
    });
    await stage.run(1);
    await vi.waitFor(() => expect(stage.service.count('get_model')).toBeGreaterThan(0));
    offset = -86_400_000;
    expect(await stage.rest()).toMatchObject({ jobs: { done: 1 } });
  });

  it('a pause stops what is not sent and fetches what is paid for, also across a restart', async () => {
    const stage = await setStage({ batch: { concurrentJobs: () => 1 }, service: { processingAnswers: 3 } });
    await stage.run(3);
    await vi.waitFor(() => expect(stage.service.models.size).toBe(1));
    stage.batch.pause(true);
    await stage.rest();
    expect(stage.batch.overview()).toMatchObject({ paused: true, jobs: { done: 1, queued: 2 } });
    const again = await stage.restart();
    await again.rest();
    expect(again.batch.overview()).toMatchObject({ paused: true, jobs: { queued: 2 } });
    again.batch.pause(false);
    expect(await again.rest()).toMatchObject({ jobs: { done: 3 } });
  });

  it('cancelling ends what waits and what is under way, and leaves no half folder', async () => {
    const stage = await setStage({ batch: { concurrentJobs: () => 2 } });
    stage.service.always('get_model', stall());
    const ids = await stage.run(4);
    await vi.waitFor(() => expect(stage.service.count('get_model')).toBe(2));
    const { share } = stage.batch.overview().batch;
    const waiting = ids.filter((id) => stage.batch.job(id)?.state === 'queued');
    await stage.batch.orders.cancel(waiting);
    // Two of two are under way now: as far as before, of half as many.
    expect(stage.batch.overview().batch.share).toBeCloseTo(2 * share);
    expect(await stage.batch.orders.cancel(null)).toMatchObject({ cancelled: 2 });
    expect(stage.batch.overview()).toMatchObject({ open: 0, jobs: { cancelled: 4 } });
    expect(await readdir(stage.libraries.folder(stage.libraries.defaultId()))).toEqual(['library.json']);
  });

  it('a server that turns away for a while is asked again, one that says no is not', async () => {
    const stage = await setStage();
    stage.service.script(
      'generate_model',
      envelope(null, { code: 4001, message: 'this picture is not allowed' }),
      json({ message: 'busy' }, 429, { 'retry-after': '0' }),
    );
    await stage.run(2);
    await stage.rest();
    expect(stage.batch.overview().jobs).toMatchObject({ done: 1, failed: 1 });
    expect(inEnglish(stage.batch.jobs.inState(['failed'])[0]?.message ?? '')).toContain(
      'this picture is not allowed',
    );
  });
});

describe('the queue', () => {
  it('is worked off in the order that the person gave it', async () => {
    const stage = await setStage({ batch: { concurrentJobs: () => 1 } });
    stage.batch.pause(true);
    const ids = await stage.run(4);
    const [a = '', b = '', c = '', d = ''] = ids;
    stage.batch.orders.reorder([d, c], a);
    stage.batch.orders.reorder([b], null);
    const order = () => stage.batch.jobs.page(['queued'], 0, 10).jobs.map(({ id }) => id);
    expect(order()).toEqual([c, d, a, b]);
    // The second changed nothing.
    expect([stage.batch.importList.undo().what, order()]).toEqual(['reorder', [a, b, c, d]]);
    expect([stage.batch.importList.redo().what, order()]).toEqual(['reorder', [c, d, a, b]]);
    stage.batch.pause(false);
    await stage.rest();
    expect([...stage.service.models.values()].map(({ fileName }) => fileName)).toEqual([
      'photo-002.jpg',
      'photo-003.jpg',
      'photo-000.jpg',
      'photo-001.jpg',
    ]);
  });

  it('takes the place that was meant where the job that stood there moves too, or was begun', async () => {
    const stage = await setStage({
      service: { processingAnswers: 1000 },
      batch: { concurrentJobs: () => 1 },
    });
    const ids = await stage.run(4);
    const [begun = '', b = '', c = '', d = ''] = ids;
    const order = () => stage.batch.jobs.page(['queued'], 0, 10).jobs.map(({ id }) => id);
    await vi.waitFor(() => expect(stage.batch.overview().jobs.waiting).toBe(1));
    stage.batch.orders.reorder([d], begun);
    expect(order()).toEqual([d, b, c]);
    stage.batch.orders.reorder([d, b], b);
    expect(order()).toEqual([d, b, c]);
    stage.batch.orders.reorder([d], 'never there');
    expect(order()).toEqual([b, c, d]);
  });

  it('keeps to its order where a connection takes its time to be looked up', async () => {
    const stage = await setStage({
      service: { processingAnswers: 1000 },
      batch: { concurrentJobs: () => 8 },
    });
    stage.batch.pause(true);
    const ids = await stage.run(12);
    const { profiles } = stage.options;
    const { profile } = profiles;
    let asked = 0;
    profiles.profile = async (id) => {
      asked += 1;
      // Four have begun, and are written down as begun while this one waits.
      if (asked === 5) await vi.waitFor(() => expect(stage.batch.overview().jobs.queued).toBe(8));
      return profile(id);
    };
    stage.batch.pause(false);
    await vi.waitFor(() => expect(stage.batch.overview().jobs.waiting).toBe(8));
    expect(stage.batch.jobs.page(['queued'], 0, 12).jobs.map(({ id }) => id)).toEqual(ids.slice(8));
  });

  it('keeps to the profile’s requests at once and a minute', async () => {
    // Who waits puts this clock forward: a minute takes no time.
    let now = 0;
    const stage = await setStage({
      limits: { concurrency: 2, requestsPerMinute: 4 },
      clientClock: {
        now: () => now,
        wait: async (milliseconds) => {
          now += milliseconds;
        },
      },
    });
    let under = 0;
    let max = 0;
    stage.service.always('generate_model', async (turn) => {
      under += 1;
      max = Math.max(max, under);
      const id = `m${stage.service.models.size}`;
      stage.service.models.set(id, {
        id,
        sex: '1',
        eyelidType: '',
        fileName: '',
        asked: 0,
        idempotencyKey: null,
      });
      await delayed(30, envelope({ modelId: id, waitTime: 0 }))(turn);
      under -= 1;
    });
    await stage.run(8);
    await stage.rest();
    expect(max).toBeLessThanOrEqual(2);
    // Files come from another server, which has no such limit.
    const requests = stage.service.requests.filter(({ operation }) => operation !== 'download').length;
    expect(requests).toBeGreaterThanOrEqual(16);
    expect(now).toBeGreaterThanOrEqual(Math.floor((requests - 1) / 4) * 60_000);
  });

  it('learns how long it takes, and says how long is left', async () => {
    const stage = await setStage({ service: { processingAnswers: 2 }, batch: { concurrentJobs: () => 1 } });
    expect(stage.batch.overview().secondsLeft).toBeNull();
    await stage.run(3);
    await stage.rest();
    stage.batch.pause(true);
    await stage.run(8);
    const [next] = stage.batch.jobs.page(['queued'], 0, 1).jobs;
    const left = stage.batch.overview().secondsLeft ?? 0;
    expect(left).toBeGreaterThan(0.05);
    expect(left).toBeLessThan(10);
    expect(stage.batch.job(next?.id ?? '')?.secondsLeft).toBeLessThan(left);
    const again = await stage.restart();
    expect(again.batch.overview().secondsLeft).toBeCloseTo(left, 5);
  });

  it('tells what is being made from what stands in line, and how far all of it is', async () => {
    const stage = await setStage({ service: { processingAnswers: 1000 }, profile: { makers: 1 } });
    const ids = await stage.run(3);
    const shown = () => ids.map((id) => stage.batch.job(id));
    const end = async (done: number): Promise<void> => {
      const making = shown().find((job) => job?.state === 'waiting' && !job.inLine);
      const model = stage.service.models.get(making?.remoteModelId ?? '');
      if (model) model.asked = 1000;
      await vi.waitFor(() => expect(stage.batch.overview().jobs.done).toBe(done));
    };
    // The rows say it first; who stands in line is known when they are on the disk.
    await vi.waitFor(() => {
      expect(shown().every((job) => job?.state === 'waiting')).toBe(true);
      expect(shown().filter((job) => !job?.inLine)).toHaveLength(1);
    });
    const { share } = stage.batch.overview().batch;
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(1);
    // By the batch's own clock, an hour goes by: on a busy machine the others take seconds.
    const { clock } = stage.options;
    stage.options.clock = { ...clock, elapsed: () => clock.elapsed() + 3_600_000 };
    await end(1);
    expect(shown().filter((job) => job?.state === 'waiting' && !job.inLine)).toHaveLength(1);
    expect(stage.batch.overview().batch.share).toBeGreaterThan(share);
    await end(2);
    await end(3);
    await stage.rest();
    const took = await Promise.all(
      shown().map(async (job) => (await stage.libraries.model(job?.modelId ?? '')).timings.seconds ?? 0),
    );
    // All were sent at once, but only the first was made for as long as that.
    expect(took.filter((seconds) => seconds > 3600)).toHaveLength(1);
  });

  it('belongs to one studio at a time', async () => {
    const stage = await setStage();
    await stage.run(1);
    await stage.rest();
    const { Batch } = await import('../../../main/batch/batch.ts');
    const second = new Batch(stage.options);
    await second.resume();
    await expect(
      second.orders.start({ filter: {} }, { profileId: 'p1', libraryId: 'x', again: false }),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
    await second.close();
  });

  it('tells the page a few times, not once for each change', async () => {
    const photos = sized(60, 150);
    const stage = await setStage({ batch: { concurrentJobs: () => 64 }, profile: { concurrency: 16 } });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let passed = 0;
    try {
      let isOver = false;
      void stage
        .run(photos)
        .then(stage.rest)
        .then(() => {
          isOver = true;
        });
      while (!isOver || stage.events.at(-1)?.overview.jobs.done !== photos) {
        await Promise.all([vi.advanceTimersByTimeAsync(1), wait(1)]);
        passed += 1;
      }
    } finally {
      vi.useRealTimers();
    }
    expect(stage.events.length).toBeLessThanOrEqual(1 + passed / 100);
  });
});

it('the table of transitions lets nothing be sent that was sent, and nothing leave “done”', () => {
  for (const state of jobStates) expect(mayMove('done', state)).toBe(false);
  expect(jobStates.filter((state) => mayMove(state, 'submitting'))).toEqual(['checking']);
  expect(mayMove('waiting', 'queued')).toBe(false);
  expect(mayMove('downloading', 'queued')).toBe(false);
});
