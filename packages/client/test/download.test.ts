import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { Failure } from '@likeness/node-kit/failure.ts';
import { addressScope } from '@likeness/node-kit/network/address_scope.ts';
import { describe, expect, test } from 'vitest';
import {
  answer,
  brokenFile,
  drip,
  file,
  html,
  redirect,
  resetInBody,
  stallInBody,
} from '../../../test/fixtures/service/behaviours.ts';
import { makeGlb } from '../../../test/fixtures/service/glb.ts';
import { type Behaviour, startScriptedService } from '../../../test/fixtures/service/scripted_service.ts';
import { PartFile } from '../src/operations/part_file.ts';
import { atEnd, failureOf, type Stage, type StageOptions, setStage, told } from './harness.ts';

const glb = makeGlb(400_000);
const sha256 = createHash('sha256').update(glb).digest('hex');
const type = 'model/gltf-binary';

async function withFile(
  behaviour: Behaviour,
  options: StageOptions = {},
): Promise<Stage & { link: string; target: string }> {
  const stage = await setStage({ ...options, service: { glb, ...options.service } });
  stage.service.script('download', behaviour);
  return {
    ...stage,
    link: `${stage.service.url}/files/head.glb?sig=s3cret`,
    target: join(stage.folder, 'head.glb'),
  };
}

describe('a head', () => {
  test('lands under its name as a whole, with its hash; progress is told', async () => {
    const { client, link, target, folder, exchanges } = await withFile(file(glb));
    const progress: [number, number | null][] = [];
    const result = await client.download(link, target, { onProgress: (...step) => progress.push(step) });
    expect(result).toEqual({ bytes: glb.byteLength, sha256, contentType: type });
    expect((await readFile(target)).equals(glb)).toBe(true);
    expect((await readdir(folder)).sort()).toEqual(['head.glb', 'portrait.jpg']);
    expect(progress.at(-1)).toEqual([glb.byteLength, glb.byteLength]);
    expect(exchanges).toHaveLength(1);
    expect(exchanges[0]).toMatchObject({
      operation: 'download',
      outcome: 'ok',
      bytesReceived: glb.byteLength,
      billedModels: 0,
    });
    expect(exchanges[0]?.subject).toMatch(/^127\.0\.0\.1:\d+\/files\/head\.glb$/);
  });

  test('takes the place of an older one', async () => {
    const { client, link, target } = await withFile(file(glb));
    await writeFile(target, 'old');
    await client.download(link, target);
    expect((await readFile(target)).equals(glb)).toBe(true);
  });

  test('without a content-length is measured by its own header', async () => {
    const chunked: Behaviour = ({ response }) => {
      response.writeHead(200, { 'content-type': type });
      response.write(glb.subarray(0, 1000));
      response.end(glb.subarray(1000));
    };
    const { client, link, target } = await withFile(chunked);
    expect(await client.download(link, target)).toMatchObject({ bytes: glb.byteLength, sha256 });
  });

  test('that comes in small pieces is checked all the same', async () => {
    const small = makeGlb();
    const { client, link, target } = await withFile(drip(small, 5, 1, { 'content-type': type }));
    expect(await client.download(link, target)).toMatchObject({ bytes: small.byteLength });
  });
});

describe('where keys go', () => {
  test('to the server’s own origin, with the file’s own query', async () => {
    const { service, client, link, target } = await withFile(file(glb));
    await client.download(link, target);
    expect(service.last('download').headers.auth_ak).toBe(service.apiKey);
    expect(service.last('download').path).toBe('/files/head.glb?sig=s3cret');
  });

  test('to no other origin, neither by link nor by redirect', async () => {
    const { service, client, folder } = await setStage();
    const target = join(folder, 'head.glb');
    const other = await startScriptedService({ glb });
    atEnd(() => other.close());
    await client.download(`${other.url}/files/a.glb`, target);
    service.script('download', redirect(`${other.url}/files/b.glb`));
    await client.download(`${service.url}/files/x.glb`, target);
    expect(other.count('download')).toBe(2);
    for (const { headers } of other.requests) {
      expect(headers.auth_ak).toBeUndefined();
      expect(headers.authorization).toBeUndefined();
    }
  });
});

