import { afterAll, beforeAll, expect, it } from 'vitest';
import { form } from '../../../test/support/service/engine_harness.ts';
import {
  call,
  groupA,
  groupB,
  type ModelEnvelope,
  picture,
  startTestService,
  type TestService,
} from './service_harness.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

interface Task {
  id: string;
  status: number;
  waitTime: number;
  downloadLink: string;
}
async function submit(
  key: Parameters<typeof groupA>[0],
  photo: number,
  headers: Record<string, string> = {},
): Promise<{ status: number; id: string; code: string }> {
  const file = new Blob([new Uint8Array(await picture(photo))]);
  const response = await fetch(`${service.url}/v1/svc-3d/sq`, {
    method: 'POST',
    headers: { ...groupA(key), ...headers },
    body: form({ file }),
  });
  const body = (await response.json()) as { data?: { id: string }; code?: string };
  return { status: response.status, id: body.data?.id ?? '', code: body.code ?? '' };
}
const ask = (key: Parameters<typeof groupA>[0], id: string, method: 'GET' | 'DELETE' = 'GET') =>
  call<{ data: Task; code: string }>(service, `/v1/svc-3d/sq/${id}`, { method, headers: groupA(key) });

it('an image task is asked after, made once for its idempotency key, billed as a model, and taken back', async () => {
  const key = await service.key('ann', { caps: { seconds: null, frames: null, models: 2 } });
  const again = { 'idempotency-key': 'one' };
  const { id } = await submit(key, 70_001, again);
  expect((await submit(key, 70_001, again)).id).toBe(id);
  expect(await submit(key, 70_002, again)).toMatchObject({ status: 409 });
  await expect.poll(async () => (await ask(key, id)).body.data.status, { timeout: 20_000 }).toBe(1);
  const { downloadLink } = (await ask(key, id)).body.data;
  expect((await fetch(downloadLink)).status).toBe(200);
  // It is no model of B2, and the same key there means another order.
  const asModel = await call<ModelEnvelope>(service, `/open-api/svc/sdk/model/get/${id}`, {
    headers: groupB(key),
  });
  expect(asModel.status).toBe(404);
  const usage = () => call<{ keys: { models: number }[] }>(service, '/v1/usage', { headers: groupA(key) });
  await expect.poll(async () => (await usage()).body.keys[0]?.models, { timeout: 20_000 }).toBe(1);
  expect((await submit(key, 70_003)).status).toBe(200);
  expect(await submit(key, 70_004)).toMatchObject({ status: 402, code: 'cap_reached' });

  const eve = await service.key('eve');
  expect(await ask(eve, id)).toMatchObject({ status: 404, body: { code: 'image_task_unknown' } });
  expect((await ask(eve, id, 'DELETE')).status).toBe(404);
  expect((await ask(key, id, 'DELETE')).status).toBe(200);
  expect((await ask(key, id)).status).toBe(404);
  expect((await fetch(downloadLink)).status).toBe(404);
});
