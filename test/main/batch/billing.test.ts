/**
 * The promise of docs/billing.md: what is paid for is fetched, and nothing is ordered twice without a
 * person's word.
 */
import { join } from 'node:path';
import { inEnglish, t } from '@likeness/messages';
import { openDatabase } from '@likeness/node-kit/storage/database.ts';
import { describe, expect, it, vi } from 'vitest';
import { runBatch } from '../../../main/batch/batch_run.ts';
import { batchMigrations } from '../../../main/batch/batch_schema.ts';
import { exitCodeOfBatch } from '../../../main/commands/output/exit_code.ts';
import { givenUp } from '../../../main/engine_host/engine_run.ts';
import {
  answer,
  empty,
  envelope,
  html,
  json,
  redirect,
  reset,
  stall,
  truncatedJson,
} from '../../fixtures/service/behaviours.ts';
import type { Behaviour } from '../../fixtures/service/scripted_service.ts';
import { fasterClock } from '../../support/faster_clock.ts';
import {
  putPhotos,
  type Stage,
  type StageOptions,
  setStage as setSlowStage,
  temporaryFolder,
} from './stage.ts';

/** Milliseconds by the clock of {@link setStage}. */
const patience = 1000;
const impatient: StageOptions = { batch: { patience } };

/** A stage on which time passes fast. */
const setStage = (options: StageOptions = {}): Promise<Stage> =>
  setSlowStage({ ...options, batch: { clock: fasterClock(20), ...options.batch } });
/** As the stage's own, but a wait of more than a second is ended by its signal alone. */
function endlessPauses({ options }: Stage): { pauses: number[] } {
  const { clock } = options;
  const pauses: number[] = [];
  options.clock = {
    ...clock,
    wait(milliseconds, signal) {
      if (milliseconds <= 1000) return clock.wait(milliseconds, signal);
      pauses.push(milliseconds);
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    },
  };
  return { pauses };
}

const runOf = (stage: Stage, more: Partial<Parameters<typeof runBatch>[0]> = {}) => {
  const { batch, importer, photos, libraries } = stage;
  const libraryId = libraries.defaultId();
  const order = { batch, importer, paths: [photos], sex: 'female', profileId: 'p1', libraryId } as const;
  return runBatch({ ...order, waitForPersonMs: patience, ...more }, () => {});
};
const orders = (stage: Stage): number => stage.service.count('generate_model');
const heads = (stage: Stage): number => stage.libraries.search({}, 0, 10).total;

/** The server answers so until it is mended. */
function broken(stage: Stage, behaviour: Behaviour): { mend(): void } {
  let mended = false;
  stage.service.always('get_model', (turn) => {
    const downloadLink = `${stage.service.url}/files/head.glb`;
    const ready = { status: 1, waitTime: '0', sex: 1, eyelidType: null, failMessage: '', downloadLink };
    return (mended ? envelope(ready) : behaviour)(turn);
  });
  return {
    mend() {
      mended = true;
    },
  };
}

async function oneOrdered(
  behaviour: Behaviour,
  options = impatient,
): Promise<{ stage: Stage; mend(): void }> {
  const stage = await setStage(options);
  await stage.askedForExtensions();
  const { mend } = broken(stage, behaviour);
  await putPhotos(stage.photos, 1);
  return { stage, mend };
}

const codes = (...list: unknown[]): [string, Behaviour][] =>
  list.map((code) => [
    `an envelope with code ${JSON.stringify(code)}`,
    envelope(null, { code, message: 'system busy, try again later' }),
  ]);

