import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { inEnglish } from '@likeness/messages';
import { Failure } from '@likeness/node-kit/failure.ts';
import { describe, expect, test, vi } from 'vitest';
import {
  answer,
  early,
  empty,
  envelope,
  html,
  json,
  redirect,
  reset,
  resetEarly,
  resetInBody,
  stall,
  truncatedJson,
} from '../../../test/fixtures/service/behaviours.ts';
import { endpointFor } from '../../../test/fixtures/service/endpoint.ts';
import { type Behaviour, startScriptedService } from '../../../test/fixtures/service/scripted_service.ts';
import { createUpstreamClient } from '../src/client.ts';
import { atEnd, failureOf, photo, setStage, told } from './harness.ts';

const beforeRepeating =
  'The server may have received it and may bill it: check your account there before you send it again.';

describe('generate a model', () => {
  test('sends the photo from disk with its fields, and reads id and wait', async () => {
    const { service, client, photoPath, exchanges } = await setStage({ service: { waitTime: 40 } });
    expect(
      await client.generateModel({ file: { path: photoPath }, sex: 'female', eyelidType: 'double' }),
    ).toEqual({
      modelId: 'model-1',
      waitSeconds: 40,
    });
    const request = service.last('generate_model');
    expect(request.path).toBe('/open-api/svc/sdk/model/generate');
    expect(request.headers.auth_ak).toBe(service.apiKey);
    expect(Number(request.headers['content-length'])).toBe(request.body.byteLength);
    expect(request.fields).toEqual({ sex: '1', eyelidType: '2' });
    expect(request.file).toEqual({ name: 'portrait.jpg', mediaType: 'image/jpeg', bytes: photo });
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]).toMatchObject({
      subject: 'model-1',
      outcome: 'ok',
      billedModels: 1,
      bytesSent: request.body.byteLength,
      uncertain: false,
    });
  });

  test('further photos of the person go as files, where the server announces them', async () => {
    const { service, client, folder, photoPath, exchanges } = await setStage({
      service: { announce: ['files'] },
    });
    const left = join(folder, 'left.jpg');
    await writeFile(left, Buffer.concat([photo, Buffer.from('left')]));
    const others = [{ path: left }, { bytes: photo, name: 'right.jpg' }];
    const order = { file: { path: photoPath }, others, sex: 'female' } as const;
    expect(await client.generateModel(order)).toEqual({ modelId: 'model-1', waitSeconds: 1 });
    const request = service.last('generate_model');
    expect(Number(request.headers['content-length'])).toBe(request.body.byteLength);
    expect([request.fields, request.file?.name]).toEqual([{ sex: '1' }, 'portrait.jpg']);
    expect(request.files.map(({ name, bytes }) => [name, bytes.byteLength])).toEqual([
      ['left.jpg', photo.byteLength + 4],
      ['right.jpg', photo.byteLength],
    ]);
    expect(exchanges.at(-1)).toMatchObject({ billedModels: 1, message: '' });
  });

  test('only the front photo goes to a server that takes one, and the journal says so', async () => {
    const { service, client, photoPath, exchanges } = await setStage();
    const others = [{ bytes: photo, name: 'left.jpg' }];
    const answer = await client.generateModel({ file: { path: photoPath }, others, sex: 'female' });
    expect(answer).toEqual({ modelId: 'model-1', waitSeconds: 1, leftOut: 1 });
    expect(service.last('generate_model').files).toEqual([]);
    expect(inEnglish(exchanges.at(-1)?.message ?? '')).toMatch(/one photo per person.*1 more was not/);
  });

  test('a further photo that is gone is told by its name, and nothing is sent', async () => {
    const { service, client, folder, photoPath } = await setStage({ service: { announce: ['files'] } });
    const others = [{ path: join(folder, 'gone.jpg') }];
    const failure = client.generateModel({ file: { path: photoPath }, others, sex: 'female' });
    await expect(failure).rejects.toMatchObject({ code: 'not_found' });
    await expect(failure).rejects.toThrow(/gone\.jpg/);
    expect(service.count('generate_model')).toBe(0);
  });

  test('male and single, from memory, without an eyelid type where none was given', async () => {
    const { service, client } = await setStage();
    await client.generateModel({ file: { bytes: photo, name: 'x.jpg' }, sex: 'male', eyelidType: 'single' });
    expect(service.last('generate_model').fields).toEqual({ sex: '0', eyelidType: '1' });
    await client.generateModel({ file: { bytes: photo, name: 'x.jpg' }, sex: 'male' });
    expect(service.last('generate_model').fields).toEqual({ sex: '0' });
  });

  test.each([true, false])(
    'corrections go to a server that announces them and to no other (%s)',
    async (can) => {
      const { service, client } = await setStage({ service: { announce: can ? ['head-corrections'] : [] } });
      const corrections = {
        strokes: [{ kind: 'background' as const, radius: 0.02, points: [0.4, 0.1, 0.6, 0.1] }],
        crown: 0.05,
      };
      await client.generateModel({ file: { bytes: photo, name: 'x.jpg' }, sex: 'male', corrections });
      expect(service.last('generate_model').fields).toEqual({
        sex: '0',
        ...(can && { corrections: JSON.stringify(corrections) }),
      });
    },
  );

  test.each([true, false])('choices of a head too (%s)', async (can) => {
    const { service, client } = await setStage({ service: { announce: can ? ['head-options'] : [] } });
    const options = { smile: 1, eyeColour: '#5a7fa0' };
    await client.generateModel({ file: { bytes: photo, name: 'x.jpg' }, sex: 'male', options });
    expect(service.last('generate_model').fields).toEqual({
      sex: '0',
      ...(can && { options: JSON.stringify(options) }),
    });
  });

  test.each([
    ['anyway', true],
    ['anyway', false],
    ['preview', true],
    ['preview', false],
  ])('“%s” too (%s)', async (flag, can) => {
    const { service, client } = await setStage({ service: { announce: can ? [`head-${flag}`] : [] } });
    await client.generateModel({ file: { bytes: photo, name: 'x.jpg' }, sex: 'male', [flag]: true });
    expect(service.last('generate_model').fields).toEqual({ sex: '0', ...(can && { [flag]: '1' }) });
  });

  test('a large photo is not read into memory at once', async () => {
    const { service, client, folder } = await setStage();
    const path = join(folder, 'large.png');
    await writeFile(path, Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    await truncate(path, 300e6);
    const before = process.memoryUsage().arrayBuffers;
    let max = 0;
    const watch = setInterval(() => {
      max = Math.max(max, process.memoryUsage().arrayBuffers - before);
    }, 2);
    // A service that doesn't keep it either.
    service.script(
      'generate_model',
      early((turn) => {
        turn.incoming.on('end', () => envelope({ modelId: 'm', waitTime: 1 })(turn));
      }),
    );
    expect(await client.generateModel({ file: { path }, sex: 'female' })).toEqual({
      modelId: 'm',
      waitSeconds: 1,
    });
    clearInterval(watch);
    expect(max).toBeLessThan(150e6);
  });

  test.each([
    ['/home/anna/Ä Müller "x"; name=sex\r\n.jpeg', 'A_Muller_x_name_sex.jpeg'],
    ['C:\\Users\\anna\\photo.JPG', 'photo.JPG'],
    ['张三.jpg', 'image.jpg'],
    ['../../.htaccess', 'htaccess.jpg'],
    ['x'.repeat(300), `${'x'.repeat(64)}.jpg`],
  ])('a file name gives nothing away and breaks nothing: %j', async (name, safe) => {
    const { service, client } = await setStage();
    await client.generateModel({ file: { bytes: photo, name }, sex: 'male' });
    expect(service.last('generate_model').file?.name).toBe(safe);
    expect(service.last('generate_model').fields).toEqual({ sex: '0' });
  });

  test('tolerates numbers as strings and an id as a number', async () => {
    const { service, client } = await setStage();
    service.script('generate_model', envelope({ modelId: 4711, waitTime: '90' }, { code: '200' }));
    expect(await client.generateModel({ file: { bytes: photo, name: 'x' }, sex: 'male' })).toEqual({
      modelId: '4711',
      waitSeconds: 90,
    });
  });

  const cases: [string, Behaviour, { words: string[]; uncertain: boolean }][] = [
    [
      'the envelope says no',
      envelope(null, { code: 2001, message: '未检测到人脸' }),
      {
        words: [
          'upstream_refused',
          'Generate model: HOST answered with code 2001 “未检测到人脸”.',
          "The server's provider documents what its codes mean.",
        ],
        uncertain: false,
      },
    ],
    [
      '413',
      answer(413),
      {
        words: [
          'upstream_refused',
          'Generate model: The upload is too large for HOST (HTTP 413 Payload Too Large).',
          'Use a smaller photo: fewer pixels or stronger compression.',
        ],
        uncertain: false,
      },
    ],
    [
      '413 before the photo is there',
      early(answer(413, '', { connection: 'close' })),
      {
        words: [
          'upstream_refused',
          'Generate model: The upload is too large for HOST (HTTP 413 Payload Too Large).',
          'Use a smaller photo: fewer pixels or stronger compression.',
        ],
        uncertain: false,
      },
    ],
    [
      '415',
      answer(415),
      {
        words: [
          'upstream_refused',
          'Generate model: HOST does not accept this kind of file (HTTP 415 Unsupported Media Type).',
          'Use a JPEG or PNG photo.',
        ],
        uncertain: false,
      },
    ],
    [
      '402',
      answer(402),
      {
        words: [
          'upstream_refused',
          'Generate model: HOST requires payment first (HTTP 402 Payment Required).',
          'Check the balance of your account there.',
        ],
        uncertain: false,
      },
    ],
    [
      '500',
      answer(500),
      {
        words: [
          'upstream_refused',
          'Generate model: HOST failed on its side (HTTP 500 Internal Server Error).',
          beforeRepeating,
        ],
        uncertain: true,
      },
    ],
    [
      '503 without Retry-After',
      answer(503),
      {
        words: [
          'upstream_refused',
          'Generate model: HOST is busy or under maintenance (HTTP 503 Service Unavailable).',
          beforeRepeating,
        ],
        uncertain: true,
      },
    ],
    [
      'a cut connection after the photo',
      reset(),
      {
        words: [
          'unreachable',
          'Generate model: The connection to HOST broke before an answer came.',
          beforeRepeating,
        ],
        uncertain: true,
      },
    ],
    [
      'an answer that is cut',
      resetInBody('{"code":200,'),
      {
        words: [
          'upstream_broken',
          'Generate model: The answer of HOST ended early after 12 bytes.',
          beforeRepeating,
        ],
        uncertain: true,
      },
    ],
    [
      'JSON that breaks off',
      truncatedJson(),
      {
        words: [
          'upstream_broken',
          'Generate model: HOST answered with HTTP 200 (application/json), but the answer is incomplete or malformed JSON. It begins: “{"code":200,"message":"success","data":{"status":1,"downl”',
          `Check that the address leads to the service; if it does, tell the server's operator. ${beforeRepeating}`,
        ],
        uncertain: true,
      },
    ],
    [
      'no id',
      envelope({ waitTime: 3 }),
      {
        words: [
          'upstream_broken',
          'Generate model: HOST answered with HTTP 200 (application/json), but data.modelId is missing.',
          `Check that the address leads to the service; if it does, tell the server's operator. ${beforeRepeating}`,
        ],
        uncertain: true,
      },
    ],
    [
      'an id that JSON has rounded',
      answer(200, '{"code":200,"data":{"modelId":12345678901234567890}}', {
        'content-type': 'application/json',
      }),
      {
        words: [
          'upstream_broken',
          'Generate model: HOST answered with HTTP 200 (application/json), but data.modelId is 12345678901234567000, not an identifier.',
          `Check that the address leads to the service; if it does, tell the server's operator. ${beforeRepeating}`,
        ],
        uncertain: true,
      },
    ],
  ];
  test.each(cases)('%s: sent once, and the person is told', async (_, behaviour, { words, uncertain }) => {
    const { service, client, exchanges } = await setStage();
    service.script('generate_model', behaviour);
    const error = await failureOf(
      client.generateModel({ file: { bytes: photo, name: 'x.jpg' }, sex: 'male' }),
    );
    expect(told(error)).toEqual(words);
    expect([error.uncertain, error.retryable]).toEqual([uncertain, false]);
    expect(service.count('generate_model')).toBe(1);
    expect(service.models.size).toBe(0);
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]).toMatchObject({ outcome: 'failed', uncertain, billedModels: 0, attempts: 1 });
  });
});

