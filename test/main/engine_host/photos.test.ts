import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  blob,
  type Fields,
  form,
  picture,
  startTestEngine,
  type TestEngine,
  temporaryFolder,
} from '../../support/service/engine_harness.ts';

let engine: TestEngine;
const folder = temporaryFolder();
const crop = JSON.stringify({ x: 0.5, y: 0, width: 0.5, height: 1 });

beforeAll(async () => {
  engine = await startTestEngine({
    folder: folder.path,
    limits: { wholePhotoBytes: 100_000, photoRequests: 2, idleTimeout: 3000 },
    env: { TEST_MILLISECONDS: '200' },
  });
});
afterAll(async () => {
  await engine.kill('SIGTERM');
  folder.remove();
});

const ask = (route: string, fields: Fields, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${engine.url}/v1/photos/${route}`, {
    method: 'POST',
    headers: { auth_ak: engine.apiKey, ...headers },
    body: form(fields),
  });
const incoming = (): string[] => readdirSync(join(folder.path, '1/incoming'));

describe('the photo routes', () => {
  it.each(['check', 'outline', 'crop'])('%s opens to either group’s key, and to no other', async (route) => {
    const status = async (headers: Record<string, string>): Promise<number> => {
      const response = await fetch(`${engine.url}/v1/photos/${route}`, { method: 'POST', headers });
      await response.body?.cancel();
      return response.status;
    };
    expect(await status({})).toBe(401);
    expect(await status({ auth_ak: 'nonsense-nonsense' })).toBe(401);
    expect(await status({ auth_ak: engine.apiKey })).toBe(415);
    expect(await status({ authorization: `Bearer ${engine.accessToken}` })).toBe(415);
  });

  it('take whatever file there is, and leave nothing of it behind', async () => {
    const response = await ask('check', { file: blob(Buffer.from('no picture at all')), crop });
    expect(await response.json()).toEqual({
      width: 17,
      height: 1,
      face: { x: 0.5, y: 0, width: 0.5, height: 1 },
      yaw: null,
      view: null,
      findings: [],
    });
    await vi.waitFor(() => expect(incoming()).toEqual([]));
  });

  it.each<[string, number, string, string, Fields]>([
    ['check', 400, 'field_missing', 'file', { crop }],
    ['crop', 400, 'field_missing', 'crop', { file: blob(Buffer.alloc(20)) }],
    ['outline', 400, 'field_missing', 'file', { keep: '1' }],
    ['check', 400, 'field_wrong_value', 'crop', { file: blob(Buffer.alloc(20)), crop: '{"x":2}' }],
    ['check', 400, 'field_wrong_value', 'crop', { file: blob(Buffer.alloc(20)), crop: 'nonsense' }],
    ['check', 400, 'field_unknown', 'sex', { file: blob(Buffer.alloc(20)), sex: '1' }],
    ['outline', 400, 'field_wrong_value', 'sex', { file: blob(Buffer.alloc(20)), sex: '2' }],
    [
      'outline',
      400,
      'field_wrong_value',
      'corrections',
      { file: blob(Buffer.alloc(20)), corrections: '{"crown":9}' },
    ],
    ['check', 413, 'image_too_large', 'file', { file: blob(Buffer.alloc(100_001)) }],
  ])('%s refuses with %d %s of %s', async (route, status, code, field, fields) => {
    const response = await ask(route, fields);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code, field, message: expect.any(String) });
    await vi.waitFor(() => expect(incoming()).toEqual([]));
  });

  it('say no in both languages at once', async () => {
    const fields = { file: blob(Buffer.alloc(20)), corrections: '{"crown":0.25}' };
    const response = await ask('outline', fields, { 'accept-language': 'zh' });
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      code: 'no_face',
      message: '未检测到人脸。',
      messages: { en: 'No face.', zh: '未检测到人脸。' },
    });
  });

  it('answer the next stroke without the photo, for as long as it is kept', async () => {
    const file = blob(await picture(1));
    const first = (await (await ask('outline', { file, keep: '1' })).json()) as { photo: string };
    const next = await ask('outline', { photo: first.photo, keep: '1', corrections: '{"crown":0.1}' });
    expect(await next.json()).toEqual({
      rings: [[0.1]],
      score: 1,
      sure: false,
      cutOff: false,
      photo: first.photo,
    });
    const other = await ask('outline', { photo: 'nobody', keep: '1' });
    expect(other.status).toBe(404);
    expect(await other.json()).toMatchObject({ code: 'photo_not_kept' });
  });

  it('cut the part that is sent out of the upright photo', async () => {
    const lying = await sharp(await picture(2))
      .resize(40, 60, { fit: 'fill' })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const response = await ask('crop', { file: blob(lying), crop });
    expect(response.headers.get('content-type')).toBe('image/jpeg');
    const { width, height, format } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
    expect([width, height, format]).toEqual([30, 40, 'jpeg']);
  });

  it('take no more at once than they bear', async () => {
    const file = blob(Buffer.alloc(20));
    const answers = await Promise.all([1, 2, 3, 4].map(() => ask('check', { file })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 503, 503]);
    expect(answers.find(({ status }) => status === 503)?.headers.get('retry-after')).toBe('1');
    for (const answer of answers) await answer.body?.cancel();
  });
});
