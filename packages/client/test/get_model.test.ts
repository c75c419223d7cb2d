import { join } from 'node:path';
import { translate } from '@likeness/messages';
import { describe, expect, test } from 'vitest';
import {
  answer,
  drip,
  empty,
  envelope,
  html,
  hugeJson,
  json,
  notHttp,
  redirect,
  reset,
  resetInBody,
  stall,
  stallInBody,
  truncatedJson,
} from '../../../test/fixtures/service/behaviours.ts';
import type { Behaviour } from '../../../test/fixtures/service/scripted_service.ts';
import { everythingOf, expectNoSecret, failureOf, setStage, told } from './harness.ts';

const processing = { status: 3, waitTime: '12', sex: 1, eyelidType: 2, failMessage: '', downloadLink: '' };
const ready = {
  status: 1,
  waitTime: '0',
  sex: 0,
  eyelidType: 1,
  failMessage: '',
  downloadLink: 'https://cdn.example/head.glb?sig=1',
};

describe('what a model answer says', () => {
  const says = async (data: unknown): Promise<unknown> => {
    const { service, client } = await setStage();
    service.script('get_model', envelope(data));
    return client.getModel('m-1');
  };

  test('processing, with the wait as the interface has it: a string', async () => {
    expect(await says(processing)).toEqual({
      state: 'processing',
      waitSeconds: 12,
      sex: 'female',
      eyelidType: 'double',
      failMessage: '',
      downloadLink: '',
      warnings: [],
    });
  });

  test('ready, with the link', async () => {
    expect(await says(ready)).toMatchObject({
      state: 'ready',
      sex: 'male',
      eyelidType: 'single',
      downloadLink: 'https://cdn.example/head.glb?sig=1',
      warnings: [],
    });
  });

  test('failed, with the reason on one line', async () => {
    expect(await says({ status: 4, failMessage: ' no face\n found ' })).toMatchObject({
      state: 'failed',
      failMessage: 'no face found',
      downloadLink: '',
    });
  });

  test('failed without a reason: says so', async () => {
    expect(await says({ status: 4 })).toMatchObject({
      failMessage: 'The server gave no reason.',
      warnings: ['data.failMessage is missing'],
    });
  });

  test("numbers as strings are numbers, and fields that nobody knows are nobody's business", async () => {
    const { service, client } = await setStage();
    service.script(
      'get_model',
      json({
        code: '200',
        message: null,
        traceId: 'x',
        data: { status: '3', waitTime: 7, sex: '1', eyelidType: '2', progress: { percent: 3 } },
      }),
    );
    expect(await client.getModel('m-1')).toMatchObject({
      state: 'processing',
      waitSeconds: 7,
      sex: 'female',
      eyelidType: 'double',
      warnings: [],
    });
  });

  test("what can be borne is a warning with the field's name", async () => {
    expect(await says({ status: 3, waitTime: 'soon', sex: 9, eyelidType: 'yes' })).toMatchObject({
      waitSeconds: 0,
      warnings: [
        'data.sex is 9; only 0 and 1 are known',
        'data.eyelidType is “yes”; only 1 and 2 are known',
        'data.waitTime is “soon”, not a number of seconds; taken as 0',
      ],
    });
  });

  test("a link without a host is the server's own", async () => {
    const { service, client } = await setStage();
    service.script('get_model', envelope({ ...ready, downloadLink: '/files/x.glb' }));
    expect(await client.getModel('m-1')).toMatchObject({
      downloadLink: `${service.url}/files/x.glb`,
      warnings: ["data.downloadLink has no host; the server's own was taken"],
    });
  });
});

describe('photos beside the front one', () => {
  const left = { used: true, view: 'rightProfile', yaw: -90 };
  const reason = { en: 'It is too dark.', zh: '太暗。' };
  const told = async (photos: unknown) => {
    const { service, client } = await setStage({ service: { announce: ['files'] } });
    service.script('get_model', envelope({ ...ready, photos }));
    return (await client.getModel('m-1')).photos;
  };
  test('numbered from 1, as the built-in engine does: the front one was used', async () => {
    const photos = [
      { index: 1, ...left },
      { index: 2, used: false, reason, view: null, yaw: null },
    ];
    expect(await told(photos)).toEqual([
      { used: true, reason: null, view: '', yaw: null },
      { ...left, reason: null },
      { used: false, reason, view: '', yaw: null },
    ]);
  });
  test('a list with a gap tells nothing', async () => {
    expect(await told([{ index: 2, ...left }])).toBeUndefined();
    expect(await told([])).toBeUndefined();
  });
});

