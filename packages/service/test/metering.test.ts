import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Agent, FormData, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readService } from '../src/service_reading.ts';
import {
  call,
  groupA,
  groupB,
  made,
  order,
  picture,
  speak,
  startTestService,
  type TestService,
} from './service_harness.ts';

let service: TestService;
let now = Date.parse('2026-11-10T12:00:00Z');
const clock = (): number => now;
beforeAll(async () => {
  service = await startTestService({ clock });
});
afterAll(() => service[Symbol.asyncDispose]());

interface UsageAnswer {
  month: string;
  keys: { name: string; calls: number; seconds: number; frames: number; models: number }[];
}
const usageOf = async (key: Parameters<typeof groupA>[0]): Promise<UsageAnswer['keys']> =>
  (await call<UsageAnswer>(service, '/v1/usage', { headers: groupA(key) })).body.keys;

describe('usage', () => {
  it('counts seconds of sound, frames and models, of the caller’s tenant only', async () => {
    const ada = await service.key('ada');
    await service.key('eve');
    await speak(service, ada, { seconds: 2 });
    const { body } = await order(service, ada);
    await made(service, ada, body.data.modelId);
    await expect
      .poll(() => usageOf(ada))
      .toMatchObject([{ name: 'ada', seconds: 2, frames: 120, models: 1 }]);
  });

  it('bills a model once, however often it is ordered, and none that failed', async () => {
    const key = await service.key('once');
    const headers = { 'idempotency-key': 'again' };
    const photo = await picture(88_000);
    const ids = [];
    for (let i = 0; i < 3; i += 1)
      ids.push((await order(service, key, { photo, headers })).body.data.modelId);
    expect(new Set(ids).size).toBe(1);
    await made(service, key, ids[0]!);
    const failing = await order(service, key, { fields: { sex: '0', eyelidType: '1' } });
    expect((await made(service, key, failing.body.data.modelId)).status).toBe(4);
    await expect.poll(() => usageOf(key)).toMatchObject([{ models: 1 }]);
  });

  it('is CSV by key and month where that is asked for', async () => {
    const key = await service.key('csv');
    await speak(service, key, { seconds: 1 });
    const lines = async (): Promise<string[]> => {
      const headers = { ...groupA(key), accept: 'text/csv' };
      const { body } = await call<string>(service, '/v1/usage?month=2026-11', { headers });
      return body.trim().split(/\r?\n/);
    };
    await expect
      .poll(lines)
      .toEqual([
        'month,tenant,key,id,calls,failed,seconds,frames,models',
        expect.stringMatching(/^2026-11,csv,csv,[a-z0-9]{10},1,0,1,60,0$/),
      ]);
    const wrong = await call(service, '/v1/usage?month=tomorrow', { headers: groupA(key) });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'month_wrong' } });
  });
});

describe('a cap', () => {
  const caps = { seconds: null, frames: null, models: null };

  it('of seconds or frames refuses before the work starts', async () => {
    const key = await service.key('seconds', { caps: { ...caps, seconds: 3 } });
    expect((await speak(service, key, { seconds: 2 })).status).toBe(200);
    const refused = await speak(service, key, { seconds: 2 });
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({ code: 'cap_reached' });
    expect((await speak(service, key, { seconds: 1 })).status).toBe(200);
    const frames = await service.key('frames', { caps: { ...caps, frames: 59 } });
    expect((await speak(service, frames, { seconds: 1 })).status).toBe(402);
  });

  it('of models counts those that are ordered, and lets what was ordered before be asked again', async () => {
    const key = await service.key('models', { caps: { ...caps, models: 2 } });
    const release = service.heads.hold();
    // All at the same time, so that any two of them may be the first; each can be asked again.
    const sent = await Promise.all(
      [99_000, 99_001, 99_002, 99_003].map(async (number) => {
        const options = { photo: await picture(number), headers: { 'idempotency-key': `${number}` } };
        return { options, answer: await order(service, key, options) };
      }),
    );
    const statuses = sent.map(({ answer }) => answer.status);
    expect(statuses.toSorted()).toEqual([200, 200, 402, 402]);
    const repeated = await Promise.all(sent.map(({ options }) => order(service, key, options)));
    release();
    expect(repeated.map(({ status }) => status)).toEqual(statuses);
    const taken = (answers: typeof repeated): string[] =>
      answers.filter(({ status }) => status === 200).map(({ body }) => body.data.modelId);
    expect(taken(repeated)).toEqual(taken(sent.map(({ answer }) => answer)));
  });

  it('begins anew with the month', async () => {
    const key = await service.key('monthly', { caps: { ...caps, seconds: 1 } });
    expect((await speak(service, key)).status).toBe(200);
    expect((await speak(service, key)).status).toBe(402);
    now = Date.parse('2026-12-01T00:00:01Z');
    expect((await speak(service, key)).status).toBe(200);
    now = Date.parse('2026-11-10T13:00:00Z');
  });
});