describe('where a link may lead', () => {
  test.each([
    [
      'file:///etc/passwd',
      'Download: The server gave a link that begins with file:, which is not a web address.',
    ],
    [
      'data:model/gltf-binary;base64,Z2xURg==',
      'Download: The server gave a link that begins with data:, which is not a web address.',
    ],
    [
      'ftp://example.org/a.glb',
      'Download: The server gave a link that begins with ftp:, which is not a web address.',
    ],
    [
      'javascript:alert(1)',
      'Download: The server gave a link that begins with javascript:, which is not a web address.',
    ],
    ['/etc/passwd', 'Download: The server gave a link that is not a web address, or has a user name in it.'],
    [
      'https://user:pass@example.org/a.glb',
      'Download: The server gave a link that is not a web address, or has a user name in it.',
    ],
  ])('not %s', async (link, message) => {
    const { client, folder } = await setStage();
    const error = await failureOf(client.download(link, join(folder, 'x.glb')));
    expect([error.code, error.message, error.retryable]).toEqual(['not_allowed', message, false]);
    expect(error.hint).toBe(
      "Only plain http:// and https:// links are followed. Tell the server's operator.",
    );
  });

  // A server out on the internet; no call goes there.
  const outside = { groupBUrl: 'https://93.184.215.14' };
  test.each([
    ['http://127.0.0.1:9/a.glb', '127.0.0.1'],
    ['http://127.1/a.glb', '127.0.0.1'],
    ['http://0x7f000001/a.glb', '127.0.0.1'],
    ['http://2130706433/a.glb', '127.0.0.1'],
    ['http://0.0.0.0/a.glb', '0.0.0.0'],
    ['http://[::1]/a.glb', '::1'],
    ['http://[::ffff:127.0.0.1]/a.glb', '::ffff:7f00:1'],
    ['http://[64:ff9b::a00:1]/a.glb', '64:ff9b::a00:1'],
    ['http://10.0.0.8/a.glb', '10.0.0.8'],
    ['http://172.16.0.1/a.glb', '172.16.0.1'],
    ['http://192.168.1.1/a.glb', '192.168.1.1'],
    ['http://100.64.0.1/a.glb', '100.64.0.1'],
    ['http://169.254.169.254/latest/meta-data', '169.254.169.254'],
    ['http://[fe80::1]/a.glb', 'fe80::1'],
    ['http://[fd00::1]/a.glb', 'fd00::1'],
  ])('not inside, for a server outside: %s', async (link, address) => {
    const { client, folder, service } = await setStage({ endpoint: outside });
    const error = await failureOf(client.download(link, join(folder, 'x.glb')));
    expect([error.code, error.message]).toEqual([
      'not_allowed',
      `Download: The server gave a link to ${address}, which is inside a private network and not the server's own.`,
    ]);
    expect(service.requests).toHaveLength(0);
    expect(await readdir(folder)).toEqual(['portrait.jpg']);
  });

  test.each([
    'http://127.0.0.1:9/a.glb',
    'http://127.1/a.glb',
    'http://0x7f000001/a.glb',
    'http://2130706433/a.glb',
    'http://0.0.0.0/a.glb',
    'http://[::1]/a.glb',
    'http://[::ffff:127.0.0.1]/a.glb',
    'http://localhost:9/a.glb',
    'http://169.254.169.254/latest/meta-data',
    'http://169.254.1.1/a.glb',
    'http://[fe80::1]/a.glb',
  ])('not on this machine, nor on the link, for a server in a private network: %s', async (link) => {
    const { client, folder } = await setStage({ endpoint: { groupBUrl: 'http://10.1.2.3' } });
    expect((await failureOf(client.download(link, join(folder, 'x.glb')))).code).toBe('not_allowed');
  });

  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address }) => address)
    .find((address) => addressScope(address) === 'private');
  test.skipIf(own === undefined)(
    'not on this machine by a redirect of a server in a private network, but elsewhere in that network',
    async () => {
      const { client, folder, service } = await setStage({ service: { host: own ?? '' } });
      const near = await startScriptedService();
      atEnd(() => near.close());
      const [link, target] = [`${service.url}/files/a.glb`, join(folder, 'x.glb')];
      for (const address of [near.url, `http://localhost:${near.port}`, `http://2130706433:${near.port}`]) {
        service.script('download', redirect(`${address}/files/b.glb`));
        expect((await failureOf(client.download(link, target))).code).toBe('not_allowed');
      }
      expect(near.requests).toEqual([]);
      expect(await client.download(link, target)).toMatchObject({ bytes: expect.any(Number) });
    },
  );

  test('not inside by a name that leads there', async () => {
    const { client, folder, service } = await setStage({ endpoint: outside });
    const error = await failureOf(
      client.download(`http://localhost:${service.port}/files/a.glb`, join(folder, 'x.glb')),
    );
    expect(error.code).toBe('not_allowed');
    expect(error.message).toMatch(
      /^Download: The server gave a link to localhost \((127\.0\.0\.1|::1)\), which is inside/,
    );
    expect(service.requests).toHaveLength(0);
  });

  test('not to a cloud’s metadata, even for a server on this machine', async () => {
    const { client, folder, service } = await setStage();
    for (const link of ['http://169.254.169.254/a', 'http://100.100.100.200/a', 'http://[fd00:ec2::254]/a']) {
      expect((await failureOf(client.download(link, join(folder, 'x.glb')))).code).toBe('not_allowed');
    }
    service.script('download', redirect('http://169.254.169.254/latest'));
    expect((await failureOf(client.download(`${service.url}/files/a`, join(folder, 'x.glb')))).code).toBe(
      'not_allowed',
    );
  });

  test('not to file: by a redirect', async () => {
    const { client, link, target } = await withFile(redirect('file:///etc/passwd'));
    expect((await failureOf(client.download(link, target))).message).toMatch(/begins with file:/);
  });

  test('over a few redirects, relative ones too', async () => {
    const { client, service, link, target } = await withFile(redirect('/files/two.glb', 301));
    service.script('download', redirect(`${service.url}/files/three.glb`, 307));
    expect(await client.download(link, target)).toMatchObject({ sha256 });
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/files/head.glb?sig=s3cret',
      '/files/two.glb',
      '/files/three.glb',
    ]);
  });

  test('not round and round', async () => {
    const { client, service, link, target } = await withFile(redirect('/files/a.glb'));
    service.always('download', redirect('/files/a.glb'));
    expect(told(await failureOf(client.download(link, target)))).toEqual([
      'upstream_broken',
      'Download: HOST redirects too often; the studio stopped after 5 redirects.',
      "Get the model again; if it happens again, tell the server's operator.",
    ]);
    expect(service.count('download')).toBe(6);
  });

  test('not nowhere', async () => {
    const { client, link, target } = await withFile(answer(302));
    expect(told(await failureOf(client.download(link, target)))[1]).toBe(
      'Download: HOST redirects, but not to an address (HTTP 302).',
    );
  });
});