describe('how it asks', () => {
  test('path, key header and nothing of Group A', async () => {
    const { service, client } = await setStage();
    service.script('get_model', envelope(processing));
    await client.getModel('m/1 ü');
    const { path, headers, method } = service.last('get_model');
    expect([method, path]).toEqual(['GET', '/open-api/svc/sdk/model/get/m%2F1%20%C3%BC']);
    expect(headers.auth_ak).toBe(service.apiKey);
    expect(headers.authorization).toBeUndefined();
  });

  test('the doubled slash, the path word and a base path, where the profile has them', async () => {
    const { service } = await setStage();
    const { client } = await setStage({
      endpoint: { groupBUrl: `${service.url}/base/`, doubledSlash: true, pathWord: 'face' },
    });
    service.always('other', envelope(processing));
    await client.getModel('m-1');
    expect(service.requests[0]?.path).toBe('/base//open-api/face/sdk/model/get/m-1');
  });

  test.each(['', '.', '..'])('an id that would change the path is refused: “%s”', async (id) => {
    const { service, client } = await setStage();
    const error = await failureOf(client.getModel(id));
    expect([error.code, error.field]).toEqual(['invalid_input', 'modelId']);
    expect(service.requests).toHaveLength(0);
  });

  test('one question, one entry in the journal', async () => {
    const { service, client, exchanges } = await setStage();
    service.script('get_model', envelope(processing));
    await client.getModel('m-1');
    expect(exchanges).toEqual([
      {
        profileId: 'scripted',
        profileName: 'Scripted',
        operation: 'get_model',
        subject: 'm-1',
        outcome: 'ok',
        httpStatus: 200,
        envelopeCode: 200,
        message: '',
        bytesSent: 0,
        bytesReceived: expect.any(Number),
        firstByteMs: expect.any(Number),
        totalMs: expect.any(Number),
        billedSeconds: 0,
        billedFrames: 0,
        billedModels: 0,
        attempts: 1,
        uncertain: false,
      },
    ]);
  });
});

