/** The built command line beside the built studio, which is a process of its own, on one data folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bootDesktop } from '../fixtures/electron/boot.ts';
import { type Ended, startCommand } from '../support/command_line.ts';
import { sharedPhoto } from '../support/shared_heads.ts';

const built = (entry: string): string => join(import.meta.dirname, '../../out/main', entry);
let home: string;
let work: string;
const workingFolder = process.cwd();
const started: ChildProcess[] = [];
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'likeness-open-'));
  work = join(home, 'work');
  mkdirSync(join(work, 'photos'), { recursive: true });
  writeFileSync(join(work, 'photos', 'nobody.png'), await sharedPhoto('female'));
  // Paths are meant from where the command line stands.
  process.chdir(work);
});
afterAll(async () => {
  process.chdir(workingFolder);
  await Promise.all(
    started.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await exited;
    }),
  );
  await rm(home, { recursive: true, force: true });
});

const data = (): string => join(home, 'data');
/** Where a studio that is open, or was killed, takes commands. */
function point(): string | null {
  const file = join(data(), 'instance.commands');
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

async function serve(): Promise<ChildProcess> {
  const before = point();
  const child = spawn(process.execPath, [built('serve.js')], {
    // Not where the command line stands.
    cwd: home,
    env: { ...process.env, LIKENESS_HOME: data() },
    stdio: 'ignore',
  });
  started.push(child);
  await expect.poll(() => ![null, before].includes(point()), { timeout: 60_000 }).toBe(true);
  return child;
}

const begin = (args: string[], environment: Record<string, string> = {}) =>
  startCommand(args, { LIKENESS_HOME: data(), ...environment });
const likeness = (args: string[], environment?: Record<string, string>): Promise<Ended> =>
  begin(args, environment).ended;

const handed = 'Sent to the open studio.\n';

it('runs its commands in the studio that is open, with their own exit codes', {
  timeout: 300_000,
}, async () => {
  const studio = await serve();
  // Two at once: each waits for its own photos.
  const [batch, second] = await Promise.all([
    likeness(['batch', 'photos', '--sex', 'female', '--json', '--jobs', '2']),
    likeness(['batch', 'photos/nobody.png', '--sex', 'female', '--quiet']),
  ]);
  expect(batch).toMatchObject({ code: 0, error: expect.stringContaining(handed) });
  expect(batch.error).toContain('--jobs is ignored: the open studio');
  const lines = batch.out.trim().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ allDone: true, found: 1 });
  expect(second).toEqual({ code: 0, out: '', error: '' });

  const exported = await likeness(['library', 'export', '--all', '-o', 'head.glb']);
  expect(exported).toMatchObject({ code: 0, error: handed });
  expect(exported.out).toMatch(/^head\.glb: 1 head,/);
  expect(readFileSync(join(work, 'head.glb')).subarray(0, 4).toString()).toBe('glTF');

  // A relative path is meant from where the command line stands.
  expect(await likeness(['settings', 'export', 'settings.json'])).toMatchObject({
    code: 0,
    out: 'The settings are in settings.json.\n',
  });
  expect(JSON.parse(readFileSync(join(work, 'settings.json'), 'utf8'))).toMatchObject({ version: 1 });
  expect(await likeness(['settings', 'import', 'settings.json', '--dry-run'])).toMatchObject({
    code: 0,
    out: 'These settings are already in use.\n',
  });

  const { models } = JSON.parse((await likeness(['library', 'list', '--json', '--quiet'])).out);
  expect(models).toHaveLength(1);
  expect(await likeness(['library', 'erase', models[0].id])).toMatchObject({ code: 4 });
  expect(await likeness(['library', 'show', 'nobody'])).toMatchObject({ code: 1 });
  const mixed = await likeness(['image', 'submit', 'photos/nobody.png', 'nowhere.png', '--json']);
  expect(mixed.code).toBe(3);

  // Usage is seen to before anything is handed over.
  const wrong = await likeness(['batch', 'nowhere']);
  expect(wrong).toMatchObject({ code: 1, error: expect.not.stringContaining(handed) });

  // Keys of the terminal would have paid: nothing is handed over, and what needs no queue runs as ever.
  const withKey = { LIKENESS_API_KEY: 'sk-planted-key-0123456789' };
  const refused = await likeness(['batch', 'photos', '--sex', 'female'], withKey);
  expect(refused).toMatchObject({ code: 1, out: '', error: expect.stringContaining('never receives keys') });
  expect(await likeness(['library', 'list'], withKey)).toMatchObject({
    code: 0,
    error: expect.not.stringContaining(handed),
  });

  const asks = await likeness(['connections', 'bind', 'Built-in engine', '--yes']);
  expect(asks.error).not.toContain(handed);

  // A studio that is killed midway.
  const cut = begin(['batch', 'photos', '--sex', 'female', '--again']);
  await expect.poll(() => cut.written.error, { timeout: 60_000 }).toContain(handed);
  studio.kill('SIGKILL');
  expect(await cut.ended).toMatchObject({
    code: 1,
    error: expect.stringMatching(
      /closed the connection before the command had ended\.\nCheck the results in the studio/,
    ),
  });
  // What it left behind leads nowhere: the command line works by itself, and the next studio takes over.
  expect(await likeness(['library', 'list'])).toMatchObject({
    code: 0,
    error: expect.not.stringContaining(handed),
  });
  await serve();
  expect(await likeness(['library', 'list'])).toMatchObject({ code: 0, error: handed });
});

it('runs them in the desktop app too, until that is quit', { timeout: 120_000 }, async () => {
  await using app = await bootDesktop();
  const here = { LIKENESS_HOME: app.dataFolder };
  const file = join(app.dataFolder, 'instance.commands');
  await expect.poll(() => existsSync(file), { timeout: 60_000 }).toBe(true);
  expect(await likeness(['library', 'list'], here)).toEqual({ code: 0, out: '0 heads\n', error: handed });

  // A studio of another version: what needs its queue is refused, the rest runs beside it.
  const announced = readFileSync(file, 'utf8');
  writeFileSync(file, announced.replace(/"version":"[^"]+"/, '"version":"0.0.1"'));
  expect(await likeness(['batch', 'photos', '--sex', 'female'], here)).toMatchObject({
    code: 1,
    error: expect.stringMatching(
      /^The open studio is version 0\.0\.1, .*\nUse the command line that came with it/,
    ),
  });
  expect(await likeness(['library', 'list'], here)).toMatchObject({
    code: 0,
    out: '0 heads\n',
    error: expect.stringContaining('This command runs beside it.'),
  });
  writeFileSync(file, announced);

  await app.evaluate(({ electron }) => electron.app.quit());
  await app.ended;
  expect(existsSync(file)).toBe(false);
});