describe('what a person is told', () => {
  const operator = "Check that the address leads to the service; if it does, tell the server's operator.";
  const portal = 'Check the download link: a login page, a proxy or a portal may be in between.';
  const withHeader = (bytes: Buffer, at: number, value: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy.writeUInt32LE(value, at);
    return copy;
  };
  const cases: [string, Behaviour, string[]][] = [
    [
      'a web page that says so',
      html(),
      [
        'upstream_broken',
        'Download: HOST answered with HTTP 200 (text/html), but the answer is a web page, not data. It begins: “Please log in to the network”',
        portal,
      ],
    ],
    [
      'a web page in disguise',
      answer(200, '<!DOCTYPE html><html><body>Sign in</body></html>', { 'content-type': type }),
      [
        'upstream_broken',
        `Download: HOST answered with HTTP 200 (${type}), but the answer is a web page, not data. It begins: “Sign in”`,
        portal,
      ],
    ],
    [
      'a file that is no GLB',
      answer(200, 'PK\x03\x04 zip zip zip', { 'content-type': 'application/zip' }),
      [
        'upstream_broken',
        'Download: HOST answered with HTTP 200 (application/zip), but the file is not binary glTF (GLB).',
        operator,
      ],
    ],
    [
      'a GLB of another version',
      answer(200, withHeader(glb, 4, 1), { 'content-type': type }),
      [
        'upstream_broken',
        `Download: HOST answered with HTTP 200 (${type}), but the file is binary glTF 1, not 2.`,
        operator,
      ],
    ],
    [
      'a GLB that is shorter than its own header says',
      answer(200, withHeader(glb, 8, glb.byteLength + 100), { 'content-type': type }),
      [
        'upstream_broken',
        `Download: HOST answered with HTTP 200 (${type}), but the file has ${glb.byteLength} bytes, but its header states ${glb.byteLength + 100}.`,
        operator,
      ],
    ],
    [
      'an empty file',
      answer(200, '', { 'content-type': type }),
      [
        'upstream_broken',
        `Download: HOST answered with HTTP 200 (${type}), but the file is empty.`,
        operator,
      ],
    ],
    [
      'a file of 3 bytes',
      answer(200, 'glT', { 'content-type': type }),
      [
        'upstream_broken',
        `Download: HOST answered with HTTP 200 (${type}), but the file is not binary glTF (GLB). It begins: “glT”`,
        operator,
      ],
    ],
    [
      'a packed file',
      answer(200, glb, { 'content-type': type, 'content-encoding': 'gzip' }),
      [
        'upstream_broken',
        `Download: HOST answered with HTTP 200 (${type}), but the file is compressed (gzip), which was not requested.`,
        operator,
      ],
    ],
    [
      '403: an expired link',
      answer(403, '<Error><Code>AccessDenied</Code></Error>', { 'content-type': 'application/xml' }),
      [
        'upstream_refused',
        'Download: HOST refused access (HTTP 403 Forbidden, application/xml). It said: “<Error><Code>AccessDenied</Code></Error>”',
        'The link may have expired: get the model again.',
      ],
    ],
    [
      '404',
      answer(404),
      [
        'upstream_refused',
        'Download: HOST has no such address (HTTP 404 Not Found).',
        'The link may have expired: get the model again.',
      ],
    ],
  ];
  test.each(cases)('%s', async (_, behaviour, words) => {
    const { client, service, link, target, folder, exchanges } = await withFile(behaviour);
    const error = await failureOf(client.download(link, target));
    expect(told(error)).toEqual(words);
    expect(error.retryable).toBe(false);
    expect(service.count('download')).toBe(1);
    expect(await readdir(folder)).toEqual(['portrait.jpg']);
    expect(exchanges[0]).toMatchObject({ outcome: 'failed' });
    expect(JSON.stringify(exchanges)).not.toContain('s3cret');
  });

  test('a file that announces more than may be', async () => {
    const { client, link, target, folder } = await withFile(file(glb));
    expect(told(await failureOf(client.download(link, target, { maxBytes: 100_000 })))).toEqual([
      'upstream_broken',
      'Download: The file at HOST has 400 kB, more than the limit of 100 kB.',
      'A head this large is unlikely: check the model on the server.',
    ]);
    expect(await readdir(folder)).toEqual(['portrait.jpg']);
  });

  test('a file that does not announce it', async () => {
    const endless: Behaviour = ({ response }) => {
      response.writeHead(200, { 'content-type': type });
      const more = (): void => {
        while (!response.destroyed && response.write(glb));
        response.once('drain', more);
      };
      more();
    };
    const { client, link, target, folder } = await withFile(endless);
    const [code, message] = told(await failureOf(client.download(link, target, { maxBytes: 1_000_000 })));
    expect([code, message]).toEqual([
      'upstream_broken',
      'Download: The file at HOST is larger than the limit of 1.0 MB.',
    ]);
    expect(await readdir(folder)).toEqual(['portrait.jpg']);
  });

  test('fewer bytes than announced, again and again', async () => {
    const { client, service, link, target, folder } = await withFile(answer(503));
    service.always(
      'download',
      resetInBody(glb.subarray(0, 1000), { 'content-type': type, 'content-length': String(glb.byteLength) }),
    );
    const [code, message] = told(await failureOf(client.download(link, target)));
    expect([code, message]).toEqual([
      'upstream_broken',
      'Download: The answer of HOST ended early after 1.0 kB.',
    ]);
    expect(await readdir(folder)).toEqual(['portrait.jpg']);
  });

  test('silence', async () => {
    const { client, link, target } = await withFile(
      stallInBody(glb.subarray(0, 500), { 'content-type': type }),
      {
        timeouts: { betweenBytes: 120 },
        retry: { attempts: 1 },
      },
    );
    expect(told(await failureOf(client.download(link, target)))[1]).toBe(
      'Download: HOST stopped in the middle of its answer: nothing for 120 ms after 500 bytes.',
    );
  });

  test('anything but a web page is taken where anything may be', async () => {
    const { client, link, target, service } = await withFile(
      answer(200, 'hello', { 'content-type': 'text/plain' }),
    );
    expect(await client.download(link, target, { accept: 'any' })).toMatchObject({
      bytes: 5,
      contentType: 'text/plain',
    });
    service.script('download', html());
    expect((await failureOf(client.download(link, target, { accept: 'any' }))).code).toBe('upstream_broken');
    expect(await readFile(target, 'utf8')).toBe('hello');
  });
});