describe('a photo is never billed twice', () => {
  const order = { file: { bytes: photo, name: 'x.jpg' }, sex: 'male' as const };

  test.each([429, 503])('%i with Retry-After: sent again, not before', async (status) => {
    const { service, client, pauses, exchanges } = await setStage();
    service.script('generate_model', answer(status, '', { 'retry-after': '3' }));
    expect(await client.generateModel(order)).toMatchObject({ modelId: 'model-1' });
    expect(pauses).toEqual([3250]);
    expect(service.last('generate_model').file?.bytes).toEqual(photo);
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]).toMatchObject({ attempts: 2, billedModels: 1 });
  });

  test('Retry-After as a date', async () => {
    const { service, client, pauses } = await setStage();
    service.script(
      'generate_model',
      answer(503, '', { 'retry-after': new Date(Date.now() + 9000).toUTCString() }),
    );
    await client.generateModel(order);
    expect(pauses[0]).toBeGreaterThan(7000);
    expect(pauses[0]).toBeLessThan(9500);
  });

  test('429 without Retry-After: not sent again, though the person may', async () => {
    const { service, client } = await setStage();
    service.always('generate_model', answer(429));
    const error = await failureOf(client.generateModel(order));
    expect([error.retryable, error.uncertain, service.count('generate_model')]).toEqual([true, false, 1]);
  });

  test('refused connection: tried again, since nobody can have received it', async () => {
    const service = await startScriptedService();
    await service.close();
    const { pauses, exchanges, client } = await setStage({ endpoint: { groupBUrl: service.url } });
    const error = await failureOf(client.generateModel(order));
    expect(told(error)).toEqual([
      'unreachable',
      'Generate model: Nothing answers at HOST (connection refused).',
      'Check that the server runs and that the Group B address has the right host and port.',
    ]);
    expect([error.retryable, error.uncertain, pauses.length, exchanges[0]?.attempts]).toEqual([
      true,
      false,
      3,
      4,
    ]);
  });

  test('cut before the photo was there in full: tried again', async () => {
    const { service, client } = await setStage();
    const large = Buffer.concat([photo, Buffer.alloc(20e6)]);
    service.script('generate_model', resetEarly());
    expect(await client.generateModel({ file: { bytes: large, name: 'x.jpg' }, sex: 'male' })).toMatchObject({
      modelId: 'model-1',
    });
    expect(service.count('generate_model')).toBe(2);
    expect(service.models.size).toBe(1);
  });

  test('an answer that has begun before the photo was there in full: received, and not sent again', async () => {
    const { service, client } = await setStage();
    const large = Buffer.concat([photo, Buffer.alloc(60e6)]);
    service.always(
      'generate_model',
      early((turn) => {
        turn.incoming.pause();
        return resetInBody('{"code":200,"message":"success","data":{"modelId":"model-1"')(turn);
      }),
    );
    const error = await failureOf(
      client.generateModel({ file: { bytes: large, name: 'x.jpg' }, sex: 'male' }),
    );
    expect([error.uncertain, error.retryable]).toEqual([true, false]);
    expect(service.count('generate_model')).toBe(1);
  });

  test('a refusal that cuts the upload short is a refusal', async () => {
    const { service, client } = await setStage();
    const large = Buffer.concat([photo, Buffer.alloc(60e6)]);
    service.always(
      'generate_model',
      early(async ({ incoming, response }) => {
        incoming.pause();
        response.writeHead(413, { 'content-type': 'application/json', 'content-length': '100000' });
        response.write('{"message":"too large');
        await wait(30);
        incoming.socket.resetAndDestroy();
      }),
    );
    const error = await failureOf(
      client.generateModel({ file: { bytes: large, name: 'x.jpg' }, sex: 'male' }),
    );
    expect([error.code, error.httpStatus, error.uncertain]).toEqual(['upstream_refused', 413, false]);
    expect(service.count('generate_model')).toBe(1);
  });

  test('no answer in time: not sent again', async () => {
    const { service, client } = await setStage({ timeouts: { firstByte: 100 } });
    service.always('generate_model', stall());
    const error = await failureOf(client.generateModel(order));
    expect(told(error)).toEqual([
      'timeout',
      'Generate model: The request was sent, but HOST did not begin to answer within 100 ms.',
      beforeRepeating,
    ]);
    expect([error.uncertain, service.count('generate_model')]).toEqual([true, 1]);
  });

  test('a server that stops taking the photo: never received in full, so not uncertain', async () => {
    const { client, service } = await setStage({ timeouts: { firstByte: 150 }, retry: { attempts: 1 } });
    service.script(
      'generate_model',
      early(({ incoming }) => {
        incoming.pause();
        incoming.socket.pause();
      }),
    );
    const large = Buffer.concat([photo, Buffer.alloc(40e6)]);
    const error = await failureOf(
      client.generateModel({ file: { bytes: large, name: 'x.jpg' }, sex: 'male' }),
    );
    expect([error.code, error.uncertain]).toEqual(['timeout', false]);
    expect(error.message).toMatch(/stopped accepting the upload: no progress for 150 ms/);
  });

  test('cancelled while the server thinks: uncertain, and said so', async () => {
    const { service, client, exchanges } = await setStage();
    service.always('generate_model', stall());
    const controller = new AbortController();
    const sent = failureOf(client.generateModel(order, { signal: controller.signal }));
    await vi.waitFor(() => expect(service.last('generate_model').complete).toBe(true));
    controller.abort();
    const error = await sent;
    expect([error.code, error.uncertain, error.hint]).toEqual(['cancelled', true, beforeRepeating]);
    expect(exchanges[0]).toMatchObject({ outcome: 'cancelled', uncertain: true });
  });

  test('every order has a connection of its own, so that none dies with a kept one', async () => {
    const { service, client } = await setStage();
    for (let count = 0; count < 3; count++) await client.generateModel(order);
    expect(service.connections).toBe(3);
    // Questions share: undici has at most two in turns.
    for (let count = 0; count < 9; count++) await client.getModel('model-1');
    expect(service.connections).toBeLessThanOrEqual(5);
  });

  test('the spending cap refuses before anything is sent', async () => {
    const planned: unknown[] = [];
    const { service, client, exchanges } = await setStage({
      beforeCall: (call) => {
        planned.push(call);
        return Promise.reject(new Failure('cap_reached', 'It would cost 2 USD; 1 USD is left.'));
      },
    });
    await expect(client.generateModel(order)).rejects.toMatchObject({ code: 'cap_reached' });
    expect(planned).toEqual([
      { profileId: 'scripted', operation: 'generate_model', seconds: 0, frames: 0, models: 1 },
    ]);
    expect(service.requests).toHaveLength(0);
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]).toMatchObject({ outcome: 'refused', attempts: 0 });
  });
});