/** A person must act on the key or the account. */
const refused: [string, Behaviour][] = [
  ['HTTP 401', answer(401)],
  ['HTTP 401 with an envelope', envelope(null, { code: 401, status: 401 })],
  ['HTTP 402', answer(402)],
  ['HTTP 403', answer(403)],
  ['HTTP 403, a page', html(403)],
  ...codes(401, '403'),
];
/** The server's word that it has no such model, which it repeats. */
const unknown: [string, Behaviour][] = [
  ['HTTP 404, an envelope that knows no such model', envelope(null, { code: 404, status: 404 })],
  ['HTTP 200, an envelope that knows no such model', envelope(null, { code: '404' })],
  ['HTTP 410, an envelope', envelope(null, { code: 410, status: 410 })],
  ...codes(404),
];
/** Nonsense: patience with it has an end. */
const nonsense: [string, Behaviour][] = [
  ['a redirect to a login', redirect('https://login.example/')],
  ['HTTP 301', redirect('https://elsewhere.example/', 301)],
  ['HTTP 400', answer(400, 'bad request')],
  ['HTTP 404, a page', html(404)],
  ['HTTP 404, empty', answer(404)],
  ['HTTP 404, a gateway’s JSON', json({ message: 'no Route matched' }, 404)],
  ['HTTP 404, an envelope with an unknown code', envelope(null, { code: 1404, status: 404 })],
  ['HTTP 405', answer(405)],
  ['HTTP 410', answer(410)],
  ['HTTP 418', answer(418)],
  ['HTTP 200, a page', html()],
  ['HTTP 200, empty', empty()],
  ['HTTP 204', answer(204)],
  ['HTTP 200, JSON that breaks off', truncatedJson()],
  ['HTTP 200, other JSON', json({ hello: 'world' })],
  ['an envelope without data', envelope(null)],
  ['an unknown status', envelope({ status: 7 })],
  ['ready without a link', envelope({ status: 1, downloadLink: '' })],
  ...codes(-1, '400', 1001, 'E1001', null),
];
/** Is waited for as long as it takes. */
const lasting: [string, Behaviour][] = [
  ['HTTP 408', answer(408)],
  ['HTTP 429', answer(429)],
  ['HTTP 500', answer(500)],
  ['HTTP 502, a page', html(502)],
  ['HTTP 503', answer(503)],
  ['a cut connection', reset()],
  ...codes(429, 500, '503'),
];

describe.each([...refused, ...unknown, ...nonsense, ...lasting])(
  'a paid model, answered for with %s',
  (_, behaviour) => {
    it('is fetched when the server is itself again, under one order', async () => {
      const { stage, mend } = await oneOrdered(behaviour);
      const run = runOf(stage, { waitForPersonMs: 600_000 });
      await vi.waitFor(() => expect(stage.service.count('get_model')).toBeGreaterThan(2), { interval: 5 });
      mend();
      // Three times in a row "no such model" is the server's word; the same command asks again.
      const { failed } = await run;
      expect(await runOf(stage)).toMatchObject({ allDone: true, alreadyThere: failed === 0 ? 1 : 0 });
      expect([orders(stage), heads(stage)]).toEqual([1, 1]);
    });
  },
);

const ends = {
  refused: { waiting: 1, paid: 1, isHeld: true, jobs: [{ state: 'waiting', orderState: 'made' }] },
  unknown: { waiting: 0, paid: 0, isHeld: false, jobs: [{ state: 'failed', orderState: 'gone' }] },
  nonsense: { waiting: 0, paid: 1, isHeld: false, jobs: [{ state: 'failed', orderState: 'made' }] },
};

describe.each([
  ...refused.map(([kind, behaviour]) => ({ kind, behaviour, end: ends.refused })),
  ...unknown.map(([kind, behaviour]) => ({ kind, behaviour, end: ends.unknown })),
  ...nonsense.map(([kind, behaviour]) => ({ kind, behaviour, end: ends.nonsense })),
])('a paid model, answered for with $kind until the run ends', ({ behaviour, end }) => {
  it('keeps its id, and the same run fetches it', async () => {
    const { stage, mend } = await oneOrdered(behaviour);
    const first = await runOf(stage);
    expect({ ...first, isHeld: first.held !== '' }).toMatchObject({ allDone: false, done: 0, ...end });
    expect(first.jobs).toMatchObject([{ remoteModelId: 'model-1' }]);
    const later = await stage.restart();
    mend();
    expect(await runOf(later)).toMatchObject({ allDone: true, done: 1 });
    expect([orders(later), heads(later)]).toEqual([1, 1]);
    expect(later.service.requests.findLast(({ operation }) => operation === 'get_model')?.path).toMatch(
      /model-1$/,
    );
  });
});

