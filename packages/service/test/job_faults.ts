/** A job of the service, as an operation that a failing disk may interrupt. */
import { mkdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { FaultedOperation } from '../../../test/support/fault_sweep.ts';
import { readService } from '../src/service_reading.ts';
import { groupB, made, order, startTestService, type TestService } from './service_harness.ts';

/** Milliseconds that a head gets, before the service is closed. */
const patience = 400;

/** One head, ordered from the service with an idempotency key, until it is made and billed. */
export const serviceJob: FaultedOperation = {
  name: 'a job of the service',
  async prepare(folder) {
    mkdirSync(folder);
    const service = await startTestService({ folder });
    keys.set(folder, await service.key('ann'));
    await service.close();
  },
  async work(folder) {
    const service = await startTestService({ folder });
    try {
      const { status, body } = await orderOnce(service, folder);
      if (status === 500) throw new Error(`an order was answered with 500: ${JSON.stringify(body)}`);
      if (status === 200)
        await Promise.race([made(service, keyOf(folder), body.data.modelId), wait(patience)]);
    } finally {
      await service.close();
    }
  },
  async check(folder) {
    const service = await startTestService({ folder });
    const problems: string[] = [];
    try {
      const { status, body } = await orderOnce(service, folder);
      if (status !== 200) return [`the order repeated is answered with ${status}`];
      const { status: state } = await made(service, keyOf(folder), body.data.modelId);
      if (state !== 1) problems.push(`the model has status ${state}`);
      for (let at = 0; at < 100 && (await modelsOf(service, folder)) !== 1; at += 1) await wait(20);
      const models = await modelsOf(service, folder);
      if (models !== 1) problems.push(`${models} models are billed`);
    } finally {
      await service.close();
    }
    const reading = await readService(folder, Date.now);
    if (!(await reading.verify()).ok) problems.push('the audit log does not verify');
    reading.close();
    return problems;
  },
};

type Key = Awaited<ReturnType<TestService['key']>>;
const keys = new Map<string, Key>();
const keyOf = (folder: string): Key => keys.get(folder)!;

const orderOnce = (service: TestService, folder: string): ReturnType<typeof order> =>
  order(service, keyOf(folder), {
    photo: Buffer.from(onePixel, 'base64'),
    headers: { 'idempotency-key': 'one' },
  });

async function modelsOf(service: TestService, folder: string): Promise<number> {
  const response = await fetch(`${service.url}/v1/usage`, { headers: groupB(keyOf(folder)) });
  const { keys: used } = (await response.json()) as { keys: { models: number }[] };
  return used[0]?.models ?? 0;
}

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
