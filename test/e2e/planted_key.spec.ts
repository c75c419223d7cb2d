import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inEnglish } from '@likeness/messages';
import type { Page } from '@playwright/test';
import { newProfile, type Profile, type Result } from '../../preload/contract.ts';
import { answer, envelope, json } from '../fixtures/service/behaviours.ts';
import { startScriptedService } from '../fixtures/service/scripted_service.ts';
import { photographDefault } from '../support/synthetic_photo.ts';
import { settled } from './settled.ts';
import { expect, test } from './studio.ts';

const token = 'planted-token-4f9c2e7a1b8d';
const apiKey = 'planted-api-key-93ab57ce02f6';
const passphrase = 'planted passphrase 7d1e';

/**
 * Every way in which a secret may be written down: as it is, in JSON, URLs, base64 (at any offset) and hex.
 */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const aligned = [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return text.slice(offset === 0 ? 0 : 4, -4);
  });
  return [secret, encodeURIComponent(secret), bytes.toString('hex'), ...aligned];
}
const forms = [token, apiKey, passphrase].flatMap(formsOf);
const foundIn = (text: string): string[] => forms.filter((form) => text.includes(form));

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Calls the studio as the page does. */
async function call<T>(page: Page, name: string, input?: unknown): Promise<T> {
  const result = (await page.evaluate(
    ([name, input]) => {
      const [room = '', call = ''] = (name as string).split('.');
      return (
        window as unknown as { studio: Record<string, Record<string, (input: unknown) => unknown>> }
      ).studio[room]?.[call]?.(input);
    },
    [name, input],
  )) as Result<T>;
  if (!result.ok) throw new Error(`${name}: ${inEnglish(result.error.message)}`);
  return result.value;
}

