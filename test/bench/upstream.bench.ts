/**
 * What a B2 call through the client costs against the same request through bare undici: one run, the two in
 * turns, the server in a thread of its own. Both sides send the key and read the JSON; the client also keeps
 * its limits, its phase timeouts and its journal entry, and checks what came.
 */
import { Worker } from 'node:worker_threads';
import { createUpstreamClient } from '@likeness/client/client.ts';
import { percentile } from '@likeness/proto/percentile.ts';
import { Agent, request } from 'undici';
import { newProfile } from '../../preload/contract.ts';
import { report } from './limits.ts';

const rounds = 120;
const callsPerRound = 160;
const apiKey = 'bench-key-0123456789abcdef';

const worker = new Worker(new URL('upstream_server.ts', import.meta.url));
const port = await new Promise<number>((resolve) => worker.once('message', resolve));
const url = `http://127.0.0.1:${port}`;
const agent = new Agent({ allowH2: false });

const bare = async (): Promise<void> => {
  const { statusCode, body } = await request(`${url}/open-api/svc/sdk/model/get/model-1`, {
    dispatcher: agent,
    headers: { accept: 'application/json', auth_ak: apiKey },
  });
  const answer = (await body.json()) as { code: number; data: { status: number } };
  if (statusCode !== 200 || answer.code !== 200 || answer.data.status !== 3) throw new Error('bare undici');
};

/** Milliseconds for so many calls, so many at once. */
async function time(call: () => Promise<void>, concurrency: number): Promise<number> {
  let left = callsPerRound;
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) await call();
    }),
  );
  return performance.now() - begin;
}

for (const concurrency of [1, 16]) {
  let entries = 0;
  const client = createUpstreamClient({
    endpoint: {
      ...newProfile,
      profileId: 'bench',
      profileName: 'Bench',
      groupBUrl: url,
      concurrency,
      secret: () => Promise.resolve(apiKey),
    },
    beforeCall: () => Promise.resolve(),
    onExchange: () => {
      entries += 1;
    },
  });
  const through = async (): Promise<void> => {
    const { state } = await client.getModel('model-1');
    if (state !== 'processing') throw new Error('client');
  };
  for (const call of [bare, through, bare, through]) await time(call, concurrency);
  const bareTimes: number[] = [];
  const throughTimes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // In turns, and each first as often as second, so that neither has the warmer machine.
    const order = round % 2 === 0 ? [bare, through] : [through, bare];
    for (const call of order) (call === bare ? bareTimes : throughTimes).push(await time(call, concurrency));
  }
  if (entries < rounds * callsPerRound) throw new Error('calls without a journal entry');
  // Other programs on the machine only ever add time: the lower quartile is what the calls themselves take.
  const bareTime = percentile(bareTimes, 0.25);
  const throughTime = percentile(throughTimes, 0.25);
  const perCall = (milliseconds: number): string =>
    `${((milliseconds / callsPerRound) * 1000).toFixed(1)} µs`;
  console.log(
    `  concurrency ${concurrency}: bare ${perCall(bareTime)}, client ${perCall(throughTime)} a call; medians ${perCall(percentile(bareTimes, 0.5))}, ${perCall(percentile(throughTimes, 0.5))}`,
  );
  report({
    name: `B2 through the client against bare undici, concurrency ${concurrency}`,
    value: throughTime / bareTime,
    unit: '×',
    limit: 1.15,
    kind: 'most',
  });
  await client.close();
}
await agent.close();
await worker.terminate();
