import { inEnglish } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { describe, expect, it } from 'vitest';
import { contract, type Handlers, type Result } from '#contract';
import { type BinaryPort, createDispatcher, type Dispatcher } from '../../../main/ipc/dispatcher.ts';

const own = { origin: 'likeness://app' };
const calls = Object.entries(contract).flatMap(([room, table]) =>
  Object.entries(table.calls).map(([name, shape]) => ({ name: `${room}.${name}`, room, call: name, shape })),
);

/** The handlers, so that a test may put its own in place of one. */
type Mutable<T> = { -readonly [K in keyof T]: { -readonly [C in keyof T[K]]: T[K][C] } };

/** Handlers of which each says that it was reached. */
function recording(reached: string[]): Mutable<Handlers> {
  const rooms = Object.entries(contract).map(([room, table]) => [
    room,
    Object.fromEntries(
      [...Object.keys(table.calls), ...Object.keys(table.streams)].map((name) => [
        name,
        () => {
          reached.push(`${room}.${name}`);
          throw new Failure('not_found', 'reached');
        },
      ]),
    ),
  ]);
  return Object.fromEntries(rooms) as unknown as Mutable<Handlers>;
}

const create = (handlers: Handlers, defects: unknown[] = []): Dispatcher =>
  createDispatcher({ handlers, pageOrigin: () => own.origin, onDefect: (_, error) => defects.push(error) });

const errorOf = (result: Result<unknown>) => {
  if (result.ok) throw new Error('expected an error');
  return result.error;
};

/** Inputs that no call may take. Each schema must refuse at least these kinds of nonsense. */
const nonsense: unknown[] = [42, 'text', [], { unexpected: true }, { id: '../../etc/passwd' }, null];

describe.each(calls)('the call $name', ({ name, room, call, shape }) => {
  it('rejects malformed input with invalid_input, names the field and never reaches its handler', async () => {
    const reached: string[] = [];
    const dispatcher = create(recording(reached));
    let refused = 0;
    for (const input of nonsense) {
      // Optional-only inputs may take an empty array's or object's absence of fields; zod decides, not this
      // test.
      if (shape.in.safeParse(input).success) continue;
      refused += 1;
      const error = errorOf(await dispatcher.call(name, input, own));
      expect(error.code).toBe('invalid_input');
      expect(error.field).toBeTruthy();
      expect(inEnglish(error.message)).toContain(error.field);
    }
    expect(refused).toBeGreaterThanOrEqual(4);
    expect(reached).toEqual([]);
  });

  it('refuses every origin but our own page', async () => {
    const reached: string[] = [];
    const dispatcher = create(recording(reached));
    for (const origin of [null, 'null', 'https://example.com', 'likeness://app.example.com', 'file://']) {
      expect(errorOf(await dispatcher.call(name, undefined, { origin })).code).toBe('forbidden');
    }
    expect(reached).toEqual([]);
  });

  it('has a handler, and a studio without it does not start', () => {
    const without = recording([]) as unknown as Record<string, Record<string, unknown>>;
    delete without[room]?.[call];
    expect(() => create(without as unknown as Handlers)).toThrow(name);
  });
});

