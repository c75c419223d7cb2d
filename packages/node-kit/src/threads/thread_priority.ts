/**
 * Scheduling priority per thread, on systems that support it (Linux). Elsewhere one priority applies to all
 * threads of a process, so low-priority work has to wait.
 */
import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/** Returns the calling thread's id; null if threads have no separate priorities. */
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

/** Lowers the thread's priority: it gets a core when nothing else on the machine needs it. */
export const lower = (thread: number): boolean => set(thread, constants.priority.PRIORITY_LOW);

/** @returns false if the system doesn't allow raising a priority: then the thread must be replaced */
export const raise = (thread: number): boolean => set(thread, constants.priority.PRIORITY_NORMAL);
