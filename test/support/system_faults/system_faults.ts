/** Faults of system calls, below SQLite and Node: for a process that was started with the library preloaded. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FaultPlace } from '../disk_faults.ts';

/**
 * Starts this program again with the library, which Debian's `gcc` compiles, and ends with its exit code; returns at
 * once in the program that was started so.
 */
export function preloadSystemFaults(): void {
  if (process.env.LD_PRELOAD) return;
  const folder = mkdtempSync(join(tmpdir(), 'likeness-system-faults-'));
  const library = join(folder, 'system_faults.so');
  execFileSync('gcc', [
    '-shared',
    '-fPIC',
    '-O1',
    '-o',
    library,
    join(import.meta.dirname, 'system_faults.c'),
    '-ldl',
  ]);
  const { status } = spawnSync(process.execPath, process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, LD_PRELOAD: library },
  });
  rmSync(folder, { recursive: true });
  process.exit(status ?? 1);
}

/** As `withFault`, for system calls. */
export async function withSystemFault(
  { folder, fault, at }: FaultPlace,
  work: () => Promise<unknown>,
): Promise<boolean> {
  control(`${fault}/${at}${folder}`);
  let isReached = false;
  try {
    await work();
  } finally {
    isReached = control('off') === 'EEXIST';
  }
  return isReached;
}

/** @returns the error's code: EEXIST if the fault that was armed before was reached */
function control(order: string): string {
  try {
    openSync(`/likeness-fault/${order}`, 'r');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? '';
  }
  return '';
}
