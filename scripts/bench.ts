/**
 * `npm run bench [-- name …]`: every benchmark in test/bench, each in a process of its own, or those
 * whose names have such a part.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ensureBuilt } from './build.ts';
import { mainFlags } from './main_flags.ts';

const root = join(import.meta.dirname, '..');
const wanted = process.argv.slice(2);
const benches = globSync('test/bench/**/*.bench.ts', { cwd: root })
  .toSorted()
  .filter((file) => wanted.length === 0 || wanted.some((name) => basename(file).includes(name)));
if (benches.length === 0) {
  console.error(`No benchmark is called ${wanted.join(' or ')}.`);
  process.exit(1);
}
ensureBuilt((line) => console.log(line));
let failed = 0;
for (const file of benches) {
  console.log(`\n── ${basename(file, '.bench.ts')}`);
  const { status } = spawnSync(process.execPath, [...mainFlags, '--expose-gc', file], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) failed += 1;
}
console.log(`\n${benches.length - failed} benchmarks held their limits, ${failed} did not`);
process.exit(failed === 0 ? 0 : 1);