describe('what a person is told', () => {
  const unreadable = "Check that the address leads to the service; if it does, tell the server's operator.";
  const cases: [string, Behaviour, string[]][] = [
    [
      'code ≠ 200 under HTTP 200',
      envelope(null, { code: 1003, message: 'quota exceeded' }),
      [
        'upstream_refused',
        'Get model: HOST answered with code 1003 “quota exceeded”.',
        "The server's provider documents what its codes mean.",
      ],
    ],
    [
      'code 401 under HTTP 200',
      envelope(null, { code: 401, message: 'bad ak' }),
      [
        'upstream_refused',
        'Get model: HOST answered with code 401 “bad ak”.',
        'Check the Group B API key of “Scripted” in Settings → Connections.',
      ],
    ],
    [
      'a web page',
      html(),
      [
        'upstream_broken',
        'Get model: HOST answered with HTTP 200 (text/html), but the answer is a web page, not data. It begins: “Please log in to the network”',
        'Check the Group B address: a login page, a proxy or a portal may be in between.',
      ],
    ],
    [
      'nothing',
      empty(),
      [
        'upstream_broken',
        'Get model: HOST answered with HTTP 200 (application/json), but the answer is empty.',
        unreadable,
      ],
    ],
    [
      'JSON that breaks off',
      truncatedJson(),
      [
        'upstream_broken',
        'Get model: HOST answered with HTTP 200 (application/json), but the answer is incomplete or malformed JSON. It begins: “{"code":200,"message":"success","data":{"status":1,"downl”',
        unreadable,
      ],
    ],
    [
      '100 MB of JSON, announced',
      hugeJson(100e6, true),
      [
        'upstream_broken',
        'Get model: HOST sent too large an answer for this call; the studio stopped after 0 bytes.',
        'Check that the Group B address leads to the service.',
      ],
    ],
    [
      'a list',
      json([1]),
      [
        'upstream_broken',
        'Get model: HOST answered with HTTP 200 (application/json), but the answer is an array, not an object. It begins: “[1]”',
        unreadable,
      ],
    ],
    [
      'no code',
      json({ data: processing }),
      [
        'upstream_broken',
        'Get model: HOST answered with HTTP 200 (application/json), but code is missing.',
        unreadable,
      ],
    ],
    [
      'a code that is no number',
      envelope(processing, { code: 'ok' }),
      [
        'upstream_broken',
        'Get model: HOST answered with HTTP 200 (application/json), but code is “ok”, not a whole number.',
        unreadable,
      ],
    ],
    [
      'no data',
      envelope(undefined),
      [
        'upstream_broken',
        'Get model: HOST answered with HTTP 200 (application/json), but data is missing.',
        unreadable,
      ],
    ],
    [
      'no status',
      envelope({ waitTime: '1' }),
      [
        'upstream_broken',
        'Get model: HOST answered with HTTP 200 (application/json), but data.status is missing.',
        unreadable,
      ],
    ],
    [
      'another model',
      envelope({ modelId: 'another', status: 4 }),
      [
        'upstream_broken',
        'Get model: HOST answered with HTTP 200 (application/json), but data.modelId names another model than the request.',
        unreadable,
      ],
    ],
    [
      'a status that nobody knows',
      envelope({ status: 2 }),
      [
        'upstream_broken',
        'Get model: HOST answered with HTTP 200 (application/json), but data.status is 2; only 1, 3 and 4 are known.',
        unreadable,
      ],
    ],
    [
      'ready without a link',
      envelope({ status: 1 }),
      [
        'upstream_broken',
        'Get model: HOST answered with HTTP 200 (application/json), but data.downloadLink is missing, although data.status is 1 (ready).',
        unreadable,
      ],
    ],
    [
      '401',
      json({ code: 401, message: 'expired' }, 401),
      [
        'upstream_refused',
        'Get model: HOST refused the Group B API key (HTTP 401 Unauthorized). It said: “expired”',
        'Check the Group B API key of “Scripted” in Settings → Connections; it may be wrong, expired, or not allowed to do this.',
      ],
    ],
    [
      '403',
      answer(403, 'no', { 'content-type': 'text/plain' }),
      [
        'upstream_refused',
        'Get model: HOST refused the Group B API key (HTTP 403 Forbidden, text/plain). It said: “no”',
        'Check the Group B API key of “Scripted” in Settings → Connections; it may be wrong, expired, or not allowed to do this.',
      ],
    ],
    [
      '404 in an envelope',
      envelope(null, { status: 404, code: 404, message: 'no such model' }),
      [
        'not_found',
        'Get model: HOST does not have it (HTTP 404 Not Found). It said: “no such model”',
        'It may have been deleted there, or belong to another account.',
      ],
    ],
    [
      '404 of a web server',
      html(404, 'Not Found'),
      [
        'upstream_refused',
        'Get model: HOST has no such address (HTTP 404 Not Found, text/html). It said: “Not Found”',
        'Check the Group B address and the path word of “Scripted”.',
      ],
    ],
    [
      '404 of a gateway, in JSON of its own',
      json({ detail: 'Not Found' }, 404),
      [
        'upstream_refused',
        'Get model: HOST has no such address (HTTP 404 Not Found). It said: “Not Found”',
        'Check the Group B address and the path word of “Scripted”.',
      ],
    ],
    [
      'a redirect',
      redirect('https://other.example/login?x=1'),
      [
        'upstream_refused',
        'Get model: HOST redirects to https://other.example (HTTP 302 Found).',
        'The studio never sends keys to another address without your consent. If it is right, make it the Group B address of “Scripted”.',
      ],
    ],
    [
      'something that is not HTTP',
      notHttp(),
      [
        'upstream_broken',
        'Get model: HOST answers with something that is not HTTP.',
        'Check scheme, host and port in the Group B address.',
      ],
    ],
    [
      'a packed answer that nobody asked for',
      answer(200, 'x', { 'content-encoding': 'gzip' }),
      [
        'upstream_broken',
        'Get model: HOST answered with HTTP 200 (no content type), but content-encoding is gzip, which was not requested.',
        unreadable,
      ],
    ],
  ];
  test.each(cases)('%s', async (_, behaviour, words) => {
    const { service, client, exchanges } = await setStage();
    service.script('get_model', behaviour);
    const error = await failureOf(client.getModel('m-1'));
    expect(told(error)).toEqual(words);
    expect([error.retryable, error.uncertain]).toEqual([false, false]);
    expect(service.count('get_model')).toBe(1);
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]).toMatchObject({
      outcome: 'failed',
      message: error.message,
      httpStatus: error.httpStatus,
    });
  });

  test.each([
    ['nothing', empty(), '但应答为空。'],
    ['JSON that breaks off', truncatedJson(), '但应答是中断或格式错误的 JSON。'],
    ['a list', json([1]), '但应答是数组，不是对象。'],
    ['a field that is missing', envelope({}), '但data.status 缺失。'],
    [
      'a state that is none',
      envelope({ ...processing, status: 9 }),
      '但data.status 为 9；仅支持 1、3 和 4。',
    ],
  ])('in Chinese of %s', async (_, behaviour, words) => {
    const { service, client } = await setStage();
    service.script('get_model', behaviour);
    const error = await failureOf(client.getModel('m-1'));
    expect(translate(error.userMessage, 'zh-CN')).toContain(words);
  });

  test('100 MB of JSON that were not announced: stopped at 1 MB', async () => {
    const { service, client, exchanges } = await setStage();
    service.script('get_model', hugeJson(100e6, false));
    const error = await failureOf(client.getModel('m-1'));
    expect(error.code).toBe('upstream_broken');
    expect(error.message).toMatch(/the studio stopped after 1\.\d MB/);
    expect(exchanges[0]?.bytesReceived).toBeLessThan(2e6);
  });

  const passing: [string, Behaviour, string[]][] = [
    [
      '429 without Retry-After',
      json({ message: 'slow down' }, 429),
      [
        'upstream_refused',
        'Get model: HOST asks us to slow down (HTTP 429 Too Many Requests). It said: “slow down”',
        'Wait a moment, then try again. If it happens often, lower “Requests per minute” or “Requests at once” of “Scripted”.',
      ],
    ],
    [
      '429 with Retry-After',
      answer(429, '', { 'retry-after': '7' }),
      [
        'upstream_refused',
        'Get model: HOST asks us to slow down (HTTP 429 Too Many Requests).',
        'Try again in 7 s. If it happens often, lower “Requests per minute” or “Requests at once” of “Scripted”.',
      ],
    ],
    [
      '500',
      json({ error: 'stack overflow' }, 500),
      [
        'upstream_refused',
        'Get model: HOST failed on its side (HTTP 500 Internal Server Error). It said: “stack overflow”',
        "Try again later; if it happens again, tell the server's operator.",
      ],
    ],
    [
      '503',
      html(503, 'Maintenance'),
      [
        'upstream_refused',
        'Get model: HOST is busy or under maintenance (HTTP 503 Service Unavailable, text/html). It said: “Maintenance”',
        'Wait a moment, then try again.',
      ],
    ],
    [
      'a cut connection',
      reset(),
      [
        'unreachable',
        'Get model: The connection to HOST broke before an answer came.',
        'Try again; if it happens again, check the network and the server.',
      ],
    ],
    [
      'an answer that is cut',
      resetInBody('{"code":'),
      [
        'upstream_broken',
        'Get model: The answer of HOST ended early after 8 bytes.',
        'The server or something in between closed the connection early. Try again.',
      ],
    ],
  ];
  test.each(passing)('%s, after all tries', async (_, behaviour, words) => {
    const { service, client, exchanges } = await setStage();
    service.always('get_model', behaviour);
    const error = await failureOf(client.getModel('m-1'));
    expect(told(error)).toEqual(words);
    expect(error.retryable).toBe(true);
    expect(service.count('get_model')).toBe(4);
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]?.attempts).toBe(4);
  });

  test('a try that succeeds makes the others forgotten', async () => {
    const { service, client, exchanges, pauses } = await setStage();
    service.script(
      'get_model',
      reset(),
      answer(502),
      answer(429, '', { 'retry-after': '2' }),
      envelope(processing),
    );
    expect(await client.getModel('m-1')).toMatchObject({ state: 'processing' });
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]).toMatchObject({ outcome: 'ok', attempts: 4, httpStatus: 200, message: '' });
    // Half of 500, 1,000 and 2,000 ms, and never less than what the server asked for.
    expect(pauses).toEqual([250, 500, 3000]);
  });

  test("a Retry-After of an hour is the caller's business", async () => {
    const { service, client } = await setStage();
    service.always('get_model', answer(503, '', { 'retry-after': '3600' }));
    const error = await failureOf(client.getModel('m-1'));
    expect([error.retryable, error.retryAfter, service.count('get_model')]).toEqual([true, 3_600_000, 1]);
    expect(error.hint).toBe('Try again in 60 minutes.');
  });
});

