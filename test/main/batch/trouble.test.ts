import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inEnglish } from '@likeness/messages';
import { systemClock } from '@likeness/node-kit/clock.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { describe, expect, it, vi } from 'vitest';
import { envelope, json } from '../../fixtures/service/behaviours.ts';
import type { Behaviour } from '../../fixtures/service/scripted_service.ts';
import { smallDisk } from '../../support/small_disk.ts';
import { atEnd, type Stage, setStage, temporaryFolder } from './stage.ts';

/** A clock on which nothing is waited for longer than 50 ms. */
const hasty = {
  ...systemClock,
  wait: (milliseconds: number, signal: AbortSignal) => systemClock.wait(Math.min(milliseconds, 50), signal),
};

const patiently = { timeout: 9000 };

const orders = (stage: Stage): number => stage.service.count('generate_model');

it('the library’s folder is read-only: it is told, nothing is lost, and it goes on when it can be written', async (context) => {
  const folder = await temporaryFolder();
  const disk = smallDisk(join(folder, 'library', 'Heads'), 8, context, atEnd);
  const stage = await setStage({ folder, batch: { clock: hasty } });
  disk.readOnly(true);
  await stage.run(3);
  await vi.waitFor(
    () => expect(inEnglish(stage.batch.overview().holdReason)).toMatch(/read-only/),
    patiently,
  );
  expect(stage.batch.overview()).toMatchObject({ open: 3, jobs: { done: 0, failed: 0 } });
  disk.readOnly(false);
  expect(await stage.rest()).toMatchObject({ holdReason: '', jobs: { done: 3 } });
  expect(orders(stage)).toBe(3);
  expect(stage.defects).toEqual([]);
});

it('the disk is really full: what is paid for waits, and everything goes on when there is room', async (context) => {
  const folder = await temporaryFolder();
  const disk = smallDisk(folder, 16, context, atEnd);
  const stage = await setStage({ folder, batch: { clock: hasty } });
  stage.batch.pause(true);
  await stage.run(6);
  const processing = { status: 3, waitTime: '0', sex: 1, eyelidType: 1, failMessage: '', downloadLink: '' };
  stage.service.script('get_model', (turn) => {
    disk.fill();
    return envelope(processing)(turn);
  });
  stage.batch.pause(false);
  await vi.waitFor(
    () => expect(inEnglish(stage.batch.overview().holdReason)).toMatch(/disk is (too )?full/i),
    patiently,
  );
  expect(stage.batch.overview().jobs).toMatchObject({ failed: 0 });
  disk.free();
  expect(await stage.rest()).toMatchObject({ jobs: { done: 6, failed: 0, uncertain: 0 } });
  expect(orders(stage)).toBe(6);
  const left = await readdir(folder, { recursive: true });
  expect(left.filter((name) => /\.part|\.incoming-/.test(name))).toEqual([]);
});

it('the journal can’t be written: nothing is sent, it is told, and no try is used up by it', async () => {
  const stage = await setStage();
  const { profiles } = stage.options;
  const { service } = profiles;
  let refusals = 0;
  profiles.service = async (id) => ({
    ...(await service(id)),
    async generateModel() {
      refusals += 1;
      throw new Failure('storage', '“journal.db” can’t be written.', { hint: 'Give access to it.' });
    },
  });
  const [id = ''] = await stage.run(1);
  for (let tries = 1; tries <= 6; tries += 1) {
    await vi.waitFor(() => expect(inEnglish(stage.batch.overview().holdReason)).toMatch(/journal/));
    expect(refusals).toBe(tries);
    // Who resumes wants it tried now.
    stage.batch.pause(false);
    await vi.waitFor(() => expect(refusals).toBe(tries + 1));
  }
  profiles.service = service;
  stage.service.script('generate_model', json({ message: 'busy' }, 429, { 'retry-after': '0' }));
  await vi.waitFor(() => expect(stage.batch.job(id)?.state).toBe('queued'));
  stage.batch.pause(false);
  expect(await stage.rest()).toMatchObject({ jobs: { done: 1, failed: 0 } });
});