const tryNow = async ({ batch }: Stage) => batch.tryNow();
const retry = ({ batch }: Stage) => batch.orders.retry(null);

describe.each<[string, Behaviour, (stage: Stage) => Promise<unknown>, unknown]>([
  ['HTTP 403', answer(403), tryNow, undefined],
  ['HTTP 200, an envelope that knows no such model', envelope(null, { code: '404' }), retry, 1],
  ['HTTP 404, a page', html(404), retry, 1],
  ['HTTP 200, a page', html(), retry, 1],
])('a paid model, answered for with %s until the run ends', (_, behaviour, tryAgain, retried) => {
  it('keeps its id, and “try again” fetches it', async () => {
    const { stage, mend } = await oneOrdered(behaviour);
    const { jobs } = await runOf(stage);
    mend();
    expect(await tryAgain(stage)).toBe(retried);
    expect(await stage.rest()).toMatchObject({ open: 0, jobs: { done: 1 }, holdReason: '' });
    expect(stage.batch.job(jobs[0]?.id ?? '')).toMatchObject({ remoteModelId: 'model-1', code: null });
    expect([orders(stage), heads(stage)]).toEqual([1, 1]);
  });
});

describe('a refused key', () => {
  it.each([
    ['for the order', 'generate_model'],
    ['for the question', 'get_model'],
  ] as const)('%s holds the connection, says so, and orders nothing more', async (_, operation) => {
    const stage = await setStage({ batch: { concurrentJobs: () => 1 } });
    const { pauses } = endlessPauses(stage);
    await stage.askedForExtensions();
    stage.service.always(operation, envelope(null, { code: 401, message: 'key expired', status: 401 }));
    const ids = await stage.run(3);
    await vi.waitFor(() =>
      expect(stage.batch.overview()).toMatchObject({
        holdReason: expect.stringMatching(/refused the Group B API key.*key expired.*Settings/),
        holdCode: 'upstream_refused',
        holdProfileId: 'p1',
        open: 3,
        jobs: { failed: 0 },
      }),
    );
    expect(orders(stage)).toBe(1);
    // Until it rests for good: a question has been repeated ten times by then.
    await vi.waitFor(() => expect(pauses.length).toBeGreaterThan(0));
    expect(orders(stage)).toBe(1);
    expect(ids.map((id) => stage.batch.job(id)?.state)).not.toContain('failed');
  });

  it('and its jobs go on at once when the person says so', async () => {
    const { stage, mend } = await oneOrdered(answer(403));
    const { pauses } = endlessPauses(stage);
    const { held } = await runOf(stage, { waitForPersonMs: 2000 });
    expect(inEnglish(held)).toMatch(/refused the Group B API key/);
    await vi.waitFor(() => expect(pauses.length).toBeGreaterThan(0));
    mend();
    stage.batch.pause(false);
    await stage.rest();
    expect(heads(stage)).toBe(1);
  });
});

describe('a model that the server no longer knows', () => {
  it('is said to be unknown, asked for by a retry, and ordered anew only where that is said', async () => {
    const { stage } = await oneOrdered(envelope(null, { code: 404, message: 'no such model' }));
    const { jobs } = await runOf(stage);
    expect(jobs).toMatchObject([
      {
        state: 'failed',
        orderState: 'gone',
        remoteModelId: 'model-1',
        code: 'not_found',
        message: expect.stringContaining('no such model'),
        hint: expect.stringMatching(/orders nothing; a new order may be billed/),
      },
    ]);
    await stage.batch.orders.retry(null);
    await stage.rest();
    expect(await runOf(stage)).toMatchObject({ failed: 1 });
    expect(orders(stage)).toBe(1);
    const [id = ''] = stage.batch.jobs.inState(['failed']).map((job) => job.id);
    await stage.batch.orders.retry([id], { anew: true });
    await stage.rest();
    expect(orders(stage)).toBe(2);
  });

  it('one answer too early after the order is not believed', async () => {
    const stage = await setStage();
    await stage.askedForExtensions();
    const unknown = envelope(null, { code: 404 });
    stage.service.script('get_model', unknown, unknown);
    await stage.run(1);
    expect(await stage.rest()).toMatchObject({ jobs: { done: 1 } });
  });
});

