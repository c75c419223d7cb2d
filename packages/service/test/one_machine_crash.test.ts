import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { sized } from '../../../test/support/sizes.ts';
import { addKey } from '../src/keys/key_administration.ts';
import { defaultScopes } from '../src/keys/service_key.ts';
import { call, groupA, groupB, type ModelEnvelope, order, picture } from './service_harness.ts';
import { registerWebhook, startReceiver } from './webhook_receiver.ts';

const orders = sized(12, 30);
const kills = sized(3, 5);

it('a service that is killed again and again loses no order, bills none twice and tells of each by one message', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-one-machine-'));
  const receiver = await startReceiver((n) => (n % 5 === 0 ? 503 : 200));
  let child: ChildProcess | undefined;
  onTestFinished(async () => {
    child?.kill('SIGKILL');
    await receiver.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  let port = 0;
  const start = async (): Promise<void> => {
    child = fork(join(import.meta.dirname, 'one_machine_entry.ts'), [folder, String(port)]);
    [port] = (await once(child, 'message')) as [number];
  };
  await start();
  const service = { url: `http://127.0.0.1:${port}` };
  const caps = { seconds: null, frames: null, models: orders };
  const key = await addKey(
    folder,
    {
      name: 'ann',
      tenant: 'ann',
      groups: ['A', 'B'],
      scopes: [...defaultScopes],
      expiresAt: null,
      caps,
      rate: { perSecond: 0, burst: 0 },
      atOnce: 100,
    },
    Date.now(),
  );
  const isKnown = async (): Promise<boolean> =>
    (await call(service, '/health', { headers: groupB(key) })).status === 200;
  await expect.poll(isKnown, { timeout: 10_000 }).toBe(true);
  await registerWebhook(service, key, receiver.url);

  /** As a client does that isn't answered: the same order again, under the same key. */
  const insist = async (number: number): Promise<string> => {
    const headers = { 'idempotency-key': `order-${number}` };
    for (;;) {
      const answer = await order(service, key, { photo: await picture(number), headers }).catch(() => null);
      if (answer?.status === 200) return answer.body.data.modelId;
      if (answer && answer.status < 500) throw new Error(`refused: ${JSON.stringify(answer.body)}`);
      await wait(50);
    }
  };
  let isKilling = true;
  const killing = (async () => {
    for (let n = 0; n < kills; n += 1) {
      // Some while it starts to work on what is there, some amid orders.
      await wait(100 + ((n * 379) % 500));
      const gone = once(child!, 'exit');
      child!.kill('SIGKILL');
      await gone;
      await start();
    }
    isKilling = false;
  })();
  const ids: string[] = [];
  for (let n = 0; n < orders; n += 1) {
    ids.push(await insist(n));
    if (isKilling) await wait(80);
  }
  await killing;
  expect(new Set(ids).size).toBe(orders);
  const stateOf = async (id: string): Promise<number> =>
    (await call<ModelEnvelope>(service, `/open-api/svc/sdk/model/get/${id}`, { headers: groupB(key) })).body
      .data.status;
  for (const id of ids) await expect.poll(() => stateOf(id), { timeout: 30_000 }).toBe(1);
  const used = async (): Promise<unknown> =>
    (await call<{ keys: { models: number }[] }>(service, '/v1/usage', { headers: groupA(key) })).body.keys;
  await expect.poll(used, { timeout: 20_000 }).toMatchObject([{ models: orders }]);
  await expect.poll(() => receiver.told().size, { timeout: 30_000 }).toBe(orders);
  for (const id of ids) expect(receiver.told().get(id)?.size, id).toBe(1);
  // All that the cap allows is used, and nothing is held by what died.
  expect((await order(service, key)).status).toBe(402);
}, 180_000);
