import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startServiceProcess } from '../../../test/support/service/service_process.ts';
import { sized } from '../../../test/support/sizes.ts';
import { call } from './service_harness.ts';

/** What is asked for, or as many as this process may open. */
const wanted = sized(3000, 10_000);
const mayOpen = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })) - 500;
const max = Number.isFinite(mayOpen) ? Math.min(wanted, mayOpen) : wanted;

const isLinux = process.platform === 'linux';
if (!isLinux) console.log('skipped: thousands of connections need the many loopback addresses of Linux');

it.skipIf(!isLinux)(
  'thousands of open connections keep nobody out who has a key, and take a bounded memory',
  async () => {
    if (max < wanted) console.log(`with ${max} connections: this system lets a process open no more`);
    const folder = await mkdtemp(join(tmpdir(), 'likeness-connections-'));
    const service = await startServiceProcess(folder);
    const open: Socket[] = [];
    onTestFinished(() => {
      for (const socket of open) socket.destroy();
      service.process.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    });
    const { port } = new URL(service.url);
    const connected = (address: string): Promise<Socket> =>
      new Promise((resolve) => {
        const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress: address });
        socket.once('connect', () => resolve(socket));
        socket.on('error', () => resolve(socket));
        socket.resume();
      });
    const memory = (): number => {
      const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    };
    const health = () => call(service, '/health', { headers: { auth_ak: service.key } });
    await expect.poll(async () => (await health()).status).toBe(200);
    const before = memory();
    while (open.length < max) {
      // Some at a time: beyond the system's backlog a client believes in connections that no server has.
      const address = `127.0.0.${2 + Math.floor(open.length / 2500)}`;
      open.push(...(await Promise.all(Array.from({ length: 100 }, () => connected(address)))));
    }
    for (let i = 0; i < 5; i += 1) expect((await health()).status).toBe(200);
    // Strangers may hold so many of what a listener bears.
    await expect
      .poll(() => open.filter(({ closed }) => !closed).length, { timeout: 30_000 })
      .toBeLessThanOrEqual(1024);
    expect(memory() - before).toBeLessThan(200);
    expect((await health()).status).toBe(200);
  },
  120_000,
);