describe('an idempotency key', () => {
  const order = { file: { bytes: photo, name: 'x.jpg' }, sex: 'male' as const, idempotencyKey: 'photo-312' };

  test('is asked about within the turn of its order, where no other turn is free', async () => {
    const { service, client } = await setStage({
      endpoint: { concurrency: 1 },
      service: { announce: ['idempotency-key'] },
    });
    const turn = await client.turn();
    await client.generateModel(order, { protectedOnly: true, turn });
    expect(service.last('generate_model').headers['idempotency-key']).toBe('photo-312');
    // The turn is over.
    (await client.turn())();
  });

  test('goes to a server that announces it, which is asked first', async () => {
    const { service, client } = await setStage({
      service: { announce: ['idempotency-key', 'health', 'time-travel'] },
    });
    const first = await client.generateModel(order);
    expect(await client.generateModel(order)).toEqual(first);
    expect(service.models.size).toBe(1);
    expect(service.requests.map(({ operation }) => operation)).toEqual([
      'get_model',
      'generate_model',
      'generate_model',
    ]);
    expect(await client.extensions()).toMatchObject({
      idempotencyKey: true,
      deleteModel: false,
      health: true,
    });
  });

  test('goes to no other', async () => {
    const { service, client } = await setStage();
    await client.generateModel(order);
    expect(service.last('generate_model').headers['idempotency-key']).toBeUndefined();
    expect(await client.extensions()).toMatchObject({
      idempotencyKey: false,
      deleteModel: false,
      health: false,
    });
  });

  test('is not given up because a gateway, a refused key or a portal answers in between', async () => {
    const { service, client } = await setStage({ service: { announce: ['idempotency-key'] } });
    await client.generateModel(order);
    for (const inBetween of [
      answer(502),
      html(),
      redirect('https://login.example/'),
      envelope(null, { code: 401, status: 401 }),
    ]) {
      service.script('get_model', (turn) => {
        turn.response.removeHeader('likeness-extensions');
        return inBetween(turn);
      });
      await failureOf(client.getModel('model-1')).catch(() => undefined);
      expect((await client.extensions({ sure: true })).idempotencyKey).toBe(true);
    }
  });

  test.each([
    ['no answer', reset(), 'unreachable'],
    ['a gateway', answer(502), 'upstream_refused'],
    ['a refused key', answer(401), 'upstream_refused'],
    ['a login page', html(), 'upstream_broken'],
  ])(
    'whether it can be sent is not known where the question meets %s, and said so',
    async (_, behaviour, code) => {
      const { service, client } = await setStage();
      service.script('get_model', behaviour, behaviour);
      expect(await failureOf(client.extensions({ sure: true }))).toMatchObject({ code });
      const protectedOnly = client.generateModel(order, { protectedOnly: true });
      expect(await failureOf(protectedOnly)).toMatchObject({ code });
      // The server is itself again, and announces none.
      expect(await client.extensions({ sure: true })).toMatchObject({ idempotencyKey: false });
      expect(await failureOf(client.generateModel(order, { protectedOnly: true }))).toMatchObject({
        code: 'conflict',
        retryable: true,
      });
      expect(service.count('generate_model')).toBe(0);
    },
  );

  test('makes an order that broke off safe to repeat', async () => {
    const { service, client } = await setStage({ service: { announce: ['idempotency-key'] } });
    service.script('generate_model', reset());
    const error = await failureOf(client.generateModel(order));
    expect([error.uncertain, error.retryable]).toEqual([true, true]);
    expect(error.hint).not.toContain(beforeRepeating);
  });
});

