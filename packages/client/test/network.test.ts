import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Dispatcher } from 'undici';
import { describe, expect, test, vi } from 'vitest';
import { answer, envelope, stall } from '../../../test/fixtures/service/behaviours.ts';
import { makeCertificate } from '../../../test/fixtures/service/certificate.ts';
import { startProxy } from '../../../test/fixtures/service/proxy.ts';
import { startScriptedService } from '../../../test/fixtures/service/scripted_service.ts';
import type { CallContext } from '../src/explain/call_context.ts';
import { explainBroken } from '../src/explain/explain_broken.ts';
import type { BrokenRoundTrip } from '../src/transport/broken_round_trip.ts';
import { collect } from '../src/transport/collect_answer.ts';
import type { Endpoint } from '../src/transport/endpoint.ts';
import { newMeter } from '../src/transport/wire.ts';
import { atEnd, everythingOf, failureOf, photo, setStage, told } from './harness.ts';

const processing = { status: 3, waitTime: '1' };
const once = { attempts: 1 };
const authority = makeCertificate({ name: 'Test Authority', authority: true });
const hosts = ['localhost', '127.0.0.1'];
const server = makeCertificate({ name: 'Test Server', issuer: authority, hosts });

/** Takes connections and never says a word. */
async function startSilence() {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => {
    sockets.add(socket.resume());
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => silent.close(resolve));
  });
  return {
    port: (silent.address() as AddressInfo).port,
    /** Resolves when the other side has given up all its connections. */
    async abandoned() {
      while (sockets.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}

describe('TLS', () => {
  test('a server of a custom CA is trusted with that CA, besides the system’s', async () => {
    const { service, client } = await setStage({
      service: { tls: { server } },
      endpoint: { customCa: authority.certificate },
    });
    service.script('get_model', envelope(processing));
    expect(await client.getModel('m')).toMatchObject({ state: 'processing' });
    expect(service.url).toMatch(/^https:/);
  });

  const cases: [string, Parameters<typeof setStage>[0], string[]][] = [
    [
      'without the CA',
      { service: { tls: { server } } },
      [
        'unreachable',
        "Get model: HOST can't prove who it is: its certificate comes from an authority that this computer does not know (UNABLE_TO_VERIFY_LEAF_SIGNATURE).",
        "If it is your organisation's own server, add its CA certificate to the connection. Otherwise don't use it.",
      ],
    ],
    [
      'that signed itself',
      { service: { tls: { server: makeCertificate({ name: 'Alone', hosts }) } } },
      [
        'unreachable',
        "Get model: HOST can't prove who it is: its certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT).",
        "If it is your organisation's own server, add its CA certificate to the connection. Otherwise don't use it.",
      ],
    ],
    [
      'whose certificate has expired',
      {
        service: {
          tls: { server: makeCertificate({ name: 'Old', issuer: authority, hosts, days: [-30, -1] }) },
        },
        endpoint: { customCa: authority.certificate },
      },
      [
        'unreachable',
        "Get model: HOST can't prove who it is: its certificate has expired (CERT_HAS_EXPIRED).",
        "Check this computer's clock; if it is right, the server's operator must renew the certificate.",
      ],
    ],
    [
      'of another name',
      {
        service: {
          tls: { server: makeCertificate({ name: 'Other', issuer: authority, hosts: ['other.example'] }) },
        },
        endpoint: { customCa: authority.certificate },
      },
      [
        'unreachable',
        'Get model: HOST shows a certificate for another name (ERR_TLS_CERT_ALTNAME_INVALID).',
        'Check the host name in the Group B address.',
      ],
    ],
  ];
  test.each(cases)('a server %s: told, and not tried again', async (_, options, words) => {
    const { client, exchanges, service } = await setStage(options);
    expect(told(await failureOf(client.getModel('m')))).toEqual(words);
    expect(exchanges[0]?.attempts).toBe(1);
    expect(service.requests).toHaveLength(0);
  });

  test('an order to a server that is not trusted was never received', async () => {
    const { client } = await setStage({ service: { tls: { server } } });
    const error = await failureOf(
      client.generateModel({ file: { bytes: photo, name: 'x.jpg' }, sex: 'male' }),
    );
    expect([error.code, error.uncertain]).toEqual(['unreachable', false]);
  });

  test('https:// to a server without encryption', async () => {
    const plain = await startScriptedService();
    atEnd(() => plain.close());
    const { client } = await setStage({
      endpoint: { groupBUrl: plain.url.replace('http:', 'https:') },
      retry: once,
    });
    const [code, message, hint] = told(await failureOf(client.getModel('m')));
    expect(code).toBe('unreachable');
    expect(message).toMatch(/^Get model: HOST does not speak TLS as expected \(ERR_SSL_.*\)\.$/);
    expect(hint).toBe(
      'If the server is without encryption, write http:// instead of https:// in the Group B address.',
    );
  });

  test('a CA that is no certificate is told by field', async () => {
    const { client } = await setStage({
      service: { tls: { server } },
      endpoint: { customCa: 'not a certificate' },
    });
    const error = await failureOf(client.getModel('m'));
    expect([error.code, error.field]).toEqual(['invalid_input', 'customCa']);
    expect(error.message).toBe("Get model: The custom CA of “Scripted” can't be read.");
  });
});

describe('a client certificate', () => {
  const person = makeCertificate({ name: 'A Person', issuer: authority });
  const tls = { server, clientAuthority: authority };
  const endpoint = { customCa: authority.certificate, clientCertificate: person.certificate };

  test('is shown to the server', async () => {
    const { service, client } = await setStage({
      service: { tls },
      endpoint: { ...endpoint, secrets: { clientKey: person.privateKey } },
    });
    service.script('get_model', envelope(processing));
    await client.getModel('m');
    expect(service.last('get_model').clientCertificate).toBe('A Person');
  });

  test('is shown where the server keeps its files, and to no other origin', async () => {
    const other = await startScriptedService({ tls });
    atEnd(() => other.close());
    const { service, client, folder } = await setStage({
      service: { tls },
      endpoint: { ...endpoint, secrets: { clientKey: person.privateKey } },
      retry: once,
    });
    await client.download(`${service.url}/files/a.glb`, join(folder, 'a.glb'));
    expect(service.last('download').clientCertificate).toBe('A Person');
    expect(
      (await failureOf(client.download(`${other.url}/files/a.glb`, join(folder, 'b.glb')))).message,
    ).toMatch(/broke before an answer came/);
    expect(other.requests).toHaveLength(0);
  });

  test('missing, where the server just hangs up', async () => {
    const { service, client } = await setStage({
      service: { tls },
      endpoint: { customCa: authority.certificate },
    });
    const error = await failureOf(
      client.generateModel({ file: { bytes: photo, name: 'x.jpg' }, sex: 'male' }),
    );
    expect(told(error).slice(0, 2)).toEqual([
      'unreachable',
      'Generate model: The connection to HOST broke before an answer came.',
    ]);
    expect(service.requests).toHaveLength(0);
  });

  test('missing, where the server says so: an order was not received', async () => {
    // Node's own server only hangs up; others send this alert, in TLS 1.3 after we began to write.
    const alert = Object.assign(new Error('alert'), { code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' });
    const dispatcher = {
      dispatch(_: unknown, handler: Dispatcher.DispatchHandler) {
        const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController;
        handler.onRequestStart?.(controller, null);
        handler.onRequestSent?.();
        handler.onResponseError?.(controller, alert);
      },
    } as unknown as Dispatcher;
    const long = { connect: 9e3, firstByte: 9e3, betweenBytes: 9e3, whole: 9e3 };
    const wire = {
      dispatcher,
      origin: 'https://x',
      path: '/',
      headers: [],
      timeouts: long,
      meter: newMeter(),
    };
    const broken = await collect({ ...wire, method: 'POST' }, 1000).catch((error: unknown) => error);
    expect(broken).toMatchObject({ reason: 'network', neverReceived: true });
    const context: CallContext = {
      operation: 'generate_model',
      profileName: 'Scripted',
      builtIn: false,
      host: 'x',
      addressName: 'Group B address',
      keyName: 'Group B API key',
      idempotent: false,
      protectedFromRepetition: false,
      proxyHost: '',
      secrets: [],
      now: () => 0,
    };
    const error = explainBroken(broken as BrokenRoundTrip, context);
    expect([...told(error), error.uncertain]).toEqual([
      'unreachable',
      'Generate model: x refused the encrypted connection (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED).',
      "It may require a client certificate, or a different one: see the connection's client certificate and key.",
      false,
    ]);
  });

  test('without its key', async () => {
    const { client } = await setStage({ service: { tls }, endpoint });
    const error = await client.getModel('m').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'key_missing',
      message: 'The connection “Scripted” has a client certificate but no private key for it.',
    });
  });

  test('with another’s key: told, and the key is not shown', async () => {
    const { client } = await setStage({
      service: { tls },
      endpoint: { ...endpoint, secrets: { clientKey: server.privateKey } },
    });
    const error = await failureOf(client.getModel('m'));
    expect([error.code, error.field]).toEqual(['invalid_input', 'clientCertificate']);
    expect(error.message).toBe(
      'Get model: The private key of “Scripted” does not belong to its client certificate.',
    );
    expect(everythingOf(error)).not.toContain(server.privateKey.split('\n')[1]);
  });

  test('a key that was changed is used from the next call on', async () => {
    let key = server.privateKey;
    const { service, client } = await setStage({
      service: { tls },
      endpoint: {
        ...endpoint,
        secret: (name) => Promise.resolve(name === 'clientKey' ? key : 'some-key-123456'),
      },
    });
    service.always('get_model', envelope(processing));
    await failureOf(client.getModel('m'));
    key = person.privateKey;
    expect(await client.getModel('m')).toMatchObject({ state: 'processing' });
  });
});

describe('a proxy', () => {
  const through = (
    proxyUrl: string,
    more: Partial<Endpoint> & { secrets?: { proxyPassword?: string } } = {},
  ) => ({ proxyUrl, ...more });

  test('carries plain HTTP, with user and password, which the server does not see', async () => {
    const proxy = await startProxy({ user: 'anna', password: 'pr0xy-p@ss' });
    atEnd(() => proxy.close());
    const { service, client } = await setStage({
      endpoint: through(proxy.url, { proxyUser: 'anna', secrets: { proxyPassword: 'pr0xy-p@ss' } }),
    });
    service.script('get_model', envelope(processing));
    await client.getModel('m');
    await client.generateModel({ file: { bytes: photo, name: 'x.jpg' }, sex: 'male' });
    expect(proxy.asked).toEqual([
      `GET ${service.url}/open-api/svc/sdk/model/get/m`,
      `POST ${service.url}/open-api/svc/sdk/model/generate`,
    ]);
    expect(service.last('generate_model').file?.bytes).toEqual(photo);
    for (const { headers } of service.requests) expect(headers['proxy-authorization']).toBeUndefined();
  });

  test('tunnels TLS', async () => {
    const proxy = await startProxy();
    atEnd(() => proxy.close());
    const { service, client, folder } = await setStage({
      service: { tls: { server } },
      endpoint: through(proxy.url, { customCa: authority.certificate }),
    });
    service.script('get_model', envelope(processing));
    await client.getModel('m');
    await client.download(`${service.url}/files/a.glb`, join(folder, 'a.glb'));
    expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT 127.0.0.1:${service.port}`]));
    for await (const _ of client.audioToFace({
      traceId: 't',
      status: 'start',
      audio: new Uint8Array(3000),
      seconds: 0.1,
    }));
  });

  test.each([false, true])('wrong password (tunnel: %s)', async (tunnel) => {
    const proxy = await startProxy({ user: 'anna', password: 'right' });
    atEnd(() => proxy.close());
    const { client, service, exchanges } = await setStage({
      ...(tunnel && { service: { tls: { server } } }),
      endpoint: through(proxy.url, {
        proxyUser: 'anna',
        customCa: authority.certificate,
        secrets: { proxyPassword: 'wr0ng-password' },
      }),
    });
    const error = await failureOf(client.getModel('m'));
    expect(told(error)).toEqual([
      'unreachable',
      'Get model: The proxy HOST refused the user or password (HTTP 407).',
      "Check the proxy's address, user and password in the connection “Scripted”.",
    ]);
    const all = everythingOf(error) + JSON.stringify(exchanges);
    expect(all).not.toContain('wr0ng-password');
    expect(all).not.toContain(Buffer.from('anna:wr0ng-password').toString('base64'));
    expect([service.requests.length, exchanges[0]?.attempts]).toEqual([0, 1]);
  });

  test('that does not allow the server', async () => {
    const proxy = await startProxy({ refuse: 403 });
    atEnd(() => proxy.close());
    const { client } = await setStage({ service: { tls: { server } }, endpoint: through(proxy.url) });
    expect(told(await failureOf(client.getModel('m')))).toEqual([
      'unreachable',
      'Get model: The proxy HOST refused the connection (HTTP 403).',
      "The proxy's operator may not allow this server, or the server can't be reached from there.",
    ]);
  });

  test.each([false, true])('that is not there (tunnel: %s): nothing was received', async (tunnel) => {
    const proxy = await startProxy();
    await proxy.close();
    const { client } = await setStage({
      ...(tunnel && { service: { tls: { server } } }),
      endpoint: through(proxy.url),
    });
    const error = await failureOf(
      client.generateModel({ file: { bytes: photo, name: 'x.jpg' }, sex: 'male' }),
    );
    expect(told(error).slice(0, 2)).toEqual([
      'unreachable',
      "Generate model: The proxy HOST can't be reached (ECONNREFUSED).",
    ]);
    expect([error.uncertain, error.retryable]).toEqual([false, true]);
  });

  test('that takes the call and says nothing', async () => {
    const silent = await startSilence();
    const { client } = await setStage({
      service: { tls: { server } },
      endpoint: through(`http://127.0.0.1:${silent.port}`),
      timeouts: { connect: 200 },
      retry: once,
    });
    const error = await failureOf(
      client.generateModel({ file: { bytes: photo, name: 'x.jpg' }, sex: 'male' }),
    );
    expect(told(error)).toEqual([
      'timeout',
      'Generate model: No connection to HOST within 200 ms.',
      'Check the network, the address and the proxy, then try again.',
    ]);
    expect(error.uncertain).toBe(false);
    await client.close();
    await silent.abandoned();
  });

  test('does not lead a download inside either', async () => {
    const proxy = await startProxy();
    atEnd(() => proxy.close());
    const { client, folder } = await setStage({
      endpoint: through(proxy.url, { groupBUrl: 'https://93.184.215.14' }),
    });
    for (const link of ['http://10.0.0.1/a.glb', 'http://localhost:1/a.glb', 'http://169.254.169.254/x']) {
      expect((await failureOf(client.download(link, join(folder, 'a.glb')))).code).toBe('not_allowed');
    }
    expect(proxy.asked).toEqual([]);
  });
});

