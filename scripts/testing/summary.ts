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
/** An end-to-end file holds several journeys through a started studio. */
const endToEndBudget = 60;

/** Files that may take longer, with the reason. */
const longFiles: Record<string, string> = {};

/**
 * A file over its budget fails the run only if it also takes this share of its phase's time. On a slow machine every
 * file is over its budget.
 */
const largestShare = 0.4;
/** In a phase of fewer files (`--changed`) a share says nothing. */
const fewFiles = 20;

const budgetOf = (file: string): number => (file.startsWith('test/e2e/') ? endToEndBudget : fileBudget);

/** Files of tests that took so long that they fail the run, as lines. */
export const overBudget = (phases: readonly Phase[]): string[] =>
  phases.flatMap(({ results }) => {
    const files = results?.files ?? [];
    if (files.length < fewFiles) return [];
    const limit = largestShare * files.reduce((sum, { seconds }) => sum + seconds, 0);
    return files
      .filter(({ file, seconds }) => seconds > Math.max(limit, budgetOf(file)) && !longFiles[file])
      .map(
        ({ file, seconds }) =>
          `${file} took ${seconds.toFixed(0)} s: over its budget of ${budgetOf(file)} s, and over ${100 * largestShare} % of its phase. Make it faster, or name it with a reason in scripts/testing/summary.ts.`,
      );
  });

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
