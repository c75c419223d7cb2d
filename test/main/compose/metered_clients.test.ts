import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPaces } from '@likeness/client/transport/pace.ts';
import { Journal } from '@likeness/journal/journal.ts';
import type { CallRecord } from '@likeness/journal/metered_call.ts';
import { systemClock } from '@likeness/node-kit/clock.ts';
import { Failure } from '@likeness/node-kit/failure.ts';
import { createScrub } from '@likeness/node-kit/storage/scrub.ts';
import { encodeEnd, encodeHeader } from '@likeness/proto/face_stream.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMeteredClients, type MeteredClientsOptions } from '../../../main/compose/metered_clients.ts';
import { createSessionMeter } from '../../../main/live/session_meter.ts';
import { answer, envelope, json, protobuf, reset, stall } from '../../fixtures/service/behaviours.ts';
import { endpointFor } from '../../fixtures/service/endpoint.ts';
import { startScriptedService } from '../../fixtures/service/scripted_service.ts';

const prices = { perSecond: 0.1, perFrame: 0, perModel: 1, currency: 'USD' };
const order = {
  file: { bytes: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]), name: 'a.jpg' },
  sex: 'male',
} as const;

async function setStage(concurrency = 2, announce: string[] = []) {
  const service = await startScriptedService({ announce });
  onTestFinished(() => service.close());
  const entries: CallRecord[] = [];
  const troubles: unknown[] = [];
  const refusals: unknown[] = [];
  const append = (record: CallRecord): void => {
    const refusal = refusals.shift();
    if (refusal) throw refusal;
    entries.push(record);
  };
  const pace = createPaces(systemClock);
  const scrub = createScrub();
  const open = (more: Partial<MeteredClientsOptions> = {}) => {
    const clients = createMeteredClients({
      resolve: async (profileId) => ({
        ...endpointFor(service, { profileId, concurrency }),
        prices,
        monthlyCap: null,
      }),
      journal: { reserve: () => ({ settle: append }), append },
      pace,
      scrub,
      onTrouble: (error) => troubles.push(error),
      ...more,
    });
    onTestFinished(() => clients.close());
    return clients;
  };
  return { service, entries, troubles, refusals, scrub, open };
}

it('an order that is repeated with its key counts once, whatever became of its answers', async () => {
  const { service, entries, open } = await setStage(2, ['idempotency-key']);
  const client = await open().client('p');
  service.script('generate_model', reset(), reset(), answer(400));
  const keyed = { ...order, idempotencyKey: 'one' };
  await expect(client.generateModel(keyed)).rejects.toMatchObject({ uncertain: true });
  await expect(client.generateModel(keyed)).rejects.toMatchObject({ uncertain: true });
  await expect(client.generateModel(keyed)).rejects.toMatchObject({ httpStatus: 400 });
  await client.generateModel(keyed);
  await client.generateModel({ ...order, idempotencyKey: 'two' });
  const orders = (): CallRecord[] => entries.filter(({ operation }) => operation === 'generate_model');
  await expect.poll(() => orders().map(({ billedModels }) => billedModels)).toEqual([1, 0, 0, 0, 1]);
  expect(orders().map(({ cost }) => cost)).toEqual([1, 0, 0, 0, 1]);
});

describe('an order whose entry can’t be written', () => {
  const full = new Failure('storage', 'The disk is full.', { retryable: true });

  it('counts all the same, and is entered later: at the latest when the studio closes', async () => {
    const { service, entries, troubles, refusals, open } = await setStage();
    const clients = open();
    refusals.push(full);
    const { modelId } = await (await clients.client('p')).generateModel(order);
    expect(service.models.has(modelId)).toBe(true);
    expect(entries).toEqual([]);
    expect(troubles).toEqual([full]);
    await clients.close();
    expect(entries).toMatchObject([{ operation: 'generate_model', subject: modelId, cost: 1 }]);
    expect(service.count('generate_model')).toBe(1);
  });

  it('is entered by itself when the disk has room again', async () => {
    const { entries, refusals, open } = await setStage();
    refusals.push(full);
    await (await open().client('p')).generateModel(order);
    await expect.poll(() => entries.length).toBe(1);
  });
});

