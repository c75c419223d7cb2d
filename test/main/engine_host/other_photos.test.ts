import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from '@likeness/engine/http/limits.ts';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  blob,
  type Envelope,
  finished,
  picture,
  startTestEngine,
  type TestEngine,
  temporaryFolder,
} from '../../support/service/engine_harness.ts';

let engine: TestEngine;
const folder = temporaryFolder();

beforeAll(async () => {
  engine = await startTestEngine({ folder: folder.path, limits: { imageBytes: 4096 } });
});
afterAll(async () => {
  await engine.kill('SIGTERM');
  folder.remove();
});

/** Orders a head of picture 1 and of others beside it. */
async function order(
  others: readonly (Uint8Array | string)[],
  { key = '', path = 'model/generate' } = {},
): Promise<{ status: number; body: Envelope }> {
  const body = new FormData();
  if (path === 'model/generate') body.append('sex', '1');
  // Some before the first photo, some after it: their order among themselves counts.
  for (const [i, other] of others.entries()) {
    if (i === 1) body.append('file', blob(await picture(1)), 'front.png');
    if (typeof other === 'string') body.append('files', other);
    else body.append('files', blob(other), `${i}.png`);
  }
  if (others.length < 2) body.append('file', blob(await picture(1)), 'front.png');
  const response = await fetch(`${engine.url}/open-api/svc/sdk/${path}`, {
    method: 'POST',
    headers: { auth_ak: engine.apiKey, ...(key && { 'idempotency-key': key }) },
    body,
  });
  return { status: response.status, body: (await response.json()) as Envelope };
}

const pictures = (...numbers: number[]): Promise<Buffer[]> => Promise.all(numbers.map(picture));

async function headOf({ status, body }: Awaited<ReturnType<typeof order>>): Promise<Buffer> {
  expect(status).toBe(200);
  const model = await finished(engine, String(body.data.modelId));
  expect(model).toMatchObject({ status: 1 });
  return Buffer.from(await (await fetch(String(model.downloadLink))).arrayBuffer());
}

it('makes a head of several photos, tells what became of each and keeps none', async () => {
  const others = await pictures(2, 3, 2);
  const ordered = await order(others);
  const head = await headOf(ordered);
  expect(head.includes(Buffer.concat(others))).toBe(true);
  expect((await finished(engine, String(ordered.body.data.modelId))).photos).toEqual([
    { index: 1, used: true, view: 'left', yaw: 30 },
    { index: 2, used: false, reason: { en: 'No head.', zh: '没有头部。' }, view: 'left', yaw: 30 },
    { index: 3, used: false, reason: { en: 'No head.', zh: '没有头部。' }, view: 'left', yaw: 30 },
  ]);
  await vi.waitFor(() => {
    for (const part of ['photos', 'incoming']) expect(readdirSync(join(folder.path, '1', part))).toEqual([]);
  });
  // The same again is there at once, with its news.
  const again = await order(others);
  expect(again.body.data.waitTime).toBe(0);
  expect((await finished(engine, String(again.body.data.modelId))).photos).toHaveLength(3);
  const alone = await order([]);
  expect((await headOf(alone)).equals(head)).toBe(false);
  expect(await finished(engine, String(alone.body.data.modelId))).not.toHaveProperty('photos');
});

it('one key stands for one order, further photos and their order included', async () => {
  const first = await order(await pictures(4, 5), { key: 'several' });
  const same = await order(await pictures(4, 5), { key: 'several' });
  expect(same.body.data.modelId).toBe(first.body.data.modelId);
  for (const numbers of [[], [4], [5, 4], [4, 5, 6]]) {
    expect(await order(await pictures(...numbers), { key: 'several' })).toMatchObject({
      status: 409,
      body: { data: { reason: 'idempotency_conflict' } },
    });
  }
});

it('refuses what is no photo, and says which it is', async () => {
  const [good] = await pictures(7);
  const large = new Uint8Array(5000);
  const many = await pictures(...Array.from({ length: defaultLimits.otherPhotos + 1 }, (_, i) => 10 + i));
  for (const [others, status, reason, number, named] of [
    [[good!, Buffer.from('%PDF-1.7 no picture')], 415, 'not_an_image', 2, 'Photo 2 of the field "files"'],
    [[new Uint8Array(), good!], 400, 'image_empty', 1, 'Photo 1 of the field "files"'],
    [[good!, good!, large], 413, 'image_too_large', 3, 'Photo 3 of the field "files"'],
    [many, 400, 'too_many_files', 8, 'files'],
    [[good!, 'text'], 400, 'field_wrong_type', undefined, 'files'],
  ] as const) {
    const { status: told, body } = await order(others);
    expect({ told, data: body.data }).toEqual({
      told: status,
      data: { reason, field: 'files', ...(number && { number }) },
    });
    expect(body.message).toContain(named);
  }
  await vi.waitFor(() => expect(readdirSync(join(folder.path, '1/incoming'))).toEqual([]));
});
