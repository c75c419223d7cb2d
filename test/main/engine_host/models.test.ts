import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  blob,
  type Fields,
  finished,
  form,
  generate,
  getModel,
  picture,
  pngClaiming,
  startTestEngine,
  type TestEngine,
  temporaryFolder,
} from '../../support/service/engine_harness.ts';

let engine: TestEngine;
const folder = temporaryFolder();

beforeAll(async () => {
  engine = await startTestEngine({ folder: folder.path });
});
afterAll(async () => {
  await engine.kill('SIGTERM');
  folder.remove();
});

/** Sends bytes as they are and hands back the whole answer as text. */
function raw(text: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(engine.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('a model from order to file', () => {
  it('goes from 3 to 1 with the types of the interface, and its link is the head', async () => {
    // One that is still being made when it is asked for, however busy the machine is.
    const ownFolder = temporaryFolder();
    const engine = await startTestEngine({ folder: ownFolder.path, env: { TEST_MILLISECONDS: '500' } });
    const photo = await picture(1);
    const { status, body } = await generate(engine, { file: blob(photo), sex: '1', eyelidType: '2' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ code: 200, message: 'success' });
    expect(Number.isInteger(body.data.waitTime)).toBe(true);
    expect(body.data.waitTime).toBeGreaterThanOrEqual(1);
    const id = body.data.modelId as string;

    const early = (await getModel(engine, id)).body.data;
    expect(early).toMatchObject({ status: 3, sex: 1, eyelidType: 2, failMessage: '', downloadLink: '' });
    expect(early.waitTime).toMatch(/^[1-9]\d*$/);

    const late = await finished(engine, id);
    expect(late).toMatchObject({ status: 1, waitTime: '0', sex: 1, eyelidType: 2, failMessage: '' });
    const link = late.downloadLink as string;
    expect(link).toMatch(new RegExp(`^${engine.url}/files/[A-Za-z0-9_-]{32}\\.glb$`));
    expect(link).not.toContain(id);
    const file = await fetch(link);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('model/gltf-binary');
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(bytes.subarray(4, 4 + photo.length).reverse()).toEqual(photo);
    await engine.kill('SIGTERM');
    ownFolder.remove();
  });

  it('leaves eyelidType out where the order left it open', async () => {
    const { body } = await generate(engine, { file: blob(await picture(2)), sex: '0' });
    const model = await finished(engine, body.data.modelId as string);
    expect(model).toMatchObject({ status: 1, sex: 0 });
    expect(model).not.toHaveProperty('eyelidType');
  });

  it('goes to 4 with what to change, in the caller’s language', async () => {
    const { body } = await generate(engine, { file: blob(await picture(3)), sex: '0', eyelidType: '1' });
    const id = body.data.modelId as string;
    expect(await finished(engine, id)).toMatchObject({
      status: 4,
      failMessage: 'No face was found.',
      downloadLink: '',
    });
    expect(await finished(engine, id, { 'accept-language': 'zh-CN,en;q=0.5' })).toMatchObject({
      failMessage: '未检测到人脸。',
    });
  });

  it('makes the same order once and serves it from the store', async () => {
    const fields: Fields = { file: blob(await picture(4)), sex: '1' };
    const first = await generate(engine, fields);
    const one = await finished(engine, first.body.data.modelId as string);
    const second = await generate(engine, fields);
    expect(second.body.data.modelId).not.toBe(first.body.data.modelId);
    expect(second.body.data.waitTime).toBe(0);
    const two = await finished(engine, second.body.data.modelId as string);
    expect(two.downloadLink).not.toBe(one.downloadLink);
    const tags = await Promise.all(
      [one, two].map(async ({ downloadLink }) =>
        (await fetch(downloadLink as string, { method: 'HEAD' })).headers.get('etag'),
      ),
    );
    expect(tags[0]).toBe(tags[1]);
  });

  it('tells waits that grow with the queue', async () => {
    const waits: number[] = [];
    for (let i = 0; i < 12; i++) {
      const { body } = await generate(engine, { file: blob(await picture(100 + i)), sex: '1' });
      waits.push(body.data.waitTime as number);
    }
    expect(waits.every((wait) => wait >= 1)).toBe(true);
    expect(waits.at(-1)).toBeGreaterThanOrEqual(waits[0]!);
  });
});

describe('the file of a model', () => {
  let link: string;
  let whole: Buffer;
  beforeAll(async () => {
    const { body } = await generate(engine, { file: blob(await picture(5)), sex: '1' });
    link = (await finished(engine, body.data.modelId as string)).downloadLink as string;
    whole = Buffer.from(await (await fetch(link)).arrayBuffer());
  });
  const get = (headers: Record<string, string>): Promise<Response> => fetch(link, { headers });

  it('comes in ranges, so that a download can be resumed', async () => {
    const middle = await get({ range: 'bytes=10-19' });
    expect(middle.status).toBe(206);
    expect(middle.headers.get('content-range')).toBe(`bytes 10-19/${whole.length}`);
    expect(Buffer.from(await middle.arrayBuffer())).toEqual(whole.subarray(10, 20));
    const rest = await get({ range: 'bytes=100-' });
    expect(Buffer.from(await rest.arrayBuffer())).toEqual(whole.subarray(100));
    const tail = await get({ range: 'bytes=-7' });
    expect(Buffer.from(await tail.arrayBuffer())).toEqual(whole.subarray(-7));
    const outside = await get({ range: `bytes=${whole.length}-` });
    expect(outside.status).toBe(416);
    expect(outside.headers.get('content-range')).toBe(`bytes */${whole.length}`);
    await outside.body?.cancel();
  });

  it('has a strong ETag of its bytes', async () => {
    const etag = `"${createHash('sha256').update(whole).digest('hex')}"`;
    const same = await get({ 'if-none-match': etag });
    expect(same.status).toBe(304);
    expect((await get({ range: 'bytes=0-0', 'if-range': etag })).status).toBe(206);
    expect((await get({ range: 'bytes=0-0', 'if-range': '"other"' })).status).toBe(200);
  });

  it('is not to be had by the model’s id, by its address or by a path', async () => {
    for (const name of ['x.glb', '..%2Fengine.sqlite', '%2e%2e', `${'a'.repeat(64)}.glb`, '%ff']) {
      const response = await fetch(`${engine.url}/files/${name}`);
      expect(response.status, name).toBe(404);
      await response.body?.cancel();
    }
  });
});

describe('an order that is wrong', () => {
  const cases: Record<
    string,
    [fields: () => Promise<Fields>, status: number, reason: string, field?: string]
  > = {
    'no file': [async () => ({ sex: '1' }), 400, 'field_missing', 'file'],
    'file as text': [async () => ({ file: 'x', sex: '1' }), 400, 'field_wrong_type', 'file'],
    'empty file': [async () => ({ file: blob(Buffer.alloc(0)), sex: '1' }), 400, 'image_empty', 'file'],
    'no sex': [async () => ({ file: blob(await picture(6)) }), 400, 'field_missing', 'sex'],
    'sex 2': [async () => ({ file: blob(await picture(6)), sex: '2' }), 400, 'field_wrong_value', 'sex'],
    'sex in words': [
      async () => ({ file: blob(await picture(6)), sex: 'female' }),
      400,
      'field_wrong_value',
      'sex',
    ],
    'sex as a file': [
      async () => ({ file: blob(await picture(6)), sex: blob(Buffer.from('1')) }),
      400,
      'field_wrong_type',
      'sex',
    ],
    'eyelidType 0': [
      async () => ({ file: blob(await picture(6)), sex: '1', eyelidType: '0' }),
      400,
      'field_wrong_value',
      'eyelidType',
    ],
    'a field too many': [
      async () => ({ file: blob(await picture(6)), sex: '1', age: '30' }),
      400,
      'field_unknown',
      'age',
    ],
    'a text named photo.png': [
      async () => ({ file: blob(Buffer.from('not a picture at all')), sex: '1' }),
      415,
      'not_an_image',
      'file',
    ],
    'an SVG': [
      async () => ({ file: blob(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), sex: '1' }),
      415,
      'not_an_image',
      'file',
    ],
    'a header without a picture': [
      async () => ({ file: blob((await picture(6)).subarray(0, 12)), sex: '1' }),
      400,
      'image_unreadable',
      'file',
    ],
    'a bomb of 100,000 × 100,000 pixels': [
      async () => ({ file: blob(pngClaiming(100_000, 100_000)), sex: '1' }),
      413,
      'image_too_many_pixels',
      'file',
    ],
    '65 MB': [
      async () => ({ file: blob(Buffer.alloc(65 * 1024 * 1024, 1)), sex: '1' }),
      413,
      'image_too_large',
      'file',
    ],
  };
  for (const [name, [fields, status, reason, field]] of Object.entries(cases)) {
    it(`is refused with what is wrong: ${name}`, async () => {
      const answer = await generate(engine, await fields());
      expect(answer.status).toBe(status);
      expect(answer.body.code).toBe(status);
      expect(answer.body.data).toEqual({ reason, ...(field && { field }) });
      expect(answer.body.message.length).toBeGreaterThan(10);
    });
  }

  it('is told in Chinese to who asks for it', async () => {
    const { body } = await generate(engine, { sex: '1' }, { 'accept-language': 'zh' });
    expect(body.message).toBe('缺少字段 "file"。');
  });

  it('is refused where a field or file comes twice', async () => {
    for (const name of ['sex', 'file']) {
      const body = form({ file: blob(await picture(6)), sex: '1' });
      body.append(name, name === 'sex' ? '0' : blob(await picture(7)));
      const response = await fetch(`${engine.url}/open-api/svc/sdk/model/generate`, {
        method: 'POST',
        headers: { auth_ak: engine.apiKey },
        body,
      });
      expect(await response.json()).toMatchObject({
        code: 400,
        data: { reason: 'field_repeated', field: name },
      });
    }
  });

  const head = (length: number, type: string): string =>
    `POST /open-api/svc/sdk/model/generate HTTP/1.1\r\nhost: 127.0.0.1:${engine.port}\r\nauth_ak: ${engine.apiKey}\r\nconnection: close\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;
  const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc';
  it.each([
    ['no boundary', 'multipart/form-data', part, 'multipart_malformed'],
    ['cut off in a part', 'multipart/form-data; boundary=b', part, 'multipart_malformed'],
    ['no part at all', 'multipart/form-data; boundary=b', 'hello', 'multipart_malformed'],
    ['JSON', 'application/json', '{}', 'not_multipart'],
  ])('is refused where its body is malformed: %s', async (_name, type, body, reason) => {
    expect(await raw(head(Buffer.byteLength(body), type) + body)).toContain(`"reason":"${reason}"`);
  });

  it('is refused where more comes before its first part than all of it may be', async () => {
    const socket = connect(engine.port, '127.0.0.1');
    socket.on('error', () => {});
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString('latin1');
    });
    socket.write(
      head(0, 'multipart/form-data; boundary=b').replace('content-length: 0', 'transfer-encoding: chunked'),
    );
    const block = Buffer.alloc(1024 * 1024, 'x');
    let sent = 0;
    for (; sent < 220 && answer === ''; sent++) {
      const more = socket.write(Buffer.concat([Buffer.from('100000\r\n'), block, Buffer.from('\r\n')]));
      if (!more) {
        const waiting = new AbortController();
        const next = (event: string) => once(socket, event, { signal: waiting.signal });
        await Promise.race([next('drain'), next('close'), next('data')]).catch(() => {});
        waiting.abort();
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    await vi.waitFor(() => expect(answer).toContain('"reason":"image_too_large"'));
    // One photo of 64 MB, since no further one has begun, and what the sockets hold.
    expect(sent).toBeLessThan(110);
    socket.destroy();
  });

  it('leaves nothing behind where its sender goes away', async () => {
    const socket = connect(engine.port, '127.0.0.1');
    const incoming = join(folder.path, '1/incoming');
    socket.write(head(1_000_000, 'multipart/form-data; boundary=b') + part);
    await vi.waitFor(() => expect(readdirSync(incoming)).toHaveLength(1));
    socket.destroy();
    await vi.waitFor(() => expect(readdirSync(incoming)).toHaveLength(0));
  });
});

describe('keys', () => {
  const wrong = { authorization: 'Bearer nonsense-nonsense', auth_ak: 'nonsense-nonsense' };
  const call = async (method: string, path: string, headers: Record<string, string>): Promise<Response> => {
    const response = await fetch(engine.url + path, { method, headers });
    await response.body?.cancel();
    return response;
  };
  it.each([
    ['POST', '/v1/audio-to-face/mesh', 'A'],
    ['POST', '/v1/svc-3d/sq', 'A'],
    ['POST', '/open-api/svc/sdk/model/generate', 'B'],
    ['GET', '/open-api/svc/sdk/model/get/x', 'B'],
    ['DELETE', '/open-api/svc/sdk/model/get/x', 'B'],
  ])('%s %s opens to its own group’s key alone', async (method, path, group) => {
    const a = { authorization: `Bearer ${engine.accessToken}` };
    const b = { auth_ak: engine.apiKey };
    expect((await call(method, path, {})).status).toBe(401);
    expect((await call(method, path, wrong)).status).toBe(401);
    const swapped: Record<string, string> =
      group === 'A' ? { auth_ak: engine.accessToken } : { authorization: `Bearer ${engine.apiKey}` };
    expect((await call(method, path, swapped)).status).toBe(401);
    expect((await call(method, path, group === 'A' ? b : a)).status).toBe(401);
    expect((await call(method, path, group === 'A' ? a : b)).status).not.toBe(401);
  });

  it('never come out', () => {
    expect(engine.output()).not.toContain(engine.accessToken);
    expect(engine.output()).not.toContain(engine.apiKey);
  });
});

describe('extensions', () => {
  it('are announced on every answer', async () => {
    const response = await fetch(`${engine.url}/nowhere`);
    expect(response.headers.get('likeness-extensions')).toBe(
      'idempotency-key, delete-model, health, stream-words, raw-pcm, face-options, noise-suppression, face-vertices, head-corrections, head-options, head-anyway, head-preview, files, model-stage, long-poll, model-events, photo-check, photo-outline, photo-crop, recordings, speech-alignment, take-face',
    );
    await response.body?.cancel();
  });

  it('Idempotency-Key: the same order is the same model, at once and later', async () => {
    const fields: Fields = { file: blob(await picture(8)), sex: '1' };
    const key = { 'idempotency-key': 'photo-8' };
    const answers = await Promise.all([1, 2, 3].map(() => generate(engine, fields, key)));
    const ids = new Set(answers.map(({ body }) => body.data.modelId));
    expect(ids.size).toBe(1);
    await finished(engine, [...ids][0] as string);
    expect((await generate(engine, fields, key)).body.data).toEqual({ modelId: [...ids][0], waitTime: 0 });
  });

  it('Idempotency-Key: another order under the same key is a conflict', async () => {
    const key = { 'idempotency-key': 'photo-9' };
    const photo = blob(await picture(9));
    expect((await generate(engine, { file: photo, sex: '1' }, key)).status).toBe(200);
    for (const fields of [
      { file: photo, sex: '0' },
      { file: photo, sex: '1', eyelidType: '1' },
      { file: blob(await picture(10)), sex: '1' },
      { file: photo, sex: '1', corrections: '{"crown":0.1}' },
      { file: photo, sex: '1', options: '{"smile":1}' },
    ]) {
      const { status, body } = await generate(engine, fields, key);
      expect(status).toBe(409);
      expect(body.data).toEqual({ reason: 'idempotency_conflict' });
    }
  });

  it('corrections of the outline reach the head, and make another one than none', async () => {
    const photo = blob(await picture(21));
    const corrections = {
      strokes: [{ kind: 'hair', radius: 0.02, points: [0.5, 0.1, 0.6, 0.1] }],
      crown: 0.05,
    };
    const made = async (fields: Fields): Promise<string> => {
      const { body } = await generate(engine, { file: photo, sex: '1', ...fields });
      const { downloadLink } = await finished(engine, body.data.modelId as string);
      return (await fetch(downloadLink as string)).text();
    };
    const corrected = await made({ corrections: JSON.stringify(corrections) });
    expect(corrected).toContain(JSON.stringify(corrections));
    expect(await made({})).not.toContain('crown');
  });

  it('choices reach the head as far as they differ from the usual', async () => {
    const photo = blob(await picture(24));
    const made = async (fields: Fields): Promise<string> => {
      const { body } = await generate(engine, { file: photo, sex: '1', ...fields });
      const { downloadLink } = await finished(engine, body.data.modelId as string);
      return (await fetch(downloadLink as string)).text();
    };
    const chosen = await made({ options: '{"neck":1,"eyeColour":"#5A7FA0","smile":0.5}' });
    expect(chosen).toContain('{"smile":0.5,"eyeColour":"#5a7fa0"}');
    expect(await made({ options: '{"smile":0,"light":0.35}' })).not.toContain('smile');
  });

  it.each([
    ['no JSON', 'smile'],
    ['a smile wider than any', '{"smile":2}'],
    ['a colour by its name', '{"eyeColour":"blue"}'],
    ['a head twice as large', '{"head":2}'],
    ['an unknown word', '{"hat":1}'],
  ])('choices with %s are refused by name', async (_, options) => {
    const { status, body } = await generate(engine, { file: blob(await picture(22)), sex: '1', options });
    expect(status).toBe(400);
    expect(body.data).toMatchObject({ reason: 'field_wrong_value', field: 'options' });
  });

  it.each(['anyway', 'preview'])('“%s” reaches the head, and makes another one than none', async (flag) => {
    const photo = blob(await picture(23));
    const made = async (fields: Fields): Promise<string> => {
      const { body } = await generate(engine, { file: photo, sex: '1', ...fields });
      const { downloadLink } = await finished(engine, body.data.modelId as string);
      return (await fetch(downloadLink as string)).text();
    };
    expect(await made({ [flag]: '1' })).toContain(flag);
    expect(await made({ [flag]: '0' })).not.toContain(flag);
    const { status, body } = await generate(engine, { file: photo, sex: '1', [flag]: 'yes' });
    expect([status, body.data]).toEqual([400, { reason: 'field_wrong_value', field: flag }]);
  });

  it.each([
    ['no JSON', 'crown'],
    ['a crown as high as two faces', '{"crown":2}'],
    ['a crown half a face up, which no window offers', '{"crown":0.5}'],
    ['an x without its y', '{"strokes":[{"kind":"hair","radius":0.1,"points":[0.5,0.5,0.5]}]}'],
    ['another kind', '{"strokes":[{"kind":"face","radius":0.1,"points":[0.5,0.5]}]}'],
    ['an unknown word', '{"chin":1}'],
  ])('corrections with %s are refused by name', async (_, corrections) => {
    const { status, body } = await generate(engine, {
      file: blob(await picture(22)),
      sex: '1',
      corrections,
    });
    expect(status).toBe(400);
    expect(body.data).toMatchObject({ reason: 'field_wrong_value', field: 'corrections' });
  });

  it('DELETE takes a model back, with its file', async () => {
    const { body } = await generate(engine, { file: blob(await picture(11)), sex: '1' });
    const id = body.data.modelId as string;
    const { downloadLink } = await finished(engine, id);
    const path = `${engine.url}/open-api/svc/sdk/model/get/${id}`;
    const headers = { auth_ak: engine.apiKey };
    expect(await (await fetch(path, { method: 'DELETE', headers })).json()).toEqual({
      data: {},
      code: 200,
      message: 'success',
    });
    expect((await fetch(downloadLink as string)).status).toBe(404);
    expect((await getModel(engine, id)).body).toMatchObject({ code: 404, data: { reason: 'model_unknown' } });
    expect((await fetch(path, { method: 'DELETE', headers })).status).toBe(404);
  });

  it('GET /health proves either key and tells the load', async () => {
    for (const headers of [{ authorization: `Bearer ${engine.accessToken}` }, { auth_ak: engine.apiKey }]) {
      const response = await fetch(`${engine.url}/health`, { headers: headers as Record<string, string> });
      expect(await response.json()).toMatchObject({
        status: 'ok',
        version: '9.9.9',
        pathWord: 'svc',
        jobs: { queued: expect.any(Number), running: expect.any(Number) },
      });
    }
    expect((await fetch(`${engine.url}/health`)).status).toBe(401);
  });
});

describe('A2', () => {
  it('checks and records the image and answers with its id', async () => {
    const send = async (fields: Fields): Promise<Response> =>
      fetch(`${engine.url}/v1/svc-3d/sq`, {
        method: 'POST',
        headers: { authorization: `Bearer ${engine.accessToken}` },
        body: form(fields),
      });
    const answer = await send({ file: blob(await picture(12)) });
    expect(await answer.json()).toEqual({ data: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) } });
    const text = await send({ file: blob(Buffer.from('no image')) });
    expect(text.status).toBe(415);
    expect(await text.json()).toMatchObject({ code: 'not_an_image', field: 'file' });
    const more = await send({ file: blob(await picture(12)), sex: '1' });
    expect(await more.json()).toMatchObject({ code: 'field_unknown', field: 'sex' });
  });
});