describe('the dispatcher', () => {
  it('does not know calls that are not in the table, nor names from Object.prototype', async () => {
    const dispatcher = create(recording([]));
    for (const name of ['connections.secrets', 'constructor', '__proto__.toString', 'app', '']) {
      expect(errorOf(await dispatcher.call(name, undefined, own)).code).toBe('not_found');
    }
  });

  it('drops what the contract does not name from an answer, so that a key can’t slip out', async () => {
    const handlers = recording([]);
    handlers.journal.verify = async () =>
      ({ ok: true, entries: 1, firstBroken: null, detail: '', apiKey: 'sk-planted' }) as never;
    const result = await create(handlers).call('journal.verify', undefined, own);
    expect(result).toEqual({ ok: true, value: { ok: true, entries: 1, firstBroken: null, detail: '' } });
  });

  it('tells a failure as it was thrown, and a defect as internal without its words', async () => {
    const defects: unknown[] = [];
    const handlers = recording([]);
    handlers.journal.verify = () => {
      throw new Failure('storage', 'The disk is full.', { hint: 'Free some space.', retryable: true });
    };
    handlers.app.info = () => {
      throw new Error('secret details');
    };
    const dispatcher = create(handlers, defects);
    expect(errorOf(await dispatcher.call('journal.verify', undefined, own))).toEqual({
      code: 'storage',
      message: 'The disk is full.',
      hint: 'Free some space.',
      retryable: true,
    });
    const internal = errorOf(await dispatcher.call('app.info', undefined, own));
    expect(internal.code).toBe('internal');
    expect(JSON.stringify(internal)).not.toContain('secret details');
    expect(defects).toHaveLength(1);
  });

  it('reports an answer outside the contract as a defect', async () => {
    const defects: unknown[] = [];
    const handlers = recording([]);
    handlers.journal.verify = async () => ({ ok: 'yes' }) as never;
    const dispatcher = create(handlers, defects);
    expect(errorOf(await dispatcher.call('journal.verify', undefined, own)).code).toBe('internal');
    expect(String(defects[0])).toContain('ok');
  });

  it('sends events that fit the contract and keeps those that don’t', () => {
    const defects: unknown[] = [];
    const dispatcher = create(recording([]), defects);
    const seen: [string, unknown][] = [];
    const end = dispatcher.onEvent((name, payload) => seen.push([name, payload]));
    dispatcher.emit('app', 'notice', { level: 'info', title: 'a', text: 'b', path: '/home' } as never);
    dispatcher.emit('app', 'notice', { level: 'loud' } as never);
    end();
    dispatcher.emit('app', 'notice', { level: 'info', title: 'c', text: 'd' });
    expect(seen).toEqual([['app.notice', { level: 'info', title: 'a', text: 'b' }]]);
    expect(defects).toHaveLength(1);
  });
});

/** A port whose other end is the test. */
function testPort() {
  const posted: (Uint8Array | string)[] = [];
  let deliver: (message: Uint8Array | string) => void = () => {};
  let closed = false;
  const onClose: (() => void)[] = [];
  const port: BinaryPort = {
    post: (message) => posted.push(message),
    onMessage: (listener) => {
      deliver = listener;
    },
    onClose: (listener) => void onClose.push(listener),
    close: () => {
      closed = true;
    },
  };
  return {
    port,
    posted,
    deliver: (message: Uint8Array | string) => deliver(message),
    hangUp: () => onClose.forEach((listener) => void listener()),
    closed: () => closed,
  };
}

describe('a duplex stream', () => {
  const options = { profileId: 'built-in', sampleRate: 48_000, frameRate: 60 };

  it('says that it is open, carries bytes both ways in order, and closes once', () => {
    const handlers = recording([]);
    const heard: number[] = [];
    let closes = 0;
    handlers.live.open = (_, stream) => {
      stream.onClose(() => {
        closes += 1;
      });
      stream.onMessage((message) => {
        heard.push(message[0] ?? -1);
        stream.send(Uint8Array.of((message[0] ?? 0) + 1));
      });
    };
    const end = testPort();
    create(handlers).openStream('live.open', options, end.port, own);
    end.deliver(Uint8Array.of(1));
    end.deliver(Uint8Array.of(2));
    end.deliver('{"close":true}');
    end.deliver(Uint8Array.of(3));
    end.hangUp();
    expect(end.posted).toEqual(['{"open":true}', Uint8Array.of(2), Uint8Array.of(3)]);
    expect(heard).toEqual([1, 2]);
    expect(closes).toBe(1);
    expect(end.closed()).toBe(true);
  });

  it.each([
    ['a stranger', { origin: 'https://example.com' }, 'live.open', options, 'forbidden'],
    ['an unknown name', own, 'live.close', options, 'not_found'],
    ['bad options', own, 'live.open', { ...options, sampleRate: 1 }, 'invalid_input'],
  ])('is refused to %s with a reason', (_, sender, name, opening, code) => {
    const reached: string[] = [];
    const end = testPort();
    create(recording(reached)).openStream(name, opening, end.port, sender);
    expect(JSON.parse(String(end.posted[0])).error.code).toBe(code);
    expect(end.closed()).toBe(true);
    expect(reached).toEqual([]);
  });

  it('ends with the handler’s error', async () => {
    const end = testPort();
    create(recording([])).openStream('live.open', options, end.port, own);
    await expect.poll(() => end.closed()).toBe(true);
    expect(JSON.parse(String(end.posted.at(-1))).error.code).toBe('not_found');
  });
});
