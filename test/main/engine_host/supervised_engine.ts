import { randomBytes } from 'node:crypto';
import {
  EngineSupervisor,
  type EngineSupervisorOptions,
} from '../../../main/engine_host/engine_supervisor.ts';
import { forkNode } from '../../../main/shell/none/child_process.ts';
import { entries } from '../../support/service/engine_harness.ts';

/** How many times faster than in life restarts follow. */
const haste = 1000;

interface SupervisedEngineOptions extends Partial<EngineSupervisorOptions> {
  folder: string;
  onForked?: (pid: number) => void;
}

/** An engine under the studio's own supervisor. Unless told otherwise nothing is stored, and nobody is told. */
export const superviseEngine = ({
  onForked = () => {},
  ...options
}: SupervisedEngineOptions): EngineSupervisor =>
  new EngineSupervisor({
    fork(path, forkOptions) {
      const child = forkNode(path, forkOptions);
      onForked(child.pid!);
      return child;
    },
    entry: entries.makers,
    version: '1.2.3',
    clock: {
      now: Date.now,
      after(milliseconds, callback) {
        const timer = setTimeout(callback, milliseconds >= 5000 ? milliseconds : milliseconds / haste);
        return () => clearTimeout(timer);
      },
    },
    randomBytes,
    loadExternal: async () => null,
    saveExternal: async () => {},
    onChanged: () => {},
    log: () => {},
    ...options,
  });
