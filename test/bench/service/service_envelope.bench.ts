/**
 * How many B2 calls a second a service answers on one core, with keys, meters and the audit log at work: 32 connections
 * that ask again as soon as they are answered. The client has the other cores. SECONDS for a shorter run.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { percentile } from '@likeness/proto/percentile.ts';
import { Client, type Dispatcher } from 'undici';
import { makeCertificate } from '../../fixtures/service/certificate.ts';
import { hasRedis, startRedis } from '../../support/service/redis_server.ts';
import { report } from '../limits.ts';
import { made, order, photo, setting } from './service_calls.ts';
import { benchFolder, load, type ServiceNode, shared, startNode } from './service_processes.ts';

const connections = 32;
const seconds = setting('SECONDS', 20);
const folder = benchFolder();

/** Calls a second, calls in a second of the service's processor time, and milliseconds that each took. */
interface Pace {
  rate: number;
  perProcessorSecond: number;
  times: number[];
  share: number;
}

/** One call, no more of undici than sends and reads it. @returns once it is answered */
const ask = (client: Client, options: Dispatcher.DispatchOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    let status = 0;
    client.dispatch(options, {
      onRequestStart() {},
      onResponseStart(_controller, code) {
        status = code;
      },
      onResponseData() {},
      onResponseEnd() {
        if (status === 200) resolve();
        else reject(new Error(`answered with ${status}`));
      },
      onResponseError(_controller, error) {
        reject(error);
      },
    });
  });

async function pace(node: ServiceNode, id: string): Promise<Pace> {
  const path = `/open-api/svc/sdk/model/get/${id}`;
  const options = { method: 'GET', path, headers: { auth_ak: node.key } } as const;
  const clients = Array.from(
    { length: connections },
    () => new Client(node.url, { connect: { rejectUnauthorized: false } }),
  );
  const times: number[] = [];
  const run = async (until: number): Promise<void> => {
    const one = async (client: Client): Promise<void> => {
      while (performance.now() < until) {
        const begin = performance.now();
        await ask(client, options);
        times.push(performance.now() - begin);
      }
    };
    await Promise.all(clients.map(one));
  };
  // Connections, and what V8 learns.
  await run(performance.now() + 3000);
  times.length = 0;
  const used = node.processorSeconds();
  const begin = performance.now();
  await run(begin + seconds * 1000);
  const wall = (performance.now() - begin) / 1000;
  const processor = node.processorSeconds() - used;
  await Promise.all(clients.map((client) => client.close()));
  return {
    rate: times.length / wall,
    perProcessorSecond: times.length / processor,
    times,
    share: processor / wall,
  };
}

/** @param isHeld against the limits, which are those of plain HTTP on one machine; of the others it is told */
function tell(name: string, { rate, perProcessorSecond, times, share }: Pace, isHeld: boolean): void {
  console.log(
    `${name}: ${rate.toFixed(0)} calls a second with ${(share * 100).toFixed(0)} % of a core, ${perProcessorSecond.toFixed(0)} in a second of processor time; ` +
      `P50 ${percentile(times, 0.5).toFixed(1)} ms, P95 ${percentile(times, 0.95).toFixed(1)} ms; ${load()}`,
  );
  if (!isHeld) return;
  // Beside other work the service doesn't get a whole core.
  report({
    name: 'B2 calls in a second of one core',
    value: perProcessorSecond,
    unit: '',
    limit: 3000,
    kind: 'least',
  });
  report({ name: 'B2 call, P95', value: percentile(times, 0.95), unit: 'ms', limit: 20, kind: 'most' });
}

const one = availableParallelism() > 1 ? { core: 0 } : {};
if (availableParallelism() > 1)
  execFileSync('taskset', ['-acp', `1-${availableParallelism() - 1}`, String(process.pid)], {
    stdio: 'ignore',
  });

/** A service with one head that is made. */
async function measure(name: string, node: ServiceNode, before: string | null): Promise<string> {
  const id = before ?? (await order(node, photo(1)));
  if (before === null) await made(node, id);
  tell(name, await pace(node, id), name === 'one process');
  await node.stop();
  return id;
}

const place = join(folder, 'one');
const id = await measure('one process', await startNode(place, one), null);

const { certificate, privateKey } = makeCertificate({ name: 'localhost', hosts: ['127.0.0.1'] });
const tls = { cert: join(folder, 'chain.pem'), key: join(folder, 'key.pem') };
writeFileSync(tls.cert, certificate);
writeFileSync(tls.key, privateKey);
const args = ['--tls-cert', tls.cert, '--tls-key', tls.key];
await measure('one process with TLS', await startNode(place, { ...one, args }), id);

if (hasRedis()) {
  const redis = await startRedis({ folder: join(folder, 'redis') });
  const store = join(folder, 'store');
  mkdirSync(store);
  const queue = shared(redis.url, store);
  // Its model waits for a worker, which is what is asked most often.
  const node = await startNode(join(folder, 'node'), { ...one, args: queue });
  const waiting = await order(node, photo(1));
  await measure('a node on Redis', node, waiting);
  await redis.close();
}
