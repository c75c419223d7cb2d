import { fork, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EngineStatus } from '#contract';
import type { EngineSupervisor } from '../../../main/engine_host/engine_supervisor.ts';
import type { ExternalAccess } from '../../../main/engine_host/external_listener.ts';
import { forkNode } from '../../../main/shell/none/child_process.ts';
import { entries, startTestEngine, temporaryFolder } from '../../support/service/engine_harness.ts';
import { superviseEngine } from './supervised_engine.ts';

let folder: ReturnType<typeof temporaryFolder>;
let engines: EngineSupervisor[];
let stored: ExternalAccess | null;
let pids: number[];
let log: string[];
let statuses: EngineStatus[];

beforeEach(() => {
  folder = temporaryFolder();
  engines = [];
  stored = null;
  pids = [];
  log = [];
  statuses = [];
});
afterEach(async () => {
  for (const engine of engines) await engine.close();
  folder.remove();
});

function supervise(entry = entries.makers): EngineSupervisor {
  const engine = superviseEngine({
    folder: folder.path,
    entry,
    onForked: (pid) => pids.push(pid),
    loadExternal: async () => stored,
    saveExternal: async (access) => {
      stored = access;
    },
    onChanged: (status) => statuses.push(status),
    log: (level, message) => log.push(`${level}: ${message}`),
  });
  engines.push(engine);
  return engine;
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
const health = async (url: string, headers: Record<string, string>): Promise<number> => {
  const response = await fetch(`${url}/health`, { headers });
  await response.body?.cancel();
  return response.status;
};
const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
};

it('starts at the first need, once for all who ask, and ends with the studio', async () => {
  const engine = supervise();
  // A start would have begun as soon as the supervisor read what is stored.
  await new Promise((resolve) => setImmediate(resolve));
  expect(pids).toEqual([]);
  expect(engine.status()).toMatchObject({ state: 'stopped', restarts: 0, queued: 0, running: 0 });
  const [one, two] = await Promise.all([engine.connect(), engine.connect()]);
  expect(one).toEqual(two);
  expect(pids).toHaveLength(1);
  expect(engine.status()).toMatchObject({ state: 'running', message: '' });
  expect(await health(one.url, { authorization: `Bearer ${one.accessToken}` })).toBe(200);
  expect(await health(one.url, { auth_ak: one.apiKey })).toBe(200);
  await engine.close();
  expect(isAlive(pids[0]!)).toBe(false);
  await expect(engine.connect()).rejects.toMatchObject({ code: 'unreachable' });
});

it('starts again when it dies, with new keys and a new port', async () => {
  const engine = supervise();
  const before = await engine.connect();
  process.kill(pids[0]!, 'SIGKILL');
  await vi.waitFor(() => expect(engine.status().restarts).toBe(1));
  const after = await engine.connect();
  expect(engine.status()).toMatchObject({ state: 'running', restarts: 1 });
  expect(after.accessToken).not.toBe(before.accessToken);
  expect(after.apiKey).not.toBe(before.apiKey);
  expect(await health(after.url, { auth_ak: after.apiKey })).toBe(200);
  expect(await health(after.url, { auth_ak: before.apiKey })).toBe(401);
});

it('gives up after some deaths in a row, says why, and can be started by hand', async () => {
  const engine = supervise(entries.failing);
  await expect(engine.connect()).rejects.toMatchObject({
    code: 'unreachable',
    message: expect.stringContaining('the weights are damaged'),
    hint: expect.stringContaining('Restart'),
  });
  expect(engine.status()).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('the weights are damaged'),
    restarts: 5,
  });
  expect(pids).toHaveLength(6);
  // It stays so until a person restarts it, so that nothing waits for it without end.
  await expect(engine.connect()).rejects.toMatchObject({ code: 'unreachable', needsPerson: true });
  expect(pids).toHaveLength(6);
  await expect(engine.restart()).rejects.toMatchObject({ code: 'unreachable' });
  expect(pids.length).toBeGreaterThan(6);
});

it('restarts by hand', async () => {
  const engine = supervise();
  const before = await engine.connect();
  expect(await engine.restart()).toMatchObject({ state: 'running', restarts: 0 });
  expect(isAlive(pids[0]!)).toBe(false);
  expect((await engine.connect()).apiKey).not.toBe(before.apiKey);
});

it('opens to other programs on a fixed port with a key of its own, for both groups', async () => {
  const engine = supervise();
  const own = await engine.connect();
  const port = await freePort();
  const opened = await engine.setExternal({ enabled: true, port });
  const key = await engine.externalKey();
  expect(opened.external).toEqual({
    enabled: true,
    port,
    url: `http://127.0.0.1:${port}`,
    keyLastFour: key.slice(-4),
  });
  expect(stored).toEqual({ enabled: true, port, key });
  const { url } = opened.external;
  expect(await health(url, { authorization: `Bearer ${key}` })).toBe(200);
  expect(await health(url, { auth_ak: key })).toBe(200);
  // Neither key opens the other's door.
  expect(await health(url, { auth_ak: own.apiKey })).toBe(401);
  expect(await health(own.url, { auth_ak: key })).toBe(401);

  await engine.renewExternalKey();
  const renewed = await engine.externalKey();
  expect(await health(url, { auth_ak: key })).toBe(401);
  expect(await health(url, { auth_ak: renewed })).toBe(200);

  const closed = await engine.setExternal({ enabled: false, port });
  expect(closed.external).toMatchObject({ enabled: false, url: '' });
  await expect(fetch(`${url}/health`)).rejects.toThrow();
  expect(await health(own.url, { auth_ak: own.apiKey })).toBe(200);
});

