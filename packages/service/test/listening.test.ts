import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { Failure } from '@likeness/node-kit/failure.ts';
import { Agent, FormData } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificate } from '../../../test/fixtures/service/certificate.ts';
import { temporaryFolder } from '../../../test/support/service/engine_harness.ts';
import { serviceAddress } from '../src/listen/service_address.ts';
import {
  call,
  groupB,
  type ModelEnvelope,
  made,
  order,
  picture,
  startTestService,
  type TestService,
} from './service_harness.ts';

const plain = { host: '127.0.0.1', port: 0, names: [], proxies: [], tls: null, insecure: false };

describe('the address', () => {
  it('that others reach needs TLS or an explicit word', () => {
    for (const host of ['0.0.0.0', '10.1.2.3', '::'])
      expect(() => serviceAddress({ ...plain, host }), host).toThrow(
        /keys and photos would cross the network/,
      );
    expect(serviceAddress({ ...plain, host: '0.0.0.0', insecure: true }).host).toBe('0.0.0.0');
    expect(serviceAddress({ ...plain, host: '::1' }).host).toBe('::1');
  });

  it('is refused where it is no address, and so is a proxy', () => {
    expect(() => serviceAddress({ ...plain, host: 'example.org' })).toThrow(Failure);
    for (const proxy of ['example.org', '10.0.0.0/99', '10.0.0.0/x'])
      expect(() => serviceAddress({ ...plain, proxies: [proxy] }), proxy).toThrow(Failure);
  });
});

describe('forwarded headers', () => {
  let trusting: TestService;
  let wary: TestService;
  beforeAll(async () => {
    trusting = await startTestService({
      address: { names: ['heads.example.org'], proxies: ['127.0.0.0/8'] },
    });
    wary = await startTestService({ address: { names: ['heads.example.org'] } });
  });
  afterAll(async () => {
    await trusting[Symbol.asyncDispose]();
    await wary[Symbol.asyncDispose]();
  });

  const ask = (
    service: TestService,
    path: string,
    headers: Record<string, string>,
  ): Promise<[number, string]> =>
    new Promise((resolve, reject) => {
      httpRequest({ host: '127.0.0.1', port: service.port, path, headers }, (answer) => {
        let text = '';
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve([answer.statusCode ?? 0, text]));
      })
        .on('error', reject)
        .end();
    });
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'heads.example.org' };

  it('of a named proxy make the links', async () => {
    const key = await trusting.key('x');
    const { body } = await order(trusting, key);
    await made(trusting, key, body.data.modelId);
    const path = `/open-api/svc/sdk/model/get/${body.data.modelId}`;
    const [, text] = await ask(trusting, path, { ...groupB(key), ...forwarded });
    expect(JSON.parse(text).data.downloadLink).toMatch(/^https:\/\/heads\.example\.org\/files\//);
  });

  it('of anybody else are not believed', async () => {
    const key = await wary.key('x');
    const { body } = await order(wary, key);
    await made(wary, key, body.data.modelId);
    const path = `/open-api/svc/sdk/model/get/${body.data.modelId}`;
    const [, text] = await ask(wary, path, { ...groupB(key), ...forwarded });
    expect(JSON.parse(text).data.downloadLink).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/files\//);
  });

  it('open no name that the service was not given', async () => {
    for (const host of ['evil.example', '127.0.0.1:1'])
      expect((await ask(wary, '/healthz', { host }))[0]).toBe(421);
    expect((await ask(wary, '/healthz', { host: 'heads.example.org' }))[0]).toBe(200);
    const evil = { ...forwarded, 'x-forwarded-host': 'evil.example' };
    expect((await ask(trusting, '/healthz', evil))[0]).toBe(421);
  });
});

describe('a connection with TLS', () => {
  it('stays for as long as its caller is answered, though it was silent before its handshake', async () => {
    const files = temporaryFolder();
    const { certificate, privateKey } = makeCertificate({ name: 'localhost', hosts: ['127.0.0.1'] });
    const tls = { certFile: join(files.path, 'chain.pem'), keyFile: join(files.path, 'key.pem') };
    writeFileSync(tls.certFile, certificate);
    writeFileSync(tls.keyFile, privateKey);
    await using service = await startTestService({ address: { tls }, limits: { silentFor: 100 } });
    const agent = new Agent({ connect: { rejectUnauthorized: false } });
    service.heads.takes = 1500;
    const key = await service.key('ada');
    const body = new FormData();
    body.append('sex', '1');
    body.append('file', new Blob([new Uint8Array(await picture(1))]));
    const generated = await call<ModelEnvelope>(service, '/open-api/svc/sdk/model/generate', {
      method: 'POST',
      headers: groupB(key),
      body,
      dispatcher: agent,
    });
    const { modelId } = generated.body.data;
    const { body: envelope } = await call<ModelEnvelope>(service, `/open-api/svc/sdk/model/get/${modelId}`, {
      headers: { ...groupB(key), prefer: 'wait=30' },
      dispatcher: agent,
    });
    expect(envelope.data.status).toBe(1);
    // One that says nothing after its handshake is closed.
    const silent = connect({ host: '127.0.0.1', port: service.port, rejectUnauthorized: false });
    await once(silent, 'secureConnect');
    await once(silent.resume(), 'close');
    await agent.close();
    files.remove();
  });
});
