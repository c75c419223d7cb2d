/**
 * `npm run soak -- tenants [seconds]`: what ten tenants notice of an eleventh. Its one ordinary key tries all that is shared:
 * voices, photo checks, recordings, the queue and webhooks. Sixty people speak in real time and 200 heads are ordered, first
 * alone, then beside it. Heads and faces are the tests' quick ones: admission is measured, not the processor.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '@likeness/proto/percentile.ts';
import { encodeWav } from '@likeness/proto/wav.ts';
import { addKey, type ShownKey } from '@likeness/service/keys/key_administration.ts';
import { defaultScopes } from '@likeness/service/keys/service_key.ts';
import { call, groupA, groupB, order, speak } from '../../packages/service/test/service_harness.ts';
import { registerWebhook, startReceiver } from '../../packages/service/test/webhook_receiver.ts';
import { report } from '../../test/bench/limits.ts';
import { benchFolder, load } from '../../test/bench/service/service_processes.ts';
import { blob, form, picture } from '../../test/support/service/engine_harness.ts';

const seconds = Number(process.argv[2] ?? 20);
const tenants = 10;
const speakersEach = 6;
const ordersEach = 20;
const folder = benchFolder();

const child = fork(new URL('../../packages/service/test/quick_service_entry.ts', import.meta.url), [folder]);
process.on('exit', () => child.kill('SIGKILL'));
const [port] = (await once(child, 'message')) as [number];
const service = { url: `http://127.0.0.1:${port}` };
/** With the limits that `likeness service keys add` gives. */
const keyOf = (name: string): Promise<ShownKey> =>
  addKey(
    folder,
    {
      name,
      tenant: name,
      groups: ['A', 'B'],
      scopes: [...defaultScopes],
      expiresAt: null,
      caps: { seconds: null, frames: null, models: null },
      rate: { perSecond: 100, burst: 200 },
      atOnce: 64,
    },
    Date.now(),
  );

/** Milliseconds of the calls that were answered with 2xx, and how often which other status came. */
class Seen {
  readonly times: number[] = [];
  readonly refused = new Map<number, number>();

  async take(work: () => Promise<number>): Promise<void> {
    const begin = performance.now();
    const status = await work().catch(() => 0);
    if (status >= 200 && status < 300) this.times.push(performance.now() - begin);
    else this.refused.set(status, (this.refused.get(status) ?? 0) + 1);
  }
  get refusals(): number {
    return [...this.refused.values()].reduce((sum, count) => sum + count, 0);
  }
  text(): string {
    const refused = [...this.refused]
      .map(([status, count]) => `${count} × ${status || 'no answer'}`)
      .join(', ');
    if (this.times.length === 0) return `0 answered, ${refused || '0 refused'}`;
    const at = (share: number): string => percentile(this.times, share).toFixed(0);
    return `${this.times.length} answered, P50 ${at(0.5)}, P95 ${at(0.95)}, worst ${at(1)} ms; ${refused || '0 refused'}`;
  }
}

const sound = encodeWav({ sampleRate: 16_000, samples: new Float32Array(16_000) });
const post = async (path: string, key: ShownKey, body: FormData): Promise<number> => {
  const answer = await fetch(service.url + path, { method: 'POST', headers: groupA(key), body });
  await answer.arrayBuffer();
  return answer.status;
};

async function speaker(key: ShownKey, until: number, seen: Seen): Promise<void> {
  const each = 200;
  const traceId = randomUUID();
  let due = performance.now() + Math.random() * each;
  for (let status = 'start'; performance.now() < until; status = 'continue') {
    await pause(Math.max(0, due - performance.now()));
    await seen.take(async () => (await speak(service, key, { traceId, status, seconds: 0.2 })).status);
    due += each;
  }
  await seen.take(async () => (await speak(service, key, { traceId, status: 'end', seconds: 0.2 })).status);
}

interface OthersSeen {
  voices: Seen;
  orders: Seen;
  checks: Seen;
  recordings: Seen;
  /** From an answered order to its webhook. */
  webhooks: Seen;
}

const receiver = await startReceiver(() => 200);
const others = await Promise.all(Array.from({ length: tenants }, (_, n) => keyOf(`tenant-${n}`)));
await pause(500);
for (const key of others) await registerWebhook(service, key, receiver.url);

async function otherTenants(): Promise<OthersSeen> {
  const seen = {
    voices: new Seen(),
    orders: new Seen(),
    checks: new Seen(),
    recordings: new Seen(),
    webhooks: new Seen(),
  };
  const until = performance.now() + seconds * 1000;
  const rest = (): number => Math.max(0, until - performance.now());
  await Promise.all(
    others.map(async (key) => {
      const waiting: Promise<void>[] = [];
      const speakers = Array.from({ length: speakersEach }, () => speaker(key, until, seen.voices));
      for (let n = 0; n < ordersEach; n += 1) {
        let id = '';
        await seen.orders.take(async () => {
          const { status, body } = await order(service, key);
          id = body.data?.modelId ?? '';
          return status;
        });
        if (id !== '') waiting.push(seen.webhooks.take(() => webhookOf(id)));
        await seen.checks.take(async () =>
          post('/v1/photos/check', key, form({ file: blob(await picture(n)) })),
        );
        await seen.recordings.take(() => post('/v1/speech/recordings', key, form({ file: blob(sound) })));
        await pause(rest() / (ordersEach - n));
      }
      await Promise.all([...speakers, ...waiting]);
    }),
  );
  return seen;
}

