/**
 * `npm test`: all checks and tests. Checks types, lint, import rules and dead code, builds, then runs the
 * tests in Node, in Chromium, and end to end. Ends with one line of totals taken from the real results.
 *
 * `npm run check`: the checks alone; they need no build and no browser.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.ts';
import { ensureChromium } from './chromium.ts';
import { ensureReaders } from './readers.ts';
import { readPlaywright, readVitest, type SuiteResults } from './test_results.ts';

const root = join(import.meta.dirname, '..');
const results = join(root, 'test-results');
const totals = { passed: 0, skipped: 0 };
/** What failed, by name, told again before the totals: who has only the end of a log needs no other. */
const failures: string[] = [];

function fail(name: string): void {
  failures.push(name);
  console.error(`✗ ${name}`);
}

function check(name: string, action: () => boolean): void {
  console.log(`\n── ${name}`);
  let held = false;
  try {
    held = action();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  }
  count(name, held);
}

function count(name: string, held: boolean): void {
  if (held) totals.passed += 1;
  else fail(name);
}

const node = (args: string[], environment: Record<string, string> = {}): boolean =>
  spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...environment } })
    .status === 0;
const bin = (packageName: string, file: string): string => join(root, 'node_modules', packageName, file);

/** Runs programs in parallel and prints each one's output when it ends. */
async function checkAll(programs: Record<string, string[]>): Promise<void> {
  const runs = Object.entries(programs).map(async ([name, args]) => {
    const program = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    program.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    program.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const status = await new Promise((resolve, reject) => {
      program.once('error', reject);
      program.once('close', resolve);
    });
    console.log(`\n── ${name}`);
    if (said.trim()) console.log(said.trimEnd());
    count(name, status === 0);
  });
  await Promise.all(runs);
}

/** Runs a suite, adds what its JSON report counts; a suite without a report has failed. */
function suite(
  name: string,
  report: string,
  run: () => boolean,
  read: (json: unknown) => SuiteResults,
): void {
  console.log(`\n── ${name}`);
  rmSync(report, { force: true });
  const held = run();
  if (!existsSync(report)) {
    fail(`${name}: it left no report`);
    return;
  }
  const found = read(JSON.parse(readFileSync(report, 'utf8')));
  totals.passed += found.passed;
  totals.skipped += found.skipped;
  failures.push(...found.failures);
  if (!held && found.failures.length === 0) fail(`${name}: it failed outside its tests`);
}

const only = process.argv[2];
const wanted = (part: string): boolean => only === undefined || only === part;

check('generated code', () => node(['scripts/proto-generate.ts']));
if (wanted('check')) {
  await checkAll({
    types: [bin('typescript', 'bin/tsc'), '-b'],
    lint: [bin('@biomejs/biome', 'bin/biome'), 'check', '.'],
    'import rules': ['scripts/imports/check.ts'],
    'dead code': [bin('knip', 'bin/knip.js'), '--no-progress'],
    'code that only tests use': [
      bin('knip', 'bin/knip.js'),
      '--production',
      '--no-progress',
      '--exclude',
      'dependencies',
    ],
  });
}
if (only !== 'check') {
  mkdirSync(results, { recursive: true });
  process.env.LIKENESS_CHROMIUM = ensureChromium((line) => console.log(line));
  ensureReaders((line) => console.log(line));
  check('build', () => {
    ensureBuilt((line) => console.log(line));
    return true;
  });
}

for (const [project, name, workers] of [
  // Test files mostly wait: vitest's default of one worker less than there are cores leaves two cores half
  // idle.
  ['node', 'tests in Node', ['--maxWorkers=100%']],
  ['browser', 'tests in Chromium', []],
] as const) {
  if (!wanted(project)) continue;
  const report = join(results, `${project}.json`);
  suite(
    name,
    report,
    () =>
      node([
        bin('vitest', 'vitest.mjs'),
        'run',
        '--project',
        project,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
        ...workers,
      ]),
    readVitest,
  );
}
if (wanted('e2e')) {
  const report = join(results, 'e2e.json');
  suite(
    'end to end',
    report,
    () =>
      node([bin('@playwright/test', 'cli.js'), 'test', '--config', 'test/e2e/playwright.config.ts'], {
        PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      }),
    readPlaywright,
  );
}

if (failures.length > 0) console.log(`\n── failed\n${failures.map((name) => `✗ ${name}`).join('\n')}`);
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : '';
console.log(`\n${totals.passed} passed, ${failures.length} failed${skipped}`);
process.exit(failures.length === 0 ? 0 : 1);
