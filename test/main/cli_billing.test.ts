/** The built command line against a server that misbehaves after it was paid. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newProfile } from '#contract';
import { openConfFile } from '../../main/connections/vault/secret_file.ts';
import { createTerminalShell } from '../../main/shell/none/shell.ts';
import { createStudio } from '../../main/studio.ts';
import { answer, envelope, html } from '../fixtures/service/behaviours.ts';
import {
  type Behaviour,
  type ScriptedService,
  startScriptedService,
} from '../fixtures/service/scripted_service.ts';
import { commandLine } from '../support/command_line.ts';
import { sharedPhoto } from '../support/shared_heads.ts';

const built = (name: string): string => join(import.meta.dirname, '../../out/main', name);
const passphrase = 'correct horse battery staple';
let home: string;
let photos: string;
let service: ScriptedService;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'likeness-billing-'));
  photos = join(home, 'photos');
  await mkdir(photos);
  await writeFile(join(photos, 'nobody.png'), await sharedPhoto('female'));
  service = await startScriptedService({ waitTime: 0 });
  const studio = await createStudio(
    createTerminalShell({ kind: 'none', dataFolder: join(home, 'data'), writeLine: () => {} }),
    {
      openSecretFile: openConfFile,
      pageOrigin: () => null,
      engineEntry: built('engine.js'),
      packageFile: join(import.meta.dirname, '../../package.json'),
      environment: { LIKENESS_PASSPHRASE: passphrase },
    },
  );
  const { id } = await studio.handlers.connections.create({
    ...newProfile,
    name: 'Scripted',
    groupBUrl: service.url,
    polling: { least: 0.05, most: 0.2 },
  });
  await studio.handlers.connections.setSecret({ id, secret: 'apiKey', value: service.apiKey });
  await studio.close();
});
afterEach(async () => {
  await service.close();
  await rm(home, { recursive: true, force: true });
});

const likeness = commandLine(() => ({
  LIKENESS_HOME: join(home, 'data'),
  LIKENESS_PASSPHRASE: passphrase,
}));

const batch = () => likeness('batch', photos, '--sex', 'female', '--profile', 'Scripted');
const orders = (): number => service.count('generate_model');

/** From the order on, the server answers questions so, until `until`. */
function misbehave(behaviour: Behaviour, until: () => boolean): void {
  service.always('get_model', (turn) => {
    if (service.models.size === 0) return envelope(null, { code: 1404 })(turn);
    const downloadLink = `${service.url}/files/head.glb`;
    return (until() ? envelope({ status: 1, waitTime: '0', downloadLink }) : behaviour)(turn);
  });
}

it('a paid photo whose server answers with a 404 page for a while is ordered once, in two runs', {
  timeout: 180_000,
}, async () => {
  misbehave(html(404), () => service.count('get_model') > 6);
  expect(await batch()).toMatchObject({ code: 0, out: expect.stringContaining('1 done') });
  expect(await batch()).toMatchObject({ code: 0, out: expect.stringContaining('1 already in the library') });
  expect(orders()).toBe(1);
});

it('a key that stays refused ends the run with a sentence; the same command goes on, and the id can be fetched by hand', {
  timeout: 240_000,
}, async () => {
  let mended = false;
  misbehave(answer(401), () => mended);
  // A minute passes at the second refusal, which is longer than a person is waited for. The first question of
  // all came before the order.
  const elapsed = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now');
  clock.mockImplementation(() => elapsed() + (service.count('get_model') > 2 ? 60_000 : 0));
  const stopped = await batch();
  clock.mockRestore();
  expect(stopped).toMatchObject({
    code: 4,
    out: expect.stringMatching(
      /Stopped: .*refused the Group B API key[\s\S]*\nRepeat the same command to continue/,
    ),
  });
  expect(stopped.out).toMatch(/1 ordered, not fetched yet/);

  expect(await likeness('model', 'get', 'model-1', '--connection', 'Scripted')).toMatchObject({
    code: 4,
    error: expect.stringMatching(/refused the Group B API key/),
  });
  mended = true;
  const head = join(home, 'head.glb');
  expect(
    await likeness('model', 'get', 'model-1', '--connection', 'Scripted', '--wait', '-o', head),
  ).toMatchObject({ code: 0, out: expect.stringContaining('model-1 at “Scripted”: ready') });
  expect(await readFile(head)).toEqual(service.glb);
  expect(await likeness('model', 'get', 'model-1', '--connection', 'Scripted', '-o', head)).toMatchObject({
    code: 1,
    error: expect.stringContaining('already exists'),
  });

  // Any command opens the queue: one above may have ended the job already.
  expect(await batch()).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^(1 done|0 done, 1 already in the library)/m),
  });
  expect(await likeness('model', 'get', 'model-1', '--connection', 'Scripted', '--add')).toMatchObject({
    code: 0,
    out: expect.stringContaining('“nobody” is in the library'),
  });
  expect(JSON.parse((await likeness('library', 'list', '--json')).out)).toMatchObject({ total: 1 });
  expect(orders()).toBe(1);
});

it('a model that no queue knows is put into the library by its id', { timeout: 120_000 }, async () => {
  const model = { sex: '1', eyelidType: '', fileName: '', asked: 5, idempotencyKey: null };
  service.models.set('seen-1', { id: 'seen-1', ...model });
  const get = (...more: string[]) => likeness('model', 'get', 'seen-1', '--connection', 'Scripted', ...more);
  expect(JSON.parse((await get('--json')).out)).toMatchObject({ id: 'seen-1', state: 'ready' });
  expect(await get('--add')).toMatchObject({ code: 0 });
  expect(JSON.parse((await likeness('library', 'list', '--json')).out)).toMatchObject({
    total: 1,
    models: [{ name: 'seen-1' }],
  });
  expect(orders()).toBe(0);
});