describe('submit an image', () => {
  test('sends it to Group A with the token', async () => {
    const { service, client, photoPath, exchanges } = await setStage();
    expect(await client.submitImage({ path: photoPath })).toEqual({ id: 'task-1' });
    const request = service.last('submit_image');
    expect(request.path).toBe('/v1/svc-3d/sq');
    expect(request.headers.authorization).toBe(`Bearer ${service.accessToken}`);
    expect(request.headers.auth_ak).toBeUndefined();
    expect(request.file).toEqual({ name: 'portrait.jpg', mediaType: 'image/jpeg', bytes: photo });
    expect(exchanges[0]).toMatchObject({ operation: 'submit_image', subject: 'task-1', outcome: 'ok' });
  });

  test.each<[string, Behaviour, string]>([
    [
      'without an id',
      json({ data: {} }),
      'Submit image: HOST answered with HTTP 200 (application/json), but data.id is missing.',
    ],
    [
      'nothing',
      empty(),
      'Submit image: HOST answered with HTTP 200 (application/json), but the answer is empty.',
    ],
    [
      'an envelope that says no',
      json({ code: 13, message: 'no credit' }),
      'Submit image: HOST answered with code 13 “no credit”.',
    ],
    [
      'an error that nobody documented: status, kind and its first words',
      answer(422, `{"errors":[{"loc":["file"],"msg":"${'unsupported '.repeat(100)}"}]}`, {
        'content-type': 'application/problem+json',
      }),
      `Submit image: HOST refused the request (HTTP 422 Unprocessable Entity, application/problem+json). It said: “{"errors":[{"loc":["file"],"msg":"${'unsupported '.repeat(100)}`.slice(
        0,
        600,
      ),
    ],
    [
      'a web page',
      html(200, 'Welcome'),
      'Submit image: HOST answered with HTTP 200 (text/html), but the answer is a web page, not data. It begins: “Welcome”',
    ],
  ])('%s', async (_, behaviour, message) => {
    const { service, client } = await setStage();
    service.script('submit_image', behaviour);
    const [, said = ''] = told(await failureOf(client.submitImage({ bytes: photo, name: 'x.jpg' })));
    expect(said.length).toBeLessThan(700);
    expect(said.slice(0, 400)).toBe(message.slice(0, 400));
    expect(service.count('submit_image')).toBe(1);
  });
});

