import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withFileLock } from '../../src/storage/file_lock.ts';
import { acquireInstanceLock } from '../../src/storage/instance_lock.ts';

const lockModule = `file://${resolve(import.meta.dirname, '../../src/storage/instance_lock.ts')}`;

describe('the instance lock', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'likeness-lock-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const acquire = () =>
    acquireInstanceLock({ folder, kind: 'desktop', processId: process.pid, clock: () => 1000 });

  it('is taken once, tells who holds it, and can be taken again after release', async () => {
    const first = await acquire();
    if (!first.isAcquired) throw new Error('The lock was taken.');
    const second = await acquire();
    expect(second).toEqual({
      isAcquired: false,
      holder: {
        pid: process.pid,
        kind: 'desktop',
        startedAt: 1000,
      },
    });
    expect(statSync(join(folder, 'instance.json')).mode & 0o777).toBe(0o600);
    first.lock.release();
    const third = await acquire();
    expect(third.isAcquired).toBe(true);
    if (third.isAcquired) third.lock.release();
  });

  it('of another process is respected while it lives, and gone when it is killed', async () => {
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `const { acquireInstanceLock } = await import(${JSON.stringify(lockModule)});
         const result = await acquireInstanceLock({ folder: ${JSON.stringify(folder)}, kind: 'serve', processId: process.pid, clock: Date.now });
         console.log(result.isAcquired);
         setInterval(() => {}, 1000);`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const said = await new Promise((ready) => child.stdout.once('data', ready));
    expect(String(said).trim()).toBe('true');
    const refused = await acquire();
    expect(refused).toMatchObject({ isAcquired: false, holder: { pid: child.pid, kind: 'serve' } });
    child.kill('SIGKILL');
    await new Promise((gone) => child.once('exit', gone));
    const taken = await acquire();
    expect(taken.isAcquired).toBe(true);
    if (taken.isAcquired) taken.lock.release();
  });

  it('lets one piece of work in at a time', async () => {
    const path = join(folder, 'work.lock');
    let inside = 0;
    let max = 0;
    const work = (): Promise<void> =>
      withFileLock(path, async () => {
        inside += 1;
        max = Math.max(max, inside);
        await new Promise((next) => setTimeout(next, 5));
        inside -= 1;
      });
    await Promise.all([work(), work(), work()]);
    expect(max).toBe(1);
    await withFileLock(path, async () => {
      await expect(withFileLock(path, async () => undefined, { waitMs: 20 })).rejects.toMatchObject({
        code: 'conflict',
        retryable: true,
      });
    });
  });
});
