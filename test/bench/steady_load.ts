/**
 * So much other work, always the same: busy processes at normal priority, begun and ended by the benchmark.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Works through an array larger than a core's cache, so that memory is as busy as in real work. Ends with its
 * parent.
 */
const work = /* js */ `
process.on('disconnect', () => process.exit(0));
const numbers = new Float64Array(1 << 20).fill(1);
const step = () => {
  for (let at = 1; at < numbers.length; at++) numbers[at] = Math.sqrt(numbers[at - 1] + at);
  setImmediate(step);
};
step();
process.send('busy');`;

/** @returns what ends it */
export async function startLoad(processes: number): Promise<() => void> {
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, ['--eval', work], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { ...process.env, NODE_OPTIONS: '' },
    }),
  );
  await Promise.all(children.map((child) => once(child, 'message')));
  return () => {
    for (const child of children) child.kill('SIGKILL');
  };
}
