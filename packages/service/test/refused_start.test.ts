/** A service whose records are not as it left them says so and does not start. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withFault } from '../../../test/support/disk_faults.ts';
import { acceptAuditLoss } from '../src/service_reading.ts';
import { call, groupB, order, startTestService } from './service_harness.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'likeness-refused-start-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const refusal = async (): Promise<unknown> =>
  startTestService({ folder }).then(
    // A fault while it closes is another test's subject.
    (service) =>
      service.close().then(
        () => 'started',
        () => 'started',
      ),
    (error: unknown) => error,
  );

test('a damaged audit log: the start is refused until the loss is accepted, and caps go on', async () => {
  const before = await startTestService({ folder });
  const key = await before.key('ada', { caps: { seconds: null, frames: null, models: 1 } });
  expect((await order(before, key)).status).toBe(200);
  await expect
    .poll(async () => (await call(before, '/v1/usage', { headers: groupB(key) })).body, { timeout: 5000 })
    .toMatchObject({ keys: [{ models: 1 }] });
  await before.close();
  const journal = join(folder, 'journal/journal.db');
  writeFileSync(journal, Buffer.alloc(statSync(journal).size));
  const refused = { code: 'storage', message: expect.stringMatching(/journal.*1 to \d+/) };
  expect(await refusal()).toMatchObject(refused);
  expect(await refusal()).toMatchObject(refused);
  expect(acceptAuditLoss(folder, Date.now)).toEqual([expect.stringMatching(/1 to \d+/)]);
  const after = await startTestService({ folder });
  expect((await order(after, key)).status).toBe(402);
  await after.close();
}, 20_000);

test('engine records that can’t be opened refuse the start in words', async () => {
  await (await startTestService({ folder })).close();
  const records = join(folder, 'engine');
  let refusedCount = 0;
  for (let at = 1; at < 40; at += 3) {
    const fault = { folder: records, fault: 'EIO', at } as const;
    let error: unknown;
    await withFault(fault, async () => {
      error = await refusal();
    });
    if (error === 'started') continue;
    refusedCount += 1;
    expect(error).toMatchObject({ name: 'Failure', code: 'storage' });
  }
  expect(refusedCount).toBeGreaterThan(5);
  const database = join(folder, 'engine/1/engine.sqlite');
  rmSync(database);
  mkdirSync(database);
  expect(await refusal()).toMatchObject({ code: 'storage', message: expect.stringContaining(database) });
}, 20_000);

test('an engine folder that another program has locked refuses the start: its orders would be billed again', async () => {
  await (await startTestService({ folder })).close();
  const other = new DatabaseSync(join(folder, 'engine/1/lock.sqlite'));
  other.exec('BEGIN EXCLUSIVE');
  expect(await refusal()).toMatchObject({
    code: 'storage',
    message: expect.stringMatching(/engine\/1: another program is using it/),
  });
  other.close();
  expect(await refusal()).toBe('started');
  expect(readdirSync(join(folder, 'engine'))).toEqual(['1']);
});
