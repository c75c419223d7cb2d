/** What the JSON reports of Vitest and Playwright say: how many tests passed, and which failed, with why. */
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

export interface SuiteResults {
  passed: number;
  skipped: number;
  /** One entry for each failed test: file, name, and the first line of what it said. */
  failures: string[];
}

interface VitestReport {
  numPassedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}

/** Vitest's `json` reporter. A file that could not be loaded is one failure. */
export function readVitest(json: unknown): SuiteResults {
  const report = json as VitestReport;
  const failures = report.testResults.flatMap((file) => {
    const name = relative(process.cwd(), file.name);
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    if (file.status === 'failed' && failed.length === 0) return [failure(name, file.message)];
    return failed.map((test) => failure(`${name} › ${test.fullName}`, test.failureMessages[0]));
  });
  return {
    passed: report.numPassedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
  };
}

interface PlaywrightSuite {
  specs: {
    title: string;
    file: string;
    ok: boolean;
    tests: { results: { error?: { message?: string } }[] }[];
  }[];
  suites?: PlaywrightSuite[];
}
interface PlaywrightReport {
  stats: { expected: number; flaky: number; skipped: number };
  suites: PlaywrightSuite[];
}

/** Playwright's `json` reporter. */
export function readPlaywright(json: unknown): SuiteResults {
  const { stats, suites } = json as PlaywrightReport;
  const specs = (suite: PlaywrightSuite): PlaywrightSuite['specs'] => [
    ...suite.specs,
    ...(suite.suites ?? []).flatMap(specs),
  ];
  const failures = suites
    .flatMap(specs)
    .filter((spec) => !spec.ok)
    .map((spec) => failure(`${spec.file} › ${spec.title}`, spec.tests[0]?.results.at(-1)?.error?.message));
  return { passed: stats.expected + stats.flaky, skipped: stats.skipped, failures };
}

function failure(name: string, message = ''): string {
  const reason = stripVTControlCharacters(message).trim().split('\n')[0];
  return reason ? `${name}: ${reason}` : name;
}
