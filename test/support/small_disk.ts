import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';

/** A disk of a few megabytes that a test may fill or make read-only. */
export interface SmallDisk {
  /** Leaves not a byte free. */
  fill(): void;
  /** Takes away what filled it. */
  free(): void;
  readOnly(readOnly: boolean): void;
}

const mount = (...words: string[]): string => {
  const { status, stderr, error } = spawnSync('mount', words, { encoding: 'utf8' });
  return status === 0 ? '' : error?.message || stderr.trim() || `mount ended with ${status}`;
};

/**
 * Mounts a small disk (a Linux tmpfs) at a folder until the test is over; skips the test where that can't be done.
 *
 * @param atEnd Has it unmounted; default: after everything else of the test.
 */
export function smallDisk(
  folder: string,
  megabytes: number,
  context: TestContext,
  atEnd: (unmount: () => Promise<void>) => void = onTestFinished,
): SmallDisk {
  const disk = mounted(folder, megabytes);
  if (typeof disk !== 'string') {
    atEnd(async () => {
      spawnSync('umount', ['-l', folder]);
    });
    return disk;
  }
  console.log(`skipped “${context.task.name}”: ${disk}`);
  return context.skip(disk);
}

/** @returns Why it can't be done, else the disk. */
function mounted(folder: string, megabytes: number): SmallDisk | string {
  if (process.platform !== 'linux') return 'only Linux has a disk in memory that a test may mount';
  if (process.getuid?.() !== 0) return 'only root may mount a disk';
  mkdirSync(folder, { recursive: true });
  const refused = mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'likeness-test', folder);
  if (refused !== '') return refused;
  const ballast = join(folder, 'ballast');
  return {
    fill() {
      for (const bytes of [1 << 20, 1 << 12]) {
        for (let full = false; !full; ) {
          try {
            writeFileSync(ballast, Buffer.alloc(bytes), { flag: 'a' });
          } catch {
            full = true;
          }
        }
      }
    },
    free: () => rmSync(ballast),
    readOnly(readOnly) {
      const failed = mount('-o', `remount,${readOnly ? 'ro' : 'rw'}`, folder);
      if (failed !== '') throw new Error(failed);
    },
  };
}