describe('the network', () => {
  test('a name that nobody knows', async () => {
    const { client } = await setStage({
      endpoint: { groupBUrl: 'http://no-such-host.invalid' },
      retry: once,
    });
    const [code, message, hint] = told(await failureOf(client.getModel('m')));
    expect(code).toBe('unreachable');
    expect(message).toMatch(
      /^Get model: The name no-such-host\.invalid could not be looked up \((ENOTFOUND|EAI_AGAIN)\)\.$/,
    );
    expect(hint).toBe('Check the network, and the spelling of the Group B address.');
  });

  test('a host that does not take the connection', async () => {
    // A listener whose backlog is full would do the same, but not on every system; TLS that never comes does.
    const silent = await startSilence();
    const { client, exchanges } = await setStage({
      endpoint: { groupBUrl: `https://127.0.0.1:${silent.port}` },
      timeouts: { connect: 150 },
    });
    const error = await failureOf(
      client.generateModel({ file: { bytes: photo, name: 'x.jpg' }, sex: 'male' }),
    );
    expect([error.code, error.uncertain, exchanges[0]?.attempts]).toEqual(['timeout', false, 4]);
    await silent.abandoned();
  });
});

describe('limits of a connection', () => {
  test('no more than so many at once, all operations together', async () => {
    const { service, client, folder } = await setStage({ endpoint: { concurrency: 3 } });
    let now = 0;
    let max = 0;
    for (const operation of ['get_model', 'submit_image'] as const) {
      service.always(operation, async (turn) => {
        max = Math.max(max, ++now);
        await new Promise((resolve) => setTimeout(resolve, 30));
        now--;
        await (operation === 'get_model' ? envelope(processing) : answer(200, '{"data":{"id":"t"}}'))(turn);
      });
    }
    await Promise.all([
      ...Array.from({ length: 8 }, () => client.getModel('m')),
      ...Array.from({ length: 8 }, () => client.submitImage({ bytes: photo, name: 'x.jpg' })),
    ]);
    expect(max).toBe(3);
    expect(folder).not.toBe('');
  });

  test('one that is cancelled while it waits is never sent', async () => {
    const { service, client } = await setStage({ endpoint: { concurrency: 1 } });
    service.script('get_model', stall());
    const hold = new AbortController();
    const first = client.getModel('m', { signal: hold.signal }).catch(() => undefined);
    const controller = new AbortController();
    const second = failureOf(client.getModel('n', { signal: controller.signal }));
    await vi.waitFor(() => expect(service.count('get_model')).toBe(1));
    controller.abort();
    const error = await second;
    expect([error.code, error.uncertain]).toEqual(['cancelled', false]);
    hold.abort();
    await first;
    expect(service.count('get_model')).toBe(1);
  });
});