test.each(['1000000000000', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
  'a Retry-After of %s is an hour, and that is said',
  async (header) => {
    const { service, client, pauses } = await setStage();
    service.always('get_model', answer(503, '', { 'retry-after': header }));
    const error = await failureOf(client.getModel('m-1'));
    expect([error.retryAfter, pauses]).toEqual([3_600_000, []]);
    expect(error.hint).toBe('It requests a pause of more than an hour; the studio tries again in an hour.');
  },
);

describe('what a refusal is about', () => {
  test.each<[string, Behaviour, 'access' | 'unknown_model' | null]>([
    ['HTTP 401', answer(401), 'access'],
    ['HTTP 402', answer(402), 'access'],
    ['HTTP 403, a page', html(403), 'access'],
    ['an envelope with 401', envelope(null, { code: 401 }), 'access'],
    ['an envelope with "402"', envelope(null, { code: '402' }), 'access'],
    ['an envelope with 403 under HTTP 400', envelope(null, { code: 403, status: 400 }), 'access'],
    ['an envelope with 404', envelope(null, { code: 404 }), 'unknown_model'],
    ['an envelope with "404" under HTTP 404', envelope(null, { code: '404', status: 404 }), 'unknown_model'],
    ['an envelope with 410 under HTTP 410', envelope(null, { code: 410, status: 410 }), 'unknown_model'],
    ['an envelope with another code under HTTP 404', envelope(null, { code: 1404, status: 404 }), null],
    ['an envelope with 404 under HTTP 400', envelope(null, { code: 404, status: 400 }), null],
    ['a plain 404', answer(404), null],
    ['a 404 page', html(404), null],
    ['a gateway’s own 404', json({ message: 'no Route matched with those values' }, 404), null],
    ['a plain 410', answer(410), null],
    ['HTTP 400', answer(400), null],
    ['a redirect', redirect('https://login.example/'), null],
    ['an envelope with 1001', envelope(null, { code: 1001, message: 'system busy' }), null],
    ['an envelope with 200 and no data', envelope(null), null],
  ])('%s', async (_, behaviour, refusal) => {
    const { service, client } = await setStage();
    service.always('get_model', behaviour);
    expect((await failureOf(client.getModel('m-1'))).refusal).toBe(refusal);
  });

  test('a link that is refused says nothing of the connection’s key', async () => {
    const { service, client, folder } = await setStage();
    service.always('download', answer(403));
    const error = await failureOf(client.download(`${service.url}/files/a.glb`, join(folder, 'a.glb')));
    expect([error.httpStatus, error.refusal]).toEqual([403, null]);
  });
});

describe('when it takes too long', () => {
  const timeouts = { connect: 2000, firstByte: 150, betweenBytes: 150, whole: 1500 };
  const retry = { attempts: 1 };

  test('no answer', async () => {
    const { service, client } = await setStage({ timeouts, retry });
    service.script('get_model', stall());
    expect(told(await failureOf(client.getModel('m-1')))).toEqual([
      'timeout',
      'Get model: The request was sent, but HOST did not begin to answer within 150 ms.',
      'The server or the network is slow or stuck. Try again later.',
    ]);
  });

  test('an answer that stops', async () => {
    const { service, client } = await setStage({ timeouts, retry });
    service.script('get_model', stallInBody());
    expect(told(await failureOf(client.getModel('m-1')))).toEqual([
      'timeout',
      'Get model: HOST stopped in the middle of its answer: nothing for 150 ms after 8 bytes.',
      'The server or the network is slow or stuck. Try again later.',
    ]);
  });

  test('an answer that drips, and would go on for minutes', async () => {
    const { service, client } = await setStage({ timeouts: { ...timeouts, whole: 400 }, retry });
    service.script('get_model', drip(' '.repeat(1000), 1, 40));
    const error = await failureOf(client.getModel('m-1'));
    expect(error.code).toBe('timeout');
    expect(error.message).toMatch(/did not finish within 400 ms; \d+ bytes of its answer came/);
  });

  test('a slow answer that arrives in time is an answer', async () => {
    const { service, client } = await setStage({ timeouts, retry });
    service.script('get_model', drip(JSON.stringify({ code: 200, message: '', data: processing }), 20, 20));
    expect(await client.getModel('m-1')).toMatchObject({ state: 'processing' });
  });
});

describe('when somebody cancels', () => {
  test.each([
    ['before it is sent', 0],
    ['while the server thinks', 80],
  ])('%s', async (_, after) => {
    const { service, client, exchanges } = await setStage();
    service.always('get_model', stall());
    const controller = new AbortController();
    if (after === 0) controller.abort();
    else setTimeout(() => controller.abort(), after);
    const error = await failureOf(client.getModel('m-1', { signal: controller.signal }));
    expect([error.code, error.message]).toEqual(['cancelled', 'Get model: Cancelled.']);
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]?.outcome).toBe('cancelled');
  });

  test('during the pause between two tries', async () => {
    const controller = new AbortController();
    const { service, client } = await setStage({
      clock: {
        now: () => 0,
        wait: (_, signal) => {
          controller.abort();
          return Promise.reject(signal?.reason);
        },
      },
    });
    service.always('get_model', answer(502));
    expect((await failureOf(client.getModel('m-1', { signal: controller.signal }))).code).toBe('cancelled');
    expect(service.count('get_model')).toBe(1);
  });
});