describe('calls under way when the studio is killed', () => {
  it('stand in the journal at a price of 0 too, once each, and a voice once a session', async () => {
    const { service } = await setStage();
    const folder = mkdtempSync(join(tmpdir(), 'likeness-under-way-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const operation of ['generate_model', 'submit_image', 'get_model', 'audio_to_face'] as const) {
      service.always(operation, stall());
    }
    const { url, accessToken, apiKey } = service;
    const child = spawn(
      process.execPath,
      [
        join(import.meta.dirname, 'under_way_process.ts'),
        JSON.stringify({ folder, service: { url, accessToken, apiKey } }),
      ],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
    const gone = new Promise((resolve) => child.once('close', resolve));
    onTestFinished(() => void child.kill('SIGKILL'));
    await expect.poll(() => service.requests.length, { timeout: 20_000 }).toBe(8);
    child.kill('SIGKILL');
    await gone;
    const open = () =>
      new Journal({
        folder: join(folder, 'journal'),
        clock: Date.now,
        scrub: (text) => text,
        onAppended: () => {},
        processId: process.pid,
        run: 'next',
      });
    const journal = open();
    onTestFinished(() => journal.close());
    const { entries } = await journal.entries({ limit: 50, filter: {} });
    expect(entries.map(({ operation }) => operation).toSorted()).toEqual([
      'audio_to_face',
      'generate_model',
      'generate_model',
      'generate_model',
      'submit_image',
    ]);
    for (const entry of entries) {
      expect(entry).toMatchObject({
        outcome: 'failed',
        cost: 0,
        message: 'In progress when the studio ended. It may have been received.',
      });
    }
    expect(await journal.verify()).toMatchObject({ ok: true });
    const again = open();
    onTestFinished(() => again.close());
    expect(again.size).toBe(5);
  });
});

describe('a live session of a connection without a price', () => {
  it('writes to the journal twice, however many requests it makes', () => {
    let writes = 0;
    const count = (): void => {
      writes += 1;
    };
    const meter = createSessionMeter({
      journal: {
        reserve: ({ entrusted }) => {
          expect(entrusted).toBe(true);
          count();
          return { raise: count, settle: count, release: count };
        },
      },
      subject: 'session-1',
    });
    const call = { profileId: 'p', profileName: 'P', operation: 'audio_to_face', subject: '' };
    for (let block = 0; block < 3000; block += 1) {
      meter.reserve({ ...call, monthlyCap: null, currency: 'USD', plannedCost: 0 }).settle({
        ...call,
        outcome: 'ok',
        httpStatus: 200,
        envelopeCode: null,
        message: '',
        bytesSent: 1,
        bytesReceived: 1,
        firstByteMs: 1,
        totalMs: 1,
        billedSeconds: 0.02,
        billedFrames: 1,
        billedModels: 0,
        cost: 0,
        currency: 'USD',
      });
    }
    meter.close();
    expect(writes).toBe(2);
  });
});

describe('a server that gives the keys back', () => {
  /** Every way in which servers write a text down. */
  const spellings = (key: string): string[] => [
    key,
    key.toUpperCase(),
    encodeURIComponent(key),
    Buffer.from(key).toString('hex'),
    Buffer.from(`user:${key}`).toString('base64'),
  ];

  it('in ids and names is refused, and in texts they are taken out', async () => {
    const { service, entries, scrub, open } = await setStage();
    const client = await open().client('p');
    const shown: string[] = [];
    const texts = (error: unknown): string =>
      error instanceof Error
        ? [error.message, error.stack, JSON.stringify(error), texts(error.cause)].join('\n')
        : '';
    const told = async (answer: Promise<unknown>): Promise<unknown> => {
      const error = await answer.then(
        (value) => shown.push(JSON.stringify(value)),
        (thrown: unknown) => thrown,
      );
      shown.push(texts(error));
      return error;
    };
    for (const secret of [service.apiKey, service.accessToken]) scrub.know(secret);
    for (const key of [service.apiKey, service.accessToken].flatMap(spellings)) {
      service.script('generate_model', envelope({ modelId: `m-${key}`, waitTime: 1 }));
      expect(await told(client.generateModel(order))).toMatchObject({
        code: 'upstream_broken',
        uncertain: true,
      });
      service.script('submit_image', json({ data: { id: key } }));
      expect(await told(client.submitImage(order.file))).toMatchObject({
        code: 'upstream_broken',
        uncertain: true,
      });

      service.script('generate_model', answer(400, 'no', { 'content-type': `x/${key}` }));
      await told(client.generateModel(order));
      service.script('generate_model', answer(400, 'no', { 'content-type': `x/${'x'.repeat(60)}${key}` }));
      await told(client.generateModel(order));
      service.script('generate_model', answer(302, '', { location: `https://${key}.example.com/` }));
      await told(client.generateModel(order));
      service.script('generate_model', json({ code: 1001, message: `what is ${key}?`, data: null }));
      await told(client.generateModel(order));
      for (const data of [
        { status: 4, failMessage: `because of ${key}` },
        { status: 3, waitTime: `soon ${key}`, sex: key },
        { status: key },
        { status: `${'x'.repeat(40)}${key}` },
        { status: 1, downloadLink: '' },
      ]) {
        service.script('get_model', envelope(data));
        await told(client.getModel('m'));
      }
      const folder = mkdtempSync(join(tmpdir(), 'likeness-echo-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const target = join(folder, 'a.glb');
      for (const [status, headers] of [
        [404, { 'content-type': key }],
        [302, { location: `http://${key.replace(/[^a-z0-9-]/gi, '')}.invalid/` }],
        [302, { location: `${key.replace(/[^a-z0-9-]/gi, '')}:x` }],
      ] as const) {
        service.script('download', answer(status, 'no', headers));
        await told(client.download(`${service.url}/files/a.glb`, target));
      }
      // A file that breaks off leaves a note of its version beside it.
      service.script('download', async ({ response }) => {
        response.writeHead(200, { 'content-length': '999999', etag: `"${key}"` });
        response.write(Buffer.concat([Buffer.from('glTF'), Buffer.alloc(996, 2)]));
        await new Promise((resolve) => setTimeout(resolve, 30));
        response.destroy();
      });
      await told(client.download(`${service.url}/files/a.glb`, target, { signal: AbortSignal.timeout(300) }));
      for (const name of readdirSync(folder)) shown.push(name, readFileSync(join(folder, name), 'latin1'));

      const faces = protobuf(
        Buffer.concat([
          encodeHeader({ traceId: key, frameRate: 60, channelNames: [key] }),
          encodeEnd({ frameCount: 0, duration: 0 }),
        ]),
      );
      for (const behaviour of [faces, answer(500, key, { 'content-type': `text/${key}` })]) {
        service.script('audio_to_face', behaviour);
        const hear = async (): Promise<unknown[]> => {
          const heard: unknown[] = [];
          const sound = { traceId: 't', status: 'start', audio: new Uint8Array(10), seconds: 1 };
          for await (const message of client.audioToFace(sound)) heard.push(message);
          return heard;
        };
        expect(await told(hear())).toMatchObject({ code: expect.stringMatching(/^upstream/) });
      }
      for (const operation of ['get_model', 'audio_to_face', 'submit_image'] as const) {
        service.script(operation, answer(418, key, { 'content-type': key }));
      }
      await told(client.probe());
    }
    expect(shown.join().length).toBeGreaterThan(10_000);
    expect(shown.join()).toContain('[secret]');
    const found = [service.apiKey, service.accessToken]
      .flatMap((key) => [...spellings(key).slice(0, 4), key.slice(4, 24), key.slice(-20)])
      .filter((form) => shown.join('\n').includes(form));
    expect(found).toEqual([]);
    // The journal scrubs for itself; what it is given of a refused id is the id.
    expect(entries.length).toBeGreaterThan(20);
  });
});

describe('a live session and a batch of the same connection', () => {
  it('share its requests at once: the batch leaves the session a place', async () => {
    const { service, open } = await setStage(2);
    service.always('generate_model', stall());
    const batch = await open().client('p');
    const session = open({ live: true });
    const voice = await session.client('p');
    const leaving = new AbortController();
    const uploads = [1, 2].map(() =>
      batch.generateModel(order, { signal: leaving.signal }).catch(() => 'left'),
    );
    await expect.poll(() => service.count('generate_model')).toBe(1);
    const model = { id: 'm', sex: '1', eyelidType: '', fileName: '', asked: 0, idempotencyKey: null };
    service.models.set('m', model);
    for (let asked = 0; asked < 3; asked += 1) await voice.getModel('m');
    expect(service.count('generate_model')).toBe(1);
    await session.close();
    await expect.poll(() => service.count('generate_model')).toBe(2);
    leaving.abort();
    expect(await Promise.all(uploads)).toEqual(['left', 'left']);
  });
});

describe('an order whose turn was taken before', () => {
  it('goes in it, ends it with its first try, and others wait meanwhile', async () => {
    const { service, open } = await setStage(1);
    const client = await open().client('p');
    const turn = await client.turn();
    service.models.set('m', {
      id: 'm',
      sex: '1',
      eyelidType: '',
      fileName: '',
      asked: 0,
      idempotencyKey: null,
    });
    const question = client.getModel('m');
    service.script('generate_model', json({ message: 'busy' }, 429, { 'retry-after': '0' }));
    const { modelId } = await client.generateModel(order, { turn });
    expect(modelId).not.toBe('');
    expect(await question).toMatchObject({ state: expect.any(String) });
    const calls = service.requests.map(({ operation }) => operation);
    expect(calls.filter((operation) => operation === 'generate_model')).toHaveLength(2);
    expect(calls.indexOf('generate_model')).toBeLessThan(calls.indexOf('get_model'));
  });
});