/** @returns 200 when it was delivered; 0 after a minute */
async function webhookOf(id: string): Promise<number> {
  for (let at = 0; at < 6000; at += 1) {
    if (receiver.told().has(id)) return 200;
    await pause(10);
  }
  return 0;
}

/** All that one key can do to the five. @returns what became of it */
function startGreedy(key: ShownKey): { tried: Record<string, Seen>; stop: () => Promise<void> } {
  let isOver = false;
  const tried: Record<string, Seen> = {};
  const sockets = new Set<Socket>();
  const again = async (name: string, wait: number, work: () => Promise<number>): Promise<void> => {
    tried[name] ??= new Seen();
    const seen = tried[name];
    while (!isOver) {
      await seen.take(work);
      await pause(wait);
    }
  };
  /** An upload of four gigabytes, a byte now and then. @returns the status with which it ends */
  const slowly = (path: string) => async (): Promise<number> => {
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    socket.on('error', () => {});
    const head = [
      `POST ${path} HTTP/1.1`,
      `host: 127.0.0.1:${port}`,
      `authorization: Bearer ${key.secret}`,
      'content-type: multipart/form-data; boundary=x',
      `content-length: ${path.includes('photos') ? 100_000 : 4_000_000_000}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n--x\r\n`);
    const drip = setInterval(() => socket.write('x'), 1000);
    try {
      const [answer = Buffer.of()] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [
        Buffer?,
      ];
      return Buffer.isBuffer(answer) ? Number(answer.toString('latin1', 9, 12)) : 0;
    } finally {
      clearInterval(drip);
      sockets.delete(socket);
      socket.destroy();
    }
  };
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  const works = (async () => {
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    for (let n = 0; n < 10; n += 1) await registerWebhook(service, key, `${url}${n}`).catch(() => {});
    const voice = async (): Promise<number> => {
      const traceId = randomUUID();
      const { status } = await speak(service, key, { traceId, seconds: 0.1 });
      if (status !== 200) return status;
      return (await speak(service, key, { traceId, seconds: 0.1, status: 'continue' })).status;
    };
    const noFace = { fields: { sex: '0', eyelidType: '1' } };
    await Promise.all([
      ...Array.from({ length: 8 }, () => again('voices', 20, voice)),
      ...Array.from({ length: 20 }, () => again('photo checks', 50, slowly('/v1/photos/check'))),
      ...Array.from({ length: 20 }, () => again('recordings', 50, slowly('/v1/speech/recordings'))),
      ...Array.from({ length: 8 }, () =>
        again('orders', 20, async () => (await order(service, key, noFace)).status),
      ),
    ]);
  })();
  return {
    tried,
    async stop() {
      isOver = true;
      for (const socket of sockets) socket.destroy();
      silent.closeAllConnections();
      await works.catch(() => {});
      silent.close();
    },
  };
}

const show = (title: string, seen: object): void => {
  console.log(title);
  for (const [name, one] of Object.entries(seen) as [string, Seen][]) console.log(`  ${name}: ${one.text()}`);
};
await otherTenants();
const alone = await otherTenants();
show(`ten tenants alone; ${load()}`, alone);
const greedy = startGreedy(await keyOf('greedy'));
await pause(3000);
const beside = await otherTenants();
show(`ten tenants beside it; ${load()}`, beside);
await greedy.stop();
show('the greedy one', greedy.tried);

const kinds = ['voices', 'orders', 'checks', 'recordings', 'webhooks'] as const;
const p95 = (seen: Seen): number => percentile(seen.times, 0.95);
const refused = kinds.reduce((sum, kind) => sum + beside[kind].refusals, 0);
const answered = kinds.reduce((sum, kind) => sum + beside[kind].times.length, 0);
// Ten who come in one moment are more than the eight places that it leaves free: they are asked to try again in a second.
report({
  name: 'calls of ten tenants that were refused or not delivered',
  value: (100 * refused) / (refused + answered),
  unit: '%',
  limit: 1,
  kind: 'most',
});
for (const kind of kinds)
  report({
    name: `${kind} of ten tenants, P95 beside ÷ alone`,
    value: p95(beside[kind]) / p95(alone[kind]),
    unit: '×',
    limit: 2,
    kind: 'most',
  });
const { status } = await call(service, '/healthz', { headers: groupB(others[0]!) });
if (status !== 200) throw new Error(`/healthz answered with ${status}`);
await receiver.close();
child.kill('SIGTERM');
