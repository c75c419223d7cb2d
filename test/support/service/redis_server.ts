import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { Redis } from 'ioredis';
import { findReader } from '../../../scripts/readers.ts';

/** A Redis of its own, from Debian's package, on loopback. */
export interface TestRedis {
  url: string;
  /** For looks from outside. */
  redis: Redis;
  /** Stops its process, as a machine that hangs would, or lets it go on. */
  hang(isHanging: boolean): void;
  /** As a crash would. */
  kill(): Promise<void>;
  /** Again, with what is on its disk. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface TestRedisOptions {
  /** Where it keeps its data. */
  folder: string;
  /** Every command on the disk before it is answered. Default: nothing is ever written to it. */
  appendOnly?: boolean;
}

/** False, with a printed reason, where there is no Redis: then its tests are skipped. */
export function hasRedis(): boolean {
  const found = findReader('redis-server');
  if (!found)
    console.log('No redis-server here (Debian: redis-server; or name it in LIKENESS_REDIS): skipped.');
  return found !== null;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function startRedis({ folder, appendOnly = false }: TestRedisOptions): Promise<TestRedis> {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: null });
  redis.on('error', () => {});
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    const flags = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    if (appendOnly) flags.push('--appendonly', 'yes', '--appendfsync', 'always');
    child = spawn(findReader('redis-server')!, flags, { stdio: 'ignore' });
    if (redis.status === 'wait') redis.connect().catch(() => {});
    while ((await redis.ping().catch(() => '')) !== 'PONG') await new Promise((go) => setTimeout(go, 20));
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  await start();
  return {
    url,
    redis,
    hang: (isHanging) => void child.kill(isHanging ? 'SIGSTOP' : 'SIGCONT'),
    kill,
    restart: start,
    async close() {
      redis.disconnect();
      await kill();
    },
  };
}
