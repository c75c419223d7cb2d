/**
 * A node that answers A1: over the queue's Redis, or with `x-alone: 1` from traces of its own. It dies over so many blocks
 * of sound from now on when it is sent that number.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { audioToFace } from '@likeness/engine/faces/audio_to_face_route.ts';
import { Traces } from '@likeness/engine/faces/traces.ts';
import { unwatched } from '@likeness/engine/http/access.ts';
import { FairShares } from '@likeness/engine/http/fair_shares.ts';
import { defaultLimits } from '@likeness/engine/http/limits.ts';
import { Refusal } from '@likeness/engine/http/refusal.ts';
import { sendRefusal } from '@likeness/engine/http/refusal_answers.ts';
import { createMakers } from '@likeness/engine/models/makers.ts';
import { openSharedTraces } from '../../src/live/open_shared_traces.ts';

const [queue = ''] = process.argv.slice(2);
const log = (level: string, message: string, error?: unknown): void =>
  void process.stderr.write(`${level} ${message} ${error instanceof Error ? error.stack : ''}\n`);
const { traces: shared } = await openSharedTraces(queue, defaultLimits, log, 1500);
const alone = new Traces(defaultLimits, Date.now);
const { loadFaceMaker } = createMakers({
  portraitWorker: undefined,
  speechWeights: undefined,
  recordingWorker: undefined,
  fullPassWeights: undefined,
});
const maker = await loadFaceMaker();
let left = Number.POSITIVE_INFINITY;
process.on('message', (blocks: number) => {
  left = blocks;
  process.send?.('dying');
});
const options = {
  limits: defaultLimits,
  log,
  onVoice: () => {},
  inFlight: new FairShares(defaultLimits.audioBytesInFlight),
  loadFaceMaker: async (): Promise<typeof maker> => ({
    ...maker,
    open(wanted) {
      const face = maker.open(wanted);
      return {
        push(samples) {
          left -= 1;
          if (left <= 0) process.kill(process.pid, 'SIGKILL');
          return face.push(samples);
        },
        end: () => face.end(),
        state: () => face.state!(),
        resume: (state) => face.resume!(state),
      };
    },
  }),
};

const server = createServer(async (request, response) => {
  response.on('error', () => {});
  const caller = { name: 'x', owner: String(request.headers['x-owner'] ?? 'ann') };
  const meter = await unwatched.begin({ endpoint: 'audioToFace', caller, request, response });
  const context = { request, response, parameters: {}, language: 'en' as const, caller, origin: '', meter };
  try {
    await audioToFace(context, { ...options, traces: request.headers['x-alone'] ? alone : shared });
  } catch (error) {
    if (!(error instanceof Refusal)) log('error', 'failed', error);
    const refusal = error instanceof Refusal ? error : new Refusal(500, 'internal', { en: 'x', zh: 'x' });
    if (response.headersSent) response.destroy();
    else sendRefusal(response, refusal, { language: 'en', isGroupB: false });
  }
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
