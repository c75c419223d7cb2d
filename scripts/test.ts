/**
 * `npm test`: all checks and tests. Two lanes run side by side, one in Node and one in Chromium. It ends with
 * the time of each phase, the slowest files, and one line of totals.
 *
 *     npm test                        everything
 *     npm test -- check               types, lint, import rules, dead code (`npm run check`)
 *     npm test -- pure browser        these suites: pure, process, heads, browser, e2e; node is the first three
 *     npm test -- --changed [REF]     the checks, and the tests that changes since REF touch (default: HEAD)
 *     npm test -- --long              the full sizes of inputs (`npm run test:long`)
 */
import { execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { findChromium } from './chromium.ts';
import { changedFiles, changedSpecs, foldersBeside } from './testing/changed_tests.ts';
import { readPlaywright, type SuiteResults } from './testing/suite_results.ts';
import { overBudget, type Phase, timeTable } from './testing/summary.ts';

const root = join(import.meta.dirname, '..');
const reports = join(root, 'test-results');
const bin = (packageName: string, file: string): string => join(root, 'node_modules', packageName, file);

const nodeSuites = ['pure', 'process', 'heads'] as const;
const suiteNames = [...nodeSuites, 'browser', 'e2e'] as const;
type SuiteName = (typeof suiteNames)[number];

const { positionals, values: flags } = parseArgs({
  args: process.argv
    .slice(2)
    .map((arg, at, all) => (isBareChanged(arg, all[at + 1]) ? '--changed=HEAD' : arg)),
  allowPositionals: true,
  options: { changed: { type: 'string' }, long: { type: 'boolean', default: false } },
});
const wanted = new Set(positionals.flatMap((name) => (name === 'node' ? nodeSuites : [name])));
const unknown = [...wanted].filter((name) => name !== 'check' && !suiteNames.includes(name as SuiteName));
if (unknown.length > 0) {
  console.error(
    `No suite is called ${unknown.join(', ')}. The suites: check, node, ${suiteNames.join(', ')}.`,
  );
  process.exit(2);
}
const wants = (part: string): boolean => wanted.size === 0 || wanted.has(part);
if (flags.long) process.env.LIKENESS_TEST_LONG = '1';
// Tests start many processes of the same code: an engine starts in half the time from compiled code.
process.env.NODE_COMPILE_CACHE ??= join(root, '.cache/compiled');

const totals = { passed: 0, skipped: 0 };
const failures: string[] = [];
const phases: Phase[] = [];

function isBareChanged(arg: string, next: string | undefined): boolean {
  return arg === '--changed' && (next === undefined || next.startsWith('-') || next === 'check');
}

function fail(name: string): void {
  failures.push(name);
  console.error(`✗ ${name}`);
}

/** Notes the time from now to the end of the work under this name. */
async function timed<T>(name: string, work: (phase: Phase) => Promise<T>): Promise<T> {
  const phase: Phase = { name, startSeconds: performance.now() / 1000, endSeconds: 0 };
  phases.push(phase);
  const result = await work(phase);
  phase.endSeconds = performance.now() / 1000;
  return result;
}

/** Runs a Node program. Its lines are printed as they come, after the suite's name. */
async function run(name: string, args: string[], env: Record<string, string> = {}): Promise<boolean> {
  const options: SpawnOptions = {
    cwd: root,
    env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  const program = spawn(process.execPath, args, options);
  const ended = new Promise<number | null>((resolve, reject) => {
    program.once('error', reject);
    program.once('close', resolve);
  });
  for (const stream of [program.stdout, program.stderr]) {
    if (stream) createInterface(stream).on('line', (line) => console.log(`${name.padEnd(8)}│ ${line}`));
  }
  return (await ended) === 0;
}

/** Runs programs as one check, which passes if all of them end with 0. */
async function check(name: string, ...args: string[]): Promise<boolean> {
  const succeeded = await timed(name, () => run(name, args));
  if (succeeded) totals.passed += 1;
  else fail(name);
  return succeeded;
}

async function checks(): Promise<void> {
  const knip = bin('knip', 'bin/knip.js');
  // Each checker of a package checks the types that they share anew: few cores take half the time with one.
  const checkers = String(Math.ceil(availableParallelism() / 4));
  await check('types', bin('typescript', 'bin/tsc'), '-b', '--checkers', checkers);
  await Promise.all([
    check('lint', bin('@biomejs/biome', 'bin/biome'), 'check', '.'),
    check('import rules', 'scripts/imports/check.ts'),
  ]);
  await check('dead code', knip, '--no-progress');
  await check('code that only tests use', knip, '--production', '--no-progress', '--exclude', 'dependencies');
}

/** Adds what a suite reported. A suite without a report has failed. */
async function suite(
  name: SuiteName,
  run: (report: string) => Promise<boolean>,
  read: (json: unknown) => SuiteResults,
): Promise<void> {
  const report = join(reports, `${name}.json`);
  rmSync(report, { force: true });
  await timed(name, async (phase) => {
    const succeeded = await run(report);
    if (!existsSync(report)) return fail(`${name}: it left no report`);
    const results = read(JSON.parse(readFileSync(report, 'utf8')));
    phase.results = results;
    totals.passed += results.passed;
    totals.skipped += results.skipped;
    failures.push(...results.failures);
    if (!succeeded && results.failures.length === 0) fail(`${name}: it failed outside of its tests`);
  });
}

const changed = flags.changed === undefined ? null : changedFiles(root, flags.changed);
const vitest = [bin('vitest', 'vitest.mjs')];

/** Files of a project that the change touches; null: all. */
function filesToRun(project: SuiteName): string[] | null {
  if (!changed) return null;
  const list = (...args: string[]): string[] => {
    const json = execFileSync(
      process.execPath,
      [...vitest, 'list', '--filesOnly', '--json', '--project', project, ...args],
      { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 26 },
    );
    return (JSON.parse(json.slice(json.indexOf('['))) as { file: string }[]).map(({ file }) => file);
  };
  const beside = project === 'process' ? foldersBeside(root, changed) : [];
  return [
    ...new Set([
      ...list('--changed', flags.changed ?? 'HEAD', '--passWithNoTests'),
      ...(beside.length > 0 ? list(...beside) : []),
    ]),
  ];
}

async function vitestSuite(project: Exclude<SuiteName, 'e2e'>): Promise<void> {
  if (!wants(project)) return;
  const files = filesToRun(project);
  if (files?.length === 0) return;
  const args = [
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=scripts/testing/vitest_reporter.ts',
  ];
  await suite(
    project,
    (report) => run(project, [...vitest, ...args, ...(files ?? [])], { LIKENESS_TEST_REPORT: report }),
    (json) => json as SuiteResults,
  );
}

async function endToEnd(): Promise<void> {
  if (!wants('e2e')) return;
  const specs = changed ? changedSpecs(changed) : [];
  if (changed && specs.length === 0) return;
  const playwright = [bin('@playwright/test', 'cli.js'), 'test', '--config', 'test/e2e/playwright.config.ts'];
  await suite(
    'e2e',
    (report) => run('e2e', [...playwright, ...specs], { PLAYWRIGHT_JSON_OUTPUT_NAME: report }),
    readPlaywright,
  );
}

mkdirSync(reports, { recursive: true });
await check('generated code', 'scripts/proto-generate.ts');
if ([...wanted].some((part) => part !== 'check') || wanted.size === 0) {
  // Each lane has half of the cores: with more at work than there are cores, tests that wait for real time fail.
  if (wanted.size !== 1) process.env.LIKENESS_TEST_WORKERS ??= '50%';
  // Each lane takes the next step when the one before has ended.
  const programs = check('programs', 'scripts/testing/programs.ts').then(() => {
    process.env.LIKENESS_CHROMIUM ??= findChromium() ?? '';
  });
  const built = (wants('check') ? checks() : Promise.resolve()).then(() =>
    check('build', 'scripts/build.ts'),
  );
  const inNode = built
    .then(() => vitestSuite('pure'))
    .then(() => programs)
    .then(() => vitestSuite('process'));
  const inChromium = programs
    .then(() => vitestSuite('browser'))
    .then(() => built)
    .then(() => endToEnd());
  // The lane that ends first makes the heads.
  const heads = Promise.race([inNode, inChromium]).then(() => vitestSuite('heads'));
  await Promise.all([inNode, inChromium, heads]);
} else {
  await checks();
}

if (phases.some(({ results }) => results)) console.log(`\n${timeTable(phases)}`);
// Budgets are for the sizes of `npm test`.
if (!flags.long) failures.push(...overBudget(phases));
const flaky = phases.flatMap(({ results }) => results?.flaky ?? []);
if (flaky.length > 0) {
  console.log(
    `\n── flaky (${flaky.length}): failed first, passed when repeated\n${flaky.map((name) => `~ ${name}`).join('\n')}`,
  );
}
if (failures.length > 0) console.log(`\n── failed\n${failures.map((name) => `✗ ${name}`).join('\n')}`);
const counts = [`${totals.passed} passed`, `${failures.length} failed`];
if (totals.skipped > 0) counts.push(`${totals.skipped} skipped`);
console.log(`\n${counts.join(', ')}`);
process.exit(failures.length === 0 ? 0 : 1);
