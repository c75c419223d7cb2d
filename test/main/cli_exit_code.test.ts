/** What the command line ends with, what its help says, and how it writes times. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { describe, expect, it, test } from 'vitest';
import { type StudioErrorCode, studioErrorCodes } from '#contract';
import type { BatchRunResult } from '../../main/batch/batch_run.ts';
import type { CommandContext } from '../../main/commands/command_context.ts';
import {
  exitCodeOfAll,
  exitCodeOfBatch,
  exitCodeOfCommander,
  exitCodeOfFailure,
  exitCodes,
} from '../../main/commands/output/exit_code.ts';
import { jsonText } from '../../main/commands/output/json_text.ts';
import { addCompletionCommand, createProgram } from '../../main/commands/program.ts';

const root = join(import.meta.dirname, '../..');
const source = (path: string): string => readFileSync(join(root, path), 'utf8');
const contractFiles = globSync('preload/contract/*.ts', { cwd: root });

const codes: Record<StudioErrorCode, number> = {
  invalid_input: 2,
  forbidden: 4,
  not_found: 1,
  conflict: 1,
  not_allowed: 4,
  locked: 4,
  key_missing: 4,
  cap_reached: 4,
  upstream_refused: 4,
  upstream_broken: 1,
  unreachable: 1,
  timeout: 1,
  cancelled: 1,
  storage: 1,
  unsupported: 1,
  internal: 1,
};

describe('the exit code', () => {
  it.each(studioErrorCodes)('of the failure %s', (code) => {
    expect(exitCodeOfFailure(code)).toBe(codes[code]);
  });

  it('of several things says whether some were done', () => {
    expect(exitCodeOfAll(3, [])).toBe(0);
    expect(exitCodeOfAll(3, [4, 1])).toBe(3);
    expect(exitCodeOfAll(0, [4, 4])).toBe(4);
    expect(exitCodeOfAll(0, [4, 1])).toBe(1);
  });

  const over: BatchRunResult = {
    allDone: false,
    found: 2,
    done: 0,
    alreadyThere: 0,
    failed: 0,
    cancelled: 0,
    uncertain: 0,
    held: '',
    waiting: 0,
    paid: 0,
    left: [],
    intake: null,
    manifests: [],
    manifestProblems: [],
    photos: [],
    jobs: [],
  };
  const failed = (code: StudioErrorCode | null) => ({ state: 'failed', code }) as BatchRunResult['jobs'][0];
  const seen = (sex: 'female' | null, check: 'ok' | 'blocked') =>
    ({ sex, check }) as BatchRunResult['photos'][0];
  it.each<[string, Partial<BatchRunResult>, number]>([
    ['all done', { allDone: true, done: 2 }, 0],
    ['no photo', { found: 0 }, 1],
    ['some failed', { done: 1, jobs: [failed('upstream_broken')] }, 3],
    [
      'some were there, one could not be queued',
      { alreadyThere: 1, left: [{ fileName: 'a', reason: '' }] },
      3,
    ],
    ['all done, and a file that was no photo', { done: 2 }, 3],
    ['all refused', { jobs: [failed('upstream_refused'), failed('upstream_refused')] }, 4],
    ['all failed, for several reasons', { jobs: [failed('upstream_refused'), failed(null)] }, 1],
    ['waits for a person', { held: 'The server refused the key.', waiting: 2 }, 4],
    ['waits for a person, and one is done', { held: 'The cap is reached.', done: 1, waiting: 1 }, 4],
    ['looked at, no sex said', { photos: [seen(null, 'ok')] }, 2],
    ['looked at, one is no portrait', { photos: [seen('female', 'ok'), seen('female', 'blocked')] }, 3],
  ])('of a batch: %s', (_, result, code) => {
    expect(exitCodeOfBatch({ ...over, ...result })).toBe(code);
  });

  it('is told in the help and in docs/cli.md', () => {
    const help = run('--help').out;
    for (const code of Object.values(exitCodes)) {
      expect(help).toMatch(new RegExp(`^ {2}${code}  \\w`, 'm'));
      expect(source('docs/cli.md')).toMatch(new RegExp(`^\\| ${code} \\| \\w`, 'm'));
    }
  });
});

/** The program with nothing behind it: enough for what commander answers by itself. */
function program(): { program: Command; said: () => string } {
  let text = '';
  const write = (more: string): void => {
    text += more;
  };
  const nothing = (): never => {
    throw new Error('no command is run here');
  };
  const context: CommandContext = {
    terminal: { out: write, error: write, environment: {} },
    withStudio: nothing,
    asJson: () => false,
    isQuiet: () => false,
    result: nothing,
    success: nothing,
    words: nothing,
    progress: nothing,
    setExitCode: nothing,
    path: nothing,
    inOpenStudio: false,
    signal: new AbortController().signal,
    takeSignals() {},
  };
  const made = createProgram(context, { version: '1', engineOptions: {} });
  addCompletionCommand(made);
  return { program: made, said: () => text };
}

function run(...args: string[]): { code: number; out: string } {
  const { program: made, said } = program();
  try {
    made.parse(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return { code: exitCodeOfCommander(error), out: said() };
    throw error;
  }
  throw new Error('commander let it pass');
}

test.each([
  ['--help', 0],
  ['--version', 0],
  ['library export --help', 0],
  ['', 2],
  ['library', 2],
  ['juggle', 2],
  ['head', 2],
  ['head photo.jpg', 2],
  ['head photo.jpg --sex neither', 2],
  ['batch photos --jobs many', 2],
  ['library list --nothing', 2],
  ['talk voice.wav', 2],
  ['completion tcsh', 2],
])('“likeness %s” ends with %i', (args, code) => {
  expect(run(...args.split(' ').filter(Boolean)).code).toBe(code);
});

test('every help has an example, of a command that there is, and offers --json and --quiet', () => {
  const names = (command: Command, path: string[]): string[][] => [
    path,
    ...command.commands.flatMap((sub) =>
      ['help', 'complete'].includes(sub.name()) ? [] : names(sub, [...path, sub.name()]),
    ),
  ];
  const all = names(program().program, []);
  expect(all.length).toBeGreaterThan(25);
  for (const path of all) {
    const { out } = run(...path, '--help');
    expect(out, path.join(' ')).toMatch(/^Examples:\n {2}likeness \w/m);
    expect(out).toContain('--json');
    expect(out).toContain('--quiet');
    const examples = out.slice(out.indexOf('Examples:')).match(/^ {2}likeness .*/gm) ?? [];
    for (const example of examples) expect(example).toContain(`likeness ${path.join(' ')}`);
  }
});

test('times are ISO 8601 in JSON: every field that the contract calls a time', () => {
  const fields = contractFiles.flatMap((path) =>
    [...source(path).matchAll(/(\w+): time\b(?!\.optional)/g)].map(([, field]) => field ?? ''),
  );
  expect(fields.length).toBeGreaterThan(15);
  for (const field of fields)
    expect(jsonText([{ [field]: 0 }]), field).toBe(`[{"${field}":"1970-01-01T00:00:00.000Z"}]`);
  expect(jsonText({ seconds: 3, createdAt: null, bytes: 4 })).toBe(
    '{"seconds":3,"createdAt":null,"bytes":4}',
  );
});
