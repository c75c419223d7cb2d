import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readFileIfThere, writeFileAtomically } from './atomic_file.ts';
import { tryFileLock } from './file_lock.ts';

const Holder = z.object({
  pid: z.number().int().positive(),
  kind: z.enum(['desktop', 'serve', 'cli']),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
});
export type InstanceKind = z.output<typeof Holder>['kind'];

/** The process that already uses a data folder. */
export type InstanceHolder = z.output<typeof Holder>;

export interface InstanceLock {
  release(): void;
}

export type InstanceLockResult =
  | { isAcquired: true; lock: InstanceLock }
  /** `holder` is null between taking the lock and recording its holder. */
  | { isAcquired: false; holder: InstanceHolder | null };

/**
 * Allows one studio per data folder, whichever entry started it. The lock ends with the process.
 * `instance.json` names its holder, and is only valid while the lock is held.
 *
 * @throws Failure `storage` if the folder isn't writable.
 */
export async function acquireInstanceLock(options: {
  folder: string;
  kind: InstanceKind;
  processId: number;
  clock: () => number;
}): Promise<InstanceLockResult> {
  const holderFile = join(options.folder, 'instance.json');
  const fileLock = tryFileLock(join(options.folder, 'instance.lock'));
  if (!fileLock) return { isAcquired: false, holder: await readHolder(holderFile) };

  const holder = { pid: options.processId, kind: options.kind, startedAt: options.clock() };
  await writeFileAtomically(holderFile, JSON.stringify(holder));
  return {
    isAcquired: true,
    lock: {
      release: () => {
        rmSync(holderFile, { force: true });
        fileLock.release();
      },
    },
  };
}

async function readHolder(holderFile: string): Promise<InstanceHolder | null> {
  const bytes = await readFileIfThere(holderFile);
  if (!bytes) return null;
  try {
    return Holder.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return null;
  }
}
