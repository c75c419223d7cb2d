/**
 * A studio's metered clients in a process of their own, to be killed with calls under way. Settings come as
 * JSON in the first argument.
 */
import { join } from 'node:path';
import { createPaces } from '@likeness/client/transport/pace.ts';
import { Journal } from '@likeness/journal/journal.ts';
import { systemClock } from '@likeness/node-kit/clock.ts';
import { createScrub } from '@likeness/node-kit/storage/scrub.ts';
import { createMeteredClients, type MeteredClientsOptions } from '../../../main/compose/metered_clients.ts';
import { createSessionMeter } from '../../../main/live/session_meter.ts';
import { endpointFor } from '../../fixtures/service/endpoint.ts';

const { folder, service } = JSON.parse(process.argv[2] ?? '') as {
  folder: string;
  service: { url: string; accessToken: string; apiKey: string };
};
const journal = new Journal({
  folder: join(folder, 'journal'),
  clock: Date.now,
  scrub: (text) => text,
  onAppended: () => {},
  processId: process.pid,
  run: 'killed',
});
const open = (to: MeteredClientsOptions['journal']) =>
  createMeteredClients({
    resolve: async (profileId) => ({
      ...endpointFor(service, { profileId, concurrency: 8 }),
      prices: { perSecond: 0, perFrame: 0, perModel: 0, currency: 'USD' },
      monthlyCap: null,
    }),
    journal: to,
    pace: createPaces(systemClock),
    scrub: createScrub(),
    onTrouble: (error) => console.error(error),
  }).client('p');

const client = await open(journal.shared);
const file = { bytes: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]), name: 'a.jpg' };
for (let order = 0; order < 3; order += 1) void client.generateModel({ file, sex: 'male' });
void client.submitImage(file);
void client.getModel('m-1');

// A voice: fifty requests a second, of which the journal sees one.
const meter = createSessionMeter({ journal, subject: 'session-1' });
const voice = await open(meter);
for (let block = 0; block < 3; block += 1) {
  const face = voice.audioToFace({
    traceId: 'session-1',
    status: 'start',
    audio: new Uint8Array(1000),
    seconds: 0.02,
  });
  void face[Symbol.asyncIterator]().next();
}