describe('a download of what is paid for', () => {
  it.each<[string, Behaviour]>([
    ['a link that has expired (403)', answer(403)],
    ['a link that is gone (404)', html(404)],
    ['HTTP 401', answer(401)],
    ['a login page', html()],
    ['a file that is no head', answer(200, 'not a glb')],
    ['a head that is cut', answer(200, Buffer.from('glTF\x02\0\0\0\xff\0\0\0', 'latin1'))],
    ['an empty file', answer(200)],
  ])('%s: another link is asked for, and one order is enough', async (_, behaviour) => {
    const stage = await setStage();
    stage.service.script('download', behaviour, behaviour);
    await stage.run(1);
    expect(await stage.rest()).toMatchObject({ jobs: { done: 1 } });
    expect([orders(stage), heads(stage)]).toEqual([1, 1]);
    expect(stage.service.count('get_model')).toBeGreaterThan(3);
  });

  it('that never comes fails with its id, and a repeated run fetches it', async () => {
    const hasty = (milliseconds: number) => Math.min(milliseconds, 20);
    const stage = await setStage();
    const { clock } = stage.options;
    const { wait } = clock;
    stage.options.clock = { ...clock, wait: (ms, signal) => wait(hasty(ms), signal) };
    stage.service.always('download', answer(200, 'not a glb'));
    await stage.run(1);
    expect(await stage.rest()).toMatchObject({ jobs: { failed: 1 } });
    expect(stage.batch.jobs.inState(['failed'])).toMatchObject([
      { orderState: 'made', remoteModelId: 'model-1', hint: expect.stringContaining('orders nothing') },
    ]);
    stage.service.always('download', answer(200, stage.service.glb, { 'content-type': 'model/gltf-binary' }));
    expect(await runOf(stage)).toMatchObject({ allDone: true });
    expect(orders(stage)).toBe(1);
  });
});

describe('what is paid for is not forgotten', () => {
  it('when finished jobs are cleared, unless the person says so', async () => {
    const { stage, mend } = await oneOrdered(html());
    await runOf(stage);
    expect(stage.batch.orders.clearFinished(false)).toEqual({ cleared: 0, kept: 1, back: 0 });
    mend();
    expect(await runOf(stage)).toMatchObject({ allDone: true });
    expect(orders(stage)).toBe(1);
    expect(stage.batch.orders.clearFinished(false)).toEqual({ cleared: 1, kept: 0, back: 0 });
    const second = await oneOrdered(html());
    await runOf(second.stage);
    expect(second.stage.batch.orders.clearFinished(true)).toEqual({ cleared: 1, kept: 0, back: 1 });
  });

  it('when it is retried with another connection: that one orders, the first keeps its id', async () => {
    const { stage, mend } = await oneOrdered(html());
    await runOf(stage);
    mend();
    await stage.batch.orders.retry(null, { profileId: 'p2' });
    await stage.rest();
    expect(orders(stage)).toBe(2);
    expect(stage.batch.jobs.inState(['failed'])).toMatchObject([
      { profileId: 'p1', remoteModelId: 'model-1' },
    ]);
    expect(stage.batch.jobs.inState(['done'])).toMatchObject([{ profileId: 'p2', remoteModelId: 'model-2' }]);
    // And the first connection fetches what it was paid for.
    await stage.batch.orders.retry(null);
    expect(await stage.rest()).toMatchObject({ jobs: { done: 2, failed: 0 } });
    expect(orders(stage)).toBe(2);
  });

  it('when the library it was meant for is gone: it comes into the default one', async () => {
    const { stage, mend } = await oneOrdered(html());
    const { id } = await stage.libraries.add(join(stage.folder, 'elsewhere'));
    await runOf(stage, { libraryId: id });
    await stage.libraries.remove(id);
    mend();
    await stage.batch.orders.retry(null);
    expect(await stage.rest()).toMatchObject({ jobs: { done: 1, failed: 0 } });
    expect([orders(stage), heads(stage)]).toEqual([1, 1]);
  });

  it('when “again” is said: again is for what the library has', async () => {
    const { stage, mend } = await oneOrdered(html());
    await runOf(stage);
    mend();
    expect(await runOf(stage, { again: true })).toMatchObject({ done: 1 });
    expect(orders(stage)).toBe(1);
  });

  it('what the server says has failed is shown with its id, and ordered anew by a retry', async () => {
    const stage = await setStage({ service: { failure: (index) => (index === 0 ? 'no face' : null) } });
    const [id = ''] = await stage.run(1);
    await stage.rest();
    expect(stage.batch.job(id)).toMatchObject({
      state: 'failed',
      orderState: 'ended',
      remoteModelId: 'model-1',
    });
    await stage.batch.orders.retry(null);
    await stage.rest();
    expect(stage.batch.job(id)).toMatchObject({ state: 'done', remoteModelId: 'model-2' });
  });
});

