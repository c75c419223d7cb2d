/**
 * Connection tests, under way and over, by connection. They live outside the form: a new connection gets another form
 * when it is saved, and what was found stays until it is put aside.
 */
import { useSyncExternalStore } from 'react';
import type { ConnectionReport } from '#contract';
import { tellFailure } from '../../base/notices.tsx';
import { studio } from '../../base/studio.ts';

/** Without a report it is under way. */
interface Test {
  report: ConnectionReport | undefined;
}

let tests: ReadonlyMap<string, Test> = new Map();
const watchers = new Set<() => void>();

function put(id: string, test: Test | undefined): void {
  const next = new Map(tests);
  if (test) next.set(id, test);
  else next.delete(id);
  tests = next;
  for (const watcher of watchers) watcher();
}

/** Asks the connection's servers. Each test of a connection takes the place of its last one. */
export async function runTest(id: string): Promise<void> {
  const test: Test = { report: undefined };
  put(id, test);
  const isLast = (): boolean => tests.get(id) === test;
  try {
    const report = await studio.connections.test({ id });
    if (isLast()) put(id, { report });
  } catch (thrown) {
    if (isLast()) put(id, undefined);
    tellFailure(thrown);
  }
}

export const closeTest = (id: string): void => put(id, undefined);

export const useTest = (id: string): Test | undefined =>
  useSyncExternalStore(
    (changed) => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    () => tests.get(id),
  );