describe('the end', () => {
  test('cancels what is under way and refuses what is new', async () => {
    const { service, client } = await setStage();
    service.always('get_model', stall());
    const running = failureOf(client.getModel('m'));
    await vi.waitFor(() => expect(service.count('get_model')).toBe(1));
    await client.close();
    expect((await running).code).toBe('cancelled');
    await expect(client.getModel('m')).rejects.toMatchObject({ code: 'cancelled' });
    expect(() =>
      client.audioToFace({ traceId: 't', status: 's', audio: photo, seconds: 1 })[Symbol.asyncIterator](),
    ).toThrow();
  });

  test('does not wait for the rate of those who never began', async () => {
    const { client } = await setStage({
      endpoint: { requestsPerMinute: 1 },
      clock: { now: () => Date.now(), wait: () => new Promise(() => undefined) },
    });
    await client.getModel('m').catch(() => undefined);
    const waiting = failureOfAny(client.getModel('n'));
    await client.close();
    expect(await waiting).toMatchObject({ code: 'cancelled' });
  });

  test('lets an order come to its end where asked to', async () => {
    const { client, service } = await setStage();
    const running = client.generateModel({ file: { bytes: photo, name: 'x.jpg' }, sex: 'male' });
    await client.close({ finish: true });
    expect(await running).toMatchObject({ modelId: 'model-1' });
    expect(service.models.size).toBe(1);
  });
});

function failureOfAny(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => null,
    (error: unknown) => error,
  );
}