describe('the audit log', () => {
  it('has one line for each call, and is verified and exported while the service runs', async () => {
    const key = await service.key('audited');
    await speak(service, key);
    await order(service, key, { fields: { sex: '7' } });
    await call(service, '/open-api/svc/sdk/model/get/no-such-model', { headers: groupB(key) });
    const lines = async (): Promise<Record<string, unknown>[]> => {
      const reading = await readService(service.folder, clock);
      try {
        const pieces = [];
        for await (const piece of reading.exportAudit('jsonl')) pieces.push(piece);
        const all = pieces
          .join('')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
        return all.filter(({ profileId }) => profileId === key.key.id);
      } finally {
        reading.close();
      }
    };
    await expect.poll(lines).toMatchObject([
      { operation: 'audioToFace', outcome: 'ok', httpStatus: 200, billedSeconds: 1 },
      { operation: 'generateModel', outcome: 'refused', httpStatus: 400, message: 'field_wrong_value' },
      { operation: 'getModel', outcome: 'refused', httpStatus: 404, message: 'model_unknown', subject: '' },
    ]);
    const reading = await readService(service.folder, clock);
    expect(await reading.verify()).toMatchObject({ ok: true });
    reading.close();
  });

  it('counts the bytes of each call, also of the first and the next ones of a connection', async () => {
    const key = await service.key('counted');
    const photo = new Uint8Array(Buffer.concat([await picture(66_000), Buffer.alloc(20_000)]));
    const agent = new Agent({ connections: 1 });
    const parts = new FormData();
    parts.append('sex', '1');
    parts.append('file', new Blob([photo]), 'photo.png');
    for (let n = 0; n < 2; n += 1)
      await request(`${service.url}/open-api/svc/sdk/model/generate`, {
        method: 'POST',
        headers: groupB(key),
        body: parts,
        dispatcher: agent,
      }).then(({ body }) => body.dump());
    await request(`${service.url}/health`, { headers: groupB(key), dispatcher: agent }).then(({ body }) =>
      body.dump(),
    );
    await agent.close();
    const bytes = async (): Promise<number[][]> => {
      const db = new DatabaseSync(join(service.folder, 'journal', 'journal.db'), { readOnly: true });
      const lines = db
        .prepare('SELECT bytesReceived, bytesSent FROM entries WHERE profileId = ? AND operation <> ?')
        .all(key.key.id, 'modelMade');
      db.close();
      return lines.map((line) => [Number(line.bytesReceived), Number(line.bytesSent)]);
    };
    await expect.poll(async () => (await bytes()).length).toBe(3);
    const [first, second, third] = await bytes();
    for (const [received, sent] of [first!, second!]) {
      expect(received).toBeGreaterThan(photo.length);
      expect(received).toBeLessThan(photo.length + 2000);
      expect(sent).toBeGreaterThan(100);
      expect(sent).toBeLessThan(2000);
    }
    expect(third![0]).toBeGreaterThan(50);
    expect(third![0]).toBeLessThan(1000);
  });

  it('shows that a line was altered', async () => {
    const altered = await startTestService();
    const key = await altered.key('x');
    await speak(altered, key);
    await altered.close();
    const db = new DatabaseSync(join(altered.folder, 'journal', 'journal.db'));
    db.exec('DROP TRIGGER entries_never_change; UPDATE entries SET billedSeconds = 0');
    db.close();
    const reading = await readService(altered.folder, Date.now);
    expect(await reading.verify()).toMatchObject({ ok: false, firstBroken: 1 });
    reading.close();
  });
});

describe('a model that was made while the service was being stopped', () => {
  it('is billed at the next start, once', async () => {
    const first = await startTestService();
    const key = await first.key('x');
    first.heads.takes = 60;
    await order(first, key);
    await first.close();
    let last = await startTestService({ folder: first.folder });
    for (let start = 0; start < 3; start += 1) {
      await expect
        .poll(async () => (await call<UsageAnswer>(last, '/v1/usage', { headers: groupA(key) })).body.keys, {
          timeout: 20_000,
        })
        .toMatchObject([{ models: 1 }]);
      await last.close();
      last = await startTestService({ folder: first.folder });
    }
    await last[Symbol.asyncDispose]();
  });

  it('is billed to its key where the process died before the book had its order', async () => {
    const first = await startTestService();
    const key = await first.key('x');
    first.heads.takes = 60;
    const { modelId } = (await order(first, key)).body.data;
    await first.close();
    const book = new DatabaseSync(join(first.folder, 'service.db'));
    expect(book.prepare('DELETE FROM orders WHERE model = ?').run(modelId).changes).toBe(1);
    book.close();
    const last = await startTestService({ folder: first.folder });
    await expect
      .poll(async () => (await call<UsageAnswer>(last, '/v1/usage', { headers: groupA(key) })).body.keys, {
        timeout: 20_000,
      })
      .toMatchObject([{ models: 1 }]);
    await last[Symbol.asyncDispose]();
  });
});
