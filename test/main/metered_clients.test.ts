import { describe, expect, it, onTestFinished } from 'vitest';
import { Failure } from '../../main/failure.ts';
import type { CallRecord } from '../../main/journal/journal.ts';
import { createMeteredClients, type MeteredClientsOptions } from '../../main/metered_clients.ts';
import { createScrub } from '../../main/storage/scrub.ts';
import { createPaces } from '../../main/upstream/pace.ts';
import { systemClock } from '../../main/upstream/retry.ts';
import { stall } from '../fixtures/service/behaviours.ts';
import { endpointFor } from '../fixtures/service/endpoint.ts';
import { startScriptedService } from '../fixtures/service/scripted_service.ts';

const prices = { perSecond: 0.1, perFrame: 0, perModel: 1, currency: 'USD' };
const order = {
  file: { bytes: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]), name: 'a.jpg' },
  sex: 'male',
} as const;

async function setStage(concurrency = 2) {
  const service = await startScriptedService();
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
  return { service, entries, troubles, refusals, open };
}

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
    await expect.poll(() => entries.length, { timeout: 5000 }).toBe(1);
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
