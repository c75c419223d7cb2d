/** The built command line, as whoever runs a service uses it. */
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine, type Ended, spawnCommand } from '../../../test/support/command_line.ts';
import { type ServiceProcess, startServiceProcess } from '../../../test/support/service/service_process.ts';
import { call, groupB } from './service_harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'likeness-commands-'));
let service: ServiceProcess;
beforeAll(async () => {
  service = await startServiceProcess(folder);
}, 60_000);
afterAll(() => {
  service.process.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const inProcess = commandLine(() => ({ LIKENESS_HOME: join(folder, 'data') }));
const likeness = (...args: string[]): Promise<Ended> => inProcess('service', ...args);
const here = ['--folder', folder];
const health = async (secret: string): Promise<number> =>
  (await call(service, '/health', { headers: { auth_ak: secret } })).status;
const secretIn = ({ out }: Ended): string => /lksk_[\w-]+/.exec(out)?.[0] ?? '';

describe('likeness service', { timeout: 60_000 }, () => {
  it('makes, lists, rotates and revokes keys of a service that runs, and shows each once', async () => {
    const args = ['service', 'keys', 'add', 'bob', '--tenant', 'team', ...here];
    const added = await spawnCommand(args, {}).ended;
    const first = secretIn(added);
    await expect.poll(() => health(first)).toBe(200);
    const listed = await likeness('keys', 'list', ...here);
    expect(listed.out).toMatch(/bob +team/);
    expect(listed.out).not.toContain(first);
    expect((await likeness('keys', 'add', 'bob', ...here)).code).not.toBe(0);
    const second = secretIn(await likeness('keys', 'rotate', 'bob', '--grace', '1', ...here));
    await expect.poll(() => health(second)).toBe(200);
    expect(await health(first)).toBe(200);
    expect((await likeness('keys', 'revoke', 'bob', ...here)).code).toBe(0);
    for (const secret of [first, second]) await expect.poll(() => health(secret)).toBe(401);
  });

  it('tells usage and the audit log while the service runs, as tables that others read', async () => {
    await call(service, '/v1/usage', { headers: groupB({ secret: service.key } as never) });
    const usage = await likeness('usage', '--format', 'csv', ...here);
    expect(usage.out).toMatch(
      /^month,tenant,key,id,calls,failed,seconds,frames,models\r\n\d{4}-\d{2},ada,ada,/,
    );
    const wrong = await likeness('usage', '--month', '2026-13', ...here);
    expect(wrong).toMatchObject({ code: 2, error: expect.stringContaining('2026-11') });
    expect((await likeness('audit', 'verify', ...here)).out).toMatch(/^Intact/);
    const lines = (await likeness('audit', 'export', ...here)).out.trim().split('\n');
    expect(JSON.parse(lines[0]!)).toMatchObject({ sequence: 1, kind: 'call' });
    // The mark by which Excel knows the encoding, as it is and not as an escape.
    const table = await likeness('audit', 'export', '--format', 'csv', ...here);
    expect(table.out).toMatch(/^\ufeffsequence,at,kind,/);
  });

  it('serves no address that others reach without TLS or an explicit word', async () => {
    const refused = await likeness('start', '--host', '0.0.0.0', '--port', '0', ...here);
    expect(refused.code).toBe(4);
    expect(refused.error).toContain('--insecure-http');
  });

  it.skipIf(process.getuid?.() !== 0)('gives keys that root makes to whom the folder belongs', async () => {
    const theirs = mkdtempSync(join(tmpdir(), 'likeness-theirs-'));
    chownSync(theirs, 12_345, 12_346);
    await likeness('keys', 'add', 'first', '--folder', theirs);
    for (const name of ['keys.json', 'keys.lock'])
      expect(statSync(join(theirs, name)), name).toMatchObject({ uid: 12_345, gid: 12_346 });
    rmSync(theirs, { recursive: true });
  });

  it('ends in order when it is told to', async () => {
    const ended = once(service.process, 'exit');
    service.process.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect((await likeness('audit', 'verify', ...here)).out).toMatch(/^Intact/);
  });
});
