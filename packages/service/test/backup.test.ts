/** `likeness service backup`: the copy of a running service starts with its keys, heads and bills. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ShownKey } from '../src/keys/key_administration.ts';
import { backUpService } from '../src/operators/backup.ts';
import { readService } from '../src/service_reading.ts';
import { call, groupB, made, order, startTestService, type TestService } from './service_harness.ts';

const modelPath = (id: string): string => `/open-api/svc/sdk/model/get/${id}`;
const modelsOf = async (service: TestService, key: ShownKey): Promise<number | undefined> => {
  const { body } = await call<{ keys: { models: number }[] }>(service, '/v1/usage', { headers: groupB(key) });
  return body.keys[0]?.models;
};

test('a backup of a service at work: keys, heads, waiting orders and the audit log are whole in it', async () => {
  const place = mkdtempSync(join(tmpdir(), 'likeness-backup-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const target = join(place, 'copy');
  await using service = await startTestService();
  const key = await service.key('ann');
  const { modelId } = (await order(service, key)).body.data;
  await made(service, key, modelId);
  const release = service.heads.hold();
  const waiting = (await order(service, key)).body.data.modelId;
  await expect.poll(() => modelsOf(service, key)).toBe(1);

  let isOver = false;
  const calls = (async () => {
    let count = 0;
    for (; !isOver; count += 1) await call(service, modelPath(modelId), { headers: groupB(key) });
    return count;
  })();
  await backUpService(service.folder, target);
  isOver = true;
  expect(await calls).toBeGreaterThan(0);
  await expect(backUpService(service.folder, target)).rejects.toMatchObject({ code: 'storage' });

  await using restored = await startTestService({ folder: target });
  const { body } = await call(restored, modelPath(modelId), { headers: groupB(key) });
  expect(body).toMatchObject({ data: { status: 1 } });
  const { downloadLink } = (body as { data: { downloadLink: string } }).data;
  expect((await fetch(downloadLink)).status).toBe(200);
  expect((await made(restored, key, waiting)).status).toBe(1);
  await expect.poll(() => modelsOf(restored, key)).toBe(2);
  const reading = await readService(target, Date.now);
  expect(await reading.verify()).toMatchObject({ ok: true });
  reading.close();
  release();
});

test('a folder in which no service ever ran has nothing to back up', async () => {
  const place = mkdtempSync(join(tmpdir(), 'likeness-backup-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  await expect(backUpService(place, join(place, 'copy'))).rejects.toMatchObject({ code: 'not_found' });
});

test('a backup that fails leaves nothing under its name', async () => {
  const place = mkdtempSync(join(tmpdir(), 'likeness-backup-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const folder = join(place, 'service');
  for (const part of ['engine', 'journal']) mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, 'keys.json'), '{}');
  writeFileSync(join(folder, 'journal/journal.db'), 'no database'.repeat(100));
  await expect(backUpService(folder, join(place, 'copy'))).rejects.toMatchObject({ code: 'storage' });
  expect(readdirSync(place)).toEqual(['service']);
});