describe('a database that can’t be read', () => {
  const refusal = (errcode: number): Error =>
    Object.assign(new Error('of SQLite'), { code: 'ERR_SQLITE_ERROR', errcode });
  /** Fails until the queue shows a reason that matches, then works again. */
  const refuse = async (stage: Stage, expected: RegExp, heal: () => void): Promise<void> => {
    await vi.waitFor(() => expect(inEnglish(stage.batch.overview().holdReason)).toMatch(expected));
    expect(stage.batch.overview().jobs).toMatchObject({ failed: 0, uncertain: 0 });
    heal();
  };
  const allMade = async (stage: Stage, count: number): Promise<void> => {
    expect(await stage.rest()).toMatchObject({ holdReason: '', jobs: { done: count, failed: 0 } });
    expect(orders(stage)).toBe(count);
    expect(stage.defects).toEqual([]);
  };

  it.each([
    ['is locked', 5, /in use by another program.*Close other copies/],
    ['fails', 10, /could not read or write.*Check the disk/],
    ['is full', 13, /disk is full.*Free some space/],
  ])('%s while a paid head is fetched: it waits, says what to do, and is fetched', async (_, code, told) => {
    const stage = await setStage({ batch: { clock: hasty } });
    const { modelStore } = stage.options;
    const { has } = modelStore;
    modelStore.has = () => Promise.reject(refusal(code));
    await stage.run(2);
    await refuse(stage, told, () => {
      modelStore.has = has;
    });
    await allMade(stage, 2);
  });

  it('before an order is sent, and while its model is asked for: each is ordered once', async () => {
    const stage = await setStage({ batch: { clock: hasty }, service: { processingAnswers: 1 } });
    const { profiles } = stage.options;
    const { service, profile } = profiles;
    let isOrdered = false;
    profiles.service = async (id) => ({
      ...(await service(id)),
      generateModel: () => Promise.reject(refusal(10)),
    });
    await stage.run(1);
    await refuse(stage, /Check the disk/, () => {
      profiles.service = async (id) => {
        const real = await service(id);
        return {
          ...real,
          generateModel: (order, how) => real.generateModel(order, how).finally(() => (isOrdered = true)),
        };
      };
      profiles.profile = (id) => (isOrdered ? Promise.reject(refusal(10)) : profile(id));
    });
    await vi.waitFor(() => expect(isOrdered).toBe(true));
    await refuse(stage, /Check the disk/, () => {
      profiles.profile = profile;
    });
    await allMade(stage, 1);
  });

  it('while the queue looks for its next job: it goes on by itself', async () => {
    const stage = await setStage({ batch: { clock: hasty } });
    const { jobs } = stage.batch;
    const paidIds = vi.spyOn(jobs, 'paidIds').mockImplementation(() => {
      throw refusal(10);
    });
    await stage.run(2);
    await refuse(stage, /Check the disk/, () => paidIds.mockRestore());
    await allMade(stage, 2);
  });

  it('when the last job has ended: the end of the batch is still reported', async () => {
    const stage = await setStage({ batch: { clock: hasty } });
    const counts = vi.spyOn(stage.batch.jobs, 'countsSince').mockImplementation(() => {
      throw refusal(10);
    });
    await stage.run(1);
    await vi.waitFor(() => expect(stage.batch.jobs.counts().done).toBe(1));
    const calls = counts.mock.calls.length;
    await vi.waitFor(() => expect(counts.mock.calls.length).toBeGreaterThan(calls + 1));
    counts.mockRestore();
    await vi.waitFor(() => expect(stage.finished).toMatchObject([{ done: 1, failed: 0 }]));
    expect(stage.defects).toEqual([]);
  });
});

it('the disk fails to flush steps that are saved: each head is ordered and made once', async () => {
  const stage = await setStage({ batch: { clock: hasty } });
  const handle = await open(process.execPath);
  await handle.close();
  let failures = 0;
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  const really = prototype.datasync;
  const datasync = vi.spyOn(prototype, 'datasync').mockImplementation(function (this: FileHandle) {
    failures += 1;
    // Longer than a flush is repeated, so that the whole step is.
    if (failures <= 8) return Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
    return really.call(this);
  });
  await stage.run(2);
  expect(await stage.rest()).toMatchObject({ jobs: { done: 2, failed: 0, uncertain: 0 } });
  datasync.mockRestore();
  expect(failures).toBeGreaterThan(8);
  expect(orders(stage)).toBe(2);
  expect(stage.defects).toEqual([]);
});

it('the laptop sleeps for a night: what is under way goes on, nothing is sent again, no hours are learned', async () => {
  let slept = 0;
  const clock = { ...hasty, now: () => Date.now() + slept };
  const stage = await setStage({ batch: { clock, concurrentJobs: () => 2 } });
  await stage.askedForExtensions();
  const hanging: (() => void)[] = [];
  const asleep: Behaviour = ({ incoming }) => {
    hanging.push(() => incoming.socket.destroy());
  };
  stage.service.script('get_model', asleep, asleep);
  await stage.run(4);
  await vi.waitFor(() => expect(hanging).toHaveLength(2));
  // Timers stood still with the processor; the wall clock did not, and nobody is at the other end any more.
  slept = 9 * 3_600_000;
  for (const hangUp of hanging) hangUp();
  expect(await stage.rest()).toMatchObject({ jobs: { done: 4, failed: 0, uncertain: 0 } });
  expect(orders(stage)).toBe(4);
  stage.batch.pause(true);
  await stage.run(8);
  expect(stage.batch.overview().secondsLeft).toBeLessThan(60);
});