describe('a photo of which nobody knows whether it was received', () => {
  async function cancelledInSubmit(announce: string[]): Promise<{ stage: Stage; id: string }> {
    const stage = await setStage({ service: { announce } });
    await stage.askedForExtensions();
    stage.service.script('generate_model', stall());
    const [id = ''] = await stage.run(1);
    await vi.waitFor(() => expect(stage.service.last('generate_model').complete).toBe(true));
    await stage.batch.orders.cancel([id]);
    return { stage, id };
  }

  it('because it was cancelled in mid-submit, is uncertain, and asked about when it is dropped again', async () => {
    const { stage, id } = await cancelledInSubmit([]);
    expect(stage.batch.job(id)).toMatchObject({
      state: 'uncertain',
      orderState: 'unknown',
      message: expect.stringMatching(/may bill/),
    });
    expect(await stage.run(1)).toEqual([]);
    // Also when it was cancelled once more, or given up.
    await stage.batch.orders.cancel([id]);
    expect(stage.batch.job(id)?.state).toBe('cancelled');
    const start = () =>
      stage.batch.orders.start(
        { filter: {} },
        { profileId: 'p1', libraryId: stage.libraries.defaultId(), again: false },
      );
    expect(await start()).toEqual({ queued: [], asked: [id], left: [{ reason: 'uncertain', count: 1 }] });
    stage.batch.orders.resolveUncertain([id], 'give_up', undefined);
    expect(await stage.batch.orders.retry(null)).toBe(1);
    expect(stage.batch.job(id)?.state).toBe('uncertain');
    expect(orders(stage)).toBe(1);
    expect(await runOf(stage)).toMatchObject({ allDone: false, uncertain: 1 });
    stage.batch.orders.resolveUncertain([id], 'resend', undefined);
    expect(await stage.rest()).toMatchObject({ jobs: { done: 1 } });
    expect(orders(stage)).toBe(2);
  });

  it('is sent again under its key where the server takes keys', async () => {
    const { stage, id } = await cancelledInSubmit(['idempotency-key']);
    expect(stage.batch.job(id)).toMatchObject({ state: 'cancelled', orderState: 'unknown' });
    expect(await stage.run(1)).toEqual([id]);
    expect(await stage.rest()).toMatchObject({ jobs: { done: 1 } });
    const keys = stage.service.requests
      .filter(({ operation }) => operation === 'generate_model')
      .map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  it('is asked about where the server takes no keys any more', async () => {
    const announce = ['idempotency-key'];
    const stage = await setStage({ service: { announce } });
    stage.service.script('generate_model', reset());
    const [id = ''] = await stage.run(1);
    await vi.waitFor(() =>
      expect(stage.batch.job(id)).toMatchObject({ state: 'queued', orderState: 'unknown' }),
    );
    announce.length = 0;
    const { options } = stage;
    const service = await options.profiles.service('p1');
    options.profiles.service = async () => ({
      ...service,
      extensions: async () => ({ idempotencyKey: false, files: false, modelEvents: false }),
    });
    await vi.waitFor(() => expect(stage.batch.job(id)?.state).toBe('uncertain'));
    expect(stage.service.count('generate_model')).toBe(1);
  });
});

it('a question for extensions that fails holds the job; nothing goes unprotected', async () => {
  const stage = await setStage({ service: { announce: ['idempotency-key'] } });
  stage.service.script('get_model', reset());
  const [id = ''] = await stage.run(1);
  await vi.waitFor(() => expect(stage.batch.overview().holdReason).not.toBe(''));
  expect([stage.batch.job(id)?.state, orders(stage)]).toEqual(['queued', 0]);
  stage.batch.tryNow();
  expect(await stage.rest()).toMatchObject({ jobs: { done: 1 } });
  expect(stage.service.last('generate_model').headers['idempotency-key']).toBeDefined();
});

it('a server that asks for a pause of centuries is asked again within the hour, and timers stay whole', async () => {
  const waits: number[] = [];
  const stage = await setStage();
  const { clock } = stage.options;
  const { wait } = clock;
  stage.options.clock = {
    ...clock,
    wait: (ms, signal) => {
      waits.push(ms);
      return wait(Math.min(ms, 1000), signal);
    },
  };
  const slow = json({ message: 'later' }, 429, { 'retry-after': '1000000000000' });
  stage.service.script('generate_model', slow);
  await stage.run(1);
  await vi.waitFor(() =>
    expect(inEnglish(stage.batch.overview().holdReason)).toMatch(/tries again in an hour/),
  );
  // What is left of the hour when the wait begins, and a millisecond.
  expect(Math.max(...waits)).toBeGreaterThan(3_590_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(3_600_001);
  stage.batch.tryNow();
  stage.service.script('get_model', slow);
  await vi.waitFor(() => expect(Math.max(...waits)).toBeLessThanOrEqual(3_600_001));
  stage.batch.tryNow();
  expect(await stage.rest()).toMatchObject({ jobs: { done: 1 } });
});

it('a queue of an earlier version opens, and knows what is paid for and what is in doubt', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'batch', 'batch.db');
  const { db } = openDatabase({ path, migrations: batchMigrations.slice(0, 2) });
  db.exec(`INSERT INTO photos (id, path, owned, fileName, folder, format, bytes, sha256, addedAt, sequence, name, tags, inTray)
    VALUES ('p', '/x.jpg', 0, 'x.jpg', '', 'jpeg', 1, 'h', 1, 1, 'x', '[]', 0)`);
  const job = (id: string, state: string, remote: string, message: string): void =>
    db.exec(`INSERT INTO jobs (id, photoId, state, position, fileName, name, sex, tags, profileId, profileName, libraryId,
      modelId, idempotencyKey, remoteModelId, message, queuedAt, changedAt)
      VALUES ('${id}', 'p', '${state}', 1, 'x.jpg', 'x', 'female', '[]', 'p1', 'P', 'l', '${id}', '${id}', '${remote}', '${message}', 1, 1)`);
  job('paid', 'failed', 'm-1', '');
  job('refused', 'failed', '', 'no face');
  job('uncertain', 'uncertain', '', '');
  job('left', 'failed', '', 'Given up: it may have been received.');
  job(
    'stopped',
    'cancelled',
    '',
    'Cancelled while it was being sent; the server may have received it, and may bill it.',
  );
  db.close();
  const stage = await setStage({ folder });
  const orderState = (id: string) => stage.batch.job(id)?.orderState;
  expect(['paid', 'refused', 'uncertain', 'left', 'stopped'].map(orderState)).toEqual([
    'made',
    'none',
    'unknown',
    'unknown',
    'unknown',
  ]);
  expect(stage.batch.orders.clearFinished(false)).toEqual({ cleared: 1, kept: 3, back: 0 });
});

describe('a run that is told how long to wait', () => {
  it('ends with the reason while nothing moves, and the next one goes on', async () => {
    const { stage, mend } = await oneOrdered(reset());
    // Nothing but the server is to blame: without a limit it would be waited for.
    const run = await runOf(stage, { waitForPersonMs: 600_000, waitBlockedMs: 10_000 });
    expect(inEnglish(run.held)).toMatch(/broke before an answer came/);
    expect(run).toMatchObject({ allDone: false, waiting: 1, paid: 1, failed: 0 });
    expect(exitCodeOfBatch(run)).toBe(4);
    mend();
    expect(await runOf(stage, { waitBlockedMs: 10_000 })).toMatchObject({ allDone: true, done: 1 });
    expect(orders(stage)).toBe(1);
  });
});

describe('an engine that is given up', () => {
  const reason = t('engine.ended_in_row', { times: 6, reason: t('engine.signal') });
  const gone = async (): Promise<never> => {
    throw givenUp(reason);
  };

  it('ends a run without a limit: the photos stay in the queue, and the message says how to go on', async () => {
    const stage = await setStage();
    await putPhotos(stage.photos, 2);
    const { profiles } = stage.options;
    const { service } = profiles;
    profiles.service = gone;
    const run = await runOf(stage);
    expect(run).toMatchObject({ allDone: false, waiting: 2, failed: 0, done: 0 });
    expect(exitCodeOfBatch(run)).toBe(4);
    expect(inEnglish(run.held)).toMatch(
      /ended 6 times in a row.*A signal ended it\. Restart it in Settings.*repeat/,
    );
    // The person has restarted it.
    profiles.service = service;
    stage.batch.tryNow();
    expect(await runOf(stage)).toMatchObject({ allDone: true, done: 2 });
    expect(orders(stage)).toBe(2);
  });

  it('ends it too for heads that are ordered', async () => {
    const { stage, mend } = await oneOrdered(envelope({ status: 3, waitTime: '0' }));
    const { profiles } = stage.options;
    const { service } = profiles;
    const run = runOf(stage);
    await vi.waitFor(() => expect(orders(stage)).toBe(1));
    profiles.service = gone;
    const ended = await run;
    expect(ended).toMatchObject({ allDone: false, waiting: 1, paid: 1 });
    expect(exitCodeOfBatch(ended)).toBe(4);
    profiles.service = service;
    mend();
    stage.batch.tryNow();
    expect(await runOf(stage)).toMatchObject({ allDone: true, done: 1 });
    expect(orders(stage)).toBe(1);
  });
});

it.each<[string, Behaviour]>([
  ['HTTP 500', answer(500)],
  ['HTTP 503', answer(503)],
  ['nonsense', html()],
])(
  'what the server answers to the question for a model blocks the queue and is told: %s',
  async (_, behaviour) => {
    // It must be seen before the patience with nonsense ends, on a busy machine too.
    const { stage, mend } = await oneOrdered(behaviour, { batch: { patience: 600_000 } });
    const { batch } = stage;
    const told: { blocked: string; nextAttemptMs: number | null }[] = [];
    const run = runBatch(
      {
        batch,
        importer: stage.importer,
        paths: [stage.photos],
        sex: 'female',
        profileId: 'p1',
        libraryId: stage.libraries.defaultId(),
      },
      ({ blocked, nextAttemptMs }) => told.push({ blocked: inEnglish(blocked), nextAttemptMs }),
    );
    await vi.waitFor(() =>
      expect(
        told.some(
          ({ blocked, nextAttemptMs }) => /(HTTP 50[03]|answered)/.test(blocked) && (nextAttemptMs ?? 0) > 0,
        ),
      ).toBe(true),
    );
    mend();
    batch.tryNow();
    expect(await run).toMatchObject({ allDone: true, done: 1 });
    expect(batch.overview().holdReason).toBe('');
  },
);
