import type { ServerResponse } from 'node:http';
import { expect, it, vi } from 'vitest';
import type { Behaviour } from '../../fixtures/service/service_script.ts';
import { type Stage, setStage } from './stage.ts';

/** Pauses so long that only an event can end them while a test runs. */
const profile = { polling: { least: 600, most: 3600 } };
const service = { announce: ['idempotency-key', 'model-events'], waitTime: 600, processingAnswers: 0 };

/** Has the service stream events. @returns Its open streams. */
function streamOf(stage: Stage): ServerResponse[] {
  const streams: ServerResponse[] = [];
  const stream: Behaviour = ({ response, request }) => {
    expect(request.path).toBe('/v1/models/events');
    expect(request.headers.auth_ak).toBe(stage.service.apiKey);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('retry: 2000\n\n');
    streams.push(response);
  };
  stage.service.always('other', stream);
  return streams;
}

const told = (id: string): string => `event: model\ndata: ${JSON.stringify({ modelId: id, status: 1 })}\n\n`;

/** Counts the pauses before questions that begin from now on: a job that pauses heeds events. */
function countPauses({ options }: Stage): { count: number } {
  const pauses = { count: 0 };
  const { clock } = options;
  options.clock = {
    ...clock,
    wait(milliseconds, signal) {
      if (milliseconds > 300_000) pauses.count += 1;
      return clock.wait(milliseconds, signal);
    },
  };
  return pauses;
}

it('a model is asked for when the server tells that it has changed, over one connection for all', async () => {
  const stage = await setStage({ service, profile });
  const streams = streamOf(stage);
  const pauses = countPauses(stage);
  await stage.run(3);
  await vi.waitFor(() => expect(pauses.count).toBe(3), { timeout: 10_000 });
  await vi.waitFor(() => expect(streams).toHaveLength(1));
  // Some asked what the server announces; none asked for its model yet.
  const before = stage.service.count('get_model');
  for (const id of stage.service.models.keys()) streams[0]?.write(told(id));
  expect(await stage.rest()).toMatchObject({ jobs: { done: 3 } });
  expect(stage.service.count('get_model')).toBe(before + 3);
  expect(streams).toHaveLength(1);
  // Nobody waits any more: the connection is given back.
  await vi.waitFor(() => expect(streams[0]?.closed).toBe(true));
});

it('an event in two pieces, a strange one and one of somebody else’s model wake nobody wrongly', async () => {
  const stage = await setStage({ service, profile });
  const streams = streamOf(stage);
  const pauses = countPauses(stage);
  await stage.run(2);
  await vi.waitFor(() => expect(pauses.count).toBe(2), { timeout: 10_000 });
  await vi.waitFor(() => expect(streams).toHaveLength(1));
  const before = stage.service.count('get_model');
  const [one = '', two = ''] = stage.service.models.keys();
  const event = told(two);
  const strange = `event: model\ndata: no json\n\n${told('another')}event: other\ndata: {}\n\n`;
  streams[0]?.write(`${strange}${told(one)}${event.slice(0, 20)}`);
  // When the one model has come, all that was written has been read.
  await vi.waitFor(() => expect(stage.batch.overview().jobs.done).toBe(1));
  expect(stage.service.count('get_model')).toBe(before + 1);
  streams[0]?.write(event.slice(20));
  expect(await stage.rest()).toMatchObject({ jobs: { done: 2 } });
});

it('a stream that breaks is opened again, and the questions go on without it', async () => {
  const stage = await setStage({
    service: { ...service, waitTime: 0 },
    profile: { polling: { least: 1, most: 1 } },
  });
  const streams = streamOf(stage);
  const [id = ''] = await stage.run(1);
  await vi.waitFor(() => expect(stage.batch.job(id)?.state).toBe('waiting'));
  await vi.waitFor(() => expect(streams.length).toBeGreaterThan(0));
  streams[0]?.destroy();
  expect(await stage.rest()).toMatchObject({ jobs: { done: 1 } });
});

it('a server that announces no events is never asked for them', async () => {
  const stage = await setStage({ service: { announce: ['idempotency-key'] } });
  await stage.run(2);
  expect(await stage.rest()).toMatchObject({ jobs: { done: 2 } });
  expect(stage.service.count('other')).toBe(0);
});