describe("a file that can't be sent", () => {
  test('is gone', async () => {
    const { client, folder, service } = await setStage();
    await expect(client.submitImage({ path: join(folder, 'gone.jpg') })).rejects.toMatchObject({
      code: 'not_found',
      message: '“gone.jpg” no longer exists.',
      hint: 'It was moved, renamed or deleted. Add it again.',
    });
    expect(service.requests).toHaveLength(0);
  });

  test('is empty', async () => {
    const { client, folder } = await setStage();
    await writeFile(join(folder, 'empty.jpg'), '');
    await expect(client.submitImage({ path: join(folder, 'empty.jpg') })).rejects.toMatchObject({
      code: 'invalid_input',
      message: '“empty.jpg” is empty.',
      field: 'file',
    });
  });

  test('is a folder', async () => {
    const { client, folder } = await setStage();
    await mkdir(join(folder, 'album'));
    await expect(client.submitImage({ path: join(folder, 'album') })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });

  test('shrinks while it is sent: the person is told, and it is no order', async () => {
    const { client, folder, service } = await setStage({ retry: { attempts: 1 } });
    const path = join(folder, 'live.jpg');
    await writeFile(path, Buffer.concat([photo, Buffer.alloc(50e6)]));
    service.script(
      'generate_model',
      early(({ incoming }) => {
        incoming.once('data', () => void truncate(path, 5e6));
      }),
    );
    const error = await failureOf(client.generateModel({ file: { path }, sex: 'male' }));
    expect(told(error)).toEqual([
      'storage',
      'Generate model: “live.jpg” changed while it was being sent.',
      'Wait until the program that writes it is done, then send it again.',
    ]);
    expect([error.uncertain, error.retryable]).toEqual([false, true]);
  });
});

test('no address: the person is told which one', async () => {
  const service = await startScriptedService();
  atEnd(() => service.close());
  const client = createUpstreamClient({
    endpoint: endpointFor(service, { groupAUrl: '', groupBUrl: 'https://x.example/?a=1' }),
  });
  atEnd(() => client.close());
  expect(told(await failureOf(client.submitImage({ bytes: photo, name: 'x' })))).toEqual([
    'invalid_input',
    'Submit image: The connection “Scripted” has no Group A address.',
    'Enter the Group A base address in Settings → Connections.',
  ]);
  expect((await failureOf(client.getModel('m'))).message).toBe(
    'Get model: The Group B address of “Scripted” is not a plain http:// or https:// address.',
  );
});

test('the journal, which is never altered, holds no name of a file, whoever speaks of it', async () => {
  const { service, client, exchanges } = await setStage();
  service.always(
    'generate_model',
    envelope(null, { code: 5001, message: 'Jane Unmistakable.jpg: no face in “Jane Unmistakable”' }),
  );
  const error = await failureOf(
    client.generateModel({ file: { bytes: photo, name: 'Jane Unmistakable.jpg' }, sex: 'female' }),
  );
  expect(error.message).toContain('Jane Unmistakable');
  expect(inEnglish(exchanges.at(-1)?.message ?? '')).toContain('the file: no face');
  expect(inEnglish(exchanges.at(-1)?.message ?? '')).not.toContain('Unmistakable');
});