describe('a download that breaks off', () => {
  test('goes on where it was, in the same call', async () => {
    const { client, service, link, target, exchanges, folder } = await withFile(brokenFile(glb, 150_000));
    expect(await client.download(link, target)).toEqual({ bytes: glb.byteLength, sha256, contentType: type });
    const [, second] = service.requests;
    const from = Number(/^bytes=(\d+)-$/.exec(second?.headers.range ?? '')?.[1]);
    expect(from).toBeGreaterThan(0);
    expect(second?.headers['if-range']).toBe('"v1"');
    expect((await readFile(target)).equals(glb)).toBe(true);
    expect(exchanges[0]).toMatchObject({ attempts: 2, bytesReceived: glb.byteLength });
    expect((await readdir(folder)).sort()).toEqual(['head.glb', 'portrait.jpg']);
  });

  test('goes on in the next run, with a link that is signed anew', async () => {
    const { client, service, link, target, folder } = await withFile(brokenFile(glb, 150_000), {
      retry: { attempts: 1 },
    });
    await failureOf(client.download(link, target));
    expect((await readdir(folder)).sort()).toEqual(['head.glb.part', 'head.glb.part.json', 'portrait.jpg']);
    expect(await readFile(join(folder, 'head.glb.part.json'), 'utf8')).not.toContain('s3cret');
    expect(await client.download(link.replace('s3cret', 'other'), target)).toMatchObject({ sha256 });
    expect(service.last('download').headers.range).toMatch(/^bytes=\d+-$/);
  });

  test('begins again where the file has changed', async () => {
    const other = makeGlb(300_000);
    const { client, service, link, target } = await withFile(brokenFile(glb, 150_000));
    service.script('download', file(other, { etag: '"v2"' }));
    expect(await client.download(link, target)).toMatchObject({ bytes: other.byteLength });
    expect((await readFile(target)).equals(other)).toBe(true);
  });

  test('begins again where the server has no ranges, or names no version', async () => {
    const { client, service, link, target } = await withFile(brokenFile(glb, 150_000));
    service.script('download', file(glb, { ranges: false }));
    expect(await client.download(link, target)).toMatchObject({ sha256 });
    service.script('download', brokenFile(glb, 150_000, ''), file(glb));
    expect(await client.download(link, target)).toMatchObject({ sha256 });
    expect(service.last('download').headers.range).toBeUndefined();
  });

  test.each<[string, Behaviour]>([
    [
      'another range',
      answer(206, glb.subarray(10), {
        'content-range': `bytes 10-${glb.byteLength - 1}/${glb.byteLength}`,
        etag: '"v1"',
      }),
    ],
    [
      'a range of another file',
      answer(206, glb.subarray(0, 10), { 'content-range': 'bytes 150000-150009/150010', etag: '"v1"' }),
    ],
    ['no range', answer(206, glb.subarray(0, 10))],
    ['416', answer(416)],
  ])('begins again where the server answers with %s', async (_, behaviour) => {
    const { client, service, link, target } = await withFile(brokenFile(glb, 150_000));
    service.script('download', behaviour);
    expect(await client.download(link, target)).toMatchObject({ bytes: glb.byteLength, sha256 });
    expect((await readFile(target)).equals(glb)).toBe(true);
  });

  test('keeps what it has through a 503', async () => {
    const { client, service, link, target } = await withFile(brokenFile(glb, 150_000));
    service.script('download', answer(503));
    expect(await client.download(link, target)).toMatchObject({ sha256 });
    expect(service.last('download').headers.range).toMatch(/^bytes=\d+-$/);
  });

  test('a note that somebody tampered with is no note', async () => {
    const { client, service, link, target } = await withFile(file(glb));
    await writeFile(`${target}.part`, 'x'.repeat(1000));
    await writeFile(
      `${target}.part.json`,
      JSON.stringify({
        source: `${service.url}/files/head.glb`,
        validator: '"v1"\r\nx-evil: 1',
        total: null,
      }),
    );
    expect(await client.download(link, target)).toMatchObject({ sha256 });
    expect(service.last('download').headers['x-evil']).toBeUndefined();
  });

  test('cancelled: the final name stays free, and it can go on later', async () => {
    const { client, link, target, folder } = await withFile(brokenFile(glb, 150_000));
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    const error = await failureOf(
      client.download(link, target, { signal: controller.signal, onProgress: stop }),
    );
    expect(error.code).toBe('cancelled');
    expect(await readdir(folder)).not.toContain('head.glb');
    expect(await client.download(link, target)).toMatchObject({ sha256 });
  });

  test('two to the same place: the second is told to wait', async () => {
    const { client, link, target } = await withFile(drip(glb, 100_000, 20, { 'content-type': type }));
    const first = client.download(link, target);
    expect(told(await failureOf(client.download(link, target)))).toEqual([
      'conflict',
      'Download: “head.glb” is already being downloaded.',
      'Wait until it is complete.',
    ]);
    await first;
  });
});

