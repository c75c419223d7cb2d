/** What systemd, Docker and Compose start is started here by the same command lines, without them. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';
import { findReader } from '../../scripts/readers.ts';
import { freePort, hasRedis } from '../support/service/redis_server.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'build/service');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const units = ['likeness.service', 'likeness-worker.service'] as const;
/** A setting of a unit, as it would be with this clone in /opt/likeness. */
const setting = (unit: string, name: string): string =>
  new RegExp(`^${name}=(.+)$`, 'm').exec(unit)![1]!.replaceAll('/opt/likeness', root);
const instruction = (name: string): string => new RegExp(`^${name} (.+)$`, 'm').exec(read('Dockerfile'))![1]!;
const inFormOfExec = (name: string): string[] => JSON.parse(instruction(name)) as string[];
const within = { timeout: 60_000, interval: 50 };

function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'likeness-units-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** Starts a command as systemd or Docker would: with these variables alone. */
function start(
  [command = '', ...args]: readonly string[],
  home: string,
): { child: ChildProcess; output: () => string; ended: Promise<unknown[]> } {
  const child = spawn(command, args, { cwd: root, env: { PATH: process.env.PATH, LIKENESS_HOME: home } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  return { child, output: () => output, ended: once(child, 'exit') };
}

/** False, with a printed reason, where systemd's own check can't be run. */
function hasSystemd(): boolean {
  const { error } = spawnSync('systemd-analyze', ['--version']);
  if (error) console.log(`No systemd-analyze here (${error.message}): skipped.`);
  return !error;
}

test.skipIf(!hasSystemd()).each(units)('systemd finds no fault in %s', (name) => {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, read(name).replaceAll('/opt/likeness', root));
  const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  expect(stderr.split('\n').filter((line) => line.includes(name))).toEqual([]);
});

test('the command of unit and image serves, reloads, reports its health, and ends in order', async () => {
  const unit = read('likeness.service');
  // The two command lines are compared in service_deployment.test.ts.
  const command = [...setting(unit, 'ExecStart').split(' '), ...inFormOfExec('CMD').slice(1), '--port', '0'];
  const { child, output, ended } = start(command, temporaryFolder());
  const found = (): string => /listens on (http:\S+?)\.?\s/.exec(output())?.[1] ?? '';
  await vi.waitFor(() => expect(found(), output()).not.toBe(''), within);
  const check = instruction('HEALTHCHECK').replace(/^CMD node/, `"${process.execPath}"`);
  expect(check).toContain('http://127.0.0.1:8787');
  const address = found().replace('0.0.0.0', '127.0.0.1');
  const isHealthy = async (): Promise<boolean> => {
    const shell = spawn('sh', ['-c', check.replace('http://127.0.0.1:8787', address)]);
    return (await once(shell, 'exit'))[0] === 0;
  };
  const [reload = '', ...args] = setting(unit, 'ExecReload')
    .replace('$MAINPID', String(child.pid))
    .split(' ');
  expect(spawnSync(reload, args).status).toBe(0);
  expect(await isHealthy()).toBe(true);
  child.kill(setting(unit, 'KillSignal') as NodeJS.Signals);
  expect(await ended, output()).toEqual([0, null]);
  expect(await isHealthy()).toBe(false);
}, 90_000);

interface Compose {
  services: Record<'queue' | 'worker', { command: string[]; stop_grace_period?: string }>;
}
const { queue, worker } = (parse(read('compose.yaml'), { merge: true }) as Compose).services;

test.skipIf(!hasRedis())(
  'the compose file’s queue keeps what it answered, and the worker’s command works on it',
  async () => {
    const data = temporaryFolder();
    const [, ...flags] = queue.command;
    const port = await freePort();
    const redis = start([findReader('redis-server')!, ...flags, '--port', String(port), '--dir', data], data);
    await vi.waitFor(() => expect(redis.output()).toContain('Ready to accept connections'), within);
    const [, ...entry] = inFormOfExec('ENTRYPOINT');
    const address = ['--queue', `redis://127.0.0.1:${port}`, '--store', data];
    const running = start([process.execPath, ...entry, ...worker.command, ...address], data);
    await vi.waitFor(() => expect(running.output()).toContain('takes heads'), within);
    expect(running.output()).not.toMatch(/maxmemory-policy|append/);
    running.child.kill('SIGTERM');
    expect(await running.ended, running.output()).toEqual([0, null]);
  },
  90_000,
);

test('all give running work more time to end than the service itself does', () => {
  const defaultDrain = 30;
  for (const unit of units)
    expect(Number(setting(read(unit), 'TimeoutStopSec')), unit).toBeGreaterThan(defaultDrain);
  expect(Number.parseInt(worker.stop_grace_period ?? '', 10)).toBeGreaterThan(defaultDrain);
});