test('a planted key never comes back: not to the page, not to disk, logs, journal or exports', async ({
  app,
  shell,
}) => {
  test.skip(
    shell === 'electron',
    'test/main/desktop/security.test.ts watches the desktop’s IPC for a planted key',
  );
  test.setTimeout(180_000);
  const { studio } = app;
  if (!studio) throw new Error('the browser shell has a served studio');
  const toPage: string[] = [];
  const fromPage: string[] = [];
  app.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => toPage.push(String(payload)));
    socket.on('framesent', ({ payload }) => fromPage.push(String(payload)));
  });
  await app.reload();
  await expect(app.getByRole('button').first()).toBeVisible();

  const service = await startScriptedService({ accessToken: token, apiKey });
  await call(app, 'connections.protectWithPassphrase', { passphrase });
  const profile = await call<Profile>(app, 'connections.create', {
    ...newProfile,
    name: 'Planted',
    groupAUrl: service.url,
    groupBUrl: service.url,
  });
  await call(app, 'connections.setSecret', { id: profile.id, secret: 'accessToken', value: token });
  const saved = await call<Profile>(app, 'connections.setSecret', {
    id: profile.id,
    secret: 'apiKey',
    value: apiKey,
  });
  expect(saved.secrets.apiKey).toEqual({
    configured: true,
    lastFour: '02f6',
    fromEnvironment: false,
    boundElsewhere: null,
  });

  // A well-behaved server, then ones that throw the key back at whoever sent it.
  expect((await call<{ ok: boolean }>(app, 'connections.test', { id: profile.id })).ok).toBe(true);
  expect(service.requests.some(({ headers }) => headers.auth_ak === apiKey)).toBe(true);
  const echoes = [
    json({ code: 401, message: `unknown key ${apiKey}`, data: null }),
    answer(500, `<h1>Bad header auth_ak: ${apiKey}</h1>`, { 'content-type': 'text/html' }),
    answer(403, `Bearer ${token} / ${Buffer.from(apiKey).toString('base64')}`, {
      'content-type': 'text/plain',
    }),
  ];
  for (const echo of echoes) {
    service.always('get_model', echo);
    service.always('audio_to_face', echo);
    service.always('other', echo);
    await call(app, 'connections.test', { id: profile.id });
  }
  // A key that is no longer sent where the connection leads is asked for by the page, and answered past it:
  // here nobody sits at a terminal.
  await call(app, 'connections.update', { id: profile.id, changes: { proxyUrl: service.url } });
  await expect(call(app, 'connections.rebind', { id: profile.id })).rejects.toThrow('needs a terminal');
  const listed = await call<Profile[]>(app, 'connections.list');
  expect(listed.find(({ id }) => id === profile.id)?.secrets.apiKey).toMatchObject({
    configured: false,
    boundElsewhere: { origin: service.url, proxy: '' },
  });
  await call(app, 'connections.update', { id: profile.id, changes: { proxyUrl: '' } });

  await call(app, 'app.changeSettings', { welcomed: true });
  await app.goto(new URL('#/portraits', app.url()).href);
  await app.locator('input[type=file][accept*="image/jpeg"]').setInputFiles({
    name: 'drawn.png',
    mimeType: 'image/png',
    buffer: Buffer.from(await photographDefault()),
  });
  interface Photos {
    photos: { id: string; check: string }[];
  }
  const photos = (): Promise<Photos> => call(app, 'batch.photos', { offset: 0, limit: 1, filter: {} });
  await expect
    .poll(async () => (await photos()).photos[0]?.check ?? 'pending', { timeout: 60_000 })
    .not.toBe('pending');
  const [photo = { id: '' }] = (await photos()).photos;
  await call(app, 'batch.tag', { selection: { ids: [photo.id] }, set: { sex: 'female' } });
  const jobs = async (): Promise<{ id: string; state: string }[]> =>
    (
      await call<{ jobs: { id: string; state: string }[] }>(app, 'batch.jobs', {
        offset: 0,
        limit: 9,
        states: [],
      })
    ).jobs;

  // Ids, names and kinds with a key in them, in the spellings of servers: what is ordered comes to nothing.
  let ordered = 0;
  for (const echoed of [apiKey, token, Buffer.from(apiKey).toString('hex')]) {
    service.script('generate_model', envelope({ modelId: echoed, waitTime: '1' }));
    service.script('submit_image', json({ data: { id: echoed } }));
    service.script('get_model', answer(418, 'no', { 'content-type': echoed }));
    service.script('audio_to_face', answer(302, '', { location: `https://${echoed}.example/` }));
    await call(app, 'batch.submitImages', { selection: { ids: [photo.id] }, profileId: profile.id });
    if (ordered === 0) {
      await call(app, 'batch.start', { selection: { ids: [photo.id] }, profileId: profile.id, again: true });
    } else {
      const ids = (await jobs()).map(({ id }) => id);
      await call(app, 'batch.resolveUncertain', { ids, answer: 'resend' });
    }
    ordered += 1;
    await expect.poll(() => service.count('generate_model'), { timeout: 30_000 }).toBe(ordered);
    await expect.poll(async () => (await jobs()).map(({ state }) => state)).toEqual(['uncertain']);
    await call(app, 'connections.test', { id: profile.id });
    expect(service.count('generate_model')).toBe(ordered);
  }

  await call(app, 'app.reportError', { message: `page broke with ${apiKey}`, stack: `at ${token}` });

  const exports = [
    await call<unknown>(app, 'connections.exportProfiles', { ids: [profile.id] }),
    await call<unknown>(app, 'app.backUpSettings', { page: {} }),
    await call<unknown>(app, 'journal.export', { format: 'csv', filter: {} }),
    await call<unknown>(app, 'journal.export', { format: 'jsonl', filter: {} }),
    await call<unknown>(app, 'journal.entries', { limit: 500, filter: {} }),
  ];
  for (const exported of exports) expect(foundIn(JSON.stringify(exported))).toEqual([]);
  expect(JSON.stringify(exports[1])).toContain(service.url);
  expect(JSON.stringify(exports[4])).toContain('get_model');

  for (const place of ['#/settings/connections', '#/activity', '#/settings/keys']) {
    await app.goto(new URL(place, app.url()).href);
    await expect(app.locator('#main h1').first()).toBeVisible();
    await settled(app);
    expect(foundIn(await app.content())).toEqual([]);
  }
  const stored = await app.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  expect(foundIn(stored)).toEqual([]);

  // From main to the page: never. From the page to main: once each, when the person typed it (and in the
  // page's own crash report above).
  expect(toPage.length).toBeGreaterThan(10);
  expect(toPage.flatMap(foundIn)).toEqual([]);
  const typed = fromPage.filter((frame) => foundIn(frame).length > 0);
  expect(typed.map((frame) => JSON.parse(frame).name).toSorted()).toEqual([
    'app.reportError',
    'connections.protectWithPassphrase',
    'connections.setSecret',
    'connections.setSecret',
  ]);

  await studio.stop();
  await service.close();
  expect(foundIn(studio.output())).toEqual([]);
  const files = await filesIn(studio.home);
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const bytes = await readFile(file);
    expect({
      file,
      found: [...foundIn(bytes.toString('latin1')), ...foundIn(bytes.toString('utf16le'))],
    }).toEqual({ file, found: [] });
  }
});
