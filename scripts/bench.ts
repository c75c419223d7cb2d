/**
 * `npm run bench [-- name …]`: runs the benchmarks in test/bench, each in a separate process. Names select
 * benchmarks by full or partial name.
 *
 * `--against REF [--turns N]`: see bench_against.ts. `--write` updates the figures in docs/quality.md.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { BenchError, benchAgainst } from './bench/bench_against.ts';
import { ensureBuilt } from './build.ts';
import { mainFlags } from './main_flags.ts';

const root = join(import.meta.dirname, '..');
const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: 'string' },
    turns: { type: 'string', default: '5' },
    write: { type: 'boolean', default: false },
  },
});
const all = globSync('test/bench/**/*.bench.ts', { cwd: root }).toSorted();
const benches = all.filter((file) => wanted.length === 0 || wanted.some((name) => isMeant(file, name)));
/** A whole name means that one, though other names contain it. */
function isMeant(file: string, name: string): boolean {
  const nameOf = (one: string): string => basename(one, '.bench.ts');
  return all.some((one) => nameOf(one) === name) ? nameOf(file) === name : nameOf(file).includes(name);
}

if (benches.length === 0) {
  console.error(`No benchmark is called ${wanted.join(' or ')}.`);
  process.exit(1);
}
const turns = Number(values.turns);
if (!Number.isInteger(turns) || turns < 1) {
  console.error(`--turns takes a whole number from 1, not “${values.turns}”.`);
  process.exit(1);
}
ensureBuilt((line) => console.log(line));
if (values.against !== undefined) {
  try {
    benchAgainst({ ref: values.against, benches, turns });
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
  process.exit(0);
}
let failed = 0;
for (const file of benches) {
  console.log(`\n── ${basename(file, '.bench.ts')}`);
  const { status } = spawnSync(process.execPath, [...mainFlags, '--expose-gc', file], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(values.write && { LIKENESS_WRITE_FIGURES: '1' }) },
  });
  if (status !== 0) failed += 1;
}
if (values.write) console.log('\nRun npm run docs to update docs/quality.md.');
console.log(`\n${benches.length - failed} benchmarks held their limits, ${failed} did not`);
process.exit(failed === 0 ? 0 : 1);
