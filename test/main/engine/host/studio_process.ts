/** A studio's process with nothing but the engine's supervisor, to be killed by a test. */
import { randomBytes } from 'node:crypto';
import { createEngine } from '../../../../main/engine_host/engine_supervisor.ts';
import { forkNode } from '../../../../main/shell/none/child_process.ts';
import { entries } from './engine_harness.ts';

const engine = createEngine({
  fork(entry, options) {
    const child = forkNode(entry, options);
    process.send?.({ pid: child.pid });
    return child;
  },
  entry: entries.makers,
  folder: process.argv[2]!,
  version: '1',
  clock: {
    now: Date.now,
    after(milliseconds, callback) {
      const timer = setTimeout(callback, milliseconds);
      return () => clearTimeout(timer);
    },
  },
  randomBytes,
  loadExternal: async () => null,
  saveExternal: async () => {},
  onChanged: () => {},
  log: () => {},
});
const { url } = await engine.connect();
process.send?.({ url });