it('says so where another program has the port, and leaves everything as it was', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const engine = supervise();
  await expect(engine.setExternal({ enabled: true, port })).rejects.toMatchObject({
    code: 'conflict',
    message: `Port ${port} is in use by another program.`,
    field: 'port',
  });
  expect(engine.status()).toMatchObject({ state: 'running', external: { enabled: false, url: '' } });
  expect(stored).toBe(null);
  await engine.close();

  // Stored from an earlier run: the studio itself works, and the status tells.
  stored = { enabled: true, port, key: randomBytes(32).toString('base64url') };
  const next = supervise();
  const { url, apiKey } = await next.connect();
  expect(await health(url, { auth_ak: apiKey })).toBe(200);
  expect(next.status()).toMatchObject({
    message: `Port ${port} is in use by another program.`,
    external: { enabled: true, url: '' },
  });
  await new Promise((resolve) => other.close(resolve));
});

it('starts by itself where it is open to other programs, and again for them when it dies', async () => {
  const port = await freePort();
  stored = { enabled: true, port, key: randomBytes(32).toString('base64url') };
  supervise();
  const url = `http://127.0.0.1:${port}`;
  const headers = { auth_ak: stored.key! };
  await vi.waitFor(async () => expect(await health(url, headers)).toBe(200), 10_000);
  process.kill(pids[0]!, 'SIGKILL');
  await vi.waitFor(() => expect(pids).toHaveLength(2), 5000);
  await vi.waitFor(async () => expect(await health(url, headers)).toBe(200), 10_000);
});

it('goes on without external access while its key is locked, and opens it when unlocked', async () => {
  const port = await freePort();
  let locked = true;
  const key = randomBytes(32).toString('base64url');
  const engine = superviseEngine({
    folder: folder.path,
    loadExternal: async () => {
      if (locked) throw new Error('keys are locked');
      return { enabled: true, port, key };
    },
  });
  engines.push(engine);
  await engine.connect();
  await expect(engine.setExternal({ enabled: true, port })).rejects.toThrow('keys are locked');
  locked = false;
  expect((await engine.applyStoredExternal()).external).toMatchObject({ enabled: true, port });
  expect(await health(`http://127.0.0.1:${port}`, { auth_ak: key })).toBe(200);
});

it('never shows a key: not in arguments, environment, log, status or files', async () => {
  const engine = supervise();
  const { accessToken, apiKey } = await engine.connect();
  await engine.setExternal({ enabled: true, port: await freePort() });
  const key = await engine.externalKey();
  const places = [JSON.stringify(statuses), log.join('\n')];
  if (existsSync(`/proc/${pids[0]}`)) {
    places.push(readFileSync(`/proc/${pids[0]}/cmdline`, 'utf8'));
    places.push(readFileSync(`/proc/${pids[0]}/environ`, 'utf8'));
  }
  await engine.close();
  for (const name of ['engine.sqlite', 'engine.sqlite-wal']) {
    const file = join(folder.path, '1', name);
    if (existsSync(file)) places.push(readFileSync(file, 'latin1'));
  }
  for (const secret of [accessToken, apiKey, key]) {
    for (const place of places) expect(place.includes(secret)).toBe(false);
  }
});

it('is gone when the studio is killed', async () => {
  const studio = fork(join(import.meta.dirname, 'studio_process.ts'), [folder.path], { stdio: 'ignore' });
  let pid = 0;
  await new Promise<void>((resolve) => {
    studio.on('message', (message: { pid?: number; url?: string }) => {
      if (message.pid) pid = message.pid;
      if (message.url) resolve();
    });
  });
  expect(isAlive(pid)).toBe(true);
  studio.kill('SIGKILL');
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 5000);
});

it('speaks with Electron as its parent as with Node', async () => {
  const engine = await startTestEngine({
    folder: folder.path,
    preload: join(import.meta.dirname, 'utility_process.ts'),
  });
  expect(await health(engine.url, { auth_ak: engine.apiKey })).toBe(200);
  const gone = new Promise((resolve) => engine.child.once('exit', resolve));
  engine.child.send({ kind: 'stop' });
  expect(await gone).toBe(0);
});

it('can not be started by hand', async () => {
  const { status, stderr } = spawnSync(process.execPath, [entries.makers], { encoding: 'utf8' });
  expect(status).toBe(2);
  expect(stderr).toContain('started by Likeness Studio');
});

it('a process of ours gets the flags that it is started with, after those of its parent', async () => {
  const entry = join(folder.path, 'flags.mjs');
  writeFileSync(entry, 'process.once("message", () => process.send(process.execArgv));');
  const child = forkNode(entry, { name: 'Flags', env: {}, flags: ['--max-semi-space-size=2'] });
  const told = new Promise((resolve) => child.onMessage(resolve));
  child.postMessage({});
  expect(await told).toEqual([...process.execArgv, '--max-semi-space-size=2']);
  child.kill();
});
