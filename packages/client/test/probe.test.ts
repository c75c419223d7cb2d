import { inEnglish } from '@likeness/messages';
import { describe, expect, test } from 'vitest';
import { ConnectionStep } from '../../../preload/contract.ts';
import { answer, envelope, html, json } from '../../../test/fixtures/service/behaviours.ts';
import { startScriptedService } from '../../../test/fixtures/service/scripted_service.ts';
import { type StageOptions, setStage } from './harness.ts';

async function probed(
  options: StageOptions = {},
  prepare: (stage: Awaited<ReturnType<typeof setStage>>) => void = () => undefined,
) {
  const stage = await setStage(options);
  prepare(stage);
  const steps = await stage.client.probe();
  for (const step of steps) ConnectionStep.parse(step);
  const plain = (text: string): string => text.replace(/127\.0\.0\.1:\d+/g, 'HOST');
  return {
    ...stage,
    steps,
    said: steps.map(({ operation, outcome, detail }) => [operation, outcome, plain(inEnglish(detail))]),
  };
}
const generateSkipped = [
  'generate_model',
  'skipped',
  'Not tried: it would order a model, which may be billed. It has the same host and key as “Query a head”.',
];

describe('“Test connection”', () => {
  test('says what it tried and what came back, and orders nothing', async () => {
    const { said, steps, service, exchanges } = await probed();
    expect(said).toEqual([
      [
        'audio_to_face',
        'ok',
        'HOST knows this address (HTTP 405: it accepts only POST, as it should). The first real call shows whether it accepts the Group A access token.',
      ],
      [
        'submit_image',
        'ok',
        'HOST knows this address (HTTP 405: it accepts only POST, as it should). The first real call shows whether it accepts the Group A access token.',
      ],
      [
        'get_model',
        'ok',
        'HOST supports the interface and did not refuse the Group B API key; for a made-up model id it returned code 1404, “model not found”, as it should.',
      ],
      generateSkipped,
    ]);
    expect(steps[0]?.request).toBe(`GET ${service.url}/v1/audio-to-face/mesh`);
    expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
    expect(service.models.size).toBe(0);
    expect(
      exchanges.map(({ operation, billedModels, billedSeconds }) => [operation, billedModels, billedSeconds]),
    ).toEqual(Array.from({ length: 3 }, () => ['probe', 0, 0]));
  });

  test('wrong keys', async () => {
    const { said, steps } = await probed({
      endpoint: { secrets: { accessToken: 'wrong-token-1', apiKey: 'wrong-key-1' } },
    });
    expect(said.slice(0, 3)).toEqual([
      [
        'audio_to_face',
        'failed',
        'HOST refused the Group A access token (HTTP 401 Unauthorized). It said: “invalid key”',
      ],
      [
        'submit_image',
        'failed',
        'HOST refused the Group A access token (HTTP 401 Unauthorized). It said: “invalid key”',
      ],
      [
        'get_model',
        'failed',
        'HOST refused the Group B API key (HTTP 401 Unauthorized). It said: “invalid key”',
      ],
    ]);
    expect(inEnglish(steps[2]?.hint ?? '')).toMatch(/^Check the Group B API key of “Scripted”/);
    expect(JSON.stringify(steps)).not.toContain('wrong-');
  });

  test('a key that is refused in the envelope, or perhaps', async () => {
    expect(
      (
        await probed({}, ({ service }) =>
          service.script('get_model', envelope(null, { code: 401, message: 'no' })),
        )
      ).said[2],
    ).toEqual(['get_model', 'failed', 'HOST refused the Group B API key (code 401, “no”).']);
    expect(
      (
        await probed({}, ({ service }) =>
          service.script('get_model', envelope(null, { code: 10021, message: '鉴权失败' })),
        )
      ).said[2],
    ).toEqual([
      'get_model',
      'warning',
      'HOST supports the interface; for a made-up model id it returned code 10021, “鉴权失败”. The key may be the cause.',
    ]);
  });

  test('missing keys and addresses', async () => {
    const { said, service } = await probed({ endpoint: { groupAUrl: '', secrets: { apiKey: '' } } });
    expect(said.slice(0, 3)).toEqual([
      ['audio_to_face', 'skipped', 'No Group A address is set, so this is not used.'],
      ['submit_image', 'skipped', 'No Group A address is set, so this is not used.'],
      ['get_model', 'failed', 'The connection “Scripted” has no Group B API key.'],
    ]);
    expect(service.requests).toHaveLength(0);
  });

  test('somewhere else', async () => {
    const { said } = await probed({}, ({ service }) => {
      service.always('audio_to_face', html());
      service.always('submit_image', answer(404, 'nope', { 'content-type': 'text/plain' }));
      service.always('get_model', html(404));
    });
    expect(said.slice(0, 3)).toEqual([
      ['audio_to_face', 'warning', 'HOST answers with a web page (HTTP 200).'],
      [
        'submit_image',
        'warning',
        'HOST answers, but finds nothing at this address (HTTP 404). Some servers answer any unexpected request like this.',
      ],
      ['get_model', 'warning', 'HOST answers, but not as the service does (HTTP 404).'],
    ]);
  });

  test('a server that is busy, broken, elsewhere', async () => {
    const { said } = await probed({}, ({ service }) => {
      service.always('audio_to_face', answer(503));
      service.always('submit_image', answer(302, '', { location: 'https://login.example/x' }));
      service.always('get_model', json({ hello: 'world' }));
    });
    expect(said.slice(0, 3)).toEqual([
      ['audio_to_face', 'warning', 'HOST is busy or under maintenance (HTTP 503 Service Unavailable).'],
      ['submit_image', 'failed', 'HOST redirects to https://login.example (HTTP 302 Found).'],
      ['get_model', 'failed', 'HOST answered with HTTP 200 (application/json), but code is missing.'],
    ]);
  });

  test('nobody there: asked once, and named', async () => {
    const gone = await startScriptedService();
    await gone.close();
    const { said, pauses } = await probed({
      endpoint: { groupAUrl: gone.url, groupBUrl: 'http://no-such-host.invalid' },
    });
    expect(said[0]).toEqual(['audio_to_face', 'failed', 'Nothing answers at HOST (connection refused).']);
    expect(said[2]?.[2]).toMatch(/^The name no-such-host\.invalid could not be looked up/);
    expect(pauses).toEqual([]);
  });

  test('hears what the server announces', async () => {
    const { client, service } = await probed({
      service: { announce: ['idempotency-key', 'delete-model', 'health'] },
    });
    expect(await client.extensions()).toMatchObject({
      idempotencyKey: true,
      deleteModel: true,
      health: true,
    });
    expect(service.count('get_model')).toBe(1);
  });
});