describe('keys', () => {
  test('without one nothing is sent', async () => {
    const { service, client, exchanges } = await setStage({ endpoint: { secrets: { apiKey: '' } } });
    expect(told(await failureOf(client.getModel('m-1')))).toEqual([
      'key_missing',
      'Get model: The connection “Scripted” has no Group B API key.',
      'Enter the Group B API key in Settings → Connections.',
    ]);
    expect(service.requests).toHaveLength(0);
    expect(exchanges[0]).toMatchObject({ outcome: 'failed', attempts: 0 });
  });

  test("one that can't be a header is refused without being shown", async () => {
    const { client } = await setStage({ endpoint: { secrets: { apiKey: 'abcd\r\nx-evil: 1' } } });
    const error = await failureOf(client.getModel('m-1'));
    expect(error.code).toBe('invalid_input');
    expect(everythingOf(error)).not.toContain('x-evil');
  });

  test('spaces around it are a slip of the mouse', async () => {
    const { service, client } = await setStage({
      service: { apiKey: 'key-0123456789' },
      endpoint: { secrets: { apiKey: ' key-0123456789\n' } },
    });
    service.script('get_model', envelope(processing));
    await client.getModel('m-1');
    expect(service.last('get_model').headers.auth_ak).toBe('key-0123456789');
  });

  const spiteful = 'kE/y+&"<0123456789abcdef>=';
  test.each<[string, (key: string) => Behaviour]>([
    ['in an error text', (key) => answer(500, `bad key ${key}!`)],
    ['in an envelope', (key) => envelope(null, { code: 9, message: `no account for auth_ak=${key}` })],
    ["with PHP's slashes", (key) => answer(400, `{"error": ${JSON.stringify(key).replaceAll('/', '\\/')}`)],
    ['URL-encoded', (key) => answer(400, `/?ak=${encodeURIComponent(key)}`)],
    ['in base64', (key) => answer(400, Buffer.from(key).toString('base64'))],
    [
      'in a web page',
      (key) =>
        answer(
          403,
          `<html><body>${key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')}</body></html>`,
          { 'content-type': 'text/html' },
        ),
    ],
    ['cut at the end of what is read', (key) => answer(400, 'x '.repeat(8184) + key)],
    ['in a field', (key) => envelope({ status: key })],
    ['as the reason of a failed model', (key) => envelope({ status: 4, failMessage: `your key ${key}` })],
  ])('one that the server echoes is not shown: %s', async (_, behaviour) => {
    const { service, client, exchanges } = await setStage({
      service: { apiKey: spiteful },
      retry: { attempts: 1 },
    });
    service.always('get_model', behaviour(spiteful));
    const outcome = await client.getModel('m-1').catch((error: unknown) => error);
    const all = `${everythingOf(outcome)}${JSON.stringify(outcome)}${JSON.stringify(exchanges)}`;
    expectNoSecret(all, { accessToken: service.accessToken, apiKey: spiteful });
    expect(all).not.toContain('0123456789abcdef');
  });
});

describe('deleting a model', () => {
  test('is a DELETE at the address of its state, and is metered by its own name', async () => {
    const { service, client, exchanges } = await setStage();
    await client.deleteModel('m-1');
    expect(service.last('delete_model')).toMatchObject({ method: 'DELETE' });
    expect(service.last('delete_model').path).toMatch(/\/model\/get\/m-1$/);
    expect(exchanges.map(({ operation }) => operation)).toEqual(['delete_model']);
  });

  test('a server that does not know the model says so', async () => {
    const { service, client } = await setStage();
    service.script('delete_model', envelope(null, { code: 1404, message: 'model not found' }));
    expect(await failureOf(client.deleteModel('m-1'))).toMatchObject({ operation: 'delete_model' });
  });
});
