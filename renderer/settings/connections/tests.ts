/**
 * Connection tests, running and finished, by connection. They live outside the form: a new connection gets
 * another form when it is saved, and results stay until dismissed.
 */
import type { ConnectionReport } from '#contract';
import { notifyFailure } from '../../base/notices.tsx';
import { createStore } from '../../base/store.ts';
import { studio } from '../../base/studio.ts';

/** Without a report it is under way. */
interface Test {
  report: ConnectionReport | undefined;
}

const tests = createStore<ReadonlyMap<string, Test>>(new Map());

function put(id: string, test: Test | undefined): void {
  const next = new Map(tests.get());
  if (test) next.set(id, test);
  else next.delete(id);
  tests.set(next);
}

/** Asks the connection's servers. Each test of a connection takes the place of its last one. */
export async function runTest(id: string): Promise<void> {
  const test: Test = { report: undefined };
  put(id, test);
  const isLast = (): boolean => tests.get().get(id) === test;
  try {
    const report = await studio.connections.test({ id });
    if (isLast()) put(id, { report });
  } catch (thrown) {
    if (isLast()) put(id, undefined);
    notifyFailure(thrown);
  }
}

export const closeTest = (id: string): void => put(id, undefined);

export const useTest = (id: string): Test | undefined => tests.use((all) => all.get(id));
