import type { CommanderError } from 'commander';
import type { Job, StudioErrorCode } from '#contract';
import type { BatchRunResult } from '../../batch/batch_run.ts';

/** The exit codes of commands; docs/cli.md and `likeness --help` list the same ones. */
export const exitCodes = { done: 0, other: 1, usage: 2, partly: 3, refused: 4 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** `usage`: the same command can't succeed. `refused`: a key, a confirmation or a permission is missing. */
const ofFailures: Readonly<Record<StudioErrorCode, ExitCode>> = {
  invalid_input: exitCodes.usage,
  forbidden: exitCodes.refused,
  not_found: exitCodes.other,
  conflict: exitCodes.other,
  not_allowed: exitCodes.refused,
  locked: exitCodes.refused,
  key_missing: exitCodes.refused,
  cap_reached: exitCodes.refused,
  upstream_refused: exitCodes.refused,
  upstream_broken: exitCodes.other,
  unreachable: exitCodes.other,
  timeout: exitCodes.other,
  cancelled: exitCodes.other,
  storage: exitCodes.other,
  unsupported: exitCodes.other,
  internal: exitCodes.other,
};

export const exitCodeOfFailure = (code: StudioErrorCode): ExitCode => ofFailures[code];

/** Help and version are normal results; any other stop of commander is an invalid command line. */
export const exitCodeOfCommander = ({ exitCode }: CommanderError): ExitCode =>
  exitCode === 0 ? exitCodes.done : exitCodes.usage;

/** Combines the results of several items: `done` succeeded; the others failed with these codes. */
export function exitCodeOfAll(done: number, faults: readonly ExitCode[]): ExitCode {
  const [first] = faults;
  if (first === undefined) return exitCodes.done;
  if (done > 0) return exitCodes.partly;
  return faults.every((fault) => fault === first) ? first : exitCodes.other;
}

/**
 * A run that waits for the user (a refused or missing key, a full account) counts as refused, even if it did
 * something before.
 */
export function exitCodeOfBatch(result: BatchRunResult): ExitCode {
  if (result.allDone) return exitCodes.done;
  if (result.held) return exitCodes.refused;
  const faults: ExitCode[] = [
    ...result.jobs.filter(({ state }) => state !== 'done').map(ofJob),
    ...result.left.map(() => exitCodes.other),
    ...result.manifestProblems.map(() => exitCodes.usage),
  ];
  let done = result.done + result.alreadyThere;
  for (const { sex, check } of result.photos) {
    if (check === 'blocked') faults.push(exitCodes.other);
    else if (sex === null) faults.push(exitCodes.usage);
    else done += 1;
  }
  // No photos at all, or files that are not photos.
  return exitCodeOfAll(done, faults.length > 0 ? faults : [exitCodes.other]);
}

const ofJob = ({ code }: Job): ExitCode => (code === null ? exitCodes.other : exitCodeOfFailure(code));

/** For the help of the whole program. */
export const exitCodeHelp = `
Exit codes:
  0  success
  1  failure: for example a missing file, no connection, a full disk
  2  usage: the command line or its input is wrong
  3  partial success: some of several items failed
  4  refused by a server, the spending cap or the studio, or a key or confirmation is missing
  129, 130, 143  ended by a signal`;
