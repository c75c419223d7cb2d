/**
 * Scheduling priority per thread, on systems that support it (Linux). Elsewhere one priority applies to all
 * threads of a process, so low-priority work has to wait.
 */
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/** The calling thread, as others name it; null where it has no priority of its own. */
export function ownThread(): number | null {
  if (process.platform !== 'linux') return null;
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return null; // no /proc here
  }
}

const set = (thread: number, priority: number): boolean => {
  try {
    setPriority(thread, priority);
    return true;
  } catch {
    return false; // it has ended, or the system forbids it
  }
};

/** From here on the thread gets a core when nothing else of the machine wants it. */
export const lower = (thread: number): boolean => set(thread, constants.priority.PRIORITY_LOW);

/** @returns false where the system lets nobody take a low priority back: then the thread is to be replaced */
export const raise = (thread: number): boolean => set(thread, constants.priority.PRIORITY_NORMAL);
