/**
 * `npm run bench -- queue --against v1.2 [--turns 5]`: compares a benchmark at an older commit with the
 * current code, alternating on this machine. Limits are generous, so a figure can become much worse without
 * exceeding one.
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { mainFlags } from '../main_flags.ts';
import { compareFigures, type PrintedFigure, readFigures } from './bench_figures.ts';

const root = join(import.meta.dirname, '../..');

/** An error in the arguments: an unknown commit, or a benchmark that the commit lacks. */
export class BenchError extends Error {}

export interface Comparison {
  /** Any commit name that git accepts. */
  ref: string;
  /** Paths of benchmarks relative to the repository. */
  benches: readonly string[];
  /** Number of runs of each benchmark per commit. */
  turns: number;
}

/** @throws BenchError */
export function benchAgainst({ ref, benches, turns }: Comparison): void {
  const commit = commitOf(ref);
  const shared = benches.filter((file) => git(['ls-tree', '--name-only', commit, '--', file]) !== '');
  for (const file of benches)
    if (!shared.includes(file)) console.log(`${ref} has no benchmark ${nameOf(file)}.`);
  if (shared.length === 0) throw new BenchError(`${ref} has none of these benchmarks.`);
  const folder = prepare(commit);
  for (const file of shared) {
    console.log(`\n── ${nameOf(file)}`);
    const then: PrintedFigure[][] = [];
    const now: PrintedFigure[][] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const sides = [
        { at: ref, in: folder, to: then },
        { at: 'now', in: root, to: now },
      ];
      // Alternate the order: a machine that warms up or fills its disk favours neither.
      for (const side of turn % 2 === 0 ? sides : sides.toReversed()) {
        const figures = runOnce(side.in, file);
        console.log(
          `turn ${turn + 1}, ${side.at}: ${figures.map(({ name, value, unit }) => `${name} ${value} ${unit}`).join('; ')}`,
        );
        side.to.push(figures);
      }
    }
    console.log(`\n${compareFigures(ref, then, now)}`);
  }
}

const nameOf = (file: string): string => basename(file, '.bench.ts');

/** @throws BenchError if git does not know the commit */
function commitOf(ref: string): string {
  const { status, stdout } = spawnSync(
    'git',
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  if (status !== 0) throw new BenchError(`git knows no commit “${ref}”.`);
  return stdout.trim();
}

function git(args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`);
  return stdout.trim();
}

/**
 * Checks a commit out and builds it, once: the folder is kept for the next comparison.
 *
 * @returns Absolute path of its folder.
 */
function prepare(commit: string): string {
  const folder = join(root, '.cache', 'bench', commit.slice(0, 12));
  const stamp = join(folder, '.prepared');
  if (existsSync(stamp)) return folder;
  console.log(`Preparing ${commit.slice(0, 12)} in ${folder} …`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = `${folder}.tar`;
  git(['archive', '--format=tar', '-o', archive, commit]);
  run('tar', ['-xf', archive, '-C', folder], root);
  rmSync(archive);
  const lock = (of: string): string => readFileSync(join(of, 'package-lock.json'), 'utf8');
  if (lock(folder) === lock(root)) linkTree(join(root, 'node_modules'), join(folder, 'node_modules'));
  else run('npm', ['ci', '--no-audit', '--no-fund'], folder);
  run(nodeOf(folder), ['scripts/build.ts'], folder);
  writeFileSync(stamp, '');
  return folder;
}

/** The Node from the commit's packages: a newer Node is part of the measured change. */
function nodeOf(folder: string): string {
  const brought = join(
    folder,
    'node_modules',
    'node',
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  return existsSync(brought) ? brought : process.execPath;
}

function run(program: string, args: string[], cwd: string): void {
  // On Windows npm is a script, which only a shell starts.
  const { status, error } = spawnSync(program, args, { cwd, stdio: 'inherit', shell: program === 'npm' });
  if (status !== 0)
    throw new BenchError(`${program} ${args.join(' ')} failed in ${cwd}${error ? `: ${error.message}` : ''}`);
}

/** Hard links, so that the copy costs no time or space, and survives a reinstallation here. */
function linkTree(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    // Bundlers rewrite their cache in place, so it needs a real copy.
    if (entry.isDirectory() && entry.name.startsWith('.vite')) continue;
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else {
      try {
        linkSync(source, target);
      } catch {
        copyFileSync(source, target);
      }
    }
  }
}

/**
 * Printed by a benchmark's own process when it ends, in a figure's form. Threads and processes that it starts
 * inherit the flag and print nothing; its threads' time is included.
 */
const reportProcessorTime = `data:text/javascript,${encodeURIComponent(`
  import { isMainThread } from 'node:worker_threads';
  const isBenchmark = isMainThread && process.env.LIKENESS_BENCH_TURN === '1';
  if (isMainThread) delete process.env.LIKENESS_BENCH_TURN;
  if (isBenchmark) process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    console.log('✓ processor time of the benchmark: ' + ((user + system) / 1e6).toPrecision(4) + ' s (≤ Infinity)');
  });
`)}`;

/** @throws BenchError if the benchmark printed no figure */
function runOnce(folder: string, file: string): PrintedFigure[] {
  const { stdout, stderr } = spawnSync(
    nodeOf(folder),
    [...mainFlags, '--expose-gc', '--import', reportProcessorTime, file],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, LIKENESS_BENCH_TURN: '1' },
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  const figures = readFigures(stdout);
  if (figures.length < 2)
    throw new BenchError(
      `${file} printed no figures in ${folder}:\n${stdout.slice(-4000)}${stderr.slice(-4000)}`,
    );
  return figures;
}