describe('a disk that won’t', () => {
  test.runIf(process.platform === 'linux')('is full: told, and nothing half is left', async () => {
    const { folder, service } = await setStage();
    // A device that takes no byte, in place of the unfinished file.
    const target = join(folder, 'head.glb');
    const part = await PartFile.find(target, new URL(service.url), () => open('/dev/full', 'w'));
    await part.restart(new URL(service.url), {}, glb.byteLength);
    const outcome = await part.append(glb).catch((error: unknown) => error);
    expect(outcome).toBeInstanceOf(Failure);
    expect(outcome).toMatchObject({
      code: 'storage',
      message: 'The disk is full: “head.glb” could not be written.',
      hint: 'Free some space on its disk, then try again.',
    });
    await part.keepForNextTry();
    expect(await readdir(folder)).toEqual(['portrait.jpg']);
  });

  test('has too little room: told before a byte is fetched', async () => {
    const huge: Behaviour = ({ response }) => {
      response.writeHead(200, { 'content-type': type, 'content-length': String(5e15) });
      response.write(glb);
    };
    const { client, link, target, folder } = await withFile(huge);
    const failure = await client.download(link, target, { maxBytes: 1e16 }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'storage',
      message: expect.stringMatching(
        /^The disk is too full: the download needs 5000000\.0 GB, .* are free\.$/,
      ),
    });
    expect(await readdir(folder)).toEqual(['portrait.jpg']);
  });

  test('has something in the way', async () => {
    const { client, link, target } = await withFile(file(glb));
    await mkdir(`${target}.part`);
    const failure = await client.download(link, target).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'storage',
      message: expect.stringContaining('“head.glb” is a folder'),
    });
  });

  test('has no such folder', async () => {
    const { client, link, folder } = await withFile(file(glb));
    const failure = await client
      .download(link, join(folder, 'gone', 'head.glb'))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'storage',
      message: '“head.glb” or its folder does not exist.',
    });
  });
});
