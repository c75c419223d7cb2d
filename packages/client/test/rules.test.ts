import { addressScope, checkedLookup, ForbiddenAddress } from '@likeness/node-kit/network/address_scope.ts';
import { describe, expect, test } from 'vitest';
import { quote } from '../src/operations/quote.ts';
import { createPace, createPaces, priorities } from '../src/transport/pace.ts';
import { type FailedTry, parseRetryAfter, pauseBeforeRetry } from '../src/transport/retry.ts';

describe('where an address leads', () => {
  test.each([
    ['8.8.8.8', 'public'],
    ['93.184.215.14', 'public'],
    ['198.18.0.7', 'public'],
    ['2606:2800:21f:cb07::1', 'public'],
    ['::ffff:8.8.8.8', 'public'],
    ['64:ff9b::808:808', 'public'],
    ['127.255.255.254', 'loopback'],
    ['0.0.0.0', 'loopback'],
    ['::1', 'loopback'],
    ['::', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['10.255.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['172.32.0.1', 'public'],
    ['192.168.0.1', 'private'],
    ['100.127.255.255', 'private'],
    ['fd12::1', 'private'],
    ['2002:c0a8:101::1', 'private'],
    ['64:ff9b::c0a8:101', 'private'],
    ['169.254.10.1', 'link-local'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['169.254.169.254', 'metadata'],
    ['::ffff:a9fe:a9fe', 'metadata'],
    ['100.100.100.200', 'metadata'],
    ['168.63.129.16', 'metadata'],
    ['fd00:ec2::254', 'metadata'],
    ['224.0.0.1', 'reserved'],
    ['255.255.255.255', 'reserved'],
    ['ff02::1', 'reserved'],
    ['2001:0:1::1', 'reserved'],
    ['::7f00:1', 'reserved'],
  ])('%s is %s', (address, scope) => {
    expect(addressScope(address)).toBe(scope);
  });

  test('a name is refused when one of its addresses is', async () => {
    const lookup = ((_: string, __: unknown, callback: (...outcome: unknown[]) => void) => {
      callback(null, [
        { address: '93.184.215.14', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ]);
    }) as unknown as Parameters<typeof checkedLookup>[1];
    const rule = (address: string): boolean => addressScope(address) === 'public';
    const outcome = await new Promise((resolve) => {
      checkedLookup(rule, lookup)('rebind.example', { all: true }, (error) => resolve(error));
    });
    expect(outcome).toBeInstanceOf(ForbiddenAddress);
    expect(outcome).toMatchObject({ hostname: 'rebind.example', address: '10.0.0.1' });
  });
});

describe('when to try again', () => {
  const failed = {
    idempotent: true,
    neverReceived: false,
    transient: true,
    turnedAway: false,
    retryAfter: null,
  };
  const limits = { attempts: 9, base: 500, most: 15_000, longestRetryAfter: 60_000 };

  test('the pause is anywhere between nothing and a doubling limit', () => {
    const max = [1, 2, 3, 4, 5, 6, 7].map((attempt) => pauseBeforeRetry(failed, attempt, () => 1, limits));
    expect(max).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
    expect(pauseBeforeRetry(failed, 5, () => 0, limits)).toBe(0);
  });

  test.each<[string, Partial<FailedTry>, boolean]>([
    ['a question that broke off', {}, true],
    ['a question that was answered with no', { transient: false }, false],
    ['an order that may have been received', { idempotent: false }, false],
    ['an order that was never received', { idempotent: false, neverReceived: true }, true],
    ['an order that was turned away without a time', { idempotent: false, turnedAway: true }, false],
    [
      'an order that was turned away with one',
      { idempotent: false, turnedAway: true, retryAfter: 100 },
      true,
    ],
    ['an order that failed with a time', { idempotent: false, retryAfter: 100 }, false],
    ['a time that is too long', { turnedAway: true, retryAfter: 61_000 }, false],
  ])('%s', (_, change, again) => {
    expect(pauseBeforeRetry({ ...failed, ...change }, 1, () => 0.5, limits) !== null).toBe(again);
  });

  test.each([
    ['120', 120_000],
    ['0', 0],
    ['1.5', 1500],
    [' 7 ', 7000],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 60_000],
    ['Wed, 21 Oct 2020 07:28:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['', null],
    [undefined, null],
  ])('Retry-After: %s', (header, milliseconds) => {
    expect(parseRetryAfter(header, Date.UTC(2026, 9, 21, 7, 27, 0))).toBe(milliseconds);
  });
});

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A clock that stands still until it is told the time. */
function stoppedClock() {
  let now = 1_000_000;
  const waits: { until: number; resolve: () => void }[] = [];
  return {
    now: () => now,
    wait: (milliseconds: number) =>
      new Promise<void>((resolve) => {
        waits.push({ until: now + milliseconds, resolve });
      }),
    async advance(milliseconds: number) {
      now += milliseconds;
      for (const wait of waits.splice(0)) {
        if (wait.until <= now) wait.resolve();
        else waits.push(wait);
      }
      await tick();
    },
  };
}

describe('turns', () => {
  test('by priority, then in order', async () => {
    const pace = createPace({ concurrency: 1, requestsPerMinute: 0 }, stoppedClock());
    const leave = await pace.enter(priorities.upload);
    const order: string[] = [];
    const asked = (
      [
        ['upload 1', priorities.upload],
        ['question', priorities.question],
        ['upload 2', priorities.upload],
        ['voice', priorities.live],
      ] as const
    ).map(([name, priority]) => pace.run(() => Promise.resolve(order.push(name)), priority));
    leave();
    await Promise.all(asked);
    expect(order).toEqual(['voice', 'question', 'upload 1', 'upload 2']);
    await pace.idle();
  });

  test('no more in any minute than the rate allows, however they fall', async () => {
    const clock = stoppedClock();
    const pace = createPace({ concurrency: 10, requestsPerMinute: 3 }, clock);
    const started: number[] = [];
    const start = (): Promise<number> =>
      pace.run(() => Promise.resolve(started.push(clock.now() - 1_000_000)), 0);
    const all = [start(), start()];
    await clock.advance(50_000);
    for (let count = 0; count < 4; count++) all.push(start());
    await tick();
    expect(started).toEqual([0, 0, 50_000]);
    await clock.advance(10_000);
    expect(started).toEqual([0, 0, 50_000, 60_000, 60_000]);
    await clock.advance(49_999);
    expect(started).toHaveLength(5);
    await clock.advance(1);
    await Promise.all(all);
    expect(started).toHaveLength(6);
  });

  test('a task that fails gives its turn back', async () => {
    const pace = createPace({ concurrency: 1, requestsPerMinute: 0 }, stoppedClock());
    await expect(pace.run(() => Promise.reject(new Error('no')), 0)).rejects.toThrow('no');
    expect(await pace.run(() => Promise.resolve(7), 0)).toBe(7);
  });

  test('who is cancelled while waiting is forgotten', async () => {
    const pace = createPace({ concurrency: 1, requestsPerMinute: 0 }, stoppedClock());
    const leave = await pace.enter(0);
    const controller = new AbortController();
    const waiting = pace.enter(0, controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    leave();
    leave();
    (await pace.enter(0))();
    await pace.idle();
  });
});

describe('turns that several clients share', () => {
  const shared = (concurrency: number) =>
    createPaces(stoppedClock())('profile', { concurrency, requestsPerMinute: 0 });

  test('one that keeps a place finds it free, the others have it back when that one leaves', async () => {
    const pace = shared(2);
    const queue = pace.join();
    const voice = pace.join(true);
    const uploaded = await queue.enter(priorities.upload);
    let second: (() => void) | undefined;
    const waiting = queue.enter(priorities.upload).then((leave) => {
      second = leave;
    });
    const spoken = await voice.enter(priorities.live);
    spoken();
    await tick();
    expect(second).toBeUndefined();
    voice.leave();
    await waiting;
    expect(second).toBeDefined();
    uploaded();
    second?.();
    await queue.idle();
  });

  test('where there is one place, the others wait until it is left', async () => {
    const pace = shared(1);
    const queue = pace.join();
    const voice = pace.join(true);
    let started = false;
    const upload = queue.run(async () => {
      started = true;
    }, priorities.upload);
    await voice.run(() => tick(), priorities.live);
    // Also a question of the session's own, which has no priority over an upload that waits longer.
    await voice.run(() => tick(), priorities.upload);
    expect(started).toBe(false);
    voice.leave();
    await upload;
    expect(started).toBe(true);
  });

  test('who goes sends home its own calls only, and waits for its own only', async () => {
    const pace = shared(1);
    const [one, other] = [pace.join(), pace.join()];
    const leave = await one.enter(priorities.upload);
    const sentHome = other.enter(priorities.upload);
    const stays = one.enter(priorities.upload);
    other.dismiss(new Error('closed'));
    await expect(sentHome).rejects.toThrow('closed');
    await other.idle();
    leave();
    (await stays)();
    await one.idle();
  });

  test('a profile has one pace as long as its limits are the same', () => {
    const paceOf = createPaces(stoppedClock());
    const limits = { concurrency: 2, requestsPerMinute: 60 };
    const pace = paceOf('p', limits);
    expect(paceOf('p', { ...limits })).toBe(pace);
    expect(paceOf('q', limits)).not.toBe(pace);
    expect(paceOf('p', { ...limits, concurrency: 3 })).not.toBe(pace);
  });
});

test('a quotation is short, on one line, and reads as what it is', () => {
  expect(quote('a\n\tb\u202e\u0000c  d', [])).toBe('a b cd'.replace('cd', 'c d'));
  expect([...quote('😀'.repeat(900), [])]).toHaveLength(501);
});
