/** The end of `npm test`: time of each phase, the slowest files, flaky and failed tests, and the totals. */
import type { SuiteResults } from './suite_results.ts';

export interface Phase {
  name: string;
  startSeconds: number;
  endSeconds: number;
  results?: SuiteResults;
}

/** Seconds that a file of tests may take on a machine that does nothing else. */
const fileBudget = 20;
/** A machine busy with other work may need this much longer: only a file above it fails the run. */
const busyMachine = 10;

/** Files that may take longer than `fileBudget`, with the seconds that they may take and the reason. */
const longFiles: Record<string, { seconds: number; why: string }> = {};

/** An end-to-end file holds several journeys through a started studio. */
const endToEndBudget = 60;

const budgetOf = (file: string): number =>
  longFiles[file]?.seconds ?? (file.startsWith('test/e2e/') ? endToEndBudget : fileBudget);

/** Files of tests that took so long that they fail the run, as lines. */
export const overBudget = (phases: readonly Phase[]): string[] =>
  filesOf(phases)
    .filter(({ file, seconds }) => seconds > budgetOf(file) * busyMachine)
    .map(
      ({ file, seconds }) =>
        `${file} took ${seconds.toFixed(0)} s. A file may take ${budgetOf(file)} s (${busyMachine} times that on a busy machine): make it faster, or name it with a reason in scripts/testing/summary.ts.`,
    );

/** A table of the phases and of the slowest files. */
export function timeTable(phases: readonly Phase[], slowestCount = 25): string {
  const lines = ['── time of each phase (seconds)', '    from      to    took  tests  phase'];
  const cell = (value: number): string => value.toFixed(0).padStart(8);
  for (const { name, startSeconds, endSeconds, results } of phases) {
    const tests = results ? String(results.passed + results.skipped + results.failures.length) : '';
    lines.push(
      `${cell(startSeconds)}${cell(endSeconds)}${cell(endSeconds - startSeconds)}${tests.padStart(7)}  ${name}`,
    );
  }
  lines.push('', `── the ${slowestCount} slowest files (seconds; budget ${fileBudget})`);
  for (const { file, seconds, phase } of filesOf(phases).slice(0, slowestCount)) {
    const over = seconds > budgetOf(file) ? '  over its budget' : '';
    lines.push(`${seconds.toFixed(1).padStart(8)}  ${file} (${phase})${over}`);
  }
  return lines.join('\n');
}

/** All files with their seconds, the slowest first. */
const filesOf = (phases: readonly Phase[]): { file: string; seconds: number; phase: string }[] =>
  phases
    .flatMap(({ name, results }) => results?.files.map((file) => ({ ...file, phase: name })) ?? [])
    .sort((a, b) => b.seconds - a.seconds);
