/** Results of one suite of tests, as `npm test` adds them up. */
import { stripVTControlCharacters } from 'node:util';

export interface SuiteResults {
  passed: number;
  skipped: number;
  /** One entry for each failed test: file, name, and the first lines of its message. */
  failures: string[];
  /** Tests that failed first and passed when they were repeated. */
  flaky: string[];
  /** Seconds that each file took, its imports and hooks included. */
  files: { file: string; seconds: number }[];
}

interface PlaywrightSuite {
  specs: {
    title: string;
    file: string;
    ok: boolean;
    tests: { status: string; results: { duration: number; error?: { message?: string } }[] }[];
  }[];
  suites?: PlaywrightSuite[];
}
interface PlaywrightReport {
  stats: { expected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
}

/** Reads the report of Playwright's `json` reporter. */
export function readPlaywright(json: unknown): SuiteResults {
  const { stats, suites } = json as PlaywrightReport;
  const specsOf = (suite: PlaywrightSuite): PlaywrightSuite['specs'] => [
    ...suite.specs,
    ...(suite.suites ?? []).flatMap(specsOf),
  ];
  const specs = suites.flatMap(specsOf);
  const seconds = new Map<string, number>();
  for (const { file, tests } of specs) {
    const milliseconds = tests.flatMap(({ results }) => results.map(({ duration }) => duration));
    seconds.set(file, (seconds.get(file) ?? 0) + milliseconds.reduce((sum, each) => sum + each, 0) / 1000);
  }
  return {
    passed: stats.expected + stats.flaky,
    skipped: stats.skipped,
    failures: specs
      .filter(({ ok }) => !ok)
      .map(({ file, title, tests }) =>
        failureLine(`${file} › ${title}`, tests[0]?.results.at(-1)?.error?.message),
      ),
    flaky: specs
      .filter(({ tests }) => tests.some(({ status }) => status === 'flaky'))
      .map(({ file, title }) => `${file} › ${title}`),
    files: [...seconds].map(([file, each]) => ({ file: `test/e2e/${file}`, seconds: each })),
  };
}

/** A failed test and the first lines of its message: that of a picture says in the third how many pixels differ. */
export function failureLine(name: string, message = ''): string {
  const lines = stripVTControlCharacters(message).split('\n');
  const reason = lines
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, 3);
  return reason.length > 0 ? `${name}: ${reason.join(' ')}` : name;
}
