import { mkdtemp, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { smallDisk } from '../../../test/support/small_disk.ts';
import { revokeKey } from '../src/keys/key_administration.ts';
import { call, groupB, made, order, startTestService } from './service_harness.ts';

it('a full disk: orders are refused with what to do, questions are answered, a key can be revoked, nothing is lost, work goes on with room', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'likeness-full-'));
  onTestFinished(() => rmdir(folder));
  const disk = smallDisk(folder, 24, context);
  const service = await startTestService({ folder });
  const key = await service.key('ann');
  const stolen = await service.key('stolen');
  const before = await order(service, key);
  await made(service, key, before.body.data.modelId);

  service.heads.takes = 400;
  const waiting = await order(service, key);
  disk.fill();
  const ask = (id: string, by = key) =>
    call(service, `/open-api/svc/sdk/model/get/${id}`, { headers: groupB(by) });
  for (let i = 0; i < 3; i += 1) {
    const refused = await order(service, key);
    expect(refused).toMatchObject({ status: 507, body: { code: 507 } });
    expect(String((refused.body as unknown as { message: string }).message)).toMatch(/[Ff]ree some space/);
  }
  expect(await ask(before.body.data.modelId)).toMatchObject({ status: 200, body: { data: { status: 1 } } });
  expect((await call(service, '/healthz')).status).toBe(200);
  expect((await ask('none', stolen)).status).not.toBe(401);
  await revokeKey(folder, 'stolen', Date.now());
  await service.running.reloadKeys();
  expect((await ask('none', stolen)).status).toBe(401);
  // What was being made can't be kept either; it is made again.
  await expect.poll(() => service.heads.made).toBeGreaterThan(1);
  expect(await ask(waiting.body.data.modelId)).toMatchObject({ body: { data: { status: 3 } } });

  disk.free();
  service.heads.takes = 0;
  await made(service, key, waiting.body.data.modelId);
  await expect.poll(async () => (await order(service, key)).status, { timeout: 10_000 }).toBe(200);
  await service.close();
}, 60_000);
